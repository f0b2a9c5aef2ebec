//! Facets: how many activities there are in each part of what the page shows, and the strip of months.

use domain::Stretch;
use maud::{Markup, html};
use ports::inbound::{Breakdown, BreakdownBy, BreakdownQuery, BreakdownRow, Error, Label, Whole};

use super::super::question::level;
use super::Asked;
use crate::chart::{self, Stroke};
use crate::filter::{Days, Dimension, Filter};
use crate::filter_bar::Choices;
use crate::here::Here;

/// So many values of a facet are shown.
const MOST: usize = 10;
/// More months than these are drawn year by year.
const MOST_MONTHS: i32 = 60 * 31;

/// The counts of what is shown.
pub(super) struct Facets {
    /// By month, or by year of a long time.
    pub(super) months: Breakdown,
    trees: Vec<(Dimension, Breakdown)>,
    /// How many activities there are in all, whatever the filter.
    pub(super) all: i64,
}

impl Facets {
    /// Counts them, each with all of the filter.
    pub(super) async fn find(here: &Here, asked: &Asked) -> Result<Self, Error> {
        let breakdowns = here.areas().breakdowns.as_ref();
        let question =
            |by: BreakdownBy, depth| BreakdownQuery { only: asked.only(), ..asked.filter.breakdown(&[by], depth) };
        let everything =
            breakdowns.breakdown(here.caller(), Filter::default().breakdown(&[BreakdownBy::Scope], 1)).await?;
        let period = asked.filter.days.period();
        let (first, last) = (period.first().or(everything.whole.first), period.last().or(everything.whole.last));
        let is_long = first.zip(last).is_some_and(|(first, last)| last.number() - first.number() > MOST_MONTHS);
        let stretch = if is_long { Stretch::Year } else { Stretch::Month };
        let months = breakdowns.breakdown(here.caller(), question(BreakdownBy::Time(stretch), 1)).await?;
        let mut trees = Vec::new();
        for dimension in Dimension::ALL {
            // One level below what is chosen, else the first that has several.
            let mut depth = 1;
            let found = loop {
                let found = breakdowns.breakdown(here.caller(), question(dimension.by(), depth)).await?;
                let is_deepest = found.rows.iter().all(|row| level(row.labels.first()) < depth);
                if found.rows.len() > 1 || is_deepest || depth >= 8 {
                    break found;
                }
                depth += 1;
            };
            trees.push((dimension, found));
        }
        Ok(Self { months, trees, all: everything.whole.totals.count })
    }

    pub(super) const fn whole(&self) -> &Whole {
        &self.months.whole
    }
}

pub(super) fn facets(here: &Here, asked: &Asked, facets: &Facets, choices: &Choices) -> Markup {
    let states = html! {
        @for (title, is_chosen, name) in [("Not computed", asked.incomplete, "incomplete"), ("No scope", asked.uncategorized, "uncategorized")] {
            li aria-current=[is_chosen.then_some("true")] {
                @if is_chosen { span { (title) } a href=(here.link(&asked.address().without(name))) aria-label={ "All, not only " (title) } { "✕" } }
                @else { a href=(here.link(&asked.address().with(name, "true"))) { (title) }
                    @if name == "incomplete" { span { (here.numbers().count(facets.whole().totals.incomplete)) } } }
            }
        }
    };
    html! {
        aside.facets aria-label="Facets" {
            @for (dimension, found) in &facets.trees { (tree(here, asked, *dimension, found, choices)) }
            h2 { "State" }
            ul { (states) }
            (search(here, asked, facets))
        }
    }
}

fn tree(here: &Here, asked: &Asked, dimension: Dimension, found: &Breakdown, choices: &Choices) -> Markup {
    let link = |filter: &Filter| here.link(&asked.page().filtered(filter));
    let chosen = asked.filter.node(dimension);
    let mut rows: Vec<_> = found.rows.iter().filter(|row| row.totals.count > 0).collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.totals.count));
    html! {
        h2 { (dimension.title()) }
        ul {
            @if let Some(id) = chosen {
                li aria-current="true" {
                    span { (choices.name(dimension, id)) }
                    a href=(link(&asked.filter.anywhere(dimension))) aria-label={ "All, whatever the " (dimension.title().to_lowercase()) } { "✕" }
                }
            }
            @for row in rows.iter().take(MOST) {
                @match row.labels.first() {
                    Some(Label::Record { id, .. }) if Some(*id) == chosen => {},
                    Some(Label::Record { id, name, path, .. }) => li {
                        a href=(link(&asked.filter.at(dimension, *id))) title=(path) { (name) }
                        span { (here.numbers().count(row.totals.count)) }
                    },
                    Some(Label::Time(_) | Label::Gas(_) | Label::Quality(_) | Label::Without) | None => li {
                        span.muted { "none" }
                        span { (here.numbers().count(row.totals.count)) }
                    },
                }
            }
            @if rows.len() > MOST { li { span.muted { (here.numbers().count(rows.len() - MOST)) " more in the filter above" } } }
        }
    }
}

fn search(here: &Here, asked: &Asked, facets: &Facets) -> Markup {
    let too_many = facets.whole().totals.count > super::MOST_SCANNED;
    let page = asked.page().without("name").filtered(&asked.filter);
    html! {
        h2 { "Name" }
        @if too_many && asked.name.is_none() {
            p.small.muted { "Narrow the filter to " (here.numbers().count(super::MOST_SCANNED)) " activities to search their names." }
        } @else {
            form method="get" action=(here.path("/activities")) role="search" {
                @for (name, value) in page.parameters() { input type="hidden" name=(name) value=(value); }
                label { span hidden { "Name" }
                    input type="search" name="name" size="14" value=(asked.name.as_deref().unwrap_or("")) data-search placeholder="in the name";
                }
                " " button.plain type="submit" { "Find" }
            }
        }
    }
}

/// The strip of months, each of which leads to itself.
pub(super) fn strip(here: &Here, asked: &Asked, facets: &Facets) -> Markup {
    let is_chosen = |name: &str| matches!(&asked.filter.days, Days::Named(chosen, _) if chosen == name);
    let strokes: Vec<Stroke> = facets
        .months
        .rows
        .iter()
        .filter_map(|row| {
            let Some(Label::Time(name)) = row.labels.first() else { return None };
            let count = u64::try_from(row.totals.count).unwrap_or(0);
            // Another month may be chosen in place of the one that is.
            let chosen = Days::named(name, here.company.year_start).ok();
            let filter = chosen.map_or_else(|| asked.filter.clone(), |days| asked.filter.on(days));
            Some(Stroke {
                says: format!("{name}: {}", here.numbers().counted(count, "activity", "activities")),
                count,
                link: Some(here.link(&asked.page().filtered(&filter))),
                is_chosen: is_chosen(name),
            })
        })
        .collect();
    let end = |row: Option<&BreakdownRow>| match row.and_then(|row| row.labels.first()) {
        Some(Label::Time(name)) => name.clone(),
        _ => String::new(),
    };
    html! {
        @if strokes.len() > 1 {
            figure { (chart::strip("strip", "Activities by month", &strokes))
                figcaption { (end(facets.months.rows.first())) " to " (end(facets.months.rows.last())) }
            }
        }
    }
}
