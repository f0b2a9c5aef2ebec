//! What is missing: series of activities that stop for months, and scopes that nothing is said of.

use domain::ScopeClass;
use http::edge::Failure;
use maud::{Markup, html};
use ports::inbound::{CompletenessQuery, CoverageState, Error, GapView, Named};

use super::super::question::activities;
use super::Asked;
use crate::address::Address;
use crate::filter::{Dimension, Filter};
use crate::here::Here;

/// So many gaps are named.
const MOST: usize = 6;
/// So many of a gap's months are named.
const MOST_MONTHS: usize = 4;

pub(super) async fn section(here: &Here, asked: &Asked) -> Result<Markup, Failure> {
    let period = asked.filter.days.period();
    let query = CompletenessQuery {
        first: period.first(),
        last: period.last(),
        org: asked.filter.org,
        without_reasons: true,
        ..CompletenessQuery::default()
    };
    let found = match here.areas().completeness.completeness(here.caller(), query).await {
        Ok(found) => found,
        // A period too long to look for gaps in is no fault of the dashboard's.
        Err(Error::Parameters(_)) => return Ok(html! {}),
        Err(other) => return Err(other.into()),
    };
    let missing: Vec<_> = found.coverage.iter().filter(|one| one.state == CoverageState::Missing).collect();
    let numbers = here.numbers();
    Ok(html! {
        section {
            h2 { "Gaps" a.more href=(here.link(&Address::to("/completeness").filtered(&asked.filter))) { "all that is missing" } }
            @if found.gap_count == 0 && missing.is_empty() {
                p { span.tag.ok { "complete" } " Every series that usually has data has some in each month." }
            }
            @if !missing.is_empty() {
                p {
                    span.tag.warn { "!" } " Nothing is recorded and no exclusion is stated: "
                    @for (index, one) in missing.iter().enumerate() { @if index > 0 { ", " } (class(one.class)) }
                    "."
                }
            }
            @if found.gap_count > 0 {
                p { (numbers.counted(found.gap_count, "series has", "series have")) " months without data." }
                div.scroll { table.compact {
                    thead { tr { th scope="col" { "Org" } th scope="col" { "Scope" } th scope="col" { "Category" } th scope="col" { "Months without data" } th.r scope="col" { "With data" } } }
                    tbody { @for gap in found.gaps.iter().take(MOST) { (row(here, asked, gap)) } }
                } }
            }
        }
    })
}

/// A scope, or a category of scope 3, as people call it.
pub(in crate::page) fn class(class: ScopeClass) -> String {
    let kind = super::head::name(Some(class.kind()));
    class.category().map_or_else(|| kind.to_owned(), |category| format!("{kind}.{category}"))
}

fn row(here: &Here, asked: &Asked, gap: &GapView) -> Markup {
    let name = |named: &Option<Named>| named.as_ref().map_or_else(|| "-".to_owned(), |named| named.name.to_string());
    let mut filter: Filter = asked.filter.clone();
    let nodes = [(Dimension::Org, &gap.org), (Dimension::Scope, &gap.scope), (Dimension::Taxonomy, &gap.taxonomy)];
    for (dimension, named) in nodes {
        if let Some(named) = named {
            filter = filter.at(dimension, named.id);
        }
    }
    let (shown, more) = (gap.months.iter().take(MOST_MONTHS), gap.months.len().saturating_sub(MOST_MONTHS));
    html! {
        tr {
            th scope="row" { a href=(here.link(&activities(&filter))) { (name(&gap.org)) } }
            td.clip { (name(&gap.scope)) }
            td.clip { (name(&gap.taxonomy)) }
            td { span.num { (shown.cloned().collect::<Vec<_>>().join(", ")) } @if more > 0 { " and " (more) " more" } }
            td.r { (here.numbers().count(gap.with_data)) " of " (here.numbers().count(gap.of)) }
        }
    }
}
