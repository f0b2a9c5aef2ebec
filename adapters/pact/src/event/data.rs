//! What stands in the `data` of an event.

use domain::footprint::Edition;
use domain::{FaultCode, Faults, FootprintId, parse_uuid};
use ports::partner_event::EventData;
use serde::Deserialize as _;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;

use super::EventKind;
use super::members::Members;
use super::request::read_request;

/// The most bytes of what a request asks for.
const MOST_ASKED: usize = 64 << 10;

/// Reads what an event of that kind says; `None` where a fault was noted.
pub(super) fn read(raw: &RawValue, kind: EventKind, edition: Edition, faults: &mut Faults) -> Option<EventData> {
    if kind == EventKind::Requested {
        let asked = raw.get().to_owned();
        if asked.len() > MOST_ASKED {
            let detail = format!("has {} bytes; what a request asks for may have {MOST_ASKED}", asked.len());
            faults.add_coded(FaultCode::TooMuch, "/data", detail);
            return None;
        }
        return match read_request(&asked, edition) {
            Ok(_) => Some(EventData::Requested { asked }),
            Err(more) => {
                faults.extend(more);
                None
            }
        };
    }
    let members = Members::read(raw, "/data", faults)?;
    if kind == EventKind::Published {
        return published(&members, faults);
    }
    let request = members.required_text("requestEventId", 1_000, faults);
    if kind == EventKind::Fulfilled {
        let footprints = footprints(&members, edition, faults);
        return Some(EventData::Fulfilled { request: request?, footprints: footprints? });
    }
    let Some(error) = members.get("error") else {
        faults.add_coded(FaultCode::Required, "/data/error", "is missing");
        return None;
    };
    let error = Members::read(error, "/data/error", faults)?;
    let (code, message) = (error.required_text("code", 100, faults), error.required_text("message", 10_000, faults));
    Some(EventData::Rejected { request: request?, code: code?, message: message? })
}

fn published(members: &Members<'_>, faults: &mut Faults) -> Option<EventData> {
    let items = members.items("pfIds", faults)?;
    let mut footprints = Vec::with_capacity(items.len());
    for (index, raw) in items.iter().enumerate() {
        let at = format!("/data/pfIds/{index}");
        match String::deserialize(*raw).ok().and_then(|text| parse_uuid(&text).ok()).map(FootprintId::new) {
            Some(id) if footprints.contains(&id) => {}
            Some(id) => footprints.push(id),
            None => faults.add_coded(FaultCode::Invalid, at, "must be the UUID of a footprint, such as its id is"),
        }
    }
    Some(EventData::Published { footprints })
}

/// The footprints of an answer. One that cannot be read is kept as it came, since the same event sent again would be no
/// better: it is refused where it is taken over. Without an `id` there is nothing to keep it by.
fn footprints(members: &Members<'_>, edition: Edition, faults: &mut Faults) -> Option<Vec<(FootprintId, String)>> {
    let is_empty = |raw: &RawValue| serde_json::from_str::<Vec<IgnoredAny>>(raw.get()).is_ok_and(|all| all.is_empty());
    if edition == Edition::V2 && members.get("pfs").is_some_and(is_empty) {
        return Some(Vec::new());
    }
    let items = members.items("pfs", faults)?;
    let mut footprints = Vec::with_capacity(items.len());
    for (index, raw) in items.iter().enumerate() {
        let json = raw.get();
        let read = crate::read(json.as_bytes(), edition).map(|received| received.id);
        let id = read.or_else(|wrong| {
            let id = crate::text_member(json.as_bytes(), "id").and_then(|id| parse_uuid(&id).ok());
            id.map(FootprintId::new).ok_or(wrong)
        });
        match id {
            Ok(id) => footprints.push((id, json.to_owned())),
            Err(wrong) => {
                for fault in wrong.as_slice() {
                    faults.add_coded(fault.code, format!("/data/pfs/{index}{}", fault.pointer), fault.detail.clone());
                }
            }
        }
    }
    Some(footprints)
}
