//! The months, stacked by scope, with the outline of what they are compared with.

use domain::{Total, Totals};
use maud::{Markup, html};
use ports::inbound::{BreakdownRow, Label};

use super::super::question::{activities, in_all, report, short_time};
use super::head::{amount, ink, kind_of, name};
use super::{Asked, Found};
use crate::chart::{Column, Columns, Part, columns};
use crate::figure::Figures;
use crate::here::Here;

/// A stretch of time with the kinds of scope in it.
struct Stretch {
    name: String,
    parts: Vec<Part>,
    totals: Totals,
    compared: Option<Totals>,
}

pub(super) fn section(here: &Here, asked: &Asked, found: &Found) -> Markup {
    let stretches = stretches(found);
    let largest = stretches.iter().map(|one| in_all(&one.totals));
    let figures = Figures::of(here.numbers(), asked.digits, largest);
    let columns: Vec<_> = stretches.iter().map(|one| column(here, asked, one)).collect();
    let compared = asked.compare.as_ref().filter(|_| found.months.compared.is_some());
    let description = format!(
        "A column for each stretch of time, stacked by scope{}.",
        compared.map_or_else(String::new, |days| format!("; the outline is the same of {days}"))
    );
    let chart = Columns {
        id: "months",
        title: "CO₂e over time by scope",
        description: &description,
        columns: &columns,
        figures: &figures,
    };
    html! {
        section {
            h2 { "Over time" a.more href=(here.link(&report(&asked.filter, "scope,month"))) { "as a table" } }
            ul.legend {
                @for kind in found.kinds.stacked() {
                    li { i.swatch.(ink(kind.of).swatch()) aria-hidden="true" {} (name(kind.of)) }
                }
                @if found.months.compared.is_some() { li { i.swatch.outline aria-hidden="true" {} @if let Some(days) = &asked.compare { (days) } } }
            }
            figure { (self::columns(&chart)) }
            details.behind { summary { "The figures behind" } (table(here, asked, found, &stretches, &figures)) }
        }
    }
}

fn stretches(found: &Found) -> Vec<Stretch> {
    let mut all: Vec<Stretch> = Vec::new();
    for row in &found.months.rows {
        let Some(Label::Time(time)) = row.labels.get(1) else { continue };
        let at = all.iter().position(|one| one.name == *time).unwrap_or_else(|| {
            all.push(Stretch { name: time.clone(), parts: Vec::new(), totals: Totals::default(), compared: None });
            all.len() - 1
        });
        if let Some(one) = all.get_mut(at) {
            add(one, row);
        }
    }
    all.sort_by(|one, other| one.name.cmp(&other.name));
    for stretch in &mut all {
        // What is stacked lowest comes first.
        stretch.parts.sort_by_key(|part| found.kinds.stacked().position(|kind| ink(kind.of) == part.ink));
    }
    all
}

fn add(one: &mut Stretch, row: &BreakdownRow) {
    one.totals += row.totals;
    if let Some(compared) = row.compared {
        *one.compared.get_or_insert_default() += compared;
    }
    let (kind, _) = kind_of(row.labels.first());
    let (ink, name, amount) = (ink(kind), name(kind), amount(kind, &row.totals));
    if amount.is_zero() {
        return;
    }
    match one.parts.iter_mut().find(|part| part.ink == ink) {
        Some(part) => part.amount += amount,
        None => one.parts.push(Part { ink, name, amount }),
    }
}

fn before(stretch: &Stretch) -> Option<Total> {
    stretch.compared.filter(|totals| totals.count > 0).map(|totals| in_all(&totals))
}

fn column(here: &Here, asked: &Asked, stretch: &Stretch) -> Column {
    let filter = asked.filter.dated(&stretch.name, here.company.year_start);
    Column {
        label: short_time(&stretch.name),
        name: stretch.name.clone(),
        parts: stretch.parts.clone(),
        compared: before(stretch),
        link: Some(here.link(&report(&filter, "org,scope"))),
    }
}

fn table(here: &Here, asked: &Asked, found: &Found, stretches: &[Stretch], figures: &Figures) -> Markup {
    html! {
        div.scroll { table.compact {
            caption { "In " (figures.heading()) ". Shown figures are rounded; exact figures add up." }
            thead { tr {
                th scope="col" { "Time" } th.r scope="col" { "CO₂e" } th.r scope="col" { "No scope" }
                @if found.months.compared.is_some() { th.r scope="col" { "Before" } th.r scope="col" { "Change" } }
                th.r scope="col" { "Not computed" }
            } }
            tbody {
                @for stretch in stretches {
                    @let filter = asked.filter.dated(&stretch.name, here.company.year_start);
                    @let all = stretch.totals.co2e;
                    tr {
                        th scope="row" { a href=(here.link(&report(&filter, "org,scope"))) { (stretch.name) } }
                        td.r { a href=(here.link(&activities(&filter))) { (figures.amount(all)) } }
                        td.r { (figures.amount(stretch.totals.uncategorized)) }
                        @if found.months.compared.is_some() {
                            @match stretch.compared.filter(|totals| totals.count > 0).map(|totals| totals.co2e) {
                                Some(before) => { td.r { (figures.amount(before)) } td.r { (super::head::changed(here, all, before)) } },
                                None => { td.r.muted { "no data" } td.r {} },
                            }
                        }
                        td.r {
                            @if stretch.totals.incomplete > 0 {
                                a href=(here.link(&activities(&filter).with("incomplete", "true"))) { (here.numbers().count(stretch.totals.incomplete)) }
                            } @else { "0" }
                        }
                    }
                }
            }
        } }
    }
}
