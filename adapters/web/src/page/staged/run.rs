//! Step 5: the import under way, and what became of it.

use actix_web::HttpResponse;
use http::edge::Failure;
use maud::{Markup, html};
use ports::staged_import::{StagedImport, StagedState};

use super::progress::progress;
use super::{REFRESH_S, found, page, path};
use crate::here::Here;
use crate::page::login::see_other;

const STEP: usize = 4;

/// Answers GET of `/imports/{id}/run`.
pub(crate) async fn show(here: Here) -> Result<HttpResponse, Failure> {
    let staged = found(&here).await?;
    let layout = match staged.state {
        StagedState::Running => {
            page(&here, &staged, STEP, progress(&here, &staged, "The rows are imported")).refreshed(REFRESH_S)
        }
        StagedState::Done => page(&here, &staged, STEP, done(&here, &staged)),
        StagedState::RunFailed => page(&here, &staged, STEP, failed(&here, &staged)),
        StagedState::Receiving
        | StagedState::Received
        | StagedState::Checking
        | StagedState::Checked
        | StagedState::CheckFailed => return Ok(see_other(&super::next_path(&here, &staged))),
    };
    Ok(layout.answer(&here))
}

fn done(here: &Here, staged: &StagedImport) -> Markup {
    let (numbers, counts) = (here.numbers(), staged.outcome.unwrap_or_default());
    let count = |count: u64| numbers.count(count);
    html! {
        p.notice.ok role="status" {
            "Imported: " b { (count(counts.created)) } " new · " b { (count(counts.updated)) } " changed · " b { (count(counts.unchanged)) } " same · "
            b { (count(counts.rejected)) } " rejected."
        }
        @if counts.rejected > 0 { p { a href=(path(here, staged.id, "rejected")) download { "The rejected rows, with the reason" } } }
        @if let Some(import) = staged.import {
            @if counts.created + counts.updated > 0 {
                details {
                    summary { "Undo" }
                    form method="post" action=(here.path(super::SECTION)) {
                        (here.token_field())
                        input type="hidden" name="import" value=(import);
                        p.small { "What it created goes, what it changed gets its earlier content." }
                        button.danger type="submit" { "Undo" }
                    }
                }
            }
        }
        p { a href=(here.path(super::SECTION)) { "All imports" } " · " a href=(here.path("/")) { "Dashboard" } }
    }
}

fn failed(here: &Here, staged: &StagedImport) -> Markup {
    html! {
        div.notice.bad role="alert" {
            @match &staged.failure {
                Some(failure) => { "The import ended early: " (failure) "." },
                None => "The import was interrupted.",
            }
            " What it wrote before is there. Run again, it adds no row a second time: rows are found by their syncId, and where they have none, what was written is taken back first."
        }
        form method="post" action=(path(here, staged.id, "check")) {
            (here.token_field())
            button type="submit" name="do" value="good" { "Run again" }
            " " button.plain type="submit" name="do" value="check" { "Check again" }
        }
    }
}
