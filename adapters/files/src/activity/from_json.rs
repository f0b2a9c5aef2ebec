//! Activities in: from a body, or from a row of a stream.

use domain::{
    ActivityId, Co2e, Description, Evidence, EvidenceList, FactorId, Faults, MAX_EVIDENCE, MarketBasis, Moment, Name,
    Quality, Quantity, SyncId, Unit,
};
use ports::inbound::{ActivityDraft, Field};

use super::supplied::{BIOGENIC, Co2eUnit, DOWNSTREAM, MARKET_FACTOR, UPSTREAM, listed, missing, settle, unit_or_kg};
use super::{COMPUTED, REASON, SHARE_ALONE};
use crate::json::{Json, Members, Reader, Wrong};

/// Reads an activity, with all that is wrong with it.
///
/// One with `supplied` repeats an answer of ours: its computed members are taken for what the record says of itself, and
/// a part that `supplied` does not list stays computed. In another body computed members are refused as read-only, in
/// another row (`Members::WholeRecord`) they are left alone. In a row references may be bare texts, and `CO2eUnit` says
/// the unit of the amounts where it is not kg.
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
        biogenic: reader.amount(BIOGENIC, part),
        market_instrument: reader.text("marketInstrument", MarketBasis::parse),
        market_factor: reader.text(MARKET_FACTOR, str::parse::<FactorId>),
        market_reference: reader.text("marketReference", Name::parse),
        quality: reader.text("quality", Quality::parse),
        evidence: evidence(&mut reader),
        product: reader.reference("product"),
        scope: reader.reference("scope"),
        taxonomy: reader.reference("taxonomy"),
        org: reader.reference("org"),
        start: reader.text("startDate", Moment::parse_start),
        end: reader.text("endDate", Moment::parse_end),
        ..ActivityDraft::default()
    };
    draft.read_back.supplied = reader.value("supplied", listed).into_option();
    let is_answer = draft.read_back.supplied.is_some();
    if members == Members::WholeRecord || is_answer {
        draft.read_back.co2e = reader.amount("CO2e", part).into_option();
        if is_answer {
            draft.read_back.id = reader.text("uuid", str::parse::<ActivityId>).into_option();
        } else if json.get("periodCO2e").is_some_and(|share| *share != Json::Null) {
            reader.fault("periodCO2e", SHARE_ALONE);
        }
        reader.ignore(&COMPUTED);
        reader.ignore(&[REASON]);
    } else {
        reader.read_only(&COMPUTED);
    }
    draft.faults = reader.finish();
    missing(&mut draft);
    settle(&mut draft);
    without_empty(&mut draft);
    draft
}

/// The pieces of evidence, each a text.
fn evidence(reader: &mut Reader<'_>) -> Field<EvidenceList> {
    match reader.list("evidence", MAX_EVIDENCE, |json| json.text(Evidence::parse)) {
        Field::Given(pieces) => match EvidenceList::new(pieces) {
            Ok(list) => Field::Given(list),
            Err(error) => {
                reader.fault("evidence", error);
                Field::Faulty
            }
        },
        Field::Absent => Field::Absent,
        Field::Null => Field::Null,
        Field::Faulty => Field::Faulty,
    }
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
