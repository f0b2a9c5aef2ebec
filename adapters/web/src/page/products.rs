//! Products: which there are, found by name, syncId and unit, each with how its factor is chosen.

use actix_web::HttpResponse;
use domain::ProductId;
use files::{Cell, Table};
use http::edge::{self, Failure};
use maud::{Markup, html};
use ports::inbound::{ProductSearch, ProductView, SearchWords};

use super::listed::{AT_ONCE, Asked, all_found, faulty, pages, parts, words, words_field};
use crate::address::Address;
use crate::component;
use crate::csv;
use crate::here::Here;
use crate::layout::Layout;

const TITLE: &str = "Products";
pub(super) const PATH: &str = "/products";
/// Products a page.
const SIZE: u32 = 100;
/// So many products are looked at for one part of those that are found.
const LOOK_AT: u32 = 20_000;

/// Answers GET of `/products`.
pub(crate) async fn show(here: Here) -> Result<HttpResponse, Failure> {
    let mut params = here.params();
    let (asked, words) = (Asked::take(&mut params), words(&mut params));
    let after = params.read("after", str::parse::<ProductId>);
    let faults = params.finish();
    if !faults.is_empty() {
        return Ok(faulty(&here, TITLE, PATH, &faults));
    }
    let catalog = &here.areas().catalog;
    let seek = async |after, limit| {
        let search = ProductSearch { words: words.clone().unwrap_or_default(), after, limit, look_at: LOOK_AT };
        catalog.search_products(here.caller(), &search).await
    };
    if asked.csv {
        let _slot = edge::stream_slot(here.request(), here.caller()).await?;
        return csv::file("products", &table(&all_found(async |after| seek(after, AT_ONCE).await).await?));
    }
    let (products, part) = if words.is_some() {
        // Words that few products have are looked for in all of them.
        let _slot = edge::stream_slot(here.request(), here.caller()).await?;
        let found = seek(after, SIZE).await?;
        (found.data, Part::Found(found.end))
    } else {
        let listing = catalog.list_products(here.caller(), None, asked.page(SIZE)).await?;
        (listing.data, Part::Page(listing.count))
    };
    let address = Address::to(PATH).with_some("q", words.as_ref().map(SearchWords::as_str));
    let body = html! {
        h1 { (TITLE) }
        form.search.noprint method="get" action=(here.path(PATH)) role="search" {
            (words_field(words.as_ref(), "Name, syncId or unit"))
            button.plain type="submit" { "Show" }
        }
        @if !products.is_empty() {
            (listed(&here, &products, &part))
        } @else if words.is_none() {
            (component::empty("No products", html! { p {
                "A product is what activities consume: each has a unit, and factors or a rule that chooses one. They come with "
                code { "tonne import catalog" } ", or through the API (" code { "POST /v1/product" } ")."
            } }))
        } @else {
            @match &part {
                Part::Found(Some(_)) => p.notice { "None of those that were looked at matches. There are more." },
                Part::Page(_) | Part::Found(None) => (component::empty("No product matches", html! { p { a href=(here.path(PATH)) { "All products" } } })),
            }
        }
        @match &part {
            Part::Page(count) => (pages(&here, &address, asked.number, SIZE, *count)),
            Part::Found(end) => (parts(&here, &address, after.is_some(), *end)),
        }
    };
    Ok(Layout::new(TITLE, PATH).csv(&address.with("form", "csv")).body(body).answer(&here))
}

/// Which part of the products a page has.
enum Part {
    /// A page of so many.
    Page(u64),
    /// Those that were found before that place; all that are left where there is none.
    Found(Option<ProductId>),
}

fn listed(here: &Here, products: &[ProductView], part: &Part) -> Markup {
    html! {
        div.scroll { table data-rows {
            caption { @match part {
                Part::Page(count) => (here.numbers().counted(*count, "product", "products")),
                Part::Found(_) => "The products that match, in the order in which they were added",
            } }
            thead { tr { th scope="col" { "Name" } th scope="col" { "Unit" } th scope="col" { "syncId" } th scope="col" { "Where no factor of its own is valid" } th scope="col" { "Activities" } } }
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
