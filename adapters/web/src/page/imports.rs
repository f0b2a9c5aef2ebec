//! Imports: which there were, what became of their rows, and undoing one.

use actix_web::HttpResponse;
use files::{Cell, Table};
use http::edge::{Failure, whole_list};
use maud::{Markup, html};
use ports::import_batch::{ImportBatch, ImportState};
use ports::inbound::UndoPatience;
use ports::repo::Page;
use ports::{ImportId, Permission};

use super::listed::{Asked, faulty, pages};
use super::login::see_other;
use super::refused::refused;
use super::staged::{next_path, state as state_of};
use crate::address::Address;
use crate::component::{self, moment};
use crate::csv;
use crate::form::Fields;
use crate::here::Here;
use crate::layout::Layout;

const TITLE: &str = "Imports";
const PATH: &str = "/imports";
/// Imports a page.
const SIZE: u32 = 100;

/// Answers GET of `/imports`.
pub(crate) async fn show(here: Here) -> Result<HttpResponse, Failure> {
    let mut params = here.params();
    let asked = Asked::take(&mut params);
    let said =
        params.word("done", &[("undone", "Undone, or being undone: a large import is taken back step by step.")]);
    let faults = params.finish();
    if !faults.is_empty() {
        return Ok(faulty(&here, TITLE, PATH, &faults));
    }
    if asked.csv {
        let (imports, key) = (&here.areas().imports, |batch: &ImportBatch| batch.id);
        let found = whole_list(key, |page| imports.list(here.caller(), page)).await?;
        return csv::file("imports", &listed(&here, &found));
    }
    let said = said.map(|said| html! { p.notice.ok role="status" { (said) } });
    let body = body(&here, asked.number, said).await?;
    Ok(Layout::new(TITLE, PATH).csv(&Address::to(PATH).with("form", "csv")).body(body).answer(&here))
}

/// Answers POST to `/imports`: undoes one.
pub(crate) async fn undo(here: Here, fields: Fields) -> Result<HttpResponse, Failure> {
    let id: Option<ImportId> = fields.get("import").and_then(|text| text.parse().ok());
    let id = id.ok_or_else(|| Failure::malformed("The form names no import."))?;
    match here.areas().imports.undo(here.caller(), id, UndoPatience::Begun).await {
        Ok(_) => Ok(see_other(&format!("{}?done=undone", here.path(PATH)))),
        Err(error) => {
            let (status, wrong) = refused(error)?;
            let said = html! { p { "The import was not undone." } (wrong) };
            Ok(Layout::new(TITLE, PATH).status(status).body(body(&here, 1, Some(said)).await?).answer(&here))
        }
    }
}

async fn body(here: &Here, number: u32, said: Option<Markup>) -> Result<Markup, Failure> {
    let listing = here.areas().imports.list(here.caller(), Page { number, size: SIZE }).await?;
    Ok(html! {
        h1 { (TITLE) }
        (said.unwrap_or_default())
        @if here.viewer.may(Permission::ActivityWrite) {
            p { a.button href=(here.path("/imports/new")) { "Import a file" } }
            (staged(here).await?)
        }
        @if listing.data.is_empty() {
            (component::empty("No imports", html! { p {
                "A table of activities is imported here, by " code { "tonne import activities FILE" } " or through the API (" code { "POST /v1/activity/batch" } "). Each import is listed here with what became of its rows."
            } }))
        } @else {
            (table(here, &listing.data, listing.count))
            (pages(here, &Address::to(PATH), number, SIZE, listing.count))
        }
    })
}

/// The files that wait: where one goes on with each.
async fn staged(here: &Here) -> Result<Markup, Failure> {
    let waiting = here.staged().list(here.caller()).await?;
    Ok(html! {
        @if !waiting.is_empty() {
            div.scroll { table {
                caption { "Files that wait, the newest first; each goes a day after its last step" }
                thead { tr { th scope="col" { "File" } th scope="col" { "When" } th scope="col" { "Who" } th scope="col" { "State" } } }
                tbody { @for one in &waiting {
                    tr {
                        th.clip scope="row" { a href=(next_path(here, one)) { (one.name) } }
                        td { (moment(one.begun)) }
                        td.clip { (one.actor) }
                        td.wrap { (state_of(one)) }
                    }
                } }
            } }
        }
    })
}

fn table(here: &Here, imports: &[ImportBatch], count: u64) -> Markup {
    let numbers = here.numbers();
    html! {
        div.scroll { table {
            caption { (numbers.counted(count, "import", "imports")) ", the newest first" }
            thead { tr {
                th scope="col" { "File" } th scope="col" { "When" } th scope="col" { "Who" } th scope="col" { "State" }
                th.r scope="col" { "New" } th.r scope="col" { "Changed" } th.r scope="col" { "Same" } th.r scope="col" { "Rejected" }
                th.r scope="col" { "Warnings" } th scope="col" { "SHA-256 of the file" } th scope="col" { span.aloud { "Changes" } }
            } }
            tbody { @for import in imports {
                @let counts = import.counts;
                tr {
                    th.clip scope="row" title=(import.name) { (import.name) }
                    td { (moment(import.begun)) }
                    td.clip title=(import.actor) { (import.actor) }
                    td.wrap { (state(here, import)) }
                    @for count in [counts.created, counts.updated, counts.unchanged, counts.rejected, counts.warnings] { td.r { (numbers.count(count)) } }
                    td.clip { @match import.hash { Some(hash) => code title=(hash) { (hash) }, None => span.muted { "-" } } }
                    td.r { @if here.viewer.may(Permission::ActivityWrite) { (form(here, import)) } }
                }
            } }
        } }
    }
}

const COLUMNS: [&str; 16] = [
    "uuid",
    "name",
    "actor",
    "created",
    "updated",
    "sha256",
    "state",
    "rowsCreated",
    "rowsUpdated",
    "rowsUnchanged",
    "rowsRejected",
    "warnings",
    "firstChange",
    "lastChange",
    "kept",
    "undoneBy",
];

fn listed(here: &Here, imports: &[ImportBatch]) -> Table {
    let row = |import: &ImportBatch| {
        let counts = import.counts;
        let mut cells = vec![Cell::text(import.id), Cell::text(&import.name), Cell::text(&import.actor)];
        cells.extend([import.begun, import.updated].map(Cell::text));
        cells.extend([csv::text(import.hash), Cell::text(import.state_at(here.now).as_str())]);
        let counts = [counts.created, counts.updated, counts.unchanged, counts.rejected, counts.warnings];
        cells.extend(counts.map(|count| csv::number(Some(count))));
        cells.extend([import.changes.map(|(first, _)| first), import.changes.map(|(_, last)| last)].map(csv::number));
        cells.extend([csv::number(Some(import.kept)), csv::text(import.undone_by.as_ref())]);
        cells
    };
    csv::table("imports", &COLUMNS, imports.iter().map(row).collect())
}

fn state(here: &Here, import: &ImportBatch) -> Markup {
    let by = import.undone_by.as_ref();
    html! {
        @match import.state_at(here.now) {
            ImportState::Running => span.tag { "running" },
            ImportState::Done => span.tag.ok { "done" },
            ImportState::BrokenOff => span.tag.warn { "! broken off; what it wrote is there" },
            ImportState::Undoing => span.tag.warn { "being undone" },
            ImportState::Undone => span.tag { "undone" },
        }
        @if let Some(by) = by { div.muted { "by " (by) } }
        @if import.kept > 0 { div.muted { (here.numbers().counted(import.kept, "record stayed: somebody changed it or uses it", "records stayed: somebody changed or uses them")) } }
    }
}

fn form(here: &Here, import: &ImportBatch) -> Markup {
    let wrote = import.counts.created + import.counts.updated > 0;
    let label = match import.state_at(here.now) {
        ImportState::Done | ImportState::BrokenOff if wrote => "Undo",
        ImportState::Undoing => "Go on undoing",
        ImportState::Running | ImportState::Done | ImportState::BrokenOff | ImportState::Undone => return html! {},
    };
    html! {
        details {
            summary { (label) }
            form method="post" action=(here.path(PATH)) {
                (here.token_field())
                input type="hidden" name="import" value=(import.id);
                p.small { "What it created goes, what it changed gets its earlier content." }
                button.danger type="submit" { (label) }
            }
        }
    }
}
