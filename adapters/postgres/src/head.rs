//! The head of a tenant: the one row that its writers queue for.

use domain::Digest;
use ports::ledger::head_seal;
use ports::store::StoreError;
use ports::{ChainHead, TenantId};
use sea_orm::{DbErr, FromQueryResult, QueryResult, Value};
use uuid::Uuid;

use crate::bulk::MultiInsert;
use crate::conn::{Conn, TenantConn, sql, unreadable};
use crate::error::failed;
use crate::row::{self, Damage};

/// A tenant's row of `head`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HeadRow {
    pub(crate) tenant: TenantId,
    pub(crate) head: ChainHead,
    /// The highest number a footprint ever had.
    pub(crate) footprints: u64,
}

impl HeadRow {
    /// What binds the row's columns insert.
    pub(crate) fn seal(&self) -> Digest {
        head_seal(self.tenant, &self.head, self.footprints)
    }
}

/// What [`of_row`] reads, in the words of a query.
pub(crate) const COLUMNS: &str = "head.number AS head_number, head.digest AS head_digest, head.epoch AS head_epoch, \
                                  head.catalog AS head_catalog, head.footprints AS head_footprints";

#[derive(FromQueryResult)]
struct Columns {
    number: i64,
    digest: Vec<u8>,
    epoch: Uuid,
    catalog: i64,
    footprints: i64,
}

/// The head as who writes finds it.
struct Locked {
    columns: Columns,
    /// The step that a version must know that writes.
    needs: i32,
}

impl FromQueryResult for Locked {
    fn from_query_result(row: &QueryResult, prefix: &str) -> Result<Self, DbErr> {
        Ok(Self { columns: Columns::from_query_result(row, prefix)?, needs: row.try_get(prefix, "needs")? })
    }
}

/// The step that a version must know to write, as a value of a query.
const NEEDS: &str = "(SELECT coalesce(max(needs), 0) FROM tonne_directory.migration)";

/// What others may do with the row until this transaction ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lock {
    /// Read, write and remove it.
    Free,
    /// Write it, but not remove it.
    Keep,
    /// Neither write nor remove it: they wait. Who [keeps](Self::Keep) it does not.
    Write,
}

/// Reads the head; an error where the tenant was not prepared.
pub(crate) async fn read(conn: &mut TenantConn, lock: Lock) -> Result<HeadRow, StoreError> {
    let found = find(conn, lock).await?;
    found.ok_or_else(|| absent(conn.tenant()))
}

/// The error where a tenant was not prepared.
pub(crate) fn absent(tenant: TenantId) -> StoreError {
    failed(format!("the tenant {tenant} has no records"))
}

/// Reads the head, if the tenant was prepared. Who locks it writes, and must know the database's format: whoever changes it
/// lets nobody lock a head meanwhile.
pub(crate) async fn find(conn: &mut TenantConn, lock: Lock) -> Result<Option<HeadRow>, StoreError> {
    let tenant = conn.tenant();
    let columns = "SELECT number, digest, epoch, catalog, footprints";
    let lock = match lock {
        Lock::Free => {
            let text = format!("{columns} FROM tonne.head WHERE tenant_id = $1");
            let found: Option<Columns> = conn.one(sql(&text, [tenant.uuid().into()])).await?;
            return found.map(|columns| columns.row(tenant)).transpose();
        }
        Lock::Keep => "FOR KEY SHARE",
        Lock::Write => "FOR NO KEY UPDATE",
    };
    let text = format!("{columns}, {NEEDS} AS needs FROM tonne.head WHERE tenant_id = $1 {lock}");
    let Some(Locked { columns, needs }) = conn.one(sql(&text, [tenant.uuid().into()])).await? else { return Ok(None) };
    conn.must_know(needs)?;
    columns.row(tenant).map(Some)
}

/// Refuses to write where a version has to know more of the format than this one does. Behind the lock of a head: whoever
/// changes the format lets nobody lock one meanwhile.
pub(crate) async fn check_format(conn: &mut Conn) -> Result<(), StoreError> {
    let needs: Option<i32> = conn.value(sql(&format!("SELECT {NEEDS}"), [])).await?;
    conn.must_know(needs.unwrap_or_default())
}

/// The head in a row that has its columns, the names of which begin with `head_`.
pub(crate) fn of_row(row: &QueryResult, tenant: TenantId) -> Result<HeadRow, StoreError> {
    Columns::from_query_result(row, "head_").map_err(unreadable)?.row(tenant)
}

impl Columns {
    fn row(self, tenant: TenantId) -> Result<HeadRow, StoreError> {
        self.read(tenant).map_err(|Damage(detail)| StoreError::Corrupt { subject: "head".to_owned(), detail })
    }

    fn read(self, tenant: TenantId) -> Result<HeadRow, Damage> {
        let head = ChainHead {
            number: row::count("number", self.number)?,
            digest: row::digest("digest", &self.digest)?,
            epoch: self.epoch,
            catalog: row::count("catalog", self.catalog)?,
        };
        Ok(HeadRow { tenant, head, footprints: row::count("footprints", self.footprints)? })
    }
}

/// Writes the head of a new tenant, where there is none.
pub(crate) async fn make(conn: &mut TenantConn, epoch: Uuid) -> Result<(), StoreError> {
    let tenant = conn.tenant();
    let row = HeadRow { tenant, head: ChainHead { number: 0, digest: Digest::ZERO, epoch, catalog: 0 }, footprints: 0 };
    let text = "INSERT INTO tonne.head (tenant_id, number, digest, epoch, catalog, footprints, seal) \
                VALUES ($1, 0, $2, $3, 0, 0, $4) ON CONFLICT (tenant_id) DO NOTHING";
    let values: [Value; 4] = [tenant.uuid().into(), row::bytes(row.head.digest), epoch.into(), row::bytes(row.seal())];
    conn.execute(sql(text, values)).await.map(drop)
}

/// The statement that ends [`MultiInsert`] by writing the head in place of the one that was locked.
pub(crate) fn update(insert: &mut MultiInsert, row: &HeadRow) -> Result<String, StoreError> {
    let HeadRow { head: ChainHead { number, digest, epoch, catalog }, footprints, .. } = row;
    let count = |value: u64| i64::try_from(value).map_err(|_| failed(format!("{value} is out of range")));
    let places = [
        ("number", insert.bind(count(*number)?)?),
        ("digest", insert.bind(digest.as_bytes().to_vec())?),
        ("epoch", insert.bind(*epoch)?),
        ("catalog", insert.bind(count(*catalog)?)?),
        ("footprints", insert.bind(count(*footprints)?)?),
        ("seal", insert.bind(row.seal().as_bytes().to_vec())?),
    ];
    let sets = places.map(|(column, place)| format!("{column} = ${place}")).join(", ");
    Ok(format!("UPDATE tonne.head SET {sets} WHERE tenant_id = $1"))
}

/// Writes the head in place of the one that was locked.
pub(crate) async fn write(conn: &mut Conn, row: &HeadRow) -> Result<(), StoreError> {
    let text = "UPDATE tonne.head SET number = $2, digest = $3, epoch = $4, catalog = $5, footprints = $6, seal = $7 \
                WHERE tenant_id = $1";
    let HeadRow { tenant, head, footprints } = row;
    let values: [Value; 7] = [
        tenant.uuid().into(),
        row::integer(head.number)?,
        row::bytes(head.digest),
        head.epoch.into(),
        row::integer(head.catalog)?,
        row::integer(*footprints)?,
        row::bytes(row.seal()),
    ];
    conn.execute(sql(text, values)).await.map(drop)
}
