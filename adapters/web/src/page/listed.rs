//! Pages of records by number.

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use maud::{Markup, html};

use crate::address::Address;
use crate::component;
use crate::here::Here;
use crate::layout::Layout;

/// The number of the page that is asked for; else the page that says what is wrong with the address.
#[expect(clippy::result_large_err, reason = "the answer is sent as it is")]
pub(super) fn number(here: &Here, title: &str, path: &'static str) -> Result<u32, HttpResponse> {
    let mut params = here.params();
    let read = |text: &str| text.parse::<u32>().ok().filter(|page| *page > 0).ok_or("is no number of a page");
    let number = params.read("page", read);
    let faults = params.finish();
    if faults.is_empty() {
        return Ok(number.unwrap_or(1));
    }
    let body = html! { h1 { (title) } (component::faults(&faults)) };
    Err(Layout::new(title, path).status(StatusCode::BAD_REQUEST).body(body).answer(here))
}

/// Links to the pages before and behind one of that number.
pub(super) fn pages(here: &Here, path: &str, number: u32, size: u32, count: u64) -> Markup {
    let to = |number| here.link(&Address::to(path).with("page", number));
    html! {
        nav.pages aria-label="Pages of the list" {
            @if number > 1 { a href=(to(number - 1)) { "← before" } } @else { span {} }
            @if u64::from(number) * u64::from(size) < count { a href=(to(number.saturating_add(1))) { "after →" } }
        }
    }
}
