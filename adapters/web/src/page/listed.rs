//! Lists of records page by page: which page is asked for, by which words, and whether all rows are as a file.

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use domain::Faults;
use http::edge::Failure;
use maud::{Markup, html};
use ports::inbound::{Error, Found, SearchWords};
use ports::repo::Page;

use crate::address::Address;
use crate::component;
use crate::here::Here;
use crate::layout::Layout;
use crate::params::Params;

/// Records that are read at once where all are asked for.
pub(super) const AT_ONCE: u32 = 1_000;
/// The most rows of a file, and the most records that a search looks at.
pub(super) const MOST_ROWS: usize = 100_000;

/// What is asked of a list.
#[derive(Clone, Debug)]
pub(super) struct Asked {
    /// Which page, from 1.
    pub(super) number: u32,
    /// Whether all rows are asked for, as a file.
    pub(super) csv: bool,
}

impl Asked {
    /// Takes `page` and `form` from an address.
    pub(super) fn take(params: &mut Params) -> Self {
        let read = |text: &str| text.parse::<u32>().ok().filter(|page| *page > 0).ok_or("is no number of a page");
        let number = params.read("page", read).unwrap_or(1);
        Self { number, csv: params.word("form", &[("csv", true)]).unwrap_or(false) }
    }

    /// The page that is asked for, of so many records.
    pub(super) const fn page(&self, size: u32) -> Page {
        Page { number: self.number, size }
    }
}

/// What is asked of a list without a search; else the page that says what is wrong with the address.
#[expect(clippy::result_large_err, reason = "the answer is sent as it is")]
pub(super) fn asked(here: &Here, title: &str, path: &'static str) -> Result<Asked, HttpResponse> {
    let mut params = here.params();
    let asked = Asked::take(&mut params);
    let faults = params.finish();
    if faults.is_empty() { Ok(asked) } else { Err(faulty(here, title, path, &faults)) }
}

/// Whether the figures of one record's page are asked for as a file; else the page that says what is wrong with the address.
#[expect(clippy::result_large_err, reason = "the answer is sent as it is")]
pub(super) fn asks_for_file(here: &Here, title: &str, path: &'static str) -> Result<bool, HttpResponse> {
    let mut params = here.params();
    let is_csv = params.word("form", &[("csv", true)]).unwrap_or(false);
    let faults = params.finish();
    if faults.is_empty() { Ok(is_csv) } else { Err(faulty(here, title, path, &faults)) }
}

/// The page that says what is wrong with an address.
pub(super) fn faulty(here: &Here, title: &str, path: &'static str, faults: &Faults) -> HttpResponse {
    let body = html! { h1 { (title) } (component::faults(faults)) };
    Layout::new(title, path).status(StatusCode::BAD_REQUEST).body(body).answer(here)
}

/// Every record that is found, asked for part by part. `Failure` where more than [`MOST_ROWS`] would be looked at, however few of
/// them are found.
pub(super) async fn all_found<T, P>(
    mut next: impl AsyncFnMut(Option<P>) -> Result<Found<T, P>, Error>,
) -> Result<Vec<T>, Failure> {
    let (mut rows, mut after, mut looked_at) = (Vec::new(), None, 0);
    loop {
        let found = next(after).await?;
        rows.extend(found.data);
        looked_at += found.looked_at;
        if looked_at > MOST_ROWS as u64 {
            return Err(too_many());
        }
        match found.end {
            Some(end) => after = Some(end),
            None => return Ok(rows),
        }
    }
}

/// That there are more rows than a page gives or searches.
pub(super) fn too_many() -> Failure {
    Failure::malformed(format!("There are more than {MOST_ROWS} records. The API lists them page by page."))
}

/// Links to the pages before and behind one of that number.
pub(super) fn pages(here: &Here, list: &Address, number: u32, size: u32, count: u64) -> Markup {
    let to = |number| here.link(&list.clone().with("page", number));
    html! {
        nav.pages aria-label="Pages of the list" {
            @if number > 1 { a href=(to(number - 1)) { "← before" } } @else { span {} }
            @if u64::from(number) * u64::from(size) < count { a href=(to(number.saturating_add(1))) { "after →" } }
        }
    }
}

/// Takes the words that are sought, `q`, from an address.
pub(super) fn words(params: &mut Params) -> Option<SearchWords> {
    params.take("q").map(|text| SearchWords::of(&text))
}

/// Links to the first part of what is found, and to the part behind a place; `after` is the place that this part is behind.
pub(super) fn parts(here: &Here, list: &Address, after: bool, end: Option<impl std::fmt::Display>) -> Markup {
    html! {
        nav.pages aria-label="Pages of the list" {
            @if after { a href=(here.link(list)) { "← from the first" } } @else { span {} }
            @if let Some(end) = end { a rel="next" href=(here.link(&list.clone().with("after", end))) { "after →" } }
        }
    }
}

/// The field of a form that asks for records with words.
pub(super) fn words_field(words: Option<&SearchWords>, label: &str) -> Markup {
    html! {
        label { span { (label) } input type="search" name="q" value=(words.map_or("", SearchWords::as_str)) maxlength="200" autocomplete="off" data-search; }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How often it asks for more, and whether it fails, where each part looks at so many records and finds none of them.
    async fn asked(looked_at: u64, parts: u32) -> (u32, bool) {
        let mut asked = 0;
        let next = async |_: Option<u32>| {
            asked += 1;
            Ok(Found::<u32, u32> { data: Vec::new(), end: (asked < parts).then_some(asked), looked_at })
        };
        let failed = all_found(next).await.is_err();
        (asked, failed)
    }

    #[test]
    fn a_file_of_what_is_found_is_bounded_by_what_is_looked_at() {
        let runtime = actix_web::rt::System::new();
        assert_eq!(runtime.block_on(asked(20_000, 5)), (5, false));
        assert_eq!(runtime.block_on(asked(20_000, 1_000)), (6, true));
    }
}
