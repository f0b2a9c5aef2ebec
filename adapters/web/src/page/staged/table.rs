//! Step 2: what the file is, and which sheet of a workbook is read.

use actix_web::HttpResponse;
use http::edge::Failure;
use maud::{Markup, html};
use ports::inbound::SniffedTable;
use ports::staged_import::StagedReading;

use super::{found, page, path};
use crate::address::encoded;
use crate::form::Fields;
use crate::here::Here;
use crate::page::login::see_other;
use crate::page::refused::refused;

/// Answers GET of `/imports/{id}/table`.
pub(crate) async fn show(here: Here) -> Result<HttpResponse, Failure> {
    let staged = found(&here).await?;
    let sheet = here.params().take("sheet").or_else(|| staged.reading.as_ref()?.sheet.clone());
    match here.staged().sniff(here.caller(), staged.id, &StagedReading { sheet, map: None }).await {
        Ok(table) => Ok(page(&here, &staged, 1, body(&here, &path(&here, staged.id, "table"), &table)).answer(&here)),
        Err(error) => {
            let (status, wrong) = refused(error)?;
            Ok(page(&here, &staged, 1, wrong).status(status).answer(&here))
        }
    }
}

/// Answers POST to `/imports/{id}/table`: goes on with a sheet, or looks at another.
pub(crate) async fn choose(here: Here, fields: Fields) -> Result<HttpResponse, Failure> {
    let staged = found(&here).await?;
    let step = if fields.get("do") == Some("look") { "table" } else { "map" };
    let sheet = fields.filled("sheet").map(|sheet| format!("?sheet={}", encoded(sheet))).unwrap_or_default();
    Ok(see_other(&format!("{}{sheet}", path(&here, staged.id, step))))
}

fn body(here: &Here, to: &str, table: &SniffedTable) -> Markup {
    html! {
        p { "It is read as " b { (table.form) } "." }
        @if let Some(wrong) = &table.wrong { div.notice.bad role="alert" { (wrong) } }
        form.form method="post" action=(to) {
            (here.token_field())
            @if !table.sheets.is_empty() {
                label.field {
                    span { "Sheet" }
                    select name="sheet" {
                        @for sheet in &table.sheets { option value=(sheet) selected[table.sheet.as_ref() == Some(sheet)] { (sheet) } }
                    }
                }
                @if table.sheets.len() > 1 { button.plain type="submit" name="do" value="look" { "Look at this sheet" } " " }
            }
            @if table.wrong.is_none() { button type="submit" name="do" value="next" { "Go on to its columns" } }
        }
        @if !table.rows.is_empty() { (rows(&table.rows)) }
    }
}

/// The first rows as they are.
pub(super) fn rows(rows: &[(u64, Vec<String>)]) -> Markup {
    html! {
        div.scroll tabindex="0" role="region" aria-label="The first rows" { table {
            caption { "The first rows, as they are" }
            thead { tr { th scope="col" { "Line" } th scope="col" { "Cells" } } }
            tbody { @for (line, cells) in rows {
                tr { th scope="row" { (line) } @for cell in cells { td.clip title=(cell) { (cell) } } }
            } }
        } }
    }
}
