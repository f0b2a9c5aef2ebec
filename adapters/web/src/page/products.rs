//! Products: which there are, found by name, syncId and unit, each with how its factor is chosen.

use actix_web::HttpResponse;
use files::{Cell, Table};
use http::edge::{self, Failure};
use maud::{Markup, html};
use ports::inbound::ProductView;
use ports::repo::Page;

use super::listed::{Asked, Words, all, faulty, pages, words_field};
use crate::address::Address;
use crate::component;
use crate::csv;
use crate::here::Here;
use crate::layout::Layout;

const TITLE: &str = "Products";
pub(super) const PATH: &str = "/products";
/// Products a page.
const SIZE: u32 = 100;

/// Answers GET of `/products`.
pub(crate) async fn show(here: Here) -> Result<HttpResponse, Failure> {
    let mut params = here.params();
    let (asked, words) = (Asked::take(&mut params), Words::take(&mut params));
    let faults = params.finish();
    if !faults.is_empty() {
        return Ok(faulty(&here, TITLE, PATH, &faults));
    }
    let catalog = &here.areas().catalog;
    let list = |page: Page| catalog.list_products(here.caller(), None, page);
    let (products, count) = if asked.csv || words.is_some() {
        // What is sought is found by reading all of them.
        let _slot = edge::stream_slot(here.request(), here.caller()).await?;
        let mut found = all(async |page| list(page).await).await?;
        found.retain(|view| words.as_ref().is_none_or(|words| fits(words, view)));
        let count = found.len() as u64;
        if asked.csv {
            return csv::file("products", &table(&found));
        }
        (asked.part(&found, SIZE).to_vec(), count)
    } else {
        let listing = list(asked.page(SIZE)).await?;
        (listing.data, listing.count)
    };
    let address = Address::to(PATH).with_some("q", words.as_ref().map(Words::as_str));
    let body = html! {
        h1 { (TITLE) }
        form.search.noprint method="get" action=(here.path(PATH)) role="search" {
            (words_field(words.as_ref(), "Name, syncId or unit"))
            button.plain type="submit" { "Show" }
        }
        @if !products.is_empty() {
            (listed(&here, &products, count))
            (pages(&here, &address, asked.number, SIZE, count))
        } @else if words.is_none() {
            (component::empty("No products", html! { p {
                "A product is what activities consume: each has a unit, and factors or a rule that chooses one. They come with "
                code { "tonne catalog import" } ", or by " code { "POST /v1/product" } "."
            } }))
        } @else {
            (component::empty("No product is called so", html! { p { a href=(here.path(PATH)) { "All products" } } }))
        }
    };
    Ok(Layout::new(TITLE, PATH).csv(&address.with("form", "csv")).body(body).answer(&here))
}

fn fits(words: &Words, view: &ProductView) -> bool {
    let product = &view.product.value;
    let (unit, id) = (product.unit.to_string(), product.id.to_string());
    let sync_id = product.sync_id.as_ref().map(ToString::to_string).unwrap_or_default();
    words.are_in([product.name.as_str(), &sync_id, &unit, &id])
}

fn listed(here: &Here, products: &[ProductView], count: u64) -> Markup {
    html! {
        div.scroll { table data-rows {
            caption { (here.numbers().count(count)) " products" }
            thead { tr { th scope="col" { "Name" } th scope="col" { "Unit" } th scope="col" { "syncId" } th scope="col" { "Where no factor of its own holds" } th scope="col" { "Activities" } } }
            tbody { @for view in products {
                @let product = &view.product.value;
                tr data-row {
                    th.clip.link scope="row" title=(product.name) { a href=(here.path(&format!("{PATH}/{}", product.id))) { (product.name) } }
                    td { (product.unit) }
                    td.clip { @if let Some(sync_id) = &product.sync_id { code { (sync_id) } } @else { span.muted { "-" } } }
                    td { @if product.rule.is_some() { "a rule chooses a published one" } @else { span.muted { "none is used" } } }
                    td.link { a href=(here.link(&Address::to("/activities").with("product", product.id))) aria-label=(format!("Activities of {}", product.name)) { "activities" } }
                }
            } }
        } }
    }
}

fn table(products: &[ProductView]) -> Table {
    let row = |view: &ProductView| {
        let product = &view.product.value;
        let (sync_id, rule) = (csv::text(product.sync_id.as_ref()), Cell::text(product.rule.is_some()));
        vec![Cell::text(product.id), sync_id, Cell::text(&product.name), Cell::text(product.unit), rule]
    };
    csv::table("products", &["uuid", "syncId", "name", "unit", "factorRule"], products.iter().map(row).collect())
}
