//! What a page can be shown as: named groups of links, the chosen one of each marked.

use maud::{Markup, html};

use crate::address::Address;
use crate::here::Here;

/// A group of which one is chosen.
#[derive(Clone, Debug)]
pub struct Control<'a> {
    /// What is chosen by it.
    pub label: &'a str,
    /// The choices: what each is called, where it leads, and whether it is the one that is shown.
    pub choices: Vec<(String, Address, bool)>,
}

/// The groups beside each other.
#[must_use]
pub fn controls(here: &Here, groups: &[Control<'_>]) -> Markup {
    html! {
        div.controls {
            @for Control { label, choices } in groups {
                span role="group" aria-label=(label) {
                    span.label { (label) }
                    @for (name, address, is_chosen) in choices {
                        @if *is_chosen { b aria-current="true" { (name) } } @else { a href=(here.link(address)) { (name) } }
                    }
                }
            }
        }
    }
}
