//! What was before and after of the records of each change.

use anyhow::Result;
use ports::inbound::{ChangeView, Error, Histories, RecordChange};
use ports::{Caller, Verb};

use super::{content, name_in, values_of};
use crate::counted::counted;

/// So many records of a change are told with what was before and after: each takes a look at all records of the change.
const TOLD: usize = 20;

/// What the change did to its first records, in their order; `None` for one whose version can no longer be told.
pub(super) async fn values(
    histories: &dyn Histories,
    caller: &Caller,
    view: &ChangeView,
) -> Result<Vec<Option<RecordChange>>> {
    let mut values = Vec::new();
    for (at, record) in view.records.iter().enumerate().take(TOLD) {
        let (kind, id, verb) = *record;
        // A text that was blanked is no version.
        if verb == Verb::Blanked {
            values.push(None);
            continue;
        }
        let versions = match histories.of_record(caller, kind, id, usize::MAX).await {
            Ok(versions) => versions,
            Err(Error::NotFound) => Vec::new(),
            Err(error) => return Err(error.into()),
        };
        // A change may write a record more than once.
        let earlier = view.records.iter().take(at).filter(|earlier| *earlier == record).count();
        let is_own = |version: &RecordChange| version.change.number == view.change.number && version.verb == verb;
        values.push(versions.into_iter().rev().filter(is_own).nth(earlier));
    }
    Ok(values)
}

/// The change and each of its records, with the members that differ.
pub(super) fn told(view: &ChangeView, values: &[Option<RecordChange>]) -> String {
    let ChangeView { change, records, .. } = view;
    let mut lines = vec![format!(
        "change {} at {} by {} ({}): {}",
        change.number,
        change.at,
        change.actor,
        change.cause,
        counted(records.len() as u64, "record", "records")
    )];
    for ((kind, id, verb), value) in records.iter().zip(values) {
        let name = value.as_ref().and_then(|version| {
            name_in(&content(version.after.as_ref())).or_else(|| name_in(&content(version.before.as_ref())))
        });
        lines.push(match name {
            Some(name) => format!("  {} {kind} {name} ({id})", verb.as_str()),
            None => format!("  {} {kind} {id}", verb.as_str()),
        });
        lines.extend(value.iter().flat_map(values_of));
    }
    let more = records.len().saturating_sub(values.len());
    if more > 0 {
        lines.push(format!(
            "  ... and {}: tonne history KIND RECORD",
            counted(more as u64, "more record", "more records")
        ));
    }
    lines.join("\n")
}
