//! Taking members from an object by name: every fault is collected with its pointer, and what nobody asked for is one.

mod reference;

use std::fmt;
use std::ops::RangeInclusive;

use domain::{FaultCode, Faults};
use ports::inbound::{Field, Reference};

use super::{Json, Wrong, pointer};
use crate::counted::counted;
use crate::suggest::did_you_mean;
use reference::reference;

/// So many unknown members are named one by one.
const MOST_UNKNOWN: usize = 100;

/// What it means that a member is not there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Members {
    /// It was not given: a change leaves it as it is.
    Given,
    /// The record has none: absent is the same as `null`. For rows of a stream.
    WholeRecord,
}

/// A reader of one object's members.
#[derive(Debug)]
pub struct Reader<'a> {
    members: &'a [(String, Json)],
    base: String,
    absent: Members,
    asked: Vec<&'static str>,
    required: Vec<&'static str>,
    faults: Faults,
}

impl<'a> Reader<'a> {
    /// A reader of the object that is the whole input; a fault when it is no object.
    pub fn new(json: &'a Json, absent: Members) -> Result<Self, Faults> {
        Self::at(json, "", absent)
    }

    /// A reader of the object at the pointer `base`; a fault when it is no object.
    pub fn at(json: &'a Json, base: &str, absent: Members) -> Result<Self, Faults> {
        match json {
            Json::Object(members) => Ok(Self {
                members,
                base: base.to_owned(),
                absent,
                asked: Vec::new(),
                required: Vec::new(),
                faults: Faults::new(),
            }),
            Json::Null | Json::Bool(_) | Json::Number(_) | Json::Text(_) | Json::Array(_) => {
                Err(Faults::one_coded(FaultCode::Type, base, Wrong::kind("an object", json).to_string()))
            }
        }
    }

    /// The pointer of a member.
    #[must_use]
    pub fn pointer(&self, name: &str) -> String {
        pointer(&self.base, name)
    }

    /// Whether the object has that member, `null` or not. Does not count as asking for it.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.members.iter().any(|(key, _)| key == name)
    }

    /// Notes a fault of a member.
    pub fn fault(&mut self, name: &str, detail: impl fmt::Display) {
        self.fault_coded(FaultCode::Invalid, name, detail);
    }

    /// Notes a fault of a member, with its code.
    pub fn fault_coded(&mut self, code: FaultCode, name: &str, detail: impl fmt::Display) {
        self.faults.add_coded(code, self.pointer(name), detail.to_string());
    }

    /// Says that a member must be there: where it is absent or `null`, taking it notes that fault and gives
    /// [`Field::Faulty`].
    pub fn must_have(&mut self, name: &'static str) {
        self.required.push(name);
    }

    /// Takes a member with a function that notes its own faults, below the pointer it is given, and then gives `None`.
    pub fn member<T>(
        &mut self,
        name: &'static str,
        read: impl FnOnce(&'a Json, &str, &mut Faults) -> Option<T>,
    ) -> Field<T> {
        match self.find(name) {
            Ok(json) => {
                let at = self.pointer(name);
                read(json, &at, &mut self.faults).map_or(Field::Faulty, Field::Given)
            }
            Err(missing) => missing,
        }
    }

    /// The member, unless it is absent or `null`.
    fn find<T>(&mut self, name: &'static str) -> Result<&'a Json, Field<T>> {
        self.asked.push(name);
        let members = self.members;
        let found = members.iter().find(|(key, _)| key == name);
        if self.required.contains(&name) && found.is_none_or(|(_, json)| *json == Json::Null) {
            let detail = if found.is_none() { "is required" } else { "is required and cannot be empty or null" };
            self.fault_coded(FaultCode::Required, name, detail);
            return Err(Field::Faulty);
        }
        match found {
            None => Err(match self.absent {
                Members::Given => Field::Absent,
                Members::WholeRecord => Field::Null,
            }),
            Some((_, Json::Null)) => Err(Field::Null),
            Some((_, json)) => Ok(json),
        }
    }

    /// Takes a member with a function that says what is wrong with it, such as [`Json::text`].
    pub fn value<T>(&mut self, name: &'static str, read: impl FnOnce(&'a Json) -> Result<T, Wrong>) -> Field<T> {
        match self.find(name).map(read) {
            Ok(Ok(value)) => Field::Given(value),
            Ok(Err(wrong)) => {
                self.fault_coded(wrong.code, name, wrong);
                Field::Faulty
            }
            Err(missing) => missing,
        }
    }

    /// Takes a string that `parse` reads: names, dates, codes, identifiers.
    pub fn text<T, E: fmt::Display>(
        &mut self,
        name: &'static str,
        parse: impl FnOnce(&str) -> Result<T, E>,
    ) -> Field<T> {
        self.value(name, |json| json.text(parse))
    }

    /// Takes a string as it is.
    pub fn string(&mut self, name: &'static str) -> Field<String> {
        self.text(name, |text| Ok::<_, Wrong>(text.to_owned()))
    }

    /// Takes a number, or a string with one, that `parse` reads from the digits as they came.
    pub fn amount<T, E: fmt::Display>(
        &mut self,
        name: &'static str,
        parse: impl FnOnce(&str) -> Result<T, E>,
    ) -> Field<T> {
        self.value(name, |json| json.amount(parse))
    }

    /// Takes a whole number within `range`.
    pub fn integer(&mut self, name: &'static str, range: RangeInclusive<i64>) -> Field<i64> {
        self.value(name, |json| json.integer(range))
    }

    /// Takes `true` or `false`.
    pub fn flag(&mut self, name: &'static str) -> Field<bool> {
        self.value(name, Json::flag)
    }

    /// Takes a value as it is, for a caller that reads on.
    pub fn json(&mut self, name: &'static str) -> Field<&'a Json> {
        self.value(name, Ok)
    }

    /// Takes a reference: `{"uuid": ...}`, with what answers show beside it, or `{"syncId": ...}`. In a whole record,
    /// which may come from a table, a bare text too.
    pub fn reference(&mut self, name: &'static str) -> Field<Reference> {
        let absent = self.absent;
        self.member(name, |json, at, faults| reference(json, at, absent, faults))
    }

    /// Takes an array of at most `most` items, each with a function that says what is wrong with it.
    pub fn list<T>(
        &mut self,
        name: &'static str,
        most: usize,
        mut read: impl FnMut(&'a Json) -> Result<T, Wrong>,
    ) -> Field<Vec<T>> {
        self.items(name, most, |json, at, faults| {
            read(json).map_err(|wrong| faults.add_coded(wrong.code, at, wrong.to_string())).ok()
        })
    }

    /// Takes an array of at most `most` references.
    pub fn references(&mut self, name: &'static str, most: usize) -> Field<Vec<Reference>> {
        self.items(name, most, |json, at, faults| reference(json, at, Members::Given, faults))
    }

    /// Takes an array of at most `most` objects, each with a function that takes its members. What it does not ask for
    /// is a fault.
    pub fn objects<T>(
        &mut self,
        name: &'static str,
        most: usize,
        mut read: impl FnMut(&mut Reader<'a>) -> T,
    ) -> Field<Vec<T>> {
        self.items(name, most, |json, at, faults| object(json, at, Members::Given, faults, &mut read))
    }

    /// Takes an object with a function that takes its members. What it does not ask for is a fault.
    pub fn object<T>(&mut self, name: &'static str, read: impl FnOnce(&mut Reader<'a>) -> T) -> Field<T> {
        let absent = self.absent;
        self.member(name, |json, at, faults| object(json, at, absent, faults, read))
    }

    /// Takes an array of at most `most` items with a function that notes its own faults.
    pub fn items<T>(
        &mut self,
        name: &'static str,
        most: usize,
        mut read: impl FnMut(&'a Json, &str, &mut Faults) -> Option<T>,
    ) -> Field<Vec<T>> {
        self.member(name, |json, at, faults| items(json, at, most, faults, &mut read))
    }

    /// Tolerates these members without reading them.
    pub fn ignore(&mut self, names: &[&'static str]) {
        self.asked.extend(names);
    }

    /// Refuses these members as read-only.
    pub fn read_only(&mut self, names: &[&'static str]) {
        for name in names {
            if self.has(name) {
                self.fault_coded(FaultCode::ReadOnly, name, "is read-only; leave it out");
            }
        }
        self.ignore(names);
    }

    /// Notes that a member is required, where it is absent or `null`.
    pub fn require<T>(&mut self, name: &str, field: &Field<T>) {
        if field.is_missing() {
            self.fault_coded(FaultCode::Required, name, "is required");
        }
    }

    /// The faults found, with one for each member that nobody asked for.
    #[must_use]
    pub fn finish(mut self) -> Faults {
        let members = self.members;
        let mut unknown = members.iter().map(|(name, _)| name.as_str()).filter(|name| !self.asked.contains(name));
        for name in unknown.by_ref().take(MOST_UNKNOWN) {
            let near = did_you_mean(name, self.asked.iter().copied());
            self.faults.add_coded(FaultCode::Unknown, pointer(&self.base, name), format!("is not known{near}"));
        }
        let more = unknown.count();
        if more > 0 {
            self.faults.add_coded(
                FaultCode::Unknown,
                self.base,
                format!(
                    "has {}",
                    counted(more as u64, "more member that is not known", "more members that are not known")
                ),
            );
        }
        self.faults
    }
}

fn object<'a, T>(
    json: &'a Json,
    at: &str,
    absent: Members,
    faults: &mut Faults,
    read: impl FnOnce(&mut Reader<'a>) -> T,
) -> Option<T> {
    let (value, found) = match Reader::at(json, at, absent) {
        Ok(mut reader) => (Some(read(&mut reader)), reader.finish()),
        Err(found) => (None, found),
    };
    let value = value.filter(|_| found.is_empty());
    faults.extend(found);
    value
}

fn items<'a, T>(
    json: &'a Json,
    at: &str,
    most: usize,
    faults: &mut Faults,
    read: &mut impl FnMut(&'a Json, &str, &mut Faults) -> Option<T>,
) -> Option<Vec<T>> {
    let items = array(json, at, most, faults)?;
    read_each(items, at, faults, read).into_iter().collect()
}

fn read_each<'a, T>(
    items: &'a [Json],
    at: &str,
    faults: &mut Faults,
    read: &mut impl FnMut(&'a Json, &str, &mut Faults) -> Option<T>,
) -> Vec<Option<T>> {
    items.iter().enumerate().map(|(index, item)| read(item, &format!("{at}/{index}"), faults)).collect()
}

fn array<'a>(json: &'a Json, at: &str, most: usize, faults: &mut Faults) -> Option<&'a [Json]> {
    let Json::Array(items) = json else {
        faults.add_coded(FaultCode::Type, at, Wrong::kind("an array", json).to_string());
        return None;
    };
    if items.len() > most {
        faults.add_coded(FaultCode::TooMuch, at, format!("has more than {most} items"));
        return None;
    }
    Some(items)
}

/// The references of an array of at most `most` that is the whole input; `None` in the place of a faulty one.
pub fn references(json: &Json, most: usize, faults: &mut Faults) -> Vec<Option<Reference>> {
    let read = &mut |item: &Json, at: &str, faults: &mut Faults| reference(item, at, Members::Given, faults);
    let items = array(json, "", most, faults).unwrap_or_default();
    read_each(items, "", faults, read)
}
