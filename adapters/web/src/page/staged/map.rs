//! Step 3: what each column becomes, as selects and as the map in TOML that they write, with what the first rows are read as.

mod columns;
mod doubts;
mod faults;

use actix_web::HttpResponse;
use actix_web::http::{StatusCode, header};
use domain::Faults;
use files::{ColumnMap, Map, check_doubts};
use http::edge::Failure;
use maud::{Markup, html};
use ports::inbound::{Error, SniffedTable, TriedRows};
use ports::staged_import::{StagedImport, StagedReading};

use self::faults::MapFaults;
use super::{found, page, path, table};
use crate::form::Fields;
use crate::here::Here;
use crate::page::login::see_other;
use crate::page::refused::refused;

/// How the page came to be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Asked {
    /// It was opened.
    Opened,
    /// The selects were sent.
    Columns,
    /// The map was sent as a text.
    Text,
}

/// What the page shows.
struct Step {
    asked: Asked,
    reading: StagedReading,
    sniffed: SniffedTable,
    /// What is wrong with the choices themselves.
    faults: MapFaults,
    /// What else was refused.
    said: Markup,
}

/// Answers GET of `/imports/{id}/map`.
pub(crate) async fn show(here: Here) -> Result<HttpResponse, Failure> {
    let staged = found(&here).await?;
    let sheet = here.params().take("sheet");
    let decided = staged.reading.clone().filter(|reading| sheet.is_none() || reading.sheet == sheet);
    let looked = here
        .staged()
        .sniff(
            here.caller(),
            staged.id,
            sheet.as_deref().or(decided.as_ref().and_then(|reading| reading.sheet.as_deref())),
        )
        .await;
    let sniffed = match looked {
        Ok(sniffed) => sniffed,
        Err(error) => {
            let (status, wrong) = refused(error)?;
            return Ok(page(&here, &staged, 2, wrong).status(status).answer(&here));
        }
    };
    let reading = decided.unwrap_or_else(|| StagedReading { sheet: sniffed.sheet.clone(), map: sniffed.map.clone() });
    let step = Step { asked: Asked::Opened, reading, sniffed, faults: MapFaults::default(), said: html! {} };
    answer(&here, &staged, step).await
}

/// Answers POST to `/imports/{id}/map`: tries a map, or decides by it and begins the check.
pub(crate) async fn decide(here: Here, fields: Fields) -> Result<HttpResponse, Failure> {
    let staged = found(&here).await?;
    let (asked, is_check) = match fields.get("do") {
        Some("try-columns") => (Asked::Columns, false),
        Some("check-columns") => (Asked::Columns, true),
        Some("try") => (Asked::Text, false),
        Some(_) | None => (Asked::Text, true),
    };
    let sheet = fields.filled("sheet").map(str::to_owned);
    let sniffed = here.staged().sniff(here.caller(), staged.id, sheet.as_deref()).await?;
    let mut faults = MapFaults::default();
    let text =
        fields.get(if asked == Asked::Columns { "base" } else { "map" }).unwrap_or_default().replace("\r\n", "\n");
    let text = if asked == Asked::Columns {
        let map = columns::chosen(&fields, &text, &sniffed, &mut faults);
        map.ok_or_else(|| Failure::malformed("The form has no map that selects can change."))?.to_text()
    } else {
        text
    };
    let reading = StagedReading { sheet, map: Some(text).filter(|text| !text.trim().is_empty()) };
    let mut said = html! {};
    if is_check && faults.is_empty() {
        let (staging, caller) = (here.staged(), here.caller());
        let begun = async {
            staging.read_as(caller, staged.id, reading.clone()).await?;
            staging.check(caller, staged.id).await
        };
        match begun.await {
            Ok(_) => return Ok(see_other(&path(&here, staged.id, "check"))),
            // The page finds them again, each at its place.
            Err(Error::Invalid(_)) => {}
            Err(error) => said = refused(error)?.1,
        }
    }
    answer(&here, &staged, Step { asked, reading, sniffed, faults, said }).await
}

/// Answers GET of `/imports/{id}/map.toml`.
pub(crate) async fn download(here: Here) -> Result<HttpResponse, Failure> {
    let staged = found(&here).await?;
    let map = staged.reading.and_then(|reading| reading.map).ok_or_else(Failure::nowhere)?;
    let mut answer = HttpResponse::Ok();
    answer.insert_header((header::CONTENT_DISPOSITION, "attachment; filename=\"map.toml\""));
    Ok(answer.content_type("application/toml; charset=utf-8").body(map))
}

async fn answer(here: &Here, staged: &StagedImport, step: Step) -> Result<HttpResponse, Failure> {
    let Step { asked, reading, sniffed, mut faults, said } = step;
    let text = reading.map.as_deref().unwrap_or_default();
    let map = Map::of_what_is_sound(text);
    let open = map.as_ref().map(|map| check_doubts(map, &sniffed.doubts)).unwrap_or_default();
    let mut is_refused = !said.0.is_empty() || !faults.is_empty() || !open.is_empty();
    let mut wrong = open.clone();
    let mut sample = html! {};
    let choices = ColumnMap::read(text).filter(|_| !sniffed.columns.is_empty());
    // Rows that could be read in two ways are not shown as if they were read in one.
    if open.is_empty() {
        match here.staged().try_reading(here.caller(), staged.id, &reading).await {
            Ok(tried) => {
                sample = read(&tried);
                faults.take_rows(&tried);
            }
            Err(Error::Invalid(found)) => {
                wrong.extend(found);
                is_refused = true;
            }
            Err(error) => sample = refused(error)?.1,
        }
    }
    if choices.is_some() {
        wrong = faults.take(&wrong);
    }
    let shown = Shown { here, staged, reading: &reading, sniffed: &sniffed };
    let body = html! {
        (said)
        (general(&wrong))
        @match &choices {
            Some(choices) => {
                form method="post" action=(path(here, staged.id, "map")) {
                    (here.token_field())
                    @if let Some(sheet) = &reading.sheet { input type="hidden" name="sheet" value=(sheet); }
                    input type="hidden" name="base" value=(text);
                    (doubts::choices(&sniffed.doubts, map.as_ref(), &open))
                    (columns::selects(choices, &sniffed, &faults))
                    p {
                        button.plain type="submit" name="do" value="try-columns" { "Try it on the first rows" }
                        " "
                        button type="submit" name="do" value="check-columns" { "Check all rows" }
                    }
                }
                (sample)
                details open[asked == Asked::Text] { summary { "The map as text" } (shown.text()) }
            },
            None => {
                @if !sniffed.columns.is_empty() { p.notice { "This map says more than what each column is, so it is mended as a text." } }
                (doubts::told(&open))
                (shown.text())
                (sample)
            },
        }
        (table::rows(&sniffed.rows))
    };
    let is_refused = is_refused && asked != Asked::Opened;
    let status = if is_refused { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    Ok(page(here, staged, 2, body).status(status).answer(here))
}

/// What is wrong and has no place of its own.
fn general(faults: &Faults) -> Markup {
    let mut mine = faults.as_slice().iter().filter(|fault| !doubts::is_of_doubt(&fault.pointer)).peekable();
    html! {
        @if mine.peek().is_some() {
            div.notice.bad role="alert" { ul.faults { @for fault in mine { li { b { (fault.pointer.trim_start_matches('/')) } " " (fault.detail) } } } }
        }
    }
}

/// What the map is shown with as a text.
struct Shown<'a> {
    here: &'a Here,
    staged: &'a StagedImport,
    reading: &'a StagedReading,
    sniffed: &'a SniffedTable,
}

impl Shown<'_> {
    /// The map as a text, to be mended.
    fn text(&self) -> Markup {
        let Self { here, staged, reading, sniffed } = *self;
        html! {
            form method="post" action=(path(here, staged.id, "map")) {
                (here.token_field())
                @if let Some(sheet) = &reading.sheet { input type="hidden" name="sheet" value=(sheet); }
                label.field {
                    span { "Map (TOML)" }
                    textarea.code name="map" rows="18" spellcheck="false" { "\n" (reading.map.as_deref().unwrap_or_default()) }
                    span.hint {
                        @if sniffed.map.is_none() { "No map is needed: the columns are those of an activity. Leave it empty." }
                        @else { "Guessed from the first rows, each guess with its reason; lines that begin with # do nothing. Mend it here; the same map serves the command line." }
                    }
                }
                button.plain type="submit" name="do" value="try" { "Try the text on the first rows" }
                " "
                button type="submit" name="do" value="check" { "Check all rows by the text" }
                @if staged.reading.as_ref().is_some_and(|reading| reading.map.is_some()) {
                    " " a href=(path(here, staged.id, "map.toml")) download { "Download the map" }
                }
            }
        }
    }
}

/// The first rows as they are read.
fn read(tried: &TriedRows) -> Markup {
    let mut names: Vec<&str> = Vec::new();
    for (name, _) in tried.rows.iter().flat_map(|row| &row.fields) {
        if !names.contains(name) {
            names.push(name);
        }
    }
    html! {
        @if tried.rows.is_empty() { p.notice.warn { "No row makes an activity." } } @else {
            div.scroll tabindex="0" role="region" aria-label="The first rows as they are read" { table {
                caption { "The first rows, as they are read" }
                thead { tr { th scope="col" { "Line" } @for name in &names { th scope="col" { (name) } } th scope="col" { "Wrong" } } }
                tbody { @for row in &tried.rows {
                    tr {
                        th scope="row" { (row.line) }
                        @for name in &names {
                            td.clip { @if let Some((_, value)) = row.fields.iter().find(|(field, _)| field == name) { (value) } }
                        }
                        td.wrap { @for fault in &row.faults { div { "! " (fault.field) " " (fault.detail) } } }
                    }
                } }
            } }
        }
    }
}
