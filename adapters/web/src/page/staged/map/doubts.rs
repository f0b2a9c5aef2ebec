//! What the cells leave open: somebody chooses one of the ways to read them before anything goes on.

use files::{Map, check_doubts, is_asked, is_open, is_said};
use maud::{Markup, html};
use ports::inbound::{Doubt, WrittenForm};

/// A choice for each doubt about a column that the map reads, with what the first such cell becomes.
pub(super) fn choices(doubts: &[Doubt], map: Option<&Map>) -> Markup {
    let asked = |doubt: &Doubt| map.is_some_and(|map| is_asked(map, doubt));
    html! {
        @for (index, doubt) in doubts.iter().enumerate().filter(|(_, doubt)| asked(doubt)) {
            @let open = map.is_some_and(|map| is_open(map, doubt));
            @let name = format!("doubt-{index}");
            fieldset.notice.warn[open] aria-describedby=[open.then(|| format!("{name}-fault"))] {
                legend { "What is " b { (doubt.example) } " in " (doubt.column) "?" }
                @for (way, reading) in doubt.readings.iter().enumerate() {
                    label {
                        input type="radio" name=(name) value=(way) required checked[map.is_some_and(|map| is_said(map, doubt, &reading.form))];
                        " " (reading.becomes) @if is_alike(doubt) { " (" (form_in_words(&reading.form)) ")" }
                    }
                    " "
                }
                @if open { p.fault id=(format!("{name}-fault")) { "! No other cell of the column shows which one is right. Nothing goes on until one is chosen." } }
            }
        }
    }
}

/// What a map as a text must still say.
pub(super) fn told(doubts: &[Doubt], map: Option<&Map>) -> Markup {
    let faults = map.map(|map| check_doubts(map, doubts)).unwrap_or_default();
    html! {
        @for fault in faults.as_slice() {
            p.notice.bad role="alert" { b { (fault.pointer) } " " (fault.detail) ". Nothing goes on until the map says it." }
        }
    }
}

/// Whether the example becomes the same whichever way it is read, so that the ways are told apart by their forms alone.
fn is_alike(doubt: &Doubt) -> bool {
    doubt.readings.windows(2).all(|pair| pair[0].becomes == pair[1].becomes)
}

fn form_in_words(form: &WrittenForm) -> String {
    match form {
        WrittenForm::Dates(dates) => dates.clone(),
        WrittenForm::Marks { decimal, .. } => format!("decimal mark {decimal}"),
    }
}
