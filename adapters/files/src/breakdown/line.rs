//! One line of a report with the activities that it is made of: as JSON, and as text to be checked by hand.

use std::fmt::Display;

use domain::{ActivityId, Totals};
use ports::inbound::{BreakdownLine, Label, LineActivity};
use ports::repo::Listing;

use super::Look;
use super::json::{label, line_figures, member, number, text};
use crate::counted::counted;
use crate::json::Json;

/// The line as one object; `address` gives that of an activity's explanation.
#[must_use]
pub fn breakdown_line_json(found: &BreakdownLine, look: Look, address: &dyn Fn(ActivityId) -> String) -> Json {
    let Listing { count, page, data } = &found.activities;
    let labels = found.query.by.iter().zip(&found.labels);
    let about = labels.map(|(by, one)| member(by.word(), label(one))).collect();
    let shown = |totals: &Totals| Json::Object(line_figures(&found.query, totals, look));
    let activity = |one: &LineActivity| {
        let mut members = vec![
            member("uuid", text(one.id)),
            member("name", text(&one.name)),
            member("day", text(one.day)),
            member("CO2e", one.co2e.map_or(Json::Null, |co2e| text(look.amount(co2e.into())))),
            member("adds", text(look.amount(added(&one.adds)))),
        ];
        members.push(member("explanation", text(address(one.id))));
        Json::Object(members)
    };
    Json::Object(vec![
        member("line", if found.labels.is_empty() { Json::Null } else { Json::Object(about) }),
        member("CO2eUnit", text(look.unit.code())),
        member("shown", shown(&found.totals)),
        member("recomputed", shown(&found.recomputed)),
        member("agrees", Json::Bool(found.holds())),
        member("count", number(count)),
        member("page", number(page.number)),
        member("pageSize", number(page.size)),
        member("data", Json::Array(data.iter().map(activity).collect())),
    ])
}

/// What an activity adds: it is in one of the sums, by its scope.
fn added(totals: &Totals) -> domain::Total {
    [totals.co2e, totals.uncategorized, totals.biogenic, totals.credits, totals.outside].into_iter().sum()
}

/// The line as text: its activities, and what they add up to.
#[must_use]
pub fn breakdown_line_text(found: &BreakdownLine, look: Look) -> String {
    let Listing { count, page, data } = &found.activities;
    let mut lines = Vec::new();
    let about: Vec<String> = found
        .query
        .by
        .iter()
        .zip(&found.labels)
        .map(|(by, one)| {
            let word = by.word();
            match one {
                Label::Time(name) => format!("{word} {name}"),
                Label::Gas(gas) => format!("{word} {}", gas.word()),
                Label::Quality(quality) => format!("{word} {}", quality.word()),
                Label::Record { path, id, .. } => format!("{word} \"{path}\" ({id})"),
                Label::Without => format!("without {word}"),
            }
        })
        .collect();
    lines.push(if about.is_empty() { "The whole report".to_owned() } else { format!("Line: {}", about.join(", ")) });
    let unit = look.unit.code();
    let begin = page.offset() + 1;
    let end = page.offset() + data.len() as u64;
    let all = counted(*count, "activity", "activities");
    lines.push(match data.as_slice() {
        [] => format!("{all}, none of them on page {}", page.number),
        _ => format!("{all}, of which {begin} to {end}:"),
    });
    for one in data {
        let adds =
            if one.co2e.is_some() { format!("{} {unit}", look.amount(added(&one.adds))) } else { "none".to_owned() };
        lines.push(format!("  {}  {adds}  \"{}\" ({})", one.day, one.name, one.id));
    }
    lines.push("Added up one by one".to_owned());
    let query = &found.query;
    let (shown, recomputed) = (line_figures(query, &found.totals, look), line_figures(query, &found.recomputed, look));
    for ((name, shown), (_, recomputed)) in shown.iter().zip(&recomputed) {
        lines.push(compared(name, &plain(shown), &plain(recomputed)));
    }
    lines.push(String::new());
    lines.join("\n")
}

fn compared(name: &str, shown: &str, recomputed: &str) -> String {
    if shown == recomputed {
        format!("  {name:<18} {recomputed}, as in the report")
    } else {
        format!("  {name:<18} {recomputed}; the report says {shown}: NOT the same")
    }
}

fn plain(value: &Json) -> String {
    match value {
        Json::Text(text) | Json::Number(text) => text.clone(),
        Json::Null | Json::Bool(_) | Json::Array(_) | Json::Object(_) => shown(value),
    }
}

fn shown(value: impl Display) -> String {
    value.to_string()
}
