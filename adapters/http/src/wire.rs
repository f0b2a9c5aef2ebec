//! What several answers have in common: references, exact numbers, times.

use std::fmt::Display;

use domain::Timestamp;
use ports::inbound::Named;
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::{PartialSchema, ToSchema};
use uuid::Uuid;

/// A record that another refers to.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Reference {
    /// Identifies it.
    uuid: Uuid,
    /// What it is called.
    name: String,
}

impl From<Named> for Reference {
    fn from(named: Named) -> Self {
        Self { uuid: named.id, name: named.name.to_string() }
    }
}

/// Another record, named by its uuid or by its syncId.
#[derive(ToSchema)]
#[serde(rename_all = "camelCase")]
#[expect(dead_code, reason = "describes the body")]
pub(crate) struct ReferenceDraft {
    /// Its identifier.
    uuid: Option<Uuid>,
    /// What another system calls it.
    sync_id: Option<String>,
}

/// An exact decimal as a JSON number.
#[derive(Clone, Debug)]
pub(crate) struct Number(Box<RawValue>);

impl Number {
    /// The number whose plain notation is displayed.
    pub(crate) fn of(value: impl Display) -> Self {
        Self(RawValue::from_string(value.to_string()).unwrap_or_else(|_| RawValue::NULL.to_owned()))
    }
}

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl PartialSchema for Number {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new().schema_type(Type::Number).description(Some("An exact decimal.")).build().into()
    }
}

impl ToSchema for Number {}

/// An exact decimal as a string, such as `12.5`.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(value_type = String, example = "12.5", pattern = r"^-?[0-9]+(\.[0-9]+)?$")]
pub(crate) struct Amount(String);

impl Amount {
    /// The amount whose plain notation is displayed.
    pub(crate) fn of(value: impl Display) -> Self {
        Self(value.to_string())
    }
}

/// A moment of the service's clock: UTC, milliseconds.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(value_type = String, format = DateTime, example = "2025-01-31T09:30:00.000Z")]
pub(crate) struct Time(String);

impl From<Timestamp> for Time {
    fn from(at: Timestamp) -> Self {
        Self(at.to_string())
    }
}
