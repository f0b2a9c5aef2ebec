//! Step 3: how its columns become activities: the map in TOML, with what the first rows are read as.

use actix_web::HttpResponse;
use actix_web::http::{StatusCode, header};
use http::edge::Failure;
use maud::{Markup, html};
use ports::inbound::{SniffedTable, TriedRows};
use ports::staged_import::{StagedImport, StagedReading};

use super::{found, page, path, table};
use crate::form::Fields;
use crate::here::Here;
use crate::page::login::see_other;
use crate::page::refused::refused;

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
    answer(&here, &staged, &reading, &sniffed, html! {}).await
}

/// Answers POST to `/imports/{id}/map`: tries a map, or decides by it and begins the check.
pub(crate) async fn decide(here: Here, fields: Fields) -> Result<HttpResponse, Failure> {
    let staged = found(&here).await?;
    let text = fields.get("map").unwrap_or_default().replace("\r\n", "\n");
    let reading = StagedReading {
        sheet: fields.filled("sheet").map(str::to_owned),
        map: Some(text).filter(|text| !text.trim().is_empty()),
    };
    let said = if fields.get("do") == Some("try") {
        html! {}
    } else {
        let (staging, caller) = (here.staged(), here.caller());
        let begun = async {
            staging.read_as(caller, staged.id, reading.clone()).await?;
            staging.check(caller, staged.id).await
        };
        match begun.await {
            Ok(_) => return Ok(see_other(&path(&here, staged.id, "check"))),
            Err(error) => refused(error)?.1,
        }
    };
    let sniffed = here.staged().sniff(here.caller(), staged.id, reading.sheet.as_deref()).await?;
    answer(&here, &staged, &reading, &sniffed, said).await
}

/// Answers GET of `/imports/{id}/map.toml`.
pub(crate) async fn download(here: Here) -> Result<HttpResponse, Failure> {
    let staged = found(&here).await?;
    let map = staged.reading.and_then(|reading| reading.map).ok_or_else(Failure::nowhere)?;
    let mut answer = HttpResponse::Ok();
    answer.insert_header((header::CONTENT_DISPOSITION, "attachment; filename=\"map.toml\""));
    Ok(answer.content_type("application/toml; charset=utf-8").body(map))
}

async fn answer(
    here: &Here,
    staged: &StagedImport,
    reading: &StagedReading,
    sniffed: &SniffedTable,
    said: Markup,
) -> Result<HttpResponse, Failure> {
    let is_refused = !said.0.is_empty();
    let (mut status, mut sample) = (StatusCode::OK, html! {});
    match here.staged().try_reading(here.caller(), staged.id, reading).await {
        Ok(tried) => sample = read(&tried),
        // Said once.
        Err(_) if is_refused => {}
        Err(error) => sample = html! { (refused(error)?.1) },
    }
    if is_refused {
        status = StatusCode::UNPROCESSABLE_ENTITY;
    }
    let body = html! {
        (said)
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
            button.plain type="submit" name="do" value="try" { "Try it on the first rows" }
            " "
            button type="submit" name="do" value="check" { "Check all rows" }
            @if staged.reading.as_ref().is_some_and(|reading| reading.map.is_some()) {
                " " a href=(path(here, staged.id, "map.toml")) download { "Download the map" }
            }
        }
        (sample)
        (table::rows(&sniffed.rows))
    };
    Ok(page(here, staged, 2, body).status(status).answer(here))
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
