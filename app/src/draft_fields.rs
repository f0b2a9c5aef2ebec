//! The fields of an activity's draft in words, as people check a map by them.

use std::fmt::Display;

use ports::inbound::{ActivityDraft, Field, NodeStep, Reference};

/// Every field that a draft gives, by name, and what it says or what is wrong with it.
pub(crate) fn draft_fields(draft: &ActivityDraft) -> Vec<(&'static str, String)> {
    let wrong = |name: &str| {
        let pointer = format!("/{name}");
        let found = draft.faults.as_slice().iter().find(|fault| fault.pointer.starts_with(&pointer));
        found.map_or_else(|| "depends on a field that is wrong".to_owned(), |fault| format!("WRONG: {}", fault.detail))
    };
    let mut lines = Vec::new();
    let mut tell = |name: &'static str, shown: Option<String>| lines.extend(shown.map(|shown| (name, shown)));
    tell("name", told(&draft.name, || wrong("name")));
    tell("syncId", told(&draft.sync_id, || wrong("syncId")));
    tell("description", told(&draft.description, || wrong("description")));
    tell("startDate", told(&draft.start, || wrong("startDate")));
    tell("endDate", told(&draft.end, || wrong("endDate")));
    tell("quantity", told(&draft.quantity, || wrong("quantity")));
    tell("unit", told_as(&draft.unit, |unit| unit.code().to_owned(), || wrong("unit")));
    tell("UpstreamCO2e", told(&draft.upstream, || wrong("UpstreamCO2e")));
    tell("DownstreamCO2e", told(&draft.downstream, || wrong("DownstreamCO2e")));
    tell("biogenicCO2", told(&draft.biogenic, || wrong("biogenicCO2")));
    tell("quality", told(&draft.quality, || wrong("quality")));
    tell("evidence", told(&draft.evidence, || wrong("evidence")));
    for (name, field) in
        [("product", &draft.product), ("scope", &draft.scope), ("taxonomy", &draft.taxonomy), ("org", &draft.org)]
    {
        tell(name, told_as(field, reference, || wrong(name)));
    }
    lines
}

fn told<T: Display>(field: &Field<T>, wrong: impl FnOnce() -> String) -> Option<String> {
    told_as(field, ToString::to_string, wrong)
}

/// What a field says; `None` where the map does not give it.
fn told_as<T>(field: &Field<T>, show: impl FnOnce(&T) -> String, wrong: impl FnOnce() -> String) -> Option<String> {
    match field {
        Field::Absent => None,
        Field::Null => Some("(empty)".to_owned()),
        Field::Given(value) => Some(show(value)),
        Field::Faulty => Some(wrong()),
    }
}

fn reference(reference: &Reference) -> String {
    let step = |step: &NodeStep| match &step.sync_id {
        Some(sync_id) => format!("{} ({sync_id})", step.name),
        None => step.name.to_string(),
    };
    match reference {
        Reference::Id(id) => id.to_string(),
        Reference::SyncId(sync_id) => sync_id.to_string(),
        Reference::Word(word) => word.clone(),
        Reference::Shown(shown) => shown.id.to_string(),
        Reference::Path(steps) => steps.iter().map(step).collect::<Vec<_>>().join(" > "),
    }
}
