//! Switches: which there are, and the footprint of each with what keeps a figure from being known.

use actix_web::HttpResponse;
use domain::Total;
use files::{Cell, Table};
use http::edge::{Failure, whole_list};
use maud::{Markup, html};
use ports::RecordKind;
use ports::inbound::SwitchView;

use super::listed::{asked, asks_for_file, pages};
use crate::address::Address;
use crate::component::{self, history, notice};
use crate::csv;
use crate::figure::{Digits, Figures};
use crate::here::Here;
use crate::layout::Layout;
use crate::page::segment;

const TITLE: &str = "Switches";
const PATH: &str = "/switches";
/// Switches a page.
const SIZE: u32 = 100;
/// So many changes of one are shown.
const MOST_CHANGES: usize = 50;

/// Answers GET of `/switches`.
pub(crate) async fn list(here: Here) -> Result<HttpResponse, Failure> {
    let asked = match asked(&here, TITLE, PATH) {
        Ok(asked) => asked,
        Err(faulty) => return Ok(faulty),
    };
    let switches = &here.areas().switches;
    if asked.csv {
        let key = |view: &SwitchView| view.switch.value.id;
        let found = whole_list(key, |page| switches.list(here.caller(), None, page)).await?;
        return csv::file("switches", &listed(&found));
    }
    let listing = switches.list(here.caller(), None, asked.page(SIZE)).await?;
    let figures = Figures::of(here.numbers(), Digits::Fixed, listing.data.iter().filter_map(total));
    let body = html! {
        h1 { (TITLE) }
        @if listing.data.is_empty() {
            (component::empty("No switches", html! { p { "A switch is an item whose footprint is computed from models. It is added through the API (" code { "POST /v1/switch" } ")." } }))
        } @else {
            div.scroll { table {
                caption { (here.numbers().counted(listing.count, "switch", "switches")) ", in " (figures.heading()) " per unit" }
                thead { tr { th scope="col" { "Name" } th scope="col" { "Per" } th.r scope="col" { "Footprint" } th.r scope="col" { "A1 to A3" } th.r scope="col" { "Module D, apart" } th scope="col" { "Computed from" } } }
                tbody { @for view in &listing.data {
                    @let (switch, found) = (&view.switch.value, &view.footprint);
                    tr {
                        th.link scope="row" { a href=(here.path(&format!("{PATH}/{}", switch.id))) { (switch.name) } }
                        td { @match switch.unit { Some(unit) => (unit), None => span.muted { "-" } } }
                        @for figure in [found.product_carbon_footprint, found.a1_a3, found.d] { td.r { (amount(&figures, figure)) } }
                        td.clip { (view.sources.iter().map(|one| one.name.to_string()).collect::<Vec<_>>().join(", ")) }
                    }
                } }
            } }
            (pages(&here, &Address::to(PATH), asked.number, SIZE, listing.count))
        }
    };
    Ok(Layout::new(TITLE, PATH).csv(&Address::to(PATH).with("form", "csv")).body(body).answer(&here))
}

const COLUMNS: [&str; 10] =
    ["uuid", "syncId", "name", "unit", "productCarbonFootprint", "A1-A3", "D", "sources", "sourcesName", "issues"];

/// The uuids and the names of the models that it is computed from, as tables of the API have them.
fn sources(view: &SwitchView) -> [Cell; 2] {
    let ids: Vec<_> = view.sources.iter().map(|one| one.id.to_string()).collect();
    let names: Vec<_> = view.sources.iter().map(|one| one.name.as_str()).collect();
    [Cell::text(ids.join(" ")), Cell::text(names.join("; "))]
}

fn listed(switches: &[SwitchView]) -> Table {
    let row = |view: &SwitchView| {
        let (switch, found) = (&view.switch.value, &view.footprint);
        let issues: Vec<_> = found.issues.iter().map(ToString::to_string).collect();
        let mut cells = vec![Cell::text(switch.id), csv::text(switch.sync_id.as_ref()), Cell::text(&switch.name)];
        cells.push(csv::text(switch.unit));
        cells.extend([found.product_carbon_footprint, found.a1_a3, found.d].map(csv::number));
        cells.extend(sources(view));
        cells.push(Cell::text(issues.join(" ")));
        cells
    };
    csv::table("switches", &COLUMNS, switches.iter().map(row).collect())
}

fn total(view: &SwitchView) -> Option<Total> {
    view.footprint.product_carbon_footprint
}

fn amount(figures: &Figures, figure: Option<Total>) -> Markup {
    html! { @match figure { Some(figure) => (figures.amount(figure)), None => span.muted { "-" } } }
}

/// Answers GET of `/switches/{uuid}`.
pub(crate) async fn show(here: Here) -> Result<HttpResponse, Failure> {
    let at = segment(here.request(), "uuid");
    let id = at.parse().map_err(|_| Failure::nowhere())?;
    let is_csv = match asks_for_file(&here, TITLE, PATH) {
        Ok(is_csv) => is_csv,
        Err(faulty) => return Ok(faulty),
    };
    let view = here.areas().switches.get(here.caller(), id).await?;
    if is_csv {
        return csv::file(&format!("switch-{id}"), &figures_of(&view));
    }
    let kind = RecordKind::Switch;
    let changes = here.areas().histories.of_record(here.caller(), kind, id.into(), MOST_CHANGES).await?;
    let (switch, found) = (&view.switch.value, &view.footprint);
    let figures = Figures::of(
        here.numbers(),
        Digits::Fixed,
        [found.product_carbon_footprint, found.a1_a3, found.d].into_iter().flatten(),
    );
    let body = html! {
        p.small { a href=(here.path(PATH)) { "← Switches" } }
        h1 { (switch.name) }
        div.head {
            span.total { (amount(&figures, found.product_carbon_footprint)) " " span.unit { (figures.heading()) @if let Some(unit) = switch.unit { " per " (unit) } } }
            @if let Some(total) = total(&view) { span.muted { (figures.exact(total)) } }
        }
        @for issue in &found.issues { (notice("warn", html! { (issue) })) }
        section { h2 { "Footprint" }
            dl.fields {
                dt { "Stages A, B and C" } dd { (amount(&figures, found.product_carbon_footprint)) }
                dt { "A1 to A3" } dd { (amount(&figures, found.a1_a3)) }
                dt { "Module D" } dd { (amount(&figures, found.d)) " " span.muted { "beyond the boundary of the system, in no other figure" } }
                dt { "Computed from" } dd { @if view.sources.is_empty() { span.muted { "no model" } }
                    @for (index, source) in view.sources.iter().enumerate() { @if index > 0 { ", " } a href=(here.path(&format!("/models/{}", source.id))) { (source.name) } } }
                @if let Some(image) = &switch.image { dt { "Image" } dd { a href=(image.as_str()) rel="noopener noreferrer nofollow" { (image) } } }
                @if let Some(sync_id) = &switch.sync_id { dt { "syncId" } dd { code { (sync_id) } } }
                dt { "uuid" } dd { code { (switch.id) } }
            }
        }
        section { h2 { "History" } (history(&here, &changes)) }
    };
    let layout = Layout::new(switch.name.to_string(), PATH);
    Ok(layout.csv(&Address::to(format!("{PATH}/{id}")).with("form", "csv")).body(body).answer(&here))
}

/// The figures of a switch, a line each, in kg of CO2 equivalent per unit.
fn figures_of(view: &SwitchView) -> Table {
    let (switch, found) = (&view.switch.value, &view.footprint);
    let issues: Vec<_> = found.issues.iter().map(ToString::to_string).collect();
    let row = |(figure, co2e): (&str, Option<Total>)| {
        let mut cells = vec![Cell::text(switch.id), csv::text(switch.sync_id.as_ref()), Cell::text(&switch.name)];
        cells.extend([csv::text(switch.unit), Cell::text(figure), csv::number(co2e)]);
        cells.extend(sources(view));
        cells.push(Cell::text(issues.join(" ")));
        cells
    };
    let figures = [("productCarbonFootprint", found.product_carbon_footprint), ("A1-A3", found.a1_a3), ("D", found.d)];
    let columns = ["uuid", "syncId", "name", "unit", "figure", "CO2e", "sources", "sourcesName", "issues"];
    csv::table("switch", &columns, figures.into_iter().map(row).collect())
}
