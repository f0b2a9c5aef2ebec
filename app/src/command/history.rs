//! `tonne history`: what changed, who changed it, when and what for.

mod blank;
mod values;

use anyhow::{Context as _, Result};
use clap::{Args, Subcommand};
use files::Json;
use ports::inbound::{ChangeMark, ChangeView, Histories, RecordChange};
use ports::{Caller, RecordKind};
use uuid::Uuid;

use super::context::Context;
use super::json::{array, count, members, object, text};
use super::terminal_table::{Align, Table};
use super::{Ending, Usage, output};

/// How deep canonical texts are.
const DEPTH: usize = 16;

/// Show what changed: the newest changes of the company, or all that became of one record.
///
/// Without a record the newest changes are listed, the last one at the end; with --values each with what was before and after.
/// With one, such as `tonne history activity UUID` or `tonne history org "Works north"`, each change of it is shown with what
/// was before and after, the newest first.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(super) struct History {
    #[command(subcommand)]
    command: Option<HistoryCommand>,
    /// The kind of the record: activity, scope, org, taxonomy, product, factor, model, input, switch, footprint, period.
    #[arg(requires = "id")]
    kind: Option<String>,
    /// The record: its UUID, syncId or name; of factors, inputs and footprints its UUID.
    #[arg(value_name = "RECORD")]
    id: Option<String>,
    /// How many changes to show.
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=1000))]
    limit: u32,
    /// Show what was before and after, too: of the first 20 records of each change.
    #[arg(long, conflicts_with = "kind")]
    values: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Subcommand)]
enum HistoryCommand {
    Blank(blank::Blank),
}

/// The kind of that word.
fn kind_of(word: &str) -> Result<RecordKind, Usage> {
    let kinds = RecordKind::ALL.map(RecordKind::as_str).join(", ");
    RecordKind::parse(word).ok_or_else(|| Usage(format!("{word} is none of {kinds}")))
}

impl History {
    pub(super) async fn run(self, context: &Context) -> Result<Ending> {
        if let Some(HistoryCommand::Blank(command)) = self.command {
            return command.run(context).await;
        }
        let record = match (&self.kind, &self.id) {
            (Some(kind), Some(word)) => Some((kind_of(kind)?, word)),
            (Some(_) | None, _) => None,
        };
        let (app, operator) = context.operated_app_to_read().await?;
        let histories = &app.areas().histories;
        let said = if let Some((kind, word)) = record {
            let id = super::find_record::find(&app, &operator, kind, word).await?;
            let limit = usize::try_from(self.limit).unwrap_or(usize::MAX);
            let changes = histories.of_record(&operator, kind, id, limit).await;
            let changes = changes.with_context(|| format!("there is no history of {kind} {id}"))?;
            if self.json { array(changes.iter().map(past)).to_string() } else { told(&changes) }
        } else {
            let newest = histories.changes(&operator, None, 1).await?.newest;
            let number = newest.number.saturating_sub(u64::from(self.limit));
            let mut after = ChangeMark { epoch: newest.epoch, number, parts: 0 };
            let mut changes: Vec<ChangeView> = Vec::new();
            loop {
                let page = histories.changes(&operator, Some(after), self.limit).await?;
                for view in page.changes {
                    match changes.last_mut().filter(|last| last.change.number == view.change.number) {
                        Some(last) => last.records.extend(view.records),
                        None => changes.push(view),
                    }
                }
                after = page.next;
                if !page.has_more {
                    break;
                }
            }
            let mut values = Vec::new();
            if self.values {
                for view in &changes {
                    values.push(values::values(histories.as_ref(), &operator, view).await?);
                }
            }
            if self.json {
                let values_at = |at: usize| values.get(at).map(Vec::as_slice).unwrap_or_default();
                array(changes.iter().enumerate().map(|(at, view)| change(view, values_at(at)))).to_string()
            } else if self.values {
                let told = changes.iter().zip(&values).map(|(view, values)| values::told(view, values));
                told.collect::<Vec<_>>().join("\n")
            } else {
                let mut names = Vec::new();
                for view in &changes {
                    names.push(name(histories.as_ref(), &operator, view).await);
                }
                table(&changes, &names)
            }
        };
        output::say(&said)?;
        Ok(Ending::Done)
    }
}

/// A change; its first records have what was before and after where that is told.
fn change(view: &ChangeView, values: &[Option<RecordChange>]) -> Json {
    let record = |((kind, id, verb), value): (&(RecordKind, Uuid, ports::Verb), Option<&RecordChange>)| {
        let mut record = members([("kind", text(kind)), ("uuid", text(id)), ("verb", text(verb.as_str()))]);
        if let Some(RecordChange { before, after, .. }) = value {
            record.extend(members([("before", content(before.as_ref())), ("after", content(after.as_ref()))]));
        }
        Json::Object(record)
    };
    let values = values.iter().map(Option::as_ref).chain(std::iter::repeat(None));
    let ChangeView { change, records, .. } = view;
    object([
        ("number", count(change.number)),
        ("at", text(change.at)),
        ("actor", text(&change.actor)),
        ("cause", text(&change.cause)),
        ("records", array(records.iter().zip(values).map(record))),
    ])
}

/// What the only record of a change is called by now, or was called when it was removed; none where it has no name.
async fn name(histories: &dyn Histories, caller: &Caller, view: &ChangeView) -> Option<String> {
    let [(kind, id, _)] = view.records.as_slice() else { return None };
    let newest = histories.of_record(caller, *kind, *id, 1).await.ok()?.pop()?;
    name_in(&content(newest.after.as_ref().or(newest.before.as_ref())))
}

/// The name in the content of a record.
fn name_in(content: &Json) -> Option<String> {
    content.get("name").and_then(Json::as_text).map(str::to_owned)
}

fn table(changes: &[ChangeView], names: &[Option<String>]) -> String {
    let mut table = Table::new([
        ("change", Align::Point),
        ("when", Align::Left),
        ("who", Align::Left),
        ("records", Align::Left),
        ("what for", Align::Left),
    ]);
    for (ChangeView { change, records, .. }, name) in changes.iter().zip(names) {
        let what = match records.as_slice() {
            [(kind, id, verb)] => match name {
                Some(name) => format!("{} {kind} {name} ({id})", verb.as_str()),
                None => format!("{} {kind} {id}", verb.as_str()),
            },
            many => format!("{} records", many.len()),
        };
        table.row([change.number.to_string(), change.at.to_string(), change.actor.clone(), what, change.cause.clone()]);
    }
    table.render()
}

/// The content in a canonical text.
fn content(text: Option<&String>) -> Json {
    let read = text.and_then(|text| files::parse(text.as_bytes(), DEPTH).ok());
    match read {
        Some(Json::Object(members)) => {
            members.into_iter().find(|(name, _)| name == "content").map_or(Json::Null, |(_, content)| content)
        }
        Some(_) | None => Json::Null,
    }
}

fn past(version: &RecordChange) -> Json {
    let RecordChange { change, verb, before, after, .. } = version;
    Json::Object(members([
        ("number", count(change.number)),
        ("at", text(change.at)),
        ("actor", text(&change.actor)),
        ("cause", text(&change.cause)),
        ("verb", text(verb.as_str())),
        ("before", content(before.as_ref())),
        ("after", content(after.as_ref())),
    ]))
}

fn told(changes: &[RecordChange]) -> String {
    let mut lines = Vec::new();
    for version in changes {
        let RecordChange { change, verb, .. } = version;
        lines.push(format!(
            "change {} at {}: {} by {} ({})",
            change.number,
            change.at,
            verb.as_str(),
            change.actor,
            change.cause
        ));
        lines.extend(values_of(version));
    }
    lines.join("\n")
}

/// What a version replaced and what it left, member by member, each on a line.
fn values_of(version: &RecordChange) -> Vec<String> {
    let RecordChange { replaced, before, after, .. } = version;
    let blanked = (replaced.is_some() && before.is_none()).then(|| "    what was before was blanked".to_owned());
    blanked.into_iter().chain(differences(&content(before.as_ref()), &content(after.as_ref()))).collect()
}

/// The members that differ, each on a line.
fn differences(before: &Json, after: &Json) -> Vec<String> {
    let (mut was, mut is) = (Vec::new(), Vec::new());
    flatten("", before, &mut was);
    flatten("", after, &mut is);
    let mut names: Vec<&String> = was.iter().chain(&is).map(|(name, _)| name).collect();
    names.sort();
    names.dedup();
    let find = |all: &[(String, String)], name: &String| {
        all.iter().find(|(known, _)| known == name).map_or_else(|| "-".to_owned(), |(_, value)| value.clone())
    };
    let lines = names.into_iter().map(|name| (name, find(&was, name), find(&is, name)));
    lines.filter(|(_, was, is)| was != is).map(|(name, was, is)| format!("    {name}: {was} -> {is}")).collect()
}

/// The values of an object by their path.
fn flatten(path: &str, json: &Json, into: &mut Vec<(String, String)>) {
    match json {
        Json::Object(members) => {
            for (name, value) in members {
                let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                flatten(&path, value, into);
            }
        }
        Json::Null => {}
        Json::Bool(_) | Json::Number(_) | Json::Text(_) | Json::Array(_) => {
            into.push((path.to_owned(), json.to_string()));
        }
    }
}
