//! Reading a reference to another record: as it is read, or by syncId.

use domain::{FaultCode, Faults, SyncId, parse_uuid};
use ports::inbound::{Reference, Shown};

use super::{Members, Reader};
use crate::json::{Json, Wrong};

/// What answers show of a record that another refers to, beside its uuid.
const SHOWN: [&str; 3] = ["name", "slug", "path"];

/// A reference at the pointer `at`: `{"uuid": ...}` or `{"syncId": ...}`. In a row, which may come from a table, a bare
/// text too: a word for the use case to look up.
pub(super) fn reference(json: &Json, at: &str, members: Members, faults: &mut Faults) -> Option<Reference> {
    if let (Json::Text(word), Members::WholeRecord) = (json, members) {
        return Some(Reference::Word(word.clone()));
    }
    let Json::Object(_) = json else {
        faults.add_coded(
            FaultCode::Type,
            at,
            Wrong::kind(r#"an object such as {"uuid": ...} or {"syncId": ...}"#, json).to_string(),
        );
        return None;
    };
    let mut reader = Reader::at(json, at, Members::Given).ok()?;
    let uuid = reader.text("uuid", parse_uuid);
    let sync_id = reader.text("syncId", SyncId::parse);
    // In a row the record may be one of another installation, which what is shown beside the uuid finds here.
    let (mut path, mut name) = (None, None);
    if members == Members::WholeRecord {
        let mut shown = |member| reader.string(member).into_option().filter(|text| !text.trim().is_empty());
        (path, name) = (shown(SHOWN[2]), shown(SHOWN[0]));
    }
    reader.ignore(&SHOWN);
    let wrong = reader.finish();
    let sound = wrong.is_empty();
    faults.extend(wrong);
    match (uuid.into_option(), sync_id.into_option()) {
        _ if !sound => None,
        (Some(uuid), None) if path.is_none() && name.is_none() => Some(Reference::Id(uuid)),
        (Some(id), sync_id) if members == Members::WholeRecord || sync_id.is_none() => {
            Some(Reference::Shown(Shown { id, sync_id, path, name }))
        }
        (None, Some(sync_id)) => Some(Reference::SyncId(sync_id)),
        (Some(_), _) => {
            faults.add_coded(FaultCode::Mismatch, at, "must have uuid or syncId, not both");
            None
        }
        (None, None) => {
            faults.add_coded(FaultCode::Required, at, "must have uuid or syncId");
            None
        }
    }
}
