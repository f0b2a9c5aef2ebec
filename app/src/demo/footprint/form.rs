//! The fields of a footprint, written one by one.

use domain::footprint::{FOOTPRINT, FieldValue, JsonType, ObjectSchema};
use domain::{Decimal, Faults, Fields, Moment};
use ports::inbound::Error;

use crate::demo::parse;

/// An object being written, with what could not be.
pub(super) struct Form {
    pub(super) fields: Fields,
    pub(super) faults: Faults,
}

impl Form {
    pub(super) fn new(shape: &'static ObjectSchema) -> Self {
        Self { fields: Fields::new(shape), faults: Faults::new() }
    }

    pub(super) fn set(&mut self, name: &str, value: FieldValue) {
        let set = self.fields.set(name, value);
        self.faults.check(&format!("/{name}"), set);
    }

    /// An empty text is none.
    pub(super) fn text(&mut self, name: &str, text: &str) {
        if !text.is_empty() {
            self.set(name, FieldValue::Text(text.to_owned()));
        }
    }

    pub(super) fn texts(&mut self, name: &str, texts: &[&str]) {
        self.set(name, FieldValue::Texts(texts.iter().map(|text| (*text).to_owned()).collect()));
    }

    pub(super) fn flag(&mut self, name: &str, flag: bool) {
        self.set(name, FieldValue::Flag(flag));
    }

    pub(super) fn moment(&mut self, name: &str, text: &str) -> Result<(), Error> {
        let moment = parse::text(Moment::parse, text)?;
        self.set(name, FieldValue::Moment(moment));
        Ok(())
    }

    pub(super) fn number(&mut self, name: &str, text: &str) -> Result<(), Error> {
        self.sum(name, &[text])
    }

    /// The exact sum of the numbers.
    pub(super) fn sum(&mut self, name: &str, texts: &[&str]) -> Result<(), Error> {
        let mut sum = Some(Decimal::ZERO);
        for text in texts {
            let number = parse::text(Decimal::parse, text)?;
            sum = sum.and_then(|sum| sum.checked_add(number));
        }
        match sum {
            Some(sum) => self.set(name, FieldValue::Number(sum)),
            None => self.faults.add(format!("/{name}"), "is too large"),
        }
        Ok(())
    }

    /// Writes the object of that name.
    pub(super) fn below(
        &mut self,
        name: &str,
        write: impl FnOnce(&mut Self) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut below = Self::new(self.shape_of(name));
        write(&mut below)?;
        self.faults.extend(below.faults);
        self.set(name, FieldValue::Object(below.fields));
        Ok(())
    }

    /// Writes a list of one object.
    pub(super) fn list(&mut self, name: &str, write: impl FnOnce(&mut Self)) {
        let mut below = Self::new(self.shape_of(name));
        write(&mut below);
        self.faults.extend(below.faults);
        self.set(name, FieldValue::Objects(vec![below.fields]));
    }

    /// What the object of that name is made of; a field of another kind is found out when it is set.
    fn shape_of(&self, name: &str) -> &'static ObjectSchema {
        match self.fields.schema().field(name).map(|spec| spec.kind) {
            Some(JsonType::Object(shape) | JsonType::Objects(shape)) => shape,
            Some(
                JsonType::Text
                | JsonType::Number
                | JsonType::Integer
                | JsonType::Flag
                | JsonType::Moment
                | JsonType::Texts
                | JsonType::References
                | JsonType::Raw,
            )
            | None => &FOOTPRINT,
        }
    }
}
