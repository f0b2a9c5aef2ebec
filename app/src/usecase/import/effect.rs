//! What a row adds to the amounts of its year, and what it changes.

use domain::{Activity, Total};
use ports::inbound::BatchOutcome;
use ports::staged_import::{ChangedField, ChangedRow, MOST_CHANGED};

/// Notes what a good row that is new or changes an activity comes to.
pub(super) fn note_effect(outcome: &mut BatchOutcome, line: u64, known: Option<&Activity>, activity: &Activity) {
    let mut add = |activity: &Activity, co2e: Total| {
        *outcome.years.entry(activity.span.first().calendar().0).or_default() += co2e;
    };
    if let Some(known) = known {
        add(known, -amount(known));
    }
    add(activity, amount(activity));
    if let Some(known) = known
        && outcome.changed.len() < MOST_CHANGED
    {
        let name = activity.name.to_string();
        outcome.changed.push(ChangedRow { line, name, fields: changed(known, activity) });
    }
}

fn amount(activity: &Activity) -> Total {
    activity.co2e().map_or_else(Total::default, Total::from)
}

/// The fields that differ, as texts.
fn changed(known: &Activity, activity: &Activity) -> Vec<ChangedField> {
    let (before, after) = (fields(known), fields(activity));
    let pairs = before.into_iter().zip(after).filter(|((_, before), (_, after))| before != after);
    pairs
        .map(|((field, before), (_, after))| ChangedField {
            field: field.to_owned(),
            before: before.unwrap_or_default(),
            after: after.unwrap_or_default(),
        })
        .collect()
}

fn fields(activity: &Activity) -> [(&'static str, Option<String>); 12] {
    fn text(value: Option<&impl ToString>) -> Option<String> {
        value.map(ToString::to_string)
    }
    let measured = activity.measured.as_ref();
    [
        ("syncId", text(activity.sync_id.as_ref())),
        ("name", Some(activity.name.to_string())),
        ("description", text(activity.description.as_ref())),
        ("startDate", Some(activity.span.first().to_string())),
        ("endDate", Some(activity.span.last().to_string())),
        ("quantity", measured.map(|measured| measured.quantity.to_string())),
        ("unit", measured.map(|measured| measured.unit.code().to_owned())),
        ("CO2e", text(activity.co2e().as_ref())),
        ("product", text(activity.product.as_ref())),
        ("scope", text(activity.scope.as_ref())),
        ("taxonomy", text(activity.taxonomy.as_ref())),
        ("org", text(activity.org.as_ref())),
    ]
}
