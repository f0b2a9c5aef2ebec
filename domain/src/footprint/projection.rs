//! A record as an edition shows it: under the edition's names, its amounts per the edition's unit, its date-times in UTC.
//!
//! A record of the edition's own major version keeps what it says. One of the other is converted: amounts are scaled by
//! its declared amount, exactly where they can be; what the edition has no field for is left out and told.

mod converted;
mod members;
mod scale;
mod values;

use crate::footprint::Footprint;
use crate::footprint::edition::Edition;
use crate::footprint::field_table::{FOOTPRINT, PCF};
use crate::footprint::fields::{FieldValue, Fields, Reference};
use crate::footprint::rule_names::{Findings, Violation};
use crate::footprint::spec::Requirement;
use crate::footprint::spec_version::{Major, SpecVersion};
use crate::id::{self, FootprintId};
use members::Members;
use scale::Scale;
use values::{category, in_edition, tell_beyond_calendar, with_category};

/// A record as an edition shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Projection {
    /// The edition.
    pub edition: Edition,
    /// The record: its fields are the edition's alone. `precedingPfIds` still names records of ours by their numbers; see
    /// [`resolve`](Self::resolve).
    pub footprint: Footprint,
    /// What converting it lost, by pointers into the record as it was written; date-times that UTC cannot say, into what is
    /// shown.
    pub losses: Vec<Violation>,
}

/// The record as the edition shows it; `None` where its `specVersion` names no version that is known.
#[must_use]
pub fn project(footprint: &Footprint, edition: Edition) -> Option<Projection> {
    let written = footprint.spec_version()?;
    let mut losses = Findings::default();
    let pcf = footprint.fields.object("pcf").map(|pcf| carbon(pcf, written, edition, &mut losses));
    let mut fields = top(footprint, written, edition, &mut losses);
    if let Some(pcf) = pcf {
        fields.put("pcf", Some(FieldValue::Object(pcf)));
    }
    tell_beyond_calendar(&fields, "", &mut losses);
    let footprint = Footprint::new(footprint.id, footprint.number, footprint.stamps.created, fields);
    Some(Projection { edition, footprint, losses: losses.0 })
}

impl Projection {
    /// Names each footprint in `precedingPfIds` by its UUID, once. A number that `find` knows nothing of is left out.
    #[must_use]
    pub fn resolve(mut self, find: impl Fn(u64) -> Option<FootprintId>) -> Self {
        let mut resolved = Vec::new();
        for reference in self.footprint.fields.references("precedingPfIds") {
            let named = match reference {
                Reference::Number(number) => u64::try_from(*number).ok().and_then(&find).map(|id| id.to_string()),
                Reference::Text(text) => Some(text.clone()),
            };
            let named = named.map(Reference::Text).filter(|named| !resolved.contains(named));
            resolved.extend(named);
        }
        self.footprint.fields.put("precedingPfIds", Some(FieldValue::References(resolved)));
        self
    }
}

fn top(footprint: &Footprint, written: SpecVersion, edition: Edition, losses: &mut Findings) -> Fields {
    let is_converted = written.major() != edition.major();
    let mut members = Members::new(&footprint.fields, Scale::Same);
    let mut fields = Fields::new(&FOOTPRINT);
    for spec in FOOTPRINT.fields.iter().filter(|spec| spec.need(edition.spec_version()) != Requirement::Unknown) {
        let value = match (spec.name, edition) {
            ("pcf", _) => continue,
            ("specVersion", _) if written == edition.spec_version() => members.given(spec.name),
            ("specVersion", _) => Some(FieldValue::Text(edition.spec_version_text().to_owned())),
            ("created", _) => Some(FieldValue::Moment(footprint.created().with_millis())),
            ("updated", _) => footprint.updated().map(|at| FieldValue::Moment(at.with_millis())),
            ("version", _) => Some(FieldValue::Integer(footprint.version())),
            ("status", _) => Some(FieldValue::Text(footprint.status().to_owned())),
            ("precedingPfIds", _) => members.given(spec.name).map(lower_case),
            ("productCategoryCpc", Edition::V2) if is_converted => category(&mut members),
            ("productClassifications", Edition::V3) if is_converted => with_category(&mut members),
            ("comment", Edition::V2) if is_converted => Some(members.text_or_empty(spec.name)),
            ("comment", Edition::V3) if is_converted => members.text_not_empty(spec.name),
            (name, _) => members.given(name),
        };
        fields.put(spec.name, value.map(|value| in_edition(value, edition)));
    }
    // What the service itself says of a record is no loss.
    members.mark(&["specVersion", "pcf", "version", "created", "updated", "status"]);
    if is_converted {
        members.tell_left_out("", written, losses);
    }
    fields
}

fn carbon(pcf: &Fields, written: SpecVersion, edition: Edition, losses: &mut Findings) -> Fields {
    let amount = |name| pcf.number(name);
    let scale = match (written.major(), edition) {
        (Major::V2, Edition::V2) | (Major::V3, Edition::V3) => Scale::Same,
        (Major::V2, Edition::V3) => amount("unitaryProductAmount").map_or(Scale::Unknown, Scale::Times),
        (Major::V3, Edition::V2) => amount("declaredUnitAmount").map_or(Scale::Unknown, Scale::Over),
    };
    let mut members = Members::new(pcf, scale);
    let mut fields = Fields::new(&PCF);
    for spec in PCF.fields.iter().filter(|spec| spec.need(edition.spec_version()) != Requirement::Unknown) {
        let value = match (written.major(), edition) {
            (Major::V2, Edition::V2) => members.own_v2(spec.name),
            (Major::V3, Edition::V3) => members.given(spec.name),
            (Major::V2, Edition::V3) => members.v3_of_v2(spec, losses),
            (Major::V3, Edition::V2) => members.v2_of_v3(spec, losses),
        };
        fields.put(spec.name, value.map(|value| in_edition(value, edition)));
    }
    if written.major() != edition.major() {
        members.tell_left_out("/pcf", written, losses);
    }
    fields
}

/// References with the UUIDs among them in lower case.
fn lower_case(value: FieldValue) -> FieldValue {
    let FieldValue::References(references) = value else { return value };
    let plain = |reference| match reference {
        Reference::Text(text) => Reference::Text(id::parse_uuid(&text).map_or(text, |uuid| uuid.to_string())),
        Reference::Number(number) => Reference::Number(number),
    };
    FieldValue::References(references.into_iter().map(plain).collect())
}
