//! What is missing, as it is printed.

use domain::{Category, ScopeClass};
use files::Json;
use ports::inbound::{CompletenessView, CoverageState, CoverageView, GapView, IncompleteReason, Named};

use crate::command::json::{array, count, object, text};
use crate::command::terminal_table::{Align, Table};
use crate::counted::counted;

pub(super) fn json(found: &CompletenessView) -> Json {
    object([
        ("startDate", text(found.first)),
        ("endDate", text(found.last)),
        ("count", count(found.count)),
        ("incompleteCount", count(found.incomplete)),
        ("incomplete", array(found.reasons.iter().map(reason))),
        ("gapCount", count(found.gap_count)),
        ("gaps", array(found.gaps.iter().map(gap))),
        ("coverage", array(found.coverage.iter().map(line))),
    ])
}

fn reason(group: &IncompleteReason) -> Json {
    let examples = group
        .examples
        .iter()
        .map(|one| object([("uuid", text(one.id)), ("name", text(&one.name)), ("day", text(one.day))]));
    object([
        ("code", text(group.reason.code())),
        ("detail", text(group.reason)),
        ("count", count(group.count)),
        ("examples", array(examples)),
    ])
}

fn node(named: Option<&Named>) -> Json {
    named.map_or(Json::Null, |named| object([("uuid", text(named.id)), ("name", text(&named.name))]))
}

fn gap(gap: &GapView) -> Json {
    object([
        ("scope", node(gap.scope.as_ref())),
        ("org", node(gap.org.as_ref())),
        ("taxonomy", node(gap.taxonomy.as_ref())),
        ("months", array(gap.months.iter().map(text))),
        ("monthsWithData", count(gap.with_data)),
        ("monthsLookedAt", count(gap.of)),
    ])
}

fn line(line: &CoverageView) -> Json {
    let exclusions = line.exclusions.iter().map(|view| {
        let exclusion = &view.exclusion.value;
        object([
            ("uuid", text(exclusion.id)),
            ("org", node(view.org.as_ref())),
            ("firstYear", count(exclusion.years().first().into())),
            ("lastYear", count(exclusion.years().last().into())),
            ("reason", text(&exclusion.reason)),
        ])
    });
    object([
        ("kind", text(line.class.kind())),
        ("category", line.class.category().map_or(Json::Null, |number| count(number.into()))),
        ("state", text(line.state.word())),
        ("count", count(line.count)),
        ("incompleteCount", count(line.incomplete)),
        ("exclusions", array(exclusions)),
    ])
}

pub(super) fn told(found: &CompletenessView) -> String {
    let mut parts = vec![format!(
        "{} to {}: {}, {} without CO2e",
        found.first,
        found.last,
        counted(found.count, "activity", "activities"),
        found.incomplete
    )];
    if !found.reasons.is_empty() {
        parts.push(reasons(&found.reasons));
    }
    parts.push(if found.gaps.is_empty() {
        "No month lacks data in a series that usually has some.".to_owned()
    } else {
        gaps(&found.gaps, found.gap_count)
    });
    parts.push(coverage(&found.coverage));
    parts.join("\n\n")
}

fn reasons(groups: &[IncompleteReason]) -> String {
    let left = |name| (name, Align::Left);
    let mut table = Table::new([("without CO2e", Align::Point), left("why"), left("such as")]);
    for group in groups {
        let example = group.examples.first().map(|one| format!("{} on {}", one.name, one.day));
        table.row([group.count.to_string(), group.reason.to_string(), example.unwrap_or_default()]);
    }
    table.render()
}

fn gaps(gaps: &[GapView], all: u64) -> String {
    let left = |name| (name, Align::Left);
    let mut table = Table::new([left("scope"), left("org"), left("taxonomy"), left("months without data")]);
    for gap in gaps {
        let name = |named: &Option<Named>| named.as_ref().map(|one| one.name.to_string()).unwrap_or_default();
        table.row([name(&gap.scope), name(&gap.org), name(&gap.taxonomy), gap.months.join(" ")]);
    }
    let more = all.saturating_sub(gaps.len() as u64);
    let rest = if more > 0 { format!("\n... and {more} more") } else { String::new() };
    format!("{}{rest}", table.render())
}

fn coverage(lines: &[CoverageView]) -> String {
    let left = |name| (name, Align::Left);
    let mut table = Table::new([left("scope"), ("activities", Align::Point), left("state"), left("left out because")]);
    for line in lines {
        let reasons: Vec<String> = line.exclusions.iter().map(|one| one.exclusion.value.reason.to_string()).collect();
        let state = match line.state {
            CoverageState::PartlyExcluded => "partly excluded",
            CoverageState::Reported | CoverageState::Excluded | CoverageState::Missing => line.state.word(),
        };
        table.row([class(line.class), line.count.to_string(), state.to_owned(), reasons.join("; ")]);
    }
    table.render()
}

fn class(class: ScopeClass) -> String {
    match class.category().and_then(|number| Category::new(number).ok()) {
        Some(category) => format!("3.{} {}", category.number(), category.title()),
        None => class.kind().to_string(),
    }
}
