//! Rows of several tables by one statement: each column is an array, so that its text is the same for any number of rows
//! and the server plans it once.

use std::fmt::Write as _;

use ports::store::StoreError;
use sqlx::postgres::types::Oid;
use sqlx::postgres::{PgArguments, PgTypeInfo};
use sqlx::{Arguments as _, Encode, Postgres, Type};

use super::{Kind, Rows};
use crate::conn::TenantConn;
use crate::error::failed;

/// A statement that writes rows of several tables, which it names in the order they are added.
pub(crate) struct MultiInsert {
    text: String,
    values: PgArguments,
    places: usize,
}

impl MultiInsert {
    /// Writes rows of that tenant, none so far.
    pub(crate) fn new(conn: &TenantConn) -> Result<Self, StoreError> {
        let mut insert = Self { text: "WITH ".to_owned(), values: PgArguments::default(), places: 0 };
        insert.bind(conn.tenant().uuid())?;
        Ok(insert)
    }

    /// Inserts these rows.
    pub(crate) fn rows(&mut self, rows: &Rows) -> Result<(), StoreError> {
        let (target, fields, separator) = (rows.target, rows.fields(), if self.places > 1 { ", " } else { "" });
        let (table, names, end) = (target.table, target.names(), target.end);
        let (mut arrays, width) = (Vec::new(), target.columns.len());
        for (at, (_, kind)) in target.columns.iter().enumerate() {
            let column = fields.iter().skip(at).step_by(width).copied();
            let place = self.bind(Array { kind: *kind, bytes: encode(*kind, column, rows.count)? })?;
            arrays.push(format!("${place}::{}[]", kind.name()));
        }
        let arrays = arrays.join(", ");
        let _ = write!(
            self.text,
            "{separator}t{} AS (INSERT INTO {table} (tenant_id, {names}) \
             SELECT $1, * FROM unnest({arrays}) {end})",
            self.places
        );
        Ok(())
    }

    /// A value of the last statement; gives its place.
    pub(crate) fn bind<'v>(&mut self, value: impl Encode<'v, Postgres> + Type<Postgres>) -> Result<usize, StoreError> {
        self.values.add(value).map_err(|error| failed(format!("a value cannot be sent: {error}")))?;
        self.places += 1;
        Ok(self.places)
    }

    /// Runs all with that last statement, whose tenant is `$1`, and gives the number of rows which that one touched.
    pub(crate) async fn run(self, conn: &mut TenantConn, last: &str) -> Result<u64, StoreError> {
        conn.execute_again(format!("{} {last}", self.text), self.values).await
    }
}

/// An array of a column's fields in the server's binary form: the number of dimensions, whether there are NULLs, the type
/// of the elements, how many there are, the index of the first, then each as a field.
fn encode<'f>(kind: Kind, fields: impl Iterator<Item = Option<&'f [u8]>>, count: usize) -> Result<Vec<u8>, StoreError> {
    let mut bytes = Vec::new();
    let count = i32::try_from(count).map_err(|_| failed("there are too many rows for one statement"))?;
    bytes.extend(i32::from(count > 0).to_be_bytes());
    bytes.extend(1_i32.to_be_bytes());
    bytes.extend(kind.oid().to_be_bytes());
    if count > 0 {
        bytes.extend(count.to_be_bytes());
        bytes.extend(1_i32.to_be_bytes());
    }
    for field in fields {
        let length = field.map_or(Ok(-1), |field| i32::try_from(field.len()));
        bytes.extend(length.map_err(|_| failed("a field is too long"))?.to_be_bytes());
        bytes.extend(field.unwrap_or_default());
    }
    Ok(bytes)
}

/// An array that is in the server's binary form already.
struct Array {
    kind: Kind,
    bytes: Vec<u8>,
}

impl Type<Postgres> for Array {
    fn type_info() -> PgTypeInfo {
        PgTypeInfo::with_oid(Oid(Kind::Bytes.array_oid()))
    }
}

impl Encode<'_, Postgres> for Array {
    fn encode_by_ref(
        &self,
        buffer: &mut sqlx::postgres::PgArgumentBuffer,
    ) -> Result<sqlx::encode::IsNull, sqlx::error::BoxDynError> {
        buffer.extend_from_slice(&self.bytes);
        Ok(sqlx::encode::IsNull::No)
    }

    fn produces(&self) -> Option<PgTypeInfo> {
        Some(PgTypeInfo::with_oid(Oid(self.kind.array_oid())))
    }
}
