//! Models: which there are, and what goes into each, by block and stage, with module D apart.

mod file;
mod flows;

use actix_web::HttpResponse;
use domain::{Input, ModelId, Stage, Total};
use files::{Cell, Table};
use http::edge::{Failure, whole_list};
use maud::{Markup, html};
use ports::RecordKind;
use ports::inbound::{InputView, ModelView};
use ports::repo::Page;

use super::listed::{asked, asks_for_file, pages};
use crate::address::Address;
use crate::component::{self, history};
use crate::csv;
use crate::figure::{Digits, Figures};
use crate::here::Here;
use crate::layout::Layout;
use crate::page::segment;

const TITLE: &str = "Models";
const PATH: &str = "/models";
/// Models a page, and inputs that are read at once.
const SIZE: u32 = 100;
const INPUTS: u32 = 1_000;
/// The most inputs that are shown; the file has all.
const MOST_INPUTS: usize = 10_000;
/// So many changes of one are shown.
const MOST_CHANGES: usize = 50;

/// Answers GET of `/models`.
pub(crate) async fn list(here: Here) -> Result<HttpResponse, Failure> {
    let asked = match asked(&here, TITLE, PATH) {
        Ok(asked) => asked,
        Err(faulty) => return Ok(faulty),
    };
    let models = &here.areas().models;
    if asked.csv {
        let key = |view: &ModelView| view.model.value.id;
        let found = whole_list(key, |page| models.list(here.caller(), None, page)).await?;
        return csv::file("models", &listed(&found));
    }
    let listing = models.list(here.caller(), None, asked.page(SIZE)).await?;
    let figures = Figures::of(here.numbers(), Digits::Fixed, listing.data.iter().filter_map(|view| view.co2e));
    let body = html! {
        h1 { (TITLE) }
        @if listing.data.is_empty() {
            (component::empty("No models", html! { p { "A model says what goes into a product. It is added through the API (" code { "POST /v1/model" } ")." } }))
        } @else {
            div.scroll { table {
                caption { (here.numbers().counted(listing.count, "model", "models")) ", in " (figures.heading()) " per unit" }
                thead { tr { th scope="col" { "Name" } th scope="col" { "Per" } th.r scope="col" { "CO₂e" } th.r scope="col" { "Module D, apart" } th scope="col" { "Factors as of" } } }
                tbody { @for view in &listing.data {
                    @let model = &view.model.value;
                    tr {
                        th.link scope="row" { a href=(here.path(&format!("{PATH}/{}", model.id))) { (model.name) } }
                        td { (model.unit) }
                        td.r { (amount(&figures, view.co2e)) }
                        td.r { (amount(&figures, view.module_d)) }
                        td { (model.reference_date) }
                    }
                } }
            } }
            (pages(&here, &Address::to(PATH), asked.number, SIZE, listing.count))
        }
    };
    Ok(Layout::new(TITLE, PATH).csv(&Address::to(PATH).with("form", "csv")).body(body).answer(&here))
}

fn listed(models: &[ModelView]) -> Table {
    let row = |view: &ModelView| {
        let model = &view.model.value;
        let mut cells = vec![Cell::text(model.id), csv::text(model.sync_id.as_ref()), Cell::text(&model.name)];
        cells.extend([Cell::text(model.unit), csv::number(Some(model.amount.quantity()))]);
        cells.extend([Cell::text(model.reference_date), csv::number(view.co2e), csv::number(view.module_d)]);
        cells
    };
    let columns = ["uuid", "syncId", "name", "unit", "amount", "referenceDate", "CO2e", "moduleDCO2e"];
    csv::table("models", &columns, models.iter().map(row).collect())
}

fn amount(figures: &Figures, figure: Option<Total>) -> Markup {
    html! { @match figure { Some(figure) => (figures.amount(figure)), None => span.muted { "-" } } }
}

/// Answers GET of `/models/{uuid}`.
pub(crate) async fn show(here: Here) -> Result<HttpResponse, Failure> {
    let at = segment(here.request(), "uuid");
    let id: ModelId = at.parse().map_err(|_| Failure::nowhere())?;
    let is_csv = match asks_for_file(&here, TITLE, PATH) {
        Ok(is_csv) => is_csv,
        Err(faulty) => return Ok(faulty),
    };
    let models = &here.areas().models;
    let view = models.get(here.caller(), id).await?;
    if is_csv {
        return file::answer(&here, view).await;
    }
    let inputs = inputs(&here, id).await?;
    let kind = RecordKind::Model;
    let changes = here.areas().histories.of_record(here.caller(), kind, id.into(), MOST_CHANGES).await?;
    let model = &view.model.value;
    let figures = Figures::of(
        here.numbers(),
        Digits::Fixed,
        inputs.iter().filter_map(|one| one.co2e.map(Total::from)).chain(view.co2e),
    );
    let (apart, counted): (Vec<_>, Vec<_>) = inputs.iter().partition(|one| one.input.value.is_module_d());
    let body = html! {
        p.small { a href=(here.path(PATH)) { "← Models" } }
        h1 { (model.name) }
        div.head {
            span.total { (amount(&figures, view.co2e)) " " span.unit { (figures.heading()) " per " (model.unit) } }
            @if let Some(total) = view.co2e { span.muted { (figures.exact(total)) } }
            span.muted { "made for " (here.numbers().plain(&model.amount.quantity().to_string())) " " (model.unit) ", with the factors valid on " (model.reference_date) }
        }
        @if inputs.is_empty() { (component::empty("No inputs", html! { p { "Nothing declared is not zero: the model has no figure until it has an input." } })) }
        @if inputs.len() >= MOST_INPUTS { p.muted { "The first " (here.numbers().count(MOST_INPUTS)) " inputs. The CSV has all of them." } }
        (flows::section(&here, &figures, &inputs))
        div #inputs { @for block in blocks(&counted) {
            section {
                h2 { (block.as_deref().unwrap_or("Without a block")) }
                (table(&here, &figures, counted.iter().copied().filter(|one| name(one) == block)))
            }
        } }
        @if !apart.is_empty() {
            section {
                h2 { "Module D" }
                p.small.muted { "Benefits and loads beyond the boundary of the system, in no total: " (amount(&figures, view.module_d)) " per " (model.unit) "." }
                (table(&here, &figures, apart.iter().copied()))
            }
        }
        section { h2 { "History" } (history(&here, &changes)) }
    };
    let layout = Layout::new(model.name.to_string(), PATH);
    Ok(layout.csv(&Address::to(format!("{PATH}/{id}")).with("form", "csv")).body(body).answer(&here))
}

async fn inputs(here: &Here, id: ModelId) -> Result<Vec<InputView>, Failure> {
    let mut found = Vec::new();
    for number in 1.. {
        let page = Page { number, size: INPUTS };
        let listing = here.areas().models.list_inputs(here.caller(), id, None, page).await?;
        let before = found.len();
        found.extend(listing.data);
        if found.len() == before || found.len() as u64 >= listing.count || found.len() >= MOST_INPUTS {
            break;
        }
    }
    Ok(found)
}

fn name(view: &InputView) -> Option<String> {
    view.block.as_ref().map(|block| block.name.to_string())
}

/// The blocks of those inputs, in the order of their first inputs; inputs without one last.
fn blocks(inputs: &[&InputView]) -> Vec<Option<String>> {
    let mut blocks: Vec<Option<String>> = Vec::new();
    for block in inputs.iter().map(|one| name(one)) {
        if !blocks.contains(&block) {
            blocks.push(block);
        }
    }
    blocks.sort_by_key(Option::is_none);
    blocks
}

fn table<'a>(here: &Here, figures: &Figures, inputs: impl Iterator<Item = &'a InputView>) -> Markup {
    let mut inputs: Vec<_> = inputs.collect();
    inputs.sort_by_key(|one| one.input.value.stage.map(Stage::code));
    let sum: Total = inputs.iter().filter_map(|one| one.co2e.map(Total::from)).sum();
    html! {
        div.scroll { table {
            caption { "By stage, in " (figures.heading()) " for the model's whole amount" }
            thead { tr { th scope="col" { "Stage" } th scope="col" { "Input" } th scope="col" { "Material" } th.r scope="col" { "Quantity" } th.r scope="col" { "CO₂e" } } }
            tbody { @for one in &inputs {
                @let input: &Input = &one.input.value;
                tr {
                    td { @match input.stage { Some(stage) => { (stage.code()) " " span.muted { (stage.name()) } }, None => span.muted { "-" } } }
                    th scope="row" { (input.name) }
                    td.clip.link { a href=(here.path(&format!("/products/{}", one.material.id))) { (one.material.name) } }
                    td.r { (here.numbers().plain(&input.quantity.to_string())) " " (input.unit) }
                    td.r { @match one.co2e {
                        Some(co2e) => (figures.amount(Total::from(co2e))),
                        None => span.tag.warn title=[input.calculation.reason().map(|reason| reason.to_string())] { "! not computed" },
                    } }
                }
            } }
            tfoot { tr { th scope="row" colspan="4" { "Total" } td.r { (figures.amount(sum)) } } }
        } }
    }
}
