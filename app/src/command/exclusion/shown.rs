//! Exclusions as they are printed.

use files::Json;
use ports::inbound::ExclusionView;

use crate::command::json::{count, object, optional, text};
use crate::command::terminal_table::{Align, Table};

pub(super) fn json(view: &ExclusionView) -> Json {
    let exclusion = &view.exclusion.value;
    let category = exclusion.category().map_or(Json::Null, |category| count(category.number().into()));
    object([
        ("uuid", text(exclusion.id)),
        ("scope", optional(exclusion.scope())),
        ("category", category),
        ("org", optional(exclusion.org)),
        ("firstYear", count(exclusion.years().first().into())),
        ("lastYear", count(exclusion.years().last().into())),
        ("reason", text(&exclusion.reason)),
        ("created", text(view.exclusion.created)),
        ("updated", text(view.exclusion.updated)),
    ])
}

/// What is left out, such as `3.14 Franchises`.
fn part(view: &ExclusionView) -> String {
    let category = view.exclusion.value.category().map(|one| format!("3.{} {}", one.number(), one.title()));
    let scope = view.scope.as_ref().map(|scope| scope.name.to_string());
    category.or(scope).unwrap_or_default()
}

fn org(view: &ExclusionView) -> String {
    view.org.as_ref().map_or_else(|| "the whole company".to_owned(), |org| org.name.to_string())
}

fn years(view: &ExclusionView) -> String {
    let years = view.exclusion.value.years();
    if years.first() == years.last() {
        years.first().to_string()
    } else {
        format!("{} to {}", years.first(), years.last())
    }
}

pub(super) fn told(view: &ExclusionView) -> String {
    let exclusion = &view.exclusion.value;
    format!("{} is left out for {} in {}: {}\n{}", part(view), org(view), years(view), exclusion.reason, exclusion.id)
}

pub(super) fn table(views: &[ExclusionView], all: u64) -> String {
    let left = |name| (name, Align::Left);
    let mut table = Table::new([left("uuid"), left("left out"), left("org"), left("years"), left("reason")]);
    for view in views {
        let exclusion = &view.exclusion.value;
        table.row([exclusion.id.to_string(), part(view), org(view), years(view), exclusion.reason.to_string()]);
    }
    let more = all.saturating_sub(views.len() as u64);
    let rest = if more > 0 { format!("\n... and {more} more; --limit lists more") } else { String::new() };
    format!("{}{rest}", table.render())
}
