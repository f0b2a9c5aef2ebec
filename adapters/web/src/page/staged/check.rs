//! Step 4: what an import of all rows would come to.

use actix_web::HttpResponse;
use actix_web::http::header;
use actix_web::web::Bytes;
use futures_util::stream;
use http::edge::Failure;
use maud::{Markup, html};
use ports::inbound::{Again, Error, RejectedForm, RejectedRows, RunOptions, RunRows};
use ports::staged_import::{Preview, StagedImport, StagedState, ToldRow};

use super::progress::progress;
use super::{REFRESH_S, found, page, path};
use crate::figure::{Digits, Figures};
use crate::form::Fields;
use crate::here::Here;
use crate::page::login::see_other;
use crate::page::refused::refused;

const STEP: usize = 3;

/// Answers GET of `/imports/{id}/check`.
pub(crate) async fn show(here: Here) -> Result<HttpResponse, Failure> {
    let staged = found(&here).await?;
    let layout = page(&here, &staged, STEP, body(&here, &staged, html! {}));
    let layout = if staged.state == StagedState::Checking { layout.refreshed(REFRESH_S) } else { layout };
    Ok(layout.answer(&here))
}

/// Answers POST to `/imports/{id}/check`: checks once more, or imports.
pub(crate) async fn go_on(here: Here, fields: Fields) -> Result<HttpResponse, Failure> {
    let staged = found(&here).await?;
    let (staging, caller) = (here.staged(), here.caller());
    let (begun, step) = match fields.get("do") {
        Some("check") => (staging.check(caller, staged.id).await, "check"),
        Some(word @ ("good" | "all")) => {
            let rows = if word == "all" { RunRows::AllOrNone } else { RunRows::Good };
            let again = if fields.get("again").is_some() { Again::Yes } else { Again::No };
            (staging.run(caller, staged.id, RunOptions { rows, again }).await, "run")
        }
        Some(_) | None => return Err(Failure::malformed("The form does not say what to do.")),
    };
    match begun {
        Ok(_) => Ok(see_other(&path(&here, staged.id, step))),
        Err(error) => {
            let (status, wrong) = refused(error)?;
            Ok(page(&here, &staged, STEP, body(&here, &staged, wrong)).status(status).answer(&here))
        }
    }
}

/// Answers GET of `/imports/{id}/rejected`: the rejected rows, as they were and with the reason.
pub(crate) async fn rejected(here: Here) -> Result<HttpResponse, Failure> {
    let staged = found(&here).await?;
    let rows = here.staged().rejected(here.caller(), staged.id).await?;
    let (media, ending) = match rows.form() {
        RejectedForm::Csv => ("text/csv; charset=utf-8", "csv"),
        RejectedForm::Ndjson => ("application/x-ndjson", "ndjson"),
    };
    let mut answer = HttpResponse::Ok();
    answer.insert_header((header::CONTENT_DISPOSITION, format!("attachment; filename=\"rejected.{ending}\"")));
    Ok(answer.content_type(media).streaming(pieces(rows)))
}

fn pieces(rows: Box<dyn RejectedRows>) -> impl stream::Stream<Item = Result<Bytes, Error>> {
    stream::try_unfold(rows, |mut rows| async move {
        let piece = rows.next().await?;
        Ok(piece.map(|bytes| (Bytes::from(bytes), rows)))
    })
}

#[expect(clippy::needless_pass_by_value, reason = "markup is made where it is given")]
fn body(here: &Here, staged: &StagedImport, said: Markup) -> Markup {
    let to = path(here, staged.id, "check");
    html! {
        (said)
        @match (&staged.checked, staged.state) {
            (_, StagedState::Checking) => (progress(here, staged, "Every row is tried; nothing is written")),
            (Some(checked), _) => {
                (preview(here, staged, checked))
                @if staged.state != StagedState::Done && staged.state != StagedState::Running { (form(here, &to, checked)) }
            },
            (None, _) => {
                div.notice.bad role="alert" {
                    @match &staged.failure {
                        Some(failure) => { "The check ended early: " (failure) "." },
                        None if staged.state == StagedState::CheckFailed => "The check was interrupted.",
                        None => "The rows were not checked yet as they are read now.",
                    }
                    " Nothing is written."
                }
                form method="post" action=(to) {
                    (here.token_field())
                    button type="submit" name="do" value="check" { "Check all rows" }
                }
            },
        }
    }
}

/// What the check found.
fn preview(here: &Here, staged: &StagedImport, checked: &Preview) -> Markup {
    let (numbers, counts) = (here.numbers(), checked.counts);
    let count = |count: u64| numbers.count(count);
    html! {
        p.lead {
            b { (count(counts.created)) } " new · " b { (count(counts.updated)) } " changed · " b { (count(counts.unchanged)) } " same · "
            b { (count(counts.rejected)) } " rejected"
            @if counts.rejected > 0 { ": " a href=(path(here, staged.id, "rejected")) download { "the rejected rows, with the reason" } }
        }
        @if checked.skipped > 0 { p { (numbers.counted(checked.skipped, "row is", "rows are")) " left out, as the map says." } }
        @if checked.incomplete > 0 { p.notice.warn { (numbers.counted(checked.incomplete, "activity", "activities")) " would have no CO₂e, since it cannot be computed." } }
        @if checked.without_sync_id > 0 { p.notice.warn { (numbers.counted(checked.without_sync_id, "row has", "rows have")) " no syncId: a second import of the file would add what they say once more." } }
        @if checked.already_recorded > 0 { p.notice.warn { (numbers.counted(checked.already_recorded, "of these says", "of these say")) " what a recorded activity says already." } }
        (years(here, checked))
        (changed(checked))
        (told("Rejected", counts.rejected, &checked.faults, &numbers))
        (told("Warnings", counts.warnings, &checked.warnings, &numbers))
    }
}

fn years(here: &Here, checked: &Preview) -> Markup {
    let amounts = checked.years.iter().flat_map(|effect| [effect.before, effect.after]);
    let figures = Figures::of(here.numbers(), Digits::Fixed, amounts);
    html! {
        @if !checked.years.is_empty() {
            div.scroll { table {
                caption { "What all activities that begin in the year come to, also outside the scopes, in " (figures.heading()) }
                thead { tr { th scope="col" { "Year" } th.r scope="col" { "Before" } th.r scope="col" { "After" } } }
                tbody { @for effect in &checked.years {
                    tr { th scope="row" { (effect.year) } td.r { (figures.amount(effect.before)) } td.r { (figures.amount(effect.after)) } }
                } }
            } }
        }
    }
}

fn changed(checked: &Preview) -> Markup {
    html! {
        @if !checked.changed.is_empty() {
            div.scroll { table {
                caption { "The first rows that change an activity" }
                thead { tr { th scope="col" { "Line" } th scope="col" { "Activity" } th scope="col" { "Before → after" } } }
                tbody { @for row in &checked.changed {
                    tr {
                        th scope="row" { (row.line) }
                        td.clip { (row.name) }
                        td.wrap { @for field in &row.fields { div { (field.field) ": " (shown(&field.before)) " → " (shown(&field.after)) } } }
                    }
                } }
            } }
        }
    }
}

const fn shown(text: &str) -> &str {
    if text.is_empty() { "-" } else { text }
}

fn told(title: &str, count: u64, rows: &[ToldRow], numbers: &crate::figure::Numbers) -> Markup {
    html! {
        @if !rows.is_empty() {
            details open[rows.len() <= 20] {
                summary { (title) " (" (numbers.count(count)) ")" }
                div.scroll { table {
                    caption { "The first of them" }
                    thead { tr { th scope="col" { "Line" } th scope="col" { "Field" } th scope="col" { "What" } } }
                    tbody { @for row in rows {
                        tr { th scope="row" { @if row.line > 0 { (row.line) } } td { (row.field) } td.wrap { (row.detail) } }
                    } }
                } }
            }
        }
    }
}

fn form(here: &Here, to: &str, checked: &Preview) -> Markup {
    let counts = checked.counts;
    let writes = counts.created + counts.updated;
    html! {
        form.form method="post" action=(to) {
            (here.token_field())
            label { input type="checkbox" name="again" value="yes"; " Import it though the same file was imported before" }
            p {
                button type="submit" name="do" value="good" { "Import " (here.numbers().count(writes)) }
                @if counts.rejected == 0 { " " button.plain type="submit" name="do" value="all" { "All or nothing" } }
                " " button.plain type="submit" name="do" value="check" { "Check again" }
            }
        }
    }
}
