//! The values of a footprint's fields as they were written, object by object.

use std::collections::BTreeMap;
use std::fmt;

use crate::canonical::{Canonical, CanonicalWriter};
use crate::decimal::Decimal;
use crate::footprint::spec::{JsonType, ObjectSchema};
use crate::moment::Moment;

/// The members of one object of a footprint: those that were given, each of the type its [`ObjectSchema`] asks for.
///
/// An empty array is the same as none given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fields {
    shape: &'static ObjectSchema,
    values: BTreeMap<&'static str, FieldValue>,
}

/// A value of a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FieldValue {
    /// Of [`JsonType::Text`].
    Text(String),
    /// Of [`JsonType::Number`].
    Number(Decimal),
    /// Of [`JsonType::Integer`].
    Integer(i64),
    /// Of [`JsonType::Flag`].
    Flag(bool),
    /// Of [`JsonType::Moment`].
    Moment(Moment),
    /// Of [`JsonType::Texts`].
    Texts(Vec<String>),
    /// Of [`JsonType::References`].
    References(Vec<Reference>),
    /// Of [`JsonType::Object`].
    Object(Fields),
    /// Of [`JsonType::Objects`].
    Objects(Vec<Fields>),
    /// Of [`JsonType::Raw`].
    Raw(RawJson),
}

/// How a footprint names another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reference {
    /// One of ours, by its number.
    Number(i64),
    /// Someone else's, by its UUID; kept as it was written, UUID or not.
    Text(String),
}

/// JSON text that is kept byte for byte. It is not parsed here: whoever makes one has done so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawJson(Box<str>);

/// Why a value was not set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FieldError {
    /// The object has no field of that name.
    #[error("not a field of this object")]
    Unknown,
    /// The field is of another type.
    #[error("a value of another type than the field's")]
    JsonType,
}

impl Fields {
    /// An object of which nothing is given.
    #[must_use]
    pub const fn new(shape: &'static ObjectSchema) -> Self {
        Self { shape, values: BTreeMap::new() }
    }

    /// What the object is made of.
    #[must_use]
    pub const fn shape(&self) -> &'static ObjectSchema {
        self.shape
    }

    /// The value of that field, if it was given.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<&FieldValue> {
        self.values.get(name)
    }

    /// Gives a field its value; an empty array takes it away.
    pub fn set(&mut self, name: &str, value: FieldValue) -> Result<(), FieldError> {
        let spec = self.shape.field(name).ok_or(FieldError::Unknown)?;
        if !value.fits(spec.kind) {
            return Err(FieldError::JsonType);
        }
        if value.is_empty_array() {
            self.values.remove(spec.name);
        } else {
            self.values.insert(spec.name, value);
        }
        Ok(())
    }

    /// Takes a field's value away and gives it back.
    pub fn remove(&mut self, name: &str) -> Option<FieldValue> {
        self.values.remove(name)
    }

    /// Gives a text field of the shape its value, or takes it away.
    pub(super) fn put_text(&mut self, name: &'static str, value: Option<&str>) {
        match value {
            Some(text) => self.values.insert(name, FieldValue::Text(text.to_owned())),
            None => self.values.remove(name),
        };
    }

    /// The object of that name, to change it.
    pub fn object_mut(&mut self, name: &str) -> Option<&mut Self> {
        if let Some(FieldValue::Object(fields)) = self.values.get_mut(name) { Some(fields) } else { None }
    }

    /// The text of that name.
    #[must_use]
    pub fn text(&self, name: &str) -> Option<&str> {
        if let Some(FieldValue::Text(text)) = self.find(name) { Some(text) } else { None }
    }

    /// The number of that name.
    #[must_use]
    pub fn number(&self, name: &str) -> Option<Decimal> {
        if let Some(FieldValue::Number(number)) = self.find(name) { Some(*number) } else { None }
    }

    /// The whole number of that name.
    #[must_use]
    pub fn integer(&self, name: &str) -> Option<i64> {
        if let Some(FieldValue::Integer(number)) = self.find(name) { Some(*number) } else { None }
    }

    /// The flag of that name.
    #[must_use]
    pub fn flag(&self, name: &str) -> Option<bool> {
        if let Some(FieldValue::Flag(flag)) = self.find(name) { Some(*flag) } else { None }
    }

    /// The moment of that name.
    #[must_use]
    pub fn moment(&self, name: &str) -> Option<Moment> {
        if let Some(FieldValue::Moment(moment)) = self.find(name) { Some(*moment) } else { None }
    }

    /// The texts of that name; none when not given.
    #[must_use]
    pub fn texts(&self, name: &str) -> &[String] {
        if let Some(FieldValue::Texts(texts)) = self.find(name) { texts } else { &[] }
    }

    /// The references of that name; none when not given.
    #[must_use]
    pub fn references(&self, name: &str) -> &[Reference] {
        if let Some(FieldValue::References(references)) = self.find(name) { references } else { &[] }
    }

    /// The object of that name.
    #[must_use]
    pub fn object(&self, name: &str) -> Option<&Self> {
        if let Some(FieldValue::Object(fields)) = self.find(name) { Some(fields) } else { None }
    }

    /// The objects of that name; none when not given.
    #[must_use]
    pub fn objects(&self, name: &str) -> &[Self] {
        if let Some(FieldValue::Objects(objects)) = self.find(name) { objects } else { &[] }
    }
}

impl FieldValue {
    fn fits(&self, kind: JsonType) -> bool {
        match (self, kind) {
            (Self::Object(fields), JsonType::Object(shape)) => fields.shape == shape,
            (Self::Objects(objects), JsonType::Objects(shape)) => objects.iter().all(|fields| fields.shape == shape),
            (own, kind) => matches!(
                (own, kind),
                (Self::Text(_), JsonType::Text)
                    | (Self::Number(_), JsonType::Number)
                    | (Self::Integer(_), JsonType::Integer)
                    | (Self::Flag(_), JsonType::Flag)
                    | (Self::Moment(_), JsonType::Moment)
                    | (Self::Texts(_), JsonType::Texts)
                    | (Self::References(_), JsonType::References)
                    | (Self::Raw(_), JsonType::Raw)
            ),
        }
    }

    fn is_empty_array(&self) -> bool {
        match self {
            Self::Texts(items) => items.is_empty(),
            Self::References(items) => items.is_empty(),
            Self::Objects(items) => items.is_empty(),
            Self::Text(_)
            | Self::Number(_)
            | Self::Integer(_)
            | Self::Flag(_)
            | Self::Moment(_)
            | Self::Object(_)
            | Self::Raw(_) => false,
        }
    }
}

impl RawJson {
    /// Keeps JSON text that its reader has found well-formed.
    #[must_use]
    pub fn new(json: impl Into<Box<str>>) -> Self {
        Self(json.into())
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether it is a JSON object.
    #[must_use]
    pub fn is_object(&self) -> bool {
        self.0.trim_start().starts_with('{')
    }
}

impl fmt::Display for RawJson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Canonical for Reference {
    fn write(&self, record: &mut CanonicalWriter) {
        match self {
            Self::Number(number) => record.integer("number", *number),
            Self::Text(text) => record.text("text", text),
        }
    }
}

impl Canonical for Fields {
    /// Every field of the shape in its order. A single object stands in an array of one, an absent array is empty.
    fn write(&self, record: &mut CanonicalWriter) {
        for spec in self.shape.fields {
            let name = spec.name;
            match (self.find(name), spec.kind) {
                (Some(FieldValue::Text(text)), _) => record.text(name, text),
                (Some(FieldValue::Number(number)), _) => record.text(name, number),
                (Some(FieldValue::Integer(number)), _) => record.integer(name, *number),
                (Some(FieldValue::Flag(flag)), _) => record.flag(name, *flag),
                (Some(FieldValue::Moment(moment)), _) => record.text(name, moment),
                (Some(FieldValue::Texts(texts)), _) => record.texts(name, texts),
                (Some(FieldValue::References(references)), _) => record.records(name, references),
                (Some(FieldValue::Object(fields)), _) => record.records(name, [fields]),
                (Some(FieldValue::Objects(objects)), _) => record.records(name, objects),
                (Some(FieldValue::Raw(raw)), _) => record.text(name, raw),
                (None, JsonType::Texts | JsonType::References | JsonType::Object(_) | JsonType::Objects(_)) => {
                    record.texts(name, [""; 0]);
                }
                (
                    None,
                    JsonType::Text
                    | JsonType::Number
                    | JsonType::Integer
                    | JsonType::Flag
                    | JsonType::Moment
                    | JsonType::Raw,
                ) => {
                    record.optional(name, None::<&str>);
                }
            }
        }
    }
}
