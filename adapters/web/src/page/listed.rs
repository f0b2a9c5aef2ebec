//! Lists of records page by page: which page is asked for, by which words, and whether all rows are as a file.

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use domain::Faults;
use http::edge::Failure;
use maud::{Markup, html};
use ports::inbound::Error;
use ports::repo::{Listing, Page};

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

    /// The part of all records that is on the page.
    pub(super) fn part<'a, T>(&self, all: &'a [T], size: u32) -> &'a [T] {
        let before = usize::try_from(self.page(size).offset()).unwrap_or(usize::MAX).min(all.len());
        let size = usize::try_from(size).unwrap_or(usize::MAX);
        let rest = all.get(before..).unwrap_or_default();
        rest.get(..size).unwrap_or(rest)
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

/// The page that says what is wrong with an address.
pub(super) fn faulty(here: &Here, title: &str, path: &'static str, faults: &Faults) -> HttpResponse {
    let body = html! { h1 { (title) } (component::faults(faults)) };
    Layout::new(title, path).status(StatusCode::BAD_REQUEST).body(body).answer(here)
}

/// Every record of a list, asked for page by page. `Failure` beyond [`MOST_ROWS`].
pub(super) async fn all<T>(mut next: impl AsyncFnMut(Page) -> Result<Listing<T>, Error>) -> Result<Vec<T>, Failure> {
    let mut found = Vec::new();
    for number in 1.. {
        let listing = next(Page { number, size: AT_ONCE }).await?;
        let is_last = listing.data.is_empty();
        found.extend(listing.data);
        if found.len() > MOST_ROWS {
            return Err(too_many());
        }
        if is_last || found.len() as u64 >= listing.count {
            break;
        }
    }
    Ok(found)
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

/// Words that a record must have, all of them, in whatever case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Words(String);

impl Words {
    /// Takes `q` from an address.
    pub(super) fn take(params: &mut Params) -> Option<Self> {
        params.take("q").map(|text| Self(text.trim().to_owned()))
    }

    /// As they were written.
    pub(super) fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether each is in one of the texts of a record.
    pub(super) fn are_in<'a>(&self, texts: impl IntoIterator<Item = &'a str>) -> bool {
        let texts: Vec<_> = texts.into_iter().map(str::to_lowercase).collect();
        let words = self.0.to_lowercase();
        words.split_whitespace().all(|word| texts.iter().any(|text| text.contains(word)))
    }
}

/// The field of a form that asks for records with words.
pub(super) fn words_field(words: Option<&Words>, label: &str) -> Markup {
    html! {
        label { span { (label) } input type="search" name="q" value=(words.map_or("", Words::as_str)) maxlength="200" autocomplete="off" data-search; }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_a_part_of_all_and_empty_behind_the_last() {
        let all: Vec<_> = (0..5).collect();
        let part = |number| Asked { number, csv: false }.part(&all, 2).to_vec();
        assert_eq!([part(1), part(3), part(4), part(u32::MAX)], [vec![0, 1], vec![4], vec![], vec![]]);
    }

    #[test]
    fn every_word_is_found_in_some_text() {
        let words = Words("DIESEL b7".to_owned());
        assert!(words.are_in(["diesel oil", "B7-2025"]) && !words.are_in(["diesel oil", "E10"]));
    }
}
