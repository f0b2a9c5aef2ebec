//! A product: its factors over time, each with its source down to the row of the publication.

use actix_web::HttpResponse;
use domain::{Factor, FactorBasis, Product, ProductId};
use files::{Cell, Table};
use http::edge::{Failure, whole_list};
use maud::{Markup, html};
use ports::inbound::ProductView;
use ports::repo::Page;
use ports::{RecordKind, Stored};

use super::listed::asks_for_file;
use crate::address::Address;
use crate::component::{self, history, published};
use crate::csv;
use crate::here::Here;
use crate::layout::Layout;
use crate::page::products::PATH as SECTION;
use crate::page::segment;

const TITLE: &str = "Product";
/// The most factors that are shown; the file has all.
const MOST: u32 = 1_000;
/// So many changes are shown.
const MOST_CHANGES: usize = 50;

/// Answers GET of `/products/{uuid}`.
pub(crate) async fn show(here: Here) -> Result<HttpResponse, Failure> {
    let at = segment(here.request(), "uuid");
    let id: ProductId = at.parse().map_err(|_| Failure::nowhere())?;
    let is_csv = match asks_for_file(&here, TITLE, SECTION) {
        Ok(is_csv) => is_csv,
        Err(faulty) => return Ok(faulty),
    };
    let (areas, caller) = (here.areas(), here.caller());
    let view = areas.catalog.get_product(caller, id).await?;
    if is_csv {
        let key = |factor: &Stored<Factor>| factor.value.id();
        let factors = whole_list(key, |page| areas.catalog.list_factors(caller, id, page)).await?;
        return csv::file(&format!("product-{id}"), &table(&view.product.value, &factors));
    }
    let factors = areas.catalog.list_factors(caller, id, Page { number: 1, size: MOST }).await?;
    let changes = areas.histories.of_record(caller, RecordKind::Product, id.into(), MOST_CHANGES).await?;
    let body = html! {
        p.small { a href=(here.path(SECTION)) { "← Products" } }
        h1 { (view.product.value.name) }
        (fields(&here, &view))
        section {
            h2 { "Factors" }
            @if factors.data.is_empty() {
                (component::empty("No factor of its own", html! { p { "Activities of the product are computed once it has a factor for their day, or a rule that chooses one." } }))
            } @else { (timeline(&here, &factors.data)) }
            @if factors.count > u64::from(MOST) { p.muted { "The first " (here.numbers().count(MOST)) " of " (here.numbers().count(factors.count)) ". The CSV has all of them." } }
        }
        section { h2 { "History" } (history(&here, &changes)) }
    };
    let layout = Layout::new(view.product.value.name.to_string(), SECTION);
    Ok(layout.csv(&Address::to(format!("{SECTION}/{id}")).with("form", "csv")).body(body).answer(&here))
}

const COLUMNS: [&str; 20] = [
    "product",
    "productName",
    "uuid",
    "validFrom",
    "validTo",
    "upstream",
    "downstream",
    "unit",
    "gwp",
    "basis",
    "source",
    "corrects",
    "publisher",
    "title",
    "edition",
    "licence",
    "file",
    "set",
    "cell",
    "rows",
];

/// The factors of a product, a line each, in kg of CO2 equivalent per unit.
fn table(product: &Product, factors: &[Stored<Factor>]) -> Table {
    let row = |stored: &Stored<Factor>| {
        let (factor, data) = (&stored.value, stored.value.data());
        let (set, origin) = (data.origin.as_ref().map(|one| &one.set), data.origin.as_ref().map(|one| &one.factor));
        let rows = origin.map(|one| one.rows.iter().map(|row| row.row.to_string()).collect::<Vec<_>>().join(" "));
        let mut cells = vec![Cell::text(product.id), Cell::text(&product.name), Cell::text(factor.id())];
        cells.extend([Cell::text(data.valid_from), csv::text(data.valid_to)]);
        cells.extend([data.upstream, data.downstream].map(csv::number));
        cells.extend([Cell::text(data.unit), csv::text(data.gwp), Cell::text(data.basis.word())]);
        cells.extend([Cell::text(&data.source), csv::text(factor.corrects())]);
        cells.extend(
            [set.map(|one| &one.publisher), set.map(|one| &one.title), set.map(|one| &one.edition)].map(csv::text),
        );
        cells.extend([csv::text(set.map(|one| &one.licence)), csv::text(set.map(|one| &one.file))]);
        cells.extend([csv::text(set.map(|one| one.id)), csv::text(origin.map(|one| &one.cell)), csv::text(rows)]);
        cells
    };
    csv::table("product", &COLUMNS, factors.iter().map(row).collect())
}

fn fields(here: &Here, view: &ProductView) -> Markup {
    let product = &view.product.value;
    html! {
        section { dl.fields {
            dt { "Unit" } dd { (product.unit) }
            dt { "Where no factor of its own is valid" } dd { @if product.rule.is_some() { "a rule chooses a published one" } @else { "none is used" } }
            @if let Some(sync_id) = &product.sync_id { dt { "syncId" } dd { code { (sync_id) } } }
            dt { "uuid" } dd { code { (product.id) } }
            dt { "Activities" } dd { a href=(here.link(&Address::to("/activities").with("product", product.id))) { "of this product" } }
        } }
    }
}

/// The factors by the day from which they hold; of several over the same days one stands in the place of another.
fn timeline(here: &Here, factors: &[Stored<Factor>]) -> Markup {
    let numbers = here.numbers();
    let corrected = |factor: &Factor| factors.iter().any(|one| one.value.corrects() == Some(factor.id()));
    html! {
        div.scroll { table {
            caption { "kg CO₂e per unit, by the day from which they are valid" }
            thead { tr {
                th scope="col" { "Valid from" } th scope="col" { "Valid before" } th.r scope="col" { "Upstream" } th.r scope="col" { "Downstream" }
                th scope="col" { "Per" } th scope="col" { "GWP set" } th scope="col" { "For" } th scope="col" { "Source" }
            } }
            tbody { @for stored in factors {
                @let (factor, data) = (&stored.value, stored.value.data());
                tr {
                    th scope="row" { (data.valid_from) @if corrected(factor) { " " span.tag.warn { "corrected by another" } } }
                    td { @match data.valid_to { Some(end) => (end), None => span.muted { "no end" } } }
                    @for part in [data.upstream, data.downstream] {
                        td.r { @match part { Some(part) => data value=(part) { (numbers.plain(&part.to_string())) }, None => span.muted { "-" } } }
                    }
                    td { (data.unit) }
                    td { @match data.gwp { Some(gwp) => (gwp), None => span.muted { "not stated" } } }
                    td { @match data.basis { FactorBasis::Location => "CO₂e", FactorBasis::ResidualMix => "market-based, without an instrument" } }
                    td.wrap { (data.source) @if let Some(origin) = &data.origin { (published(origin)) } div.small.muted { code { (factor.id()) } } }
                }
            } }
        } }
    }
}
