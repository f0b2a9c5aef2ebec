//! Many rows of one table at once: by COPY into a temporary table, or as many VALUES where that is refused.
//!
//! COPY goes to no table with row-level security, so rows come into a temporary one and from there by
//! `INSERT ... SELECT`, which the policies check. Fields are binary either way: no character needs an escape.

mod fields;
mod intake;
mod multi_insert;
mod numeric;

use ports::store::StoreError;
use sqlx::postgres::types::Oid;
use sqlx::postgres::{PgArguments, PgTypeInfo};
use sqlx::{Arguments as _, Postgres};

use crate::conn::TenantConn;
use crate::database::Bulk;
use crate::error::failed;

pub(crate) use fields::Fields;
pub(crate) use intake::Intake;
pub(crate) use multi_insert::MultiInsert;

/// From so many rows on a temporary table is worth making.
const MANY: usize = 50;
/// How many parameters a statement has at most.
const PARAMETERS: usize = 65_535;
/// How many rows an INSERT has at most.
const VALUES: usize = 1_000;
/// What a binary COPY begins with: its signature, no flags, no extension.
const HEADER: &[u8] = b"PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0";
/// What it ends with.
const TRAILER: [u8; 2] = (-1_i16).to_be_bytes();

/// The type of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// `uuid`.
    Uuid,
    /// `date`.
    Date,
    /// `timestamptz`.
    Timestamp,
    /// `smallint`.
    Smallint,
    /// `integer`.
    Integer,
    /// `bigint`.
    Bigint,
    /// `numeric`.
    Numeric,
    /// `text`.
    Text,
    /// `bytea`.
    Bytes,
}

/// A table that rows come into.
#[derive(Debug)]
pub(crate) struct Target {
    /// The table with its schema.
    pub(crate) table: &'static str,
    /// The columns besides `tenant_id`, in the order of each row's fields. Rows cost least where these are all columns of
    /// the table in its own order.
    pub(crate) columns: &'static [(&'static str, Kind)],
    /// What is at the end of the INSERT, such as what to do on a conflict.
    pub(crate) end: &'static str,
}

/// Rows on their way into a table.
#[derive(Debug)]
pub(crate) struct Rows {
    target: &'static Target,
    data: Vec<u8>,
    count: usize,
}

impl Rows {
    pub(crate) fn new(target: &'static Target) -> Self {
        Self { target, data: HEADER.to_vec(), count: 0 }
    }

    /// How many bytes they have.
    pub(crate) const fn bytes(&self) -> usize {
        self.data.len()
    }

    /// Begins the next row. Every column of the target gets a field, in order.
    pub(crate) fn row(&mut self) -> Fields<'_> {
        self.count += 1;
        let count = i16::try_from(self.target.columns.len()).unwrap_or(i16::MAX);
        self.data.extend(count.to_be_bytes());
        Fields::new(&mut self.data)
    }

    /// Appends rows of the same table.
    pub(crate) fn append(&mut self, rows: &Self) {
        self.data.extend(rows.data.get(HEADER.len()..).unwrap_or_default());
        self.count += rows.count;
    }

    /// Writes the rows, those of the connection's tenant. A failure breaks the transaction, unless it is caught by a
    /// savepoint.
    pub(crate) async fn insert(self, conn: &mut TenantConn, bulk: Bulk) -> Result<(), StoreError> {
        if self.count == 0 {
            return Ok(());
        }
        let mut intake = Intake::new(bulk);
        intake.take(conn, self).await?;
        intake.close(conn).await
    }

    /// The fields of all rows, one after another.
    fn fields(&self) -> Vec<Option<&[u8]>> {
        fields::split(self.data.get(HEADER.len()..).unwrap_or_default(), self.target.columns.len())
    }

    /// Writes the trailer of the format.
    fn end(&mut self) {
        self.data.extend(TRAILER);
    }

    async fn insert_values(&self, conn: &mut TenantConn) -> Result<(), StoreError> {
        let Target { table, columns, end } = self.target;
        let (width, names, tenant) = (columns.len(), self.target.names(), conn.tenant());
        let fields = self.fields();
        for some in fields.chunks(width * (PARAMETERS / width).min(VALUES)) {
            let mut arguments = PgArguments::default();
            for (field, (_, kind)) in some.iter().zip(columns.iter().cycle()) {
                let encoded = Encoded { kind: *kind, field: *field };
                arguments.add(encoded).map_err(|error| failed(format!("a field cannot be sent: {error}")))?;
            }
            let places: Vec<String> = (0..some.len() / width)
                .map(|row| {
                    let places: Vec<String> = (1..=width).map(|at| format!("${}", row * width + at)).collect();
                    format!("('{tenant}'::uuid, {})", places.join(", "))
                })
                .collect();
            let text = format!("INSERT INTO {table} (tenant_id, {names}) VALUES {} {end}", places.join(", "));
            conn.execute_encoded(text, arguments).await?;
        }
        Ok(())
    }
}

impl Target {
    fn names(&self) -> String {
        self.columns.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ")
    }
}

impl Kind {
    /// The number of the type, which is the same on every server (`pg_type.dat`).
    const fn oid(self) -> u32 {
        match self {
            Self::Bytes => 17,
            Self::Bigint => 20,
            Self::Smallint => 21,
            Self::Integer => 23,
            Self::Text => 25,
            Self::Date => 1082,
            Self::Timestamp => 1184,
            Self::Numeric => 1700,
            Self::Uuid => 2950,
        }
    }

    fn type_info(self) -> PgTypeInfo {
        PgTypeInfo::with_oid(Oid(self.oid()))
    }

    /// The number of the type of its arrays.
    const fn array_oid(self) -> u32 {
        match self {
            Self::Bytes => 1001,
            Self::Smallint => 1005,
            Self::Integer => 1007,
            Self::Text => 1009,
            Self::Bigint => 1016,
            Self::Date => 1182,
            Self::Timestamp => 1185,
            Self::Numeric => 1231,
            Self::Uuid => 2951,
        }
    }

    /// Its name in SQL.
    const fn name(self) -> &'static str {
        match self {
            Self::Bytes => "bytea",
            Self::Smallint => "smallint",
            Self::Integer => "integer",
            Self::Text => "text",
            Self::Bigint => "bigint",
            Self::Date => "date",
            Self::Timestamp => "timestamptz",
            Self::Numeric => "numeric",
            Self::Uuid => "uuid",
        }
    }
}

/// A field that is in the server's binary form already.
struct Encoded<'f> {
    kind: Kind,
    field: Option<&'f [u8]>,
}

impl sqlx::Type<Postgres> for Encoded<'_> {
    fn type_info() -> PgTypeInfo {
        Kind::Bytes.type_info()
    }
}

impl sqlx::Encode<'_, Postgres> for Encoded<'_> {
    fn encode_by_ref(
        &self,
        buffer: &mut sqlx::postgres::PgArgumentBuffer,
    ) -> Result<sqlx::encode::IsNull, sqlx::error::BoxDynError> {
        let Some(field) = self.field else { return Ok(sqlx::encode::IsNull::Yes) };
        buffer.extend_from_slice(field);
        Ok(sqlx::encode::IsNull::No)
    }

    fn produces(&self) -> Option<PgTypeInfo> {
        Some(self.kind.type_info())
    }
}
