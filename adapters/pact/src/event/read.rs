//! Reading an event that a partner sent: its envelope, then its data; whatever is wrong is told at once.

use domain::footprint::Edition;
use domain::{FaultCode, Faults, Moment};
use ports::partner_event::PartnerEvent;
use serde_json::value::RawValue;

use super::EventKind;
use super::data;
use super::members::Members;
use crate::json::has_null_character;

/// The most characters of an `id`.
const ID: usize = 1_000;
/// The most characters of a `source`.
const SOURCE: usize = 2_000;

/// Why an event is not taken.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EventError {
    /// It is not of the form of events, or of its edition.
    #[error("the event is wrong")]
    Malformed(Faults),
    /// It is an event of a kind that is not taken.
    #[error("{0}")]
    NotImplemented(String),
}

impl From<Faults> for EventError {
    fn from(faults: Faults) -> Self {
        Self::Malformed(faults)
    }
}

/// Reads an event of an edition, which is all of `body`.
pub fn read_event(body: &[u8], edition: Edition) -> Result<PartnerEvent, EventError> {
    let text = std::str::from_utf8(body)
        .map_err(|error| Faults::one("", format!("is not UTF-8 from byte {} on", error.valid_up_to() + 1)))?;
    let raw: &RawValue =
        serde_json::from_str(text).map_err(|error| Faults::one("", format!("is not JSON: {error}")))?;
    if has_null_character(raw.get()) {
        return Err(Faults::one("", "holds the character U+0000, which cannot be kept").into());
    }
    let mut faults = Faults::new();
    let Some(members) = Members::read(raw, "", &mut faults) else { return Err(faults.into()) };
    if let Some(version) = members.required_text("specversion", 10, &mut faults)
        && version != "1.0"
    {
        faults.add_coded(FaultCode::Mismatch, "/specversion", "must be 1.0");
    }
    let id = members.required_text("id", ID, &mut faults);
    let source = members.required_text("source", SOURCE, &mut faults);
    if let Some(time) = members.text("time", 100, &mut faults) {
        faults.check("/time", Moment::parse(&time));
    }
    if let Some(media) = members.text("datacontenttype", 255, &mut faults)
        && !is_json(&media)
    {
        faults.add_coded(FaultCode::Mismatch, "/datacontenttype", "must be application/json");
    }
    if members.get("data_base64").is_some() {
        faults.add_coded(FaultCode::Mismatch, "/data_base64", "does not go with JSON: what the event says is in data");
    }
    let kind = members.required_text("type", 255, &mut faults);
    let kind = kind.map(|word| EventKind::of(&word, edition).ok_or_else(|| unknown(&word, edition))).transpose()?;
    let raw = members.get("data");
    if raw.is_none() {
        faults.add_coded(FaultCode::Required, "/data", "is missing");
    }
    let data = raw.zip(kind).and_then(|(raw, kind)| data::read(raw, kind, edition, &mut faults));
    match (id, source, data) {
        (Some(id), Some(source), Some(data)) if faults.is_empty() => Ok(PartnerEvent { edition, id, source, data }),
        _ => Err(faults.into()),
    }
}

/// The refusal of a type that is none of the edition's.
fn unknown(word: &str, edition: Edition) -> EventError {
    let known: Vec<_> = EventKind::ALL.iter().map(|kind| kind.type_in(edition)).collect();
    let word: String = word.chars().take(100).collect();
    EventError::NotImplemented(format!(
        "Events of the type {word:?} are not taken; PACT {edition} has {}.",
        known.join(", ")
    ))
}

/// Whether that is a media type of JSON.
fn is_json(media: &str) -> bool {
    let essence = media.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    essence.ends_with("/json") || essence.ends_with("+json")
}
