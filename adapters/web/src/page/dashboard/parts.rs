//! By whom and by what: orgs as ranked bars, categories as a treemap with the table behind.

use domain::Total;
use maud::{Markup, html};
use ports::inbound::{Breakdown, BreakdownRow, Label};

use super::super::question::{activities, report};
use super::head::changed;
use super::{Asked, Found};
use crate::address::Address;
use crate::chart::{Ink, Tile, bar, treemap};
use crate::figure::Figures;
use crate::filter::{Dimension, Filter};
use crate::filter_bar::Choices;
use crate::here::Here;

/// So many rows are shown; the report has all.
const MOST: usize = 12;

pub(super) fn orgs(here: &Here, asked: &Asked, found: &Found, figures: &Figures) -> Markup {
    html! {
        section {
            h2 { "Orgs" a.more href=(here.link(&report(&asked.filter, "org,month"))) { "all, by month" } }
            (ranked(here, asked, &found.orgs, Dimension::Org, figures))
        }
    }
}

pub(super) fn taxonomies(here: &Here, asked: &Asked, found: &Found, choices: &Choices, figures: &Figures) -> Markup {
    let tiles: Vec<_> = found.taxonomies.rows.iter().map(|row| tile(here, asked, row)).collect();
    html! {
        section {
            h2 { "Categories of activity" a.more href=(here.link(&report(&asked.filter, "taxonomy,month"))) { "all, by month" } }
            (above(here, asked, choices))
            figure { (treemap("categories", "CO₂e by category of activity", &tiles, figures)) }
            details.behind { summary { "The figures behind" } (ranked(here, asked, &found.taxonomies, Dimension::Taxonomy, figures)) }
        }
    }
}

/// Where the categories are in their tree, once one is chosen: a link to all of them and to each above it, from the root down.
fn above(here: &Here, asked: &Asked, choices: &Choices) -> Markup {
    let (by, to) = (Dimension::Taxonomy, |filter: Filter| here.link(&Address::to("/").filtered(&filter)));
    html! {
        @if let Some(chosen) = asked.filter.node(by) {
            p.small {
                a href=(to(asked.filter.anywhere(by))) { "all categories" }
                @for id in choices.above(by, chosen) { " / " a href=(to(asked.filter.at(by, *id))) { (choices.name(by, *id)) } }
                " / " (choices.name(by, chosen))
            }
        }
    }
}

fn tile(here: &Here, asked: &Asked, row: &BreakdownRow) -> Tile {
    let (name, filter) = about(asked, row, Dimension::Taxonomy);
    let link = filter.map(|filter| here.link(&Address::to("/").filtered(&filter)));
    Tile { name, amount: row.totals.co2e, link }
}

/// What a row is called, and the filter of its activities, where a node says it.
fn about(asked: &Asked, row: &BreakdownRow, dimension: Dimension) -> (String, Option<Filter>) {
    match row.labels.first() {
        Some(Label::Record { id, name, .. }) => (name.clone(), Some(asked.filter.at(dimension, *id))),
        Some(Label::Time(_) | Label::Gas(_) | Label::Quality(_) | Label::Without) | None => ("none".to_owned(), None),
    }
}

/// The rows by size, the largest first.
fn ranked(here: &Here, asked: &Asked, found: &Breakdown, dimension: Dimension, figures: &Figures) -> Markup {
    let amount = |row: &BreakdownRow| row.totals.co2e;
    let size = |total: Total| if total < Total::ZERO { -total } else { total };
    let mut rows: Vec<&BreakdownRow> = found.rows.iter().filter(|row| row.totals.count > 0).collect();
    rows.sort_by_key(|row| std::cmp::Reverse(size(amount(row))));
    let longest = rows.first().map(|row| amount(row)).unwrap_or_default();
    let all = found.whole.totals.co2e;
    html! {
        div.scroll { table {
            caption { "In " (figures.heading()) }
            thead { tr {
                th scope="col" { (dimension.title()) } th scope="col" { span.aloud { "As a bar" } } th.r scope="col" { "CO₂e" } th.r scope="col" { "Share" }
                @if asked.compare.is_some() { th.r scope="col" { "Change" } }
            } }
            tbody {
                @for row in rows.iter().take(MOST) {
                    @let (name, filter) = about(asked, row, dimension);
                    @let before = row.compared.filter(|totals| totals.count > 0).map(|totals| totals.co2e);
                    tr {
                        th.clip scope="row" {
                            @match &filter {
                                Some(filter) => a href=(here.link(&Address::to("/").filtered(filter))) { (name) },
                                None => (name),
                            }
                        }
                        td { (bar(amount(row), longest, Ink::Accent)) }
                        td.r {
                            @match &filter {
                                Some(filter) => a href=(here.link(&activities(filter))) { (figures.amount(amount(row))) },
                                None => (figures.amount(amount(row))),
                            }
                        }
                        td.r { (here.numbers().percent(amount(row), all).unwrap_or_else(|| "-".to_owned())) }
                        @if asked.compare.is_some() {
                            td.r { @match before { Some(before) => (changed(here, amount(row), before)), None => span.muted { "no data" } } }
                        }
                    }
                }
            }
        } }
        @if rows.len() > MOST {
            p.small.muted { "The largest " (MOST) " of " (here.numbers().count(rows.len())) "; "
                a href=(here.link(&report(&asked.filter, dimension.word()))) { "all of them" } "." }
        }
    }
}
