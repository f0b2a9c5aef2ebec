//! The map as a text, and the first rows as they are read by it.

use maud::{Markup, html};
use ports::inbound::{SniffedTable, TriedRows};
use ports::staged_import::StagedImport;

use super::path;
use crate::here::Here;

/// The map as a text that can be mended, for a form.
pub(super) fn area(text: &str, sniffed: &SniffedTable) -> Markup {
    html! {
        label.field {
            span { "Map (TOML)" }
            textarea.code name="map" rows="18" spellcheck="false" { "\n" (text) }
            span.hint {
                @if sniffed.map.is_none() { "No map is needed: the columns are those of an activity. Leave it empty." }
                @else {
                    "Guessed from the first rows, each guess with its reason; lines that begin with # do nothing. Mend it here; the same map serves the command line."
                }
            }
        }
    }
}

/// Where the buttons of the form stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// Below the choices, all of which must be made.
    Choices,
    /// Below the text, which may say what was not chosen.
    Text,
}

/// What is done with the form.
pub(super) fn buttons(here: &Here, staged: &StagedImport, at: Place) -> Markup {
    let is_text = at == Place::Text;
    html! {
        p {
            button.plain type="submit" name="do" value="try" formnovalidate[is_text] { "Try it on the first rows" }
            " "
            button type="submit" name="do" value="check" formnovalidate[is_text] { "Check all rows" }
            @if is_text && staged.reading.as_ref().is_some_and(|reading| reading.map.is_some()) {
                " " a href=(path(here, staged.id, "map.toml")) download { "Download the map" }
            }
        }
    }
}

/// The first rows as they are read.
pub(super) fn rows(tried: &TriedRows) -> Markup {
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
