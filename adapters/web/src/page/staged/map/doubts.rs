//! What the cells leave open: somebody chooses one of the ways to read them before anything goes on.

use domain::Faults;
use files::{Map, is_said};
use maud::{Markup, html};
use ports::inbound::{Doubt, WrittenForm};

/// A choice for each doubt, with what the first such cell becomes; `faults` are those of the map, of which the ones that a choice
/// mends are said beside it.
pub(super) fn choices(doubts: &[Doubt], map: Option<&Map>, faults: &Faults) -> Markup {
    html! {
        @for (index, doubt) in doubts.iter().enumerate() {
            @let open = doubt.readings.first().is_some_and(|reading| faults.as_slice().iter().any(|fault| fault.pointer == pointer(&reading.form)));
            @let name = format!("doubt-{index}");
            fieldset.notice.warn[open] aria-describedby=[open.then(|| format!("{name}-fault"))] {
                legend { "What is " b { (doubt.example) } " in " (doubt.columns.join(", ")) "?" }
                @for (way, reading) in doubt.readings.iter().enumerate() {
                    label {
                        input type="radio" name=(name) value=(way) required checked[map.is_some_and(|map| is_said(map, &reading.form))];
                        " " (reading.becomes) @if is_alike(doubt) { " (" (form_in_words(&reading.form)) ")" }
                    }
                    " "
                }
                @if open { p.fault id=(format!("{name}-fault")) { "! No other cell shows which one is right. Nothing goes on until one is chosen." } }
            }
        }
    }
}

/// What a map as a text must still say.
pub(super) fn told(faults: &Faults) -> Markup {
    html! {
        @for fault in faults.as_slice() {
            p.notice.bad role="alert" { b { (fault.pointer) } " " (fault.detail) ". Nothing goes on until the map says it." }
        }
    }
}

/// Whether a fault is that of a doubt.
pub(super) fn is_of_doubt(pointer: &str) -> bool {
    matches!(pointer, "table.dates" | "table.decimal")
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

const fn pointer(form: &WrittenForm) -> &'static str {
    match form {
        WrittenForm::Dates(_) => "table.dates",
        WrittenForm::Marks { .. } => "table.decimal",
    }
}
