//! Between rows and values: columns are taken one after another, and what does not read is named.

use std::fmt::Display;

use domain::{Day, Digest, Timestamp};
use ports::store::StoreError;
use ports::{Stored, Version};
use rusqlite::types::{FromSql, Value};
use rusqlite::{Connection, Params, Row};
use uuid::Uuid;

use crate::error::StoreErr as _;

/// What is wrong with a row.
#[derive(Debug)]
pub(crate) struct Damage(pub(crate) String);

/// A row whose columns are taken from left to right.
pub(crate) struct Columns<'r> {
    row: &'r Row<'r>,
    next: usize,
}

impl<'r> Columns<'r> {
    /// Starts at the first column.
    pub(crate) const fn new(row: &'r Row<'r>) -> Self {
        Self { row, next: 0 }
    }

    /// The next column, of a type of SQLite's.
    pub(crate) fn take<T: FromSql>(&mut self) -> Result<T, Damage> {
        let at = self.next;
        self.next += 1;
        self.row.get(at).map_err(|error| self.damage(at, error))
    }

    /// The next column, a text that reads as a value.
    pub(crate) fn parse<T, E: Display>(&mut self, parse: impl FnOnce(&str) -> Result<T, E>) -> Result<T, Damage> {
        self.parse_optional(parse)?.ok_or_else(|| self.damage(self.next - 1, "is missing"))
    }

    /// The next column, a text that reads as a value, or NULL.
    pub(crate) fn parse_optional<T, E: Display>(
        &mut self,
        parse: impl FnOnce(&str) -> Result<T, E>,
    ) -> Result<Option<T>, Damage> {
        let at = self.next;
        self.next += 1;
        let text = self.row.get_ref(at).map_err(|error| self.damage(at, error))?;
        let text = text.as_str_or_null().map_err(|error| self.damage(at, error))?;
        text.map(|text| parse(text).map_err(|error| self.damage(at, format!("{text:?}: {error}")))).transpose()
    }

    /// The identifier that every record's row starts with.
    pub(crate) fn record_id<T: From<Uuid>>(&self) -> Result<T, Damage> {
        self.row.get::<_, Uuid>(0).map(T::from).map_err(|error| self.damage(0, error))
    }

    /// The next column, an identifier.
    pub(crate) fn id<T: From<Uuid>>(&mut self) -> Result<T, Damage> {
        self.take::<Uuid>().map(T::from)
    }

    /// The next column, an identifier or NULL.
    pub(crate) fn id_optional<T: From<Uuid>>(&mut self) -> Result<Option<T>, Damage> {
        Ok(self.take::<Option<Uuid>>()?.map(T::from))
    }

    /// The next column, an identifier or an empty blob.
    pub(crate) fn id_or_empty<T: From<Uuid>>(&mut self) -> Result<Option<T>, Damage> {
        let at = self.next;
        self.next += 1;
        let value = self.row.get_ref(at).map_err(|error| self.damage(at, error))?;
        let bytes = value.as_blob().map_err(|error| self.damage(at, error))?;
        if bytes.is_empty() {
            return Ok(None);
        }
        Uuid::from_slice(bytes).map(|id| Some(T::from(id))).map_err(|error| self.damage(at, error))
    }

    /// The next column, a day.
    pub(crate) fn day(&mut self) -> Result<Day, Damage> {
        self.day_optional()?.ok_or_else(|| self.damage(self.next - 1, "is missing"))
    }

    /// The next column, a day or NULL.
    pub(crate) fn day_optional(&mut self) -> Result<Option<Day>, Damage> {
        let at = self.next;
        let number: Option<i32> = self.take()?;
        number
            .map(|number| Day::from_number(number).ok_or_else(|| self.damage(at, format!("{number} is no day"))))
            .transpose()
    }

    /// The next column, a moment of the service's clock.
    pub(crate) fn timestamp(&mut self) -> Result<Timestamp, Damage> {
        self.timestamp_optional()?.ok_or_else(|| self.damage(self.next - 1, "is missing"))
    }

    /// The next column, a moment of the service's clock or NULL.
    pub(crate) fn timestamp_optional(&mut self) -> Result<Option<Timestamp>, Damage> {
        let at = self.next;
        let millis: Option<i64> = self.take()?;
        millis
            .map(|millis| Timestamp::from_millis(millis).ok_or_else(|| self.damage(at, format!("{millis} is no time"))))
            .transpose()
    }

    /// The next column, a digest.
    pub(crate) fn digest(&mut self) -> Result<Digest, Damage> {
        self.take::<[u8; 32]>().map(Digest::from_stored)
    }

    /// The next column, a digest or NULL.
    pub(crate) fn digest_optional(&mut self) -> Result<Option<Digest>, Damage> {
        Ok(self.take::<Option<[u8; 32]>>()?.map(Digest::from_stored))
    }

    /// The next three columns: when a record was added, when it was last written, and by which change.
    pub(crate) fn stored(&mut self) -> Result<Stored<()>, Damage> {
        let (created, updated) = (self.timestamp()?, self.timestamp()?);
        Ok(Stored { value: (), created, updated, version: Version(self.take()?) })
    }

    fn damage(&self, at: usize, what: impl Display) -> Damage {
        let name = self.row.as_ref().column_name(at).unwrap_or("a column");
        Damage(format!("{name}: {what}"))
    }
}

/// The value of a text column.
pub(crate) fn text(value: impl Display) -> Value {
    Value::Text(value.to_string())
}

/// A text column that may be NULL.
pub(crate) fn text_or_null(value: Option<impl Display>) -> Value {
    value.map_or(Value::Null, text)
}

/// The value of an identifier in a column of type `BLOB`.
pub(crate) fn id(value: impl Into<Uuid>) -> Value {
    Value::Blob(value.into().as_bytes().to_vec())
}

/// A day's column that may be NULL.
pub(crate) fn day_or_null(value: Option<Day>) -> Value {
    value.map_or(Value::Null, |day| Value::Integer(day.number().into()))
}

/// An integer column that may be NULL.
pub(crate) fn integer_or_null(value: Option<i64>) -> Value {
    value.map_or(Value::Null, Value::Integer)
}

/// The value of a digest in a column of type `BLOB`.
pub(crate) fn digest(value: Digest) -> Value {
    Value::Blob(value.as_bytes().to_vec())
}

/// A count's column, which SQLite keeps as a signed number.
pub(crate) fn number(value: u64) -> Value {
    Value::Integer(i64::try_from(value).unwrap_or(i64::MAX))
}

/// Reads the rows of a query, which are those of that table.
pub(crate) fn collect<T>(
    conn: &Connection,
    sql: &str,
    params: impl Params,
    table: &str,
    read: impl Fn(&mut Columns<'_>) -> Result<T, Damage>,
) -> Result<Vec<T>, StoreError> {
    let mut statement = conn.prepare_cached(sql).store_err()?;
    let mut rows = statement.query(params).store_err()?;
    let mut values = Vec::new();
    while let Some(row) = rows.next().store_err()? {
        let damaged =
            |Damage(detail)| StoreError::Corrupt { subject: format!("row {} of {table}", values.len()), detail };
        values.push(read(&mut Columns::new(row)).map_err(damaged)?);
    }
    Ok(values)
}
