//! Footprints: their fields are in one column, in canonical form.

use async_trait::async_trait;
use domain::footprint::{Edition, FOOTPRINT, Fields, FootprintPlace, RULE_SET, Stamps, Verdict};
use domain::{Canonical as _, Footprint, FootprintId, Timestamp};
use ports::repo::{Shown, ShownBatch, Use};
use ports::store::{Conflict, StoreError};
use ports::{RecordKind, Stored};
use sea_orm::{
    ColumnTrait as _, Condition, DbBackend, QueryFilter as _, QueryOrder as _, QuerySelect as _, QueryTrait as _,
};
use uuid::Uuid;

use crate::conn::{TenantConn, sql};
use crate::entity::Stamp;
use crate::entity::footprint::{Column, Entity, Model};
use crate::error::failed;
use crate::row::{self, Damage};
use crate::session::Session;
use crate::table::{self, Table};

#[async_trait]
impl Table for Footprint {
    type Orm = Entity;
    type Parts = ();

    const ORDER: &'static [Column] = &[Column::Number];
    const SYNC_ID: Option<Column> = None;

    fn decode(row: Model, (): &mut ()) -> Result<Self, Damage> {
        let amendments = u32::try_from(row.amendments).map_err(|error| row::damage("amendments", error))?;
        let stamps = Stamps::new(row::timestamp("recorded", row.recorded)?)
            .with_updated(row.amended.map(|at| row::timestamp("amended", at)).transpose()?)
            .with_amendments(amendments);
        let (id, number) = (FootprintId::new(row.id), row::count("number", row.number)?);
        let fields = row::parse("fields", &row.fields, |text| Fields::from_canonical(&FOOTPRINT, text))?;
        Ok(Self::new(id, number, stamps.created, fields).with_stamps(stamps))
    }

    async fn row(&self, _: &mut TenantConn, stamp: Stamp) -> Result<Model, StoreError> {
        let verdict = Verdict::of(self);
        let Stamp { tenant: tenant_id, id, created, updated, version, digest } = stamp;
        Ok(Model {
            tenant_id,
            id,
            number: number(self.number)?,
            recorded: self.stamps.created.instant(),
            amended: self.stamps.updated.map(Timestamp::instant),
            amendments: self.stamps.amendments.into(),
            fields: self.fields.canonical(),
            place_us: FootprintPlace::of(self).created_us,
            rules: verdict.rules.into(),
            shown_v2: verdict.is_shown(Edition::V2),
            shown_v3: verdict.is_shown(Edition::V3),
            verdict: verdict.canonical(),
            created,
            updated,
            version,
            digest,
        })
    }

    /// Looks into the fields of every footprint in which the number's digits stand: there are few, and few are ever
    /// removed.
    async fn uses(conn: &mut TenantConn, id: Uuid) -> Result<Vec<Use>, StoreError> {
        let named = table::select::<Self>(conn).filter(Column::Id.eq(id)).select_only().column(Column::Number);
        let number: Option<i64> = conn.value(named.build(DbBackend::Postgres)).await?;
        let Some(number) = number.and_then(|number| u64::try_from(number).ok()) else { return Ok(Vec::new()) };
        let others =
            table::select::<Self>(conn).filter(Column::Id.ne(id)).filter(Column::Fields.contains(number.to_string()));
        let others = table::query::<Self>(conn, others).await?;
        let successors = others.iter().filter(|other| other.value.succeeds(number)).map(|_| 1).sum();
        let uses = Use { kind: RecordKind::Footprint, count: successors };
        Ok(Some(uses).filter(|uses| uses.count > 0).into_iter().collect())
    }

    fn complete(mut self, session: &mut Session) -> Self {
        if self.number == 0 {
            self.number = session.footprints + 1;
        }
        session.footprints = session.footprints.max(self.number);
        self
    }

    async fn check(&self, conn: &mut TenantConn) -> Result<(), StoreError> {
        let holders = table::select::<Self>(conn)
            .filter(Column::Number.eq(number(self.number)?))
            .filter(Column::Id.ne(self.id.uuid()))
            .select_only()
            .column(Column::Id);
        match conn.value(holders.build(DbBackend::Postgres)).await? {
            Some(holder) => Err(StoreError::Conflict(Conflict::Exists(holder))),
            None => Ok(()),
        }
    }
}

/// Up to `limit` footprints with a number above `number`, by number.
pub(crate) async fn above(
    conn: &mut TenantConn,
    number: u64,
    limit: u32,
) -> Result<Vec<Stored<Footprint>>, StoreError> {
    let number = i64::try_from(number).unwrap_or(i64::MAX);
    let select = table::select::<Footprint>(conn)
        .filter(Column::Number.gt(number))
        .order_by_asc(Column::Number)
        .limit(u64::from(limit));
    table::query(conn, select).await
}

/// A part of the list that an edition shows.
pub(crate) async fn shown(conn: &mut TenantConn, asked: Shown) -> Result<ShownBatch, StoreError> {
    let limit = asked.limit.max(1);
    let flag = match asked.edition {
        Edition::V2 => Column::ShownV2,
        Edition::V3 => Column::ShownV3,
    };
    let mut select = table::select::<Footprint>(conn)
        .filter(Condition::any().add(flag.eq(true)).add(Column::Rules.ne(i64::from(RULE_SET))))
        .filter(Column::Number.lte(i64::try_from(asked.until).unwrap_or(i64::MAX)));
    if let Some(FootprintPlace { created_us, number }) = asked.after {
        let number = i64::try_from(number).unwrap_or(i64::MAX);
        // The first condition says no more than the second, but the index can begin there.
        select = select
            .filter(Column::PlaceUs.gte(created_us))
            .filter(Condition::any().add(Column::PlaceUs.gt(created_us)).add(Column::Number.gt(number)));
    }
    // One more than is asked for tells whether there are more.
    let select = select.order_by_asc(Column::PlaceUs).order_by_asc(Column::Number).limit(u64::from(limit) + 1);
    let mut rows: Vec<Model> = conn.all(select.build(DbBackend::Postgres)).await?;
    let more = rows.len() > limit as usize;
    rows.truncate(limit as usize);
    let outdated: Vec<_> =
        rows.iter().filter(|row| row.rules != i64::from(RULE_SET)).map(|row| FootprintId::new(row.id)).collect();
    let mut records = table::records::<Footprint>(conn, rows).await?;
    let end = records.last().filter(|_| more).map(|last| FootprintPlace::of(&last.value));
    let is_shown = |record: &Stored<Footprint>| {
        !outdated.contains(&record.value.id) || Verdict::of(&record.value).is_shown(asked.edition)
    };
    records.retain(is_shown);
    Ok(ShownBatch { records, end })
}

/// The verdict on a footprint, by the rules of now.
pub(crate) async fn verdict(conn: &mut TenantConn, id: FootprintId) -> Result<Option<Verdict>, StoreError> {
    let select =
        table::select::<Footprint>(conn).filter(Column::Id.eq(id.uuid())).select_only().column(Column::Verdict);
    let text: Option<String> = conn.value(select.build(DbBackend::Postgres)).await?;
    let Some(text) = text else { return Ok(None) };
    match Verdict::from_canonical((), &text) {
        Ok(verdict) if verdict.is_current() => Ok(Some(verdict)),
        // Other rules may have other names, which cannot be read.
        _ => Ok(table::find::<Footprint>(conn, id.uuid()).await?.map(|found| Verdict::of(&found.value))),
    }
}

/// The ids of the footprints with those numbers.
pub(crate) async fn numbered(conn: &mut TenantConn, numbers: &[u64]) -> Result<Vec<(u64, FootprintId)>, StoreError> {
    let numbers: Vec<_> = numbers.iter().filter_map(|number| i64::try_from(*number).ok()).collect();
    let select = table::select::<Footprint>(conn).filter(Column::Number.eq_any(numbers));
    let found = table::query::<Footprint>(conn, select).await?;
    Ok(found.into_iter().map(|found| (found.value.number, found.value.id)).collect())
}

fn number(number: u64) -> Result<i64, StoreError> {
    i64::try_from(number).map_err(|_| failed(format!("the number {number} is out of range")))
}

/// The highest number a footprint ever had.
pub(crate) async fn highest_number(conn: &mut TenantConn) -> Result<u64, StoreError> {
    // A write transaction moves the head when it is closed.
    let text = "SELECT greatest(footprints, (SELECT max(number) FROM tonne.footprint WHERE footprint.tenant_id = $1)) \
                FROM tonne.head WHERE head.tenant_id = $1";
    let statement = sql(text, [conn.tenant().uuid().into()]);
    let number: Option<i64> = conn.value(statement).await?;
    let negative = |_| StoreError::Corrupt { subject: "head".to_owned(), detail: "footprints: is negative".to_owned() };
    u64::try_from(number.unwrap_or_default()).map_err(negative)
}
