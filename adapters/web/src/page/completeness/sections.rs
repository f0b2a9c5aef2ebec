//! What is missing beside the map: reasons, scopes that nothing is said of, exclusions, and series with gaps.

use domain::Category;
use maud::{Markup, html};
use ports::inbound::{CompletenessView, CoverageState, CoverageView, GapView, Named};

use super::super::dashboard::gaps::class;
use super::super::question::activities;
use crate::filter::{Dimension, Filter};
use crate::here::Here;

/// The scopes and categories that have no activity, and of which nothing is said.
pub(super) fn silent(found: &CompletenessView) -> impl Iterator<Item = &CoverageView> {
    found.coverage.iter().filter(|one| one.state == CoverageState::Missing)
}

/// Activities without CO2e, by the reason why.
pub(super) fn reasons(here: &Here, filter: &Filter, found: &CompletenessView) -> Markup {
    let numbers = here.numbers();
    // What is missing is of days and orgs alone.
    let counted = Filter { days: filter.days.clone(), org: filter.org, ..Filter::default() };
    let all = here.link(&activities(&counted).with("incomplete", "true"));
    html! {
        section {
            h2 { "Not computed" @if found.incomplete > 0 { a.more href=(all) { (numbers.counted(found.incomplete, "activity", "activities")) } } }
            @if found.reasons.is_empty() { p { span.tag.ok { "none" } " Each activity that begins in these days has a CO₂e." } }
            @else { div.scroll { table {
                caption { "By the reason why, as it is today; of the days and the org of the filter" }
                thead { tr { th.r scope="col" { "Activities" } th scope="col" { "Reason" } th scope="col" { "For example" } } }
                tbody { @for one in &found.reasons { tr {
                    td.r { a href=(all) { (numbers.count(one.count)) } }
                    td.wrap { (one.reason) }
                    td.wrap.link { @for (index, example) in one.examples.iter().enumerate() {
                        @if index > 0 { ", " }
                        a href=(here.path(&format!("/activities/{}", example.id))) { (example.name) } " " span.muted { (example.day) }
                    } }
                } } }
            } } }
        }
    }
}

/// Scope 1, scope 2 and each category of scope 3: what is there, and what is left out and why.
pub(super) fn coverage(here: &Here, found: &CompletenessView) -> Markup {
    let numbers = here.numbers();
    html! {
        section {
            h2 { "Scopes and categories of scope 3" }
            div.scroll { table {
                caption { "Whether something is recorded, and what is excluded" }
                thead { tr { th scope="col" { "Scope" } th scope="col" { span.aloud { "Name" } } th scope="col" { "State" } th.r scope="col" { "Activities" } th.r scope="col" { "Not computed" } th scope="col" { "Exclusion and its reason" } } }
                tbody { @for one in &found.coverage { tr {
                    th scope="row" { (class(one.class)) }
                    td { (one.class.category().and_then(|number| Category::new(number).ok()).map_or("", Category::title)) }
                    td { (state(one.state)) }
                    td.r { (numbers.count(one.count)) }
                    td.r { (numbers.count(one.incomplete)) }
                    td.wrap { @for view in &one.exclusions {
                        @let exclusion = &view.exclusion.value;
                        div {
                            @if let Some(scope) = &view.scope { b { (scope.name) } " " }
                            @if let Some(org) = &view.org { "of " (org.name) " " }
                            span.muted { (exclusion.years().first()) @if exclusion.years().last() != exclusion.years().first() { " to " (exclusion.years().last()) } ": " }
                            (exclusion.reason)
                        }
                    } }
                } } }
            } }
        }
    }
}

fn state(state: CoverageState) -> Markup {
    match state {
        CoverageState::Reported => html! { span.tag.ok { "reported" } },
        CoverageState::Excluded => html! { span.tag { "excluded" } },
        CoverageState::PartlyExcluded => html! { span.tag.warn { "! partly excluded, the rest missing" } },
        CoverageState::Missing => html! { span.tag.warn { "! nothing recorded, no exclusion" } },
    }
}

/// Series that usually have data, with the months without any.
pub(super) fn gaps(here: &Here, filter: &Filter, found: &CompletenessView) -> Markup {
    let numbers = here.numbers();
    let shown = found.gaps.len();
    html! {
        section {
            h2 { "Series with months without data" }
            @if found.gaps.is_empty() { p { span.tag.ok { "none" } " Every series that usually has data has some in each month that is over." } }
            @else { div.scroll { table.compact {
                caption { "A series is what an org records of a scope and a category. Of the days and the org of the filter, those with the most months first"
                    @if found.gap_count > shown as u64 { "; the first " (numbers.count(shown)) " of " (numbers.count(found.gap_count)) } }
                thead { tr { th scope="col" { "Org" } th scope="col" { "Scope" } th scope="col" { "Category" } th scope="col" { "Months without data" } th.r scope="col" { "With data" } } }
                tbody { @for gap in &found.gaps { (row(here, filter, gap)) } }
            } } }
        }
    }
}

fn row(here: &Here, filter: &Filter, gap: &GapView) -> Markup {
    let name = |named: &Option<Named>| named.as_ref().map_or_else(|| "-".to_owned(), |named| named.name.to_string());
    let nodes = [(Dimension::Org, &gap.org), (Dimension::Scope, &gap.scope), (Dimension::Taxonomy, &gap.taxonomy)];
    let series = nodes.into_iter().fold(filter.clone(), |filter, (dimension, named)| match named {
        Some(named) => filter.at(dimension, named.id),
        None => filter,
    });
    html! {
        tr {
            th scope="row" { a href=(here.link(&activities(&series))) { (name(&gap.org)) } }
            td.clip { (name(&gap.scope)) }
            td.clip { (name(&gap.taxonomy)) }
            td.wrap { span.num { (gap.months.join(", ")) } }
            td.r { (here.numbers().count(gap.with_data)) " of " (here.numbers().count(gap.of)) }
        }
    }
}
