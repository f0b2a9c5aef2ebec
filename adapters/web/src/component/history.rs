//! What became of a record: each change, with the members that it changed.

use files::Json;
use maud::{Markup, html};
use ports::Verb;
use ports::inbound::RecordChange;

use crate::here::Here;

/// How deep canonical texts are.
const DEPTH: usize = 16;
/// So much of a value is shown.
const MOST: usize = 120;

/// The changes, the newest first.
#[must_use]
pub fn history(here: &Here, changes: &[RecordChange]) -> Markup {
    html! {
        @if changes.is_empty() { p.muted { "Nothing is known of its history." } }
        @else { div.scroll { table.compact {
            thead { tr { th scope="col" { "When" } th scope="col" { "Who" } th scope="col" { "What" } th.r scope="col" { "Change" } } }
            tbody {
                @for one in changes {
                    tr {
                        td { time datetime=(one.change.at) { (one.change.at.to_string().get(..16).unwrap_or("").replace('T', " ")) "Z" } }
                        td.clip title=(one.change.actor) { (one.change.actor) }
                        td.wrap { (what(one)) div.small.muted { (one.change.cause) } }
                        td.r { (here.numbers().count(one.change.number)) }
                    }
                }
            }
        } } }
    }
}

fn what(one: &RecordChange) -> Markup {
    match one.verb {
        Verb::Added => html! { "created" },
        Verb::Removed => html! { "removed" },
        Verb::Blanked => html! { "an earlier text blanked" },
        Verb::Updated => {
            let differences = differences(one);
            html! {
                @if differences.is_empty() { "written again" }
                @for (name, before, after) in differences {
                    div { (name) " " span.muted { (before) } " → " b { (after) } }
                }
            }
        }
    }
}

/// The members of its content that a change changed: name, before, after. What a member holds is told apart too.
fn differences(one: &RecordChange) -> Vec<(String, String, String)> {
    let content = |text: &Option<String>| {
        let json = files::parse(text.as_ref()?.as_bytes(), DEPTH).ok()?;
        json.get("content").cloned()
    };
    let (Some(before), Some(after)) = (content(&one.before), content(&one.after)) else { return Vec::new() };
    let mut found = Vec::new();
    compare("", Some(&before), Some(&after), &mut found);
    found
}

fn compare(name: &str, before: Option<&Json>, after: Option<&Json>, found: &mut Vec<(String, String, String)>) {
    if before == after {
        return;
    }
    let (Some(Json::Object(old)), Some(Json::Object(new))) = (before, after) else {
        found.push((name.to_owned(), shown(before), shown(after)));
        return;
    };
    let mut names: Vec<&String> = old.iter().chain(new).map(|(name, _)| name).collect();
    names.sort_unstable();
    names.dedup();
    for member in names {
        let of = |json: Option<&'_ Json>| json.and_then(|json| json.get(member)).cloned();
        let whole = if name.is_empty() { member.clone() } else { format!("{name} {member}") };
        compare(&whole, of(before).as_ref(), of(after).as_ref(), found);
    }
}

fn shown(value: Option<&Json>) -> String {
    let text = match value {
        None | Some(Json::Null) => return "none".to_owned(),
        Some(Json::Text(text) | Json::Number(text)) => text.clone(),
        Some(other @ (Json::Bool(_) | Json::Array(_) | Json::Object(_))) => other.to_string(),
    };
    if text.chars().count() <= MOST { text } else { format!("{}…", text.chars().take(MOST).collect::<String>()) }
}
