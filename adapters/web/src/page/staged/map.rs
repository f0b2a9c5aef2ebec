//! Step 3: what each column becomes, as selects and as the map in TOML that they write, with what the first rows are read as.

mod columns;
mod doubts;
mod faults;
mod sent;
mod text;

use actix_web::HttpResponse;
use actix_web::http::{StatusCode, header};
use domain::Faults;
use files::{ColumnMap, Map, is_open};
use http::edge::Failure;
use maud::{Markup, html};
use ports::inbound::{Error, SniffedTable};
use ports::staged_import::{StagedImport, StagedReading};

use self::faults::MapFaults;
use self::sent::{Apart, Sent, Taken};
use self::text::Place;
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
    /// Its form was sent.
    Sent,
}

/// What the page shows.
struct Step {
    asked: Asked,
    reading: StagedReading,
    sniffed: SniffedTable,
    /// Choices that do not go with the map of the reading.
    apart: Option<Apart>,
    /// What is wrong with the choices themselves.
    faults: MapFaults,
    /// Why the reading was refused.
    refused: Faults,
    /// What else was refused.
    said: Markup,
}

/// Answers GET of `/imports/{id}/map`.
pub(crate) async fn show(here: Here) -> Result<HttpResponse, Failure> {
    let staged = found(&here).await?;
    let sheet = here.params().take("sheet");
    let decided = staged.reading.clone().filter(|reading| sheet.is_none() || reading.sheet == sheet);
    let looked_at = decided.clone().unwrap_or(StagedReading { sheet, map: None });
    let sniffed = match here.staged().sniff(here.caller(), staged.id, &looked_at).await {
        Ok(sniffed) => sniffed,
        Err(error) => {
            let (status, wrong) = refused(error)?;
            return Ok(page(&here, &staged, 2, wrong).status(status).answer(&here));
        }
    };
    let reading = decided.unwrap_or_else(|| StagedReading { sheet: sniffed.sheet.clone(), map: sniffed.map.clone() });
    let (faults, refused) = (MapFaults::default(), Faults::new());
    let step = Step { asked: Asked::Opened, reading, sniffed, apart: None, faults, refused, said: html! {} };
    answer(&here, &staged, step).await
}

/// Answers POST to `/imports/{id}/map`: tries a map, or decides by it and begins the check.
pub(crate) async fn decide(here: Here, fields: Fields) -> Result<HttpResponse, Failure> {
    let staged = found(&here).await?;
    let (staging, caller) = (here.staged(), here.caller());
    let sheet = fields.filled("sheet").map(str::to_owned);
    let sent = Sent::of(&fields);
    let shown = StagedReading { sheet: sheet.clone(), map: sent.base.clone() };
    let shown_as = staging.sniff(caller, staged.id, &shown).await?;
    let mut faults = MapFaults::default();
    let Taken { map, apart } = sent
        .take(&fields, &shown_as, &mut faults)
        .ok_or_else(|| Failure::malformed("The form has no map that selects can change."))?;
    // What the map says of the sheet was said later than the page that it was shown on.
    let of_map = Map::of_what_is_sound(&map).and_then(|map| map.sheet_name().map(str::to_owned));
    let reading = StagedReading { sheet: of_map.or(sheet), map: Some(map).filter(|map| !map.trim().is_empty()) };
    // Choices that wait are shown beside the columns that they were made for.
    let is_same = apart.is_some() || reading == shown;
    let sniffed = if is_same { shown_as } else { staging.sniff(caller, staged.id, &reading).await? };
    let (mut said, mut refusal) = (html! {}, Faults::new());
    if fields.get("do") != Some("try") && faults.is_empty() && apart.is_none() {
        let begun = async {
            staging.read_as(caller, staged.id, reading.clone()).await?;
            staging.check(caller, staged.id).await
        };
        match begun.await {
            Ok(_) => return Ok(see_other(&path(&here, staged.id, "check"))),
            Err(Error::Invalid(found)) => refusal = found,
            Err(error) => said = refused(error)?.1,
        }
    }
    let step = Step { asked: Asked::Sent, reading, sniffed, apart, faults, refused: refusal, said };
    answer(&here, &staged, step).await
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
    let Step { asked, reading, sniffed, apart, mut faults, refused: refusal, said } = step;
    let typed = reading.map.as_deref().unwrap_or_default();
    let base = apart.as_ref().map_or(typed, |apart| apart.base.as_str());
    let map = Map::of_what_is_sound(typed);
    let chosen = apart.as_ref().map(|apart| apart.choices.to_text());
    let shown_map = chosen.as_deref().map_or_else(|| map.clone(), Map::of_what_is_sound);
    let is_left_open = map.as_ref().is_some_and(|map| sniffed.doubts.iter().any(|doubt| is_open(map, doubt)));
    let mut is_refused = !said.0.is_empty() || !faults.is_empty() || is_left_open || apart.is_some();
    let (mut wrong, mut sample) = (Faults::new(), html! {});
    // Rows that could be read in two ways are not shown as if they were read in one.
    if !is_left_open && apart.is_none() {
        match here.staged().try_reading(here.caller(), staged.id, &reading).await {
            Ok(tried) => {
                sample = text::rows(&tried);
                faults.take_rows(&tried);
            }
            Err(Error::Invalid(found)) => {
                wrong = found;
                is_refused = true;
            }
            Err(error) => sample = refused(error)?.1,
        }
    }
    // What is refused is told, also where the page finds nothing wrong itself.
    if !is_refused && !refusal.is_empty() {
        wrong = refusal;
        is_refused = true;
    }
    let is_text_closed = apart.as_ref().is_some_and(|apart| apart.is_text_closed);
    let choices = match &apart {
        Some(apart) => Some(apart.choices.clone()),
        None => ColumnMap::read(typed),
    };
    let choices = choices.filter(|_| !sniffed.columns.is_empty());
    if choices.is_some() {
        wrong = faults.take(&wrong);
    }
    let is_typed = apart.is_some();
    let body = html! {
        (said)
        @if is_text_closed {
            p.notice.bad role="alert" { "What is chosen cannot be put into the text: it is no map of one activity a row. Mend the text, or take back what was typed there." }
        }
        (general(&wrong))
        @if let Some(wrong) = &sniffed.wrong { div.notice.bad role="alert" { (wrong) } }
        form method="post" action=(path(here, staged.id, "map")) {
            (here.token_field())
            @if let Some(sheet) = &sniffed.sheet { input type="hidden" name="sheet" value=(sheet); }
            @match &choices {
                Some(choices) => {
                    input type="hidden" name="base" value=(base);
                    (doubts::choices(&sniffed.doubts, shown_map.as_ref()))
                    (columns::selects(choices, &sniffed, &faults))
                    (text::buttons(here, staged, Place::Choices))
                    (sample)
                    details open[is_typed] {
                        summary { "The map as text" }
                        p.small.muted { "What is typed here and what is chosen above are taken together." }
                        (text::area(typed, &sniffed))
                        (text::buttons(here, staged, Place::Text))
                    }
                },
                None => {
                    @if !sniffed.columns.is_empty() { p.notice { "This map says more than what each column is, so it is mended as a text." } }
                    (doubts::told(&sniffed.doubts, map.as_ref()))
                    (text::area(typed, &sniffed))
                    (text::buttons(here, staged, Place::Text))
                    (sample)
                },
            }
        }
        (table::rows(&sniffed.rows))
    };
    let is_refused = is_refused && asked != Asked::Opened;
    let status = if is_refused { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    Ok(page(here, staged, 2, body).status(status).answer(here))
}

/// What is wrong and has no place of its own.
fn general(faults: &Faults) -> Markup {
    html! {
        @if !faults.is_empty() {
            div.notice.bad role="alert" { ul.faults { @for fault in faults.as_slice() { li { b { (fault.pointer.trim_start_matches('/')) } " " (fault.detail) } } } }
        }
    }
}
