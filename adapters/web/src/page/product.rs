//! A product: its factors over time, each with its source down to the row of the publication.

use actix_web::HttpResponse;
use domain::{Factor, FactorBasis, ProductId};
use http::edge::Failure;
use maud::{Markup, html};
use ports::inbound::ProductView;
use ports::repo::Page;
use ports::{RecordKind, Stored};

use crate::address::Address;
use crate::component::{self, history, published};
use crate::here::Here;
use crate::layout::Layout;
use crate::page::products::PATH as SECTION;
use crate::page::segment;

/// The most factors that are shown.
const MOST: u32 = 1_000;
/// So many changes are shown.
const MOST_CHANGES: usize = 50;

/// Answers GET of `/products/{uuid}`.
pub(crate) async fn show(here: Here) -> Result<HttpResponse, Failure> {
    let at = segment(here.request(), "uuid");
    let id: ProductId = at.parse().map_err(|_| Failure::nowhere())?;
    let (areas, caller) = (here.areas(), here.caller());
    let view = areas.catalog.get_product(caller, id).await?;
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
            @if factors.count > u64::from(MOST) { p.muted { "The first " (here.numbers().count(MOST)) " of " (here.numbers().count(factors.count)) "." } }
        }
        section { h2 { "History" } (history(&here, &changes)) }
    };
    Ok(Layout::new(view.product.value.name.to_string(), SECTION).body(body).answer(&here))
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
