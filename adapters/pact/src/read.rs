//! Reading a footprint that a partner sent.

use std::collections::HashSet;

use domain::footprint::{
    Edition, FOOTPRINT, FieldSpec, FieldValue, JsonType, ObjectSchema, RawJson, Reference, Requirement,
};
use domain::{Decimal, DecimalError, FaultCode, Faults, Fields, FootprintId, Moment, parse_uuid};
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::json::{Kind, RawMembers, has_null_character, pointer};

/// The most items of an array, and the most faults and departures that are told.
const MOST: usize = 1_000;

/// A footprint as it was read. Whether it is valid is another question: see [`Verdict`](domain::footprint::Verdict).
#[derive(Clone, Debug, PartialEq)]
pub struct Received {
    /// What its owner calls it.
    pub id: FootprintId,
    /// Its fields.
    pub fields: Fields,
    /// Where it departs from the edition's form and was understood all the same: amounts of the other JSON type, members
    /// that the edition does not have (which are left out), `null` and `[]` in the place of nothing.
    pub departures: Faults,
}

/// Reads one footprint of an edition, which is all of `bytes`. The faults are all that hinder it: what is no JSON, members
/// twice, values of another type, dates and numbers that cannot be read, an `id` that is missing or no UUID.
pub fn read(bytes: &[u8], edition: Edition) -> Result<Received, Faults> {
    read_with(bytes, edition, Beyond::IsFault)
}

/// The same to judge the form of a footprint alone: an amount with more digits than are kept here, which the standard allows, is
/// left out and stands among the departures, as [`FaultCode::TooMuch`].
pub fn read_form(bytes: &[u8], edition: Edition) -> Result<Received, Faults> {
    read_with(bytes, edition, Beyond::IsLeftOut)
}

fn read_with(bytes: &[u8], edition: Edition, beyond: Beyond) -> Result<Received, Faults> {
    let text = std::str::from_utf8(bytes)
        .map_err(|error| Faults::one("", format!("is not UTF-8 from byte {} on", error.valid_up_to() + 1)))?;
    let raw = serde_json::from_str::<&RawValue>(text).map_err(|e| Faults::one("", format!("is not JSON: {e}")))?;
    let mut reading = Reading { edition, beyond, faults: Faults::new(), departures: Faults::new() };
    let members = reading.members(raw, "");
    let id = members.iter().find(|(name, _)| name == "id").map(|(_, raw)| *raw);
    let id = if let Some(raw) = id {
        reading.text(raw, "/id").and_then(|id| reading.faults.check("/id", parse_uuid(&id)))
    } else {
        reading.faults.add_coded(FaultCode::Required, "/id", "is missing");
        None
    };
    let fields = reading.object(&members, &FOOTPRINT, "");
    let Reading { faults, departures, .. } = reading;
    faults.into_result()?;
    // Without a fault there is an id.
    let id = FootprintId::new(id.ok_or_else(|| Faults::one("/id", "is missing"))?);
    Ok(Received { id, fields, departures })
}

/// What an amount is that has more digits than are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Beyond {
    IsFault,
    IsLeftOut,
}

/// What reading found so far.
struct Reading {
    edition: Edition,
    beyond: Beyond,
    faults: Faults,
    departures: Faults,
}

impl Reading {
    fn fault(&mut self, code: FaultCode, at: &str, detail: impl Into<String>) {
        if self.faults.as_slice().len() < MOST {
            self.faults.add_coded(code, at, detail);
        }
    }

    fn departs(&mut self, code: FaultCode, at: &str, detail: impl Into<String>) {
        if self.departures.as_slice().len() < MOST {
            self.departures.add_coded(code, at, detail);
        }
    }

    fn wrong_kind(&mut self, raw: &RawValue, at: &str, expected: &str) {
        let detail = format!("must be {expected}, not {}", Kind::of(raw).words());
        self.fault(FaultCode::Type, at, detail);
    }

    /// The members of the object; none, and a fault, where it is none.
    fn members<'a>(&mut self, raw: &'a RawValue, at: &str) -> Vec<(String, &'a RawValue)> {
        if Kind::of(raw) != Kind::Object {
            self.wrong_kind(raw, at, "an object");
            return Vec::new();
        }
        let Some(RawMembers(members)) = self.parsed::<RawMembers<'a>>(raw, at) else { return Vec::new() };
        let mut seen = HashSet::new();
        for (name, _) in &members {
            if !seen.insert(name.as_str()) {
                self.fault(FaultCode::Repeated, &pointer(at, name), "stands twice in the same object");
            }
        }
        members
    }

    fn object(&mut self, members: &[(String, &RawValue)], schema: &'static ObjectSchema, at: &str) -> Fields {
        let mut fields = Fields::new(schema);
        let known = |spec: &FieldSpec| spec.need(self.edition.spec_version()) != Requirement::Unknown;
        let known: Vec<_> = schema.fields.iter().filter(|spec| known(spec)).collect();
        for (name, raw) in members {
            let at_member = pointer(at, name);
            let Some(spec) = known.iter().find(|spec| spec.name == name) else {
                if !(at.is_empty() && name == "id") {
                    let detail = format!("is no member of PACT {} and is left out", self.edition);
                    self.departs(FaultCode::Unknown, &at_member, detail);
                }
                continue;
            };
            if let Some(value) = self.value(raw, spec, &at_member)
                && let Err(error) = fields.set(spec.name, value)
            {
                self.fault(FaultCode::Invalid, &at_member, error.to_string());
            }
        }
        fields
    }

    fn value(&mut self, raw: &RawValue, spec: &FieldSpec, at: &str) -> Option<FieldValue> {
        if Kind::of(raw) == Kind::Null {
            self.departs(FaultCode::Type, at, "is null: leave out what is not known");
            return None;
        }
        match spec.kind {
            JsonType::Text => self.text(raw, at).map(FieldValue::Text),
            JsonType::Number => self.number(raw, spec, at).map(FieldValue::Number),
            JsonType::Integer => self.integer(raw, at).map(FieldValue::Integer),
            JsonType::Flag if Kind::of(raw) == Kind::Flag => Some(FieldValue::Flag(raw.get() == "true")),
            JsonType::Flag => {
                self.wrong_kind(raw, at, "true or false");
                None
            }
            JsonType::Moment => {
                let text = self.text(raw, at)?;
                self.faults.check(at, Moment::parse(&text)).map(FieldValue::Moment)
            }
            JsonType::Texts => self.items(raw, at, Self::text).map(FieldValue::Texts),
            JsonType::References => {
                let named = |reading: &mut Self, raw: &RawValue, at: &str| reading.text(raw, at).map(Reference::Text);
                self.items(raw, at, named).map(FieldValue::References)
            }
            JsonType::Object(schema) => {
                let members = self.members(raw, at);
                Some(FieldValue::Object(self.object(&members, schema, at)))
            }
            JsonType::Objects(schema) => {
                let one = |reading: &mut Self, raw: &RawValue, at: &str| {
                    let members = reading.members(raw, at);
                    Some(reading.object(&members, schema, at))
                };
                self.items(raw, at, one).map(FieldValue::Objects)
            }
            JsonType::Raw if has_null_character(raw.get()) => {
                self.fault(FaultCode::Invalid, at, "must not contain the character U+0000");
                None
            }
            JsonType::Raw => self.faults.check(at, RawJson::parse(raw.get())).map(FieldValue::Raw),
        }
    }

    /// The text; its escapes resolved.
    fn text(&mut self, raw: &RawValue, at: &str) -> Option<String> {
        if Kind::of(raw) == Kind::Text {
            return self.parsed(raw, at);
        }
        self.wrong_kind(raw, at, "a text");
        None
    }

    /// An amount, of the JSON type that the edition asks for or the other one.
    fn number(&mut self, raw: &RawValue, spec: &FieldSpec, at: &str) -> Option<Decimal> {
        let asks_number = spec.is_json_number(self.edition.major());
        let digits = match Kind::of(raw) {
            Kind::Number => raw.get().to_owned(),
            Kind::Text => self.parsed(raw, at)?,
            Kind::Null | Kind::Flag | Kind::Array | Kind::Object => {
                self.wrong_kind(raw, at, if asks_number { "a number" } else { "a text with a number" });
                return None;
            }
        };
        if asks_number != (Kind::of(raw) == Kind::Number) {
            let asked = if asks_number { "as a number" } else { "in a text" };
            self.departs(FaultCode::Type, at, format!("is to be written {asked}"));
        }
        match Decimal::parse(&digits) {
            Err(error) if self.beyond == Beyond::IsLeftOut && error != DecimalError::Malformed => {
                self.departs(FaultCode::TooMuch, at, error.to_string());
                None
            }
            parsed => self.faults.check(at, parsed),
        }
    }

    fn integer(&mut self, raw: &RawValue, at: &str) -> Option<i64> {
        let number = (Kind::of(raw) == Kind::Number).then(|| raw.get().parse().ok()).flatten();
        if number.is_none() {
            self.wrong_kind(raw, at, "a whole number without point and exponent");
        }
        number
    }

    fn items<T>(
        &mut self,
        raw: &RawValue,
        at: &str,
        mut one: impl FnMut(&mut Self, &RawValue, &str) -> Option<T>,
    ) -> Option<Vec<T>> {
        if Kind::of(raw) != Kind::Array {
            self.wrong_kind(raw, at, "an array");
            return None;
        }
        let items = self.parsed::<Vec<&RawValue>>(raw, at)?;
        if items.is_empty() {
            self.departs(FaultCode::Required, at, "is empty: leave it out");
        }
        if items.len() > MOST {
            self.fault(FaultCode::TooMuch, at, format!("has {} items; at most {MOST} are read", items.len()));
            return None;
        }
        Some(items.iter().enumerate().filter_map(|(n, raw)| one(self, raw, &format!("{at}/{n}"))).collect())
    }

    /// What the text says once its escapes are resolved: the syntax has been checked already.
    fn parsed<'a, T: Deserialize<'a>>(&mut self, raw: &'a RawValue, at: &str) -> Option<T> {
        let value = serde_json::from_str(raw.get());
        let detail = "holds an escape that is half a character (a lone surrogate)";
        value.map_err(|_| self.fault(FaultCode::Invalid, at, detail)).ok()
    }
}
