//! The filter bar: a form that sends to the page it is on, what can be chosen in it, and what it says in words.

mod choices;
mod words;

use domain::Scope2;
use maud::{Markup, html};

use crate::address::Address;
use crate::filter::{ATTRIBUTIONS, Days, Dimension, Filter};
use crate::here::Here;

pub use crate::trees::Choice;
pub use choices::Choices;
pub use words::words;

/// The bar of a page at that address: the address without the filter is what else the page shows, and stays as it is.
#[must_use]
pub fn bar(here: &Here, filter: &Filter, choices: &Choices, page: &Address, dates: &[String]) -> Markup {
    let named = match &filter.days {
        Days::Named(name, _) => name.as_str(),
        Days::All | Days::Span(_) => "",
    };
    let (first, last) = match &filter.days {
        Days::Span(period) => (period.first(), period.last()),
        Days::All | Days::Named(..) => (None, None),
    };
    let day = |day: Option<domain::Day>| day.map(|day| day.to_string()).unwrap_or_default();
    html! {
        form.bar method="get" action=(here.path(page.path())) role="search" aria-label="Filter" {
            @for (name, value) in page.parameters() { input type="hidden" name=(name) value=(value); }
            label { span { "Period" }
                input name="date" value=(named) list="dates" size="9" placeholder="all" autocomplete="off" spellcheck="false";
            }
            datalist id="dates" { @for date in dates { option value=(date) {} } }
            details.span open[first.is_some() || last.is_some()] {
                summary { "days" }
                div {
                    label { span { "From" } input type="date" name="sd" value=(day(first)); }
                    label { span { "To" } input type="date" name="ed" value=(day(last)); }
                }
            }
            @for dimension in Dimension::ALL {
                (node_select(filter, choices, dimension))
            }
            label { span { "Booked" }
                select name="attribution" {
                    @for ((word, attribution), name) in ATTRIBUTIONS.iter().zip(["first day", "spread over days"]) {
                        option value=(word) selected[*attribution == filter.attribution] { (name) }
                    }
                }
            }
            label { span { "Scope 2" }
                select name="scope2" {
                    @for (word, scope2) in Scope2::ALL {
                        option value=(word) selected[scope2 == filter.scope2] {
                            (match scope2 { Scope2::Location => "location-based", Scope2::Market => "market-based", Scope2::Both => "both" })
                        }
                    }
                }
            }
            button type="submit" { "Show" }
            @if *filter != Filter::default() { a.quiet href=(here.link(page)) { "Clear" } }
        }
    }
}

fn node_select(filter: &Filter, choices: &Choices, dimension: Dimension) -> Markup {
    let chosen = filter.node(dimension);
    let offered = choices.offered(dimension, filter);
    html! {
        label { span { (dimension.title()) }
            select name=(dimension.word()) {
                option value="" { "all" }
                @if let Some(id) = chosen.filter(|id| !offered.iter().any(|choice| choice.id == *id)) {
                    option value=(id) selected { (id) }
                }
                @for choice in offered {
                    option value=(choice.id) selected[chosen == Some(choice.id)] {
                        ("\u{2003}".repeat(choice.path.len().saturating_sub(1))) (choice.name)
                    }
                }
            }
        }
    }
}
