//! Importing a file step by step: 1 File, 2 Table, 3 Columns, 4 Check, 5 Done. Nothing is written before 5.

pub(crate) mod check;
pub(crate) mod file;
pub(crate) mod map;
mod progress;
pub(crate) mod run;
pub(crate) mod table;

use actix_web::HttpResponse;
use http::edge::Failure;
use maud::{Markup, html};
use ports::StagedId;
use ports::staged_import::{StagedImport, StagedState};

use super::login::see_other;
use super::refused::refused;
use crate::here::Here;
use crate::layout::Layout;

const SECTION: &str = "/imports";
/// The steps, with the last part of the path of each.
const STEPS: [(&str, &str); 5] =
    [("File", "new"), ("Table", "table"), ("Columns", "map"), ("Check", "check"), ("Done", "run")];
/// How often a page asks how far it is while rows are checked or imported.
const REFRESH_S: u32 = 2;

/// Answers POST to `/imports/{id}/discard`.
pub(crate) async fn discard(here: Here) -> Result<HttpResponse, Failure> {
    let staged = found(&here).await?;
    match here.staged().discard(here.caller(), staged.id).await {
        Ok(()) => Ok(see_other(&here.path(SECTION))),
        Err(error) => {
            let (status, wrong) = refused(error)?;
            Ok(page(&here, &staged, 3, wrong).status(status).answer(&here))
        }
    }
}

/// The staged import that the address names.
async fn found(here: &Here) -> Result<StagedImport, Failure> {
    let id = super::segment(here.request(), "id").parse::<StagedId>().map_err(|_| Failure::nowhere())?;
    Ok(here.staged().find(here.caller(), id).await?)
}

/// The path of a step of a staged import.
fn path(here: &Here, id: StagedId, step: &str) -> String {
    here.path(&format!("{SECTION}/{id}/{step}"))
}

/// The path where one goes on with a staged import.
pub(crate) fn next_path(here: &Here, staged: &StagedImport) -> String {
    let step = match staged.state {
        StagedState::Receiving | StagedState::Received => {
            if staged.reading.is_some() {
                "map"
            } else {
                "table"
            }
        }
        StagedState::Checking | StagedState::Checked | StagedState::CheckFailed => "check",
        StagedState::Running | StagedState::Done | StagedState::RunFailed => "run",
    };
    path(here, staged.id, step)
}

/// How far it is, in words.
pub(crate) const fn state(staged: &StagedImport) -> &'static str {
    match staged.state {
        StagedState::Receiving => "the file is being received, or its sending was broken off",
        StagedState::Received => "waits for its columns",
        StagedState::Checking => "is being checked",
        StagedState::Checked => "checked; nothing is written yet",
        StagedState::Running => "is being imported",
        StagedState::Done => "imported",
        StagedState::CheckFailed => "the check ended early; nothing is written",
        StagedState::RunFailed => "the import ended early; it can be run again",
    }
}

/// A page of that step, from 0.
#[expect(clippy::needless_pass_by_value, reason = "markup is made where it is given")]
fn page(here: &Here, staged: &StagedImport, step: usize, body: Markup) -> Layout {
    let (title, _) = STEPS[step.min(STEPS.len() - 1)];
    let body = html! {
        h1 { "Import " (staged.name) }
        (steps(here, Some(staged.id), step))
        (body)
        @if !matches!(staged.state, StagedState::Checking | StagedState::Running) {
            details {
                summary { "Discard" }
                form method="post" action=(path(here, staged.id, "discard")) {
                    (here.token_field())
                    p.small { "The file and its map are forgotten. What was imported stays. Else they go a day after the last step." }
                    button.plain type="submit" { "Discard" }
                }
            }
        }
    };
    Layout::new(format!("Import: {title}"), SECTION).body(body)
}

/// The steps; earlier ones are links.
fn steps(here: &Here, id: Option<StagedId>, step: usize) -> Markup {
    html! {
        nav aria-label="Steps of the import" {
            ol.stages {
                @for (number, (name, last)) in STEPS.iter().enumerate() {
                    li {
                        @match id {
                            Some(id) if number > 0 && number < step => a href=(path(here, id, last)) { (number + 1) " " (name) },
                            Some(_) | None if number == step => b aria-current="step" { (number + 1) " " (name) },
                            Some(_) | None => span.muted { (number + 1) " " (name) },
                        }
                    }
                }
            }
        }
    }
}
