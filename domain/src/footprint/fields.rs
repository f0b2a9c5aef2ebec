//! The values of a footprint's fields as they were written, object by object.

use std::collections::BTreeMap;

use crate::amount::decimal::Decimal;
use crate::calendar::moment::Moment;
use crate::footprint::raw_json::RawJson;
use crate::footprint::spec::{JsonType, ObjectSchema, Requirement};
use crate::footprint::spec_version::SpecVersion;

/// The members of one object of a footprint: those that were given, each of the type its [`ObjectSchema`] asks for.
///
/// An empty array is the same as none given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fields {
    schema: &'static ObjectSchema,
    values: BTreeMap<&'static str, FieldValue>,
}

/// A value of a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FieldValue {
    /// A value of [`JsonType::Text`].
    Text(String),
    /// A value of [`JsonType::Number`].
    Number(Decimal),
    /// A value of [`JsonType::Integer`].
    Integer(i64),
    /// A value of [`JsonType::Flag`].
    Flag(bool),
    /// A value of [`JsonType::Moment`].
    Moment(Moment),
    /// A value of [`JsonType::Texts`].
    Texts(Vec<String>),
    /// A value of [`JsonType::References`].
    References(Vec<Reference>),
    /// A value of [`JsonType::Object`].
    Object(Fields),
    /// A value of [`JsonType::Objects`].
    Objects(Vec<Fields>),
    /// A value of [`JsonType::Raw`].
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

/// Why a value was not set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FieldError {
    /// The object has no field of that name.
    #[error("not a field of this object")]
    Unknown,
    /// The field is of another type.
    #[error("a value of another type than the field's")]
    JsonType,
    /// A text of the value has the character U+0000.
    #[error("must not contain U+0000")]
    NullCharacter,
}

impl Fields {
    /// An object of which nothing is given.
    #[must_use]
    pub const fn new(schema: &'static ObjectSchema) -> Self {
        Self { schema, values: BTreeMap::new() }
    }

    /// What the object is made of.
    #[must_use]
    pub const fn schema(&self) -> &'static ObjectSchema {
        self.schema
    }

    /// The value of that field, if it was given.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<&FieldValue> {
        self.values.get(name)
    }

    /// Gives a field its value; an empty array takes it away.
    pub fn set(&mut self, name: &str, value: FieldValue) -> Result<(), FieldError> {
        let spec = self.schema.field(name).ok_or(FieldError::Unknown)?;
        if !value.fits(spec.kind) {
            return Err(FieldError::JsonType);
        }
        if value.has_null_character() {
            return Err(FieldError::NullCharacter);
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

    /// Gives a field of the schema a value of its type, or takes it away.
    pub(super) fn put(&mut self, name: &'static str, value: Option<FieldValue>) {
        match value.filter(|value| !value.is_empty_array()) {
            Some(value) => self.values.insert(name, value),
            None => self.values.remove(name),
        };
    }

    /// The object with each value changed to another of its type.
    pub(super) fn mapped(mut self, change: impl Fn(FieldValue) -> FieldValue) -> Self {
        self.values = self.values.into_iter().map(|(name, value)| (name, change(value))).collect();
        self
    }

    /// The object without the members that the version does not have.
    pub(super) fn of_version(mut self, version: SpecVersion) -> Self {
        let schema = self.schema;
        self.values.retain(|name, _| schema.field(name).is_some_and(|spec| spec.need(version) != Requirement::Unknown));
        self
    }

    /// Gives a text field of the schema its value, or takes it away.
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
            (Self::Object(fields), JsonType::Object(schema)) => fields.schema == schema,
            (Self::Objects(objects), JsonType::Objects(schema)) => objects.iter().all(|fields| fields.schema == schema),
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

    /// Whether a text of it has U+0000, which not every store can keep. Objects have refused theirs already.
    fn has_null_character(&self) -> bool {
        match self {
            Self::Text(text) => text.contains('\0'),
            Self::Texts(texts) => texts.iter().any(|text| text.contains('\0')),
            Self::References(references) => {
                references.iter().any(|reference| matches!(reference, Reference::Text(text) if text.contains('\0')))
            }
            Self::Number(_)
            | Self::Integer(_)
            | Self::Flag(_)
            | Self::Moment(_)
            | Self::Object(_)
            | Self::Objects(_)
            | Self::Raw(_) => false,
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
