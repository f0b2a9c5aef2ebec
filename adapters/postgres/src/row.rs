//! Between columns and values: what does not read is named.

use std::fmt::Display;

use bigdecimal::BigDecimal;
use domain::{Day, Decimal, Digest, Timestamp};
use ports::RecordKind;
use ports::store::StoreError;
use sea_orm::Value;
use time::{Date, OffsetDateTime};

use crate::error::failed;

/// What is wrong with a row.
#[derive(Debug)]
pub(crate) struct Damage(pub(crate) String);

/// The kind that a number stands for.
pub(crate) fn kind(code: i16) -> Option<RecordKind> {
    u8::try_from(code).ok().and_then(RecordKind::from_code)
}

/// What is wrong with a column.
pub(crate) fn damage(column: &str, what: impl Display) -> Damage {
    Damage(format!("{column}: {what}"))
}

pub(crate) fn count(column: &str, value: i64) -> Result<u64, Damage> {
    u64::try_from(value).map_err(|_| damage(column, format!("{value} is no count")))
}

pub(crate) fn digest(column: &str, bytes: &[u8]) -> Result<Digest, Damage> {
    bytes.try_into().map(Digest::from_stored).map_err(|_| damage(column, "is no digest"))
}

/// A text that reads as a value.
pub(crate) fn parse<T, E: Display>(
    column: &str,
    text: &str,
    parse: impl FnOnce(&str) -> Result<T, E>,
) -> Result<T, Damage> {
    parse(text).map_err(|error| damage(column, format!("{text:?}: {error}")))
}

/// A text that reads as a value, or NULL.
pub(crate) fn parse_optional<T, E: Display>(
    column: &str,
    text: Option<&str>,
    read: impl FnOnce(&str) -> Result<T, E>,
) -> Result<Option<T>, Damage> {
    text.map(|text| parse(column, text, read)).transpose()
}

/// An amount. NUMERIC has zeros behind its last digit; a [`Decimal`] has none.
pub(crate) fn decimal(column: &str, value: &BigDecimal) -> Result<Decimal, Damage> {
    Decimal::try_from(value).map_err(|error| damage(column, error))
}

/// An amount, or NULL.
pub(crate) fn decimal_optional(column: &str, value: Option<&BigDecimal>) -> Result<Option<Decimal>, Damage> {
    value.map(|value| decimal(column, value)).transpose()
}

pub(crate) fn day(column: &str, value: Date) -> Result<Day, Damage> {
    Day::from_date(value).ok_or_else(|| damage(column, format!("{value} is no day")))
}

/// A moment of the service's clock, in whole milliseconds.
pub(crate) fn timestamp(column: &str, value: OffsetDateTime) -> Result<Timestamp, Damage> {
    let at = i64::try_from(value.unix_timestamp_nanos().div_euclid(1_000_000)).ok().and_then(Timestamp::from_millis);
    at.filter(|at| at.instant() == value).ok_or_else(|| damage(column, format!("{value} is no time")))
}

/// The value of a digest in a column of type `bytea`.
pub(crate) fn bytes(value: Digest) -> Value {
    value.as_bytes().to_vec().into()
}

/// The value of a count in a column of type `bigint`.
pub(crate) fn integer(value: u64) -> Result<Value, StoreError> {
    i64::try_from(value).map(Value::from).map_err(|_| failed(format!("{value} is out of range")))
}

/// The value of a timestamp in a column of type `timestamptz`.
pub(crate) fn at(value: Timestamp) -> Value {
    value.instant().into()
}
