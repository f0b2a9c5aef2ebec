//! Activities in: from a body, or from a row of a stream.

use domain::{Co2e, Description, Faults, Moment, Name, Quantity, SyncId, Unit};
use ports::inbound::{ActivityDraft, Field};

use super::COMPUTED;
use super::supplied::{Co2eUnit, DOWNSTREAM, UPSTREAM, listed, missing, settle, unit_or_kg};
use crate::json::{Json, Members, Reader, Wrong};

/// Reads an activity, with all that is wrong with it.
///
/// With `Members::Given` (a body) the computed members are refused as read-only. With `Members::WholeRecord` (a row) they
/// are left alone, references may be bare texts, and `CO2eUnit` says the unit of the parts where it is not kg. In both,
/// a part that `supplied` does not list is cleared: what was read can be written back, and stays computed.
#[must_use]
pub fn activity_draft(json: &Json, members: Members) -> ActivityDraft {
    let mut reader = match Reader::new(json, members) {
        Ok(reader) => reader,
        Err(faults) => return unreadable(faults),
    };
    let unit = match members {
        Members::Given => Co2eUnit::Kilogram,
        Members::WholeRecord => unit_or_kg(reader.text("CO2eUnit", Co2eUnit::parse)),
    };
    let part = |digits: &str| -> Result<Co2e, Wrong> { unit.co2e(digits) };
    let mut draft = ActivityDraft {
        name: reader.text("name", Name::parse),
        sync_id: reader.text("syncId", SyncId::parse),
        description: reader.text("description", Description::parse),
        quantity: reader.amount("quantity", Quantity::parse),
        unit: reader.text("unit", Unit::parse),
        upstream: reader.amount(UPSTREAM, part),
        downstream: reader.amount(DOWNSTREAM, part),
        product: reader.reference("product"),
        scope: reader.reference("scope"),
        taxonomy: reader.reference("taxonomy"),
        org: reader.reference("org"),
        start: reader.text("startDate", Moment::parse_start),
        end: reader.text("endDate", Moment::parse_end),
        ..ActivityDraft::default()
    };
    let listed = reader.value("supplied", listed);
    match members {
        Members::Given => reader.read_only(&COMPUTED),
        Members::WholeRecord => reader.ignore(&COMPUTED),
    }
    let mut faults = reader.finish();
    missing(&draft, &listed, &mut faults);
    settle(&mut draft, &listed);
    without_empty(&mut draft);
    draft.faults = faults;
    draft
}

/// An activity of which nothing can be read. What it lacks is not worth saying beside that.
pub(crate) fn unreadable(faults: Faults) -> ActivityDraft {
    ActivityDraft { name: Field::Faulty, start: Field::Faulty, faults, ..ActivityDraft::default() }
}

/// An empty description is none: a table could not tell the two apart.
pub(crate) fn without_empty(draft: &mut ActivityDraft) {
    if draft.description.given().is_some_and(|text| text.as_str().is_empty()) {
        draft.description = Field::Null;
    }
}
