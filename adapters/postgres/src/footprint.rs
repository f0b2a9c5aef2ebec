//! Footprints: their fields are in one column, in canonical form.

mod shown;

use std::collections::HashMap;

use async_trait::async_trait;
use domain::footprint::{Edition, FOOTPRINT, Fields, FootprintPlace, FromModel, RULE_SET, Stamps, Verdict, validate};
use domain::{Canonical as _, Digest, Footprint, FootprintId, ModelId, Timestamp};
use ports::repo::{Use, Valid, ValidBatch};
use ports::store::finding::{FOOTPRINT_PLACE, FOOTPRINT_PRODUCTS, FOOTPRINT_VERDICT};
use ports::store::{Conflict, StoreError};
use ports::{RecordKind, Stored};
use sea_orm::{
    ColumnTrait as _, Condition, DbBackend, EntityTrait as _, QueryFilter as _, QueryOrder as _, QuerySelect as _,
    QueryTrait as _, Value,
};
use uuid::Uuid;

use crate::conn::{TenantConn, sql};
use crate::entity::footprint::{Column, Entity, Model};
use crate::entity::{Stamp, footprint_product};
use crate::error::failed;
use crate::row::{self, Damage};
use crate::session::Session;
use crate::sharing;
use crate::table::{self, Table};

pub(crate) use shown::shown;

/// How many product ids are written by one statement.
const PRODUCTS_AT_ONCE: usize = 1_000;

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
        let from_model =
            row::parse_optional("from_model", row.from_model.as_deref(), |text| FromModel::from_canonical((), text))?;
        Ok(Self::new(id, number, stamps.created, fields).with_stamps(stamps).with_from_model(from_model.map(Box::new)))
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
            valid: verdict.is_valid,
            verdict: verdict.canonical(),
            model: self.from_model.as_ref().map(|made| made.model.uuid()),
            from_model: self.from_model.as_ref().map(|made| made.canonical()),
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

    async fn write_parts(&self, conn: &mut TenantConn) -> Result<(), StoreError> {
        remove_products(conn, self.id.uuid()).await?;
        sharing::place(conn, self.id.uuid(), FootprintPlace::of(self)).await?;
        let keys = product_keys(self);
        if keys.is_empty() {
            return Ok(());
        }
        let (tenant_id, footprint) = (conn.tenant().uuid(), self.id.uuid());
        let row =
            |product| footprint_product::ActiveModel::from(footprint_product::Model { tenant_id, product, footprint });
        for some in keys.chunks(PRODUCTS_AT_ONCE) {
            let rows = footprint_product::Entity::insert_many(some.iter().cloned().map(row));
            conn.execute(rows.build(DbBackend::Postgres)).await?;
        }
        Ok(())
    }

    async fn remove_parts(conn: &mut TenantConn, _: &mut Session, id: Uuid) -> Result<(), StoreError> {
        remove_products(conn, id).await?;
        sharing::place(conn, id, FootprintPlace::START).await
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

/// The digests of its product ids, in their own order, each once.
fn product_keys(footprint: &Footprint) -> Vec<Vec<u8>> {
    let mut keys: Vec<_> = footprint.product_keys().iter().map(|key| product_key(key)).collect();
    keys.sort_unstable();
    keys
}

fn product_key(key: &str) -> Vec<u8> {
    Digest::of(key.as_bytes()).as_bytes().to_vec()
}

async fn remove_products(conn: &mut TenantConn, footprint: Uuid) -> Result<(), StoreError> {
    let rows = footprint_product::Entity::delete_many()
        .filter(footprint_product::Column::TenantId.eq(conn.tenant().uuid()))
        .filter(footprint_product::Column::Footprint.eq(footprint));
    conn.execute(rows.build(DbBackend::Postgres)).await.map(drop)
}

/// The newest footprint that was made of that model.
pub(crate) async fn of_model(conn: &mut TenantConn, model: ModelId) -> Result<Option<Stored<Footprint>>, StoreError> {
    let select =
        table::select::<Footprint>(conn).filter(Column::Model.eq(model.uuid())).order_by_desc(Column::Number).limit(1);
    Ok(table::query(conn, select).await?.pop())
}

/// A part of the interface's own list.
pub(crate) async fn valid(conn: &mut TenantConn, asked: Valid) -> Result<ValidBatch, StoreError> {
    let limit = asked.limit.max(1);
    let select = table::select::<Footprint>(conn)
        .filter(Condition::any().add(Column::Valid.eq(true)).add(Column::Rules.ne(i64::from(RULE_SET))))
        .filter(Column::Number.gt(i64::try_from(asked.after).unwrap_or(i64::MAX)))
        .filter(Column::Number.lte(i64::try_from(asked.until).unwrap_or(i64::MAX)))
        .order_by_asc(Column::Number)
        .limit(u64::from(limit) + 1);
    let mut rows: Vec<Model> = conn.all(select.build(DbBackend::Postgres)).await?;
    let more = rows.len() > limit as usize;
    rows.truncate(limit as usize);
    let outdated = outdated(&rows);
    let mut records = table::records::<Footprint>(conn, rows).await?;
    let end = records.last().filter(|_| more).map(|last| last.value.number);
    records.retain(|record| !outdated.contains(&record.value.id) || validate(&record.value).is_empty());
    Ok(ValidBatch { records, end })
}

/// Those whose verdict was made by other rules than those of now.
fn outdated(rows: &[Model]) -> Vec<FootprintId> {
    let outdated = rows.iter().filter(|row| row.rules != i64::from(RULE_SET));
    outdated.map(|row| FootprintId::new(row.id)).collect()
}

/// Makes up to `most` verdicts anew that were made by other rules, and gives how many.
pub(crate) async fn renew(conn: &mut TenantConn, most: u32) -> Result<u64, StoreError> {
    let rules = i64::from(RULE_SET);
    let select = table::select::<Footprint>(conn)
        .filter(Condition::any().add(Column::Rules.lt(rules)).add(Column::Rules.gt(rules)))
        .order_by_asc(Column::Number)
        .limit(u64::from(most));
    let records = table::query::<Footprint>(conn, select).await?;
    for record in &records {
        let verdict = Verdict::of(&record.value);
        let text = "UPDATE tonne.footprint SET rules = $3, shown_v2 = $4, shown_v3 = $5, valid = $6, verdict = $7 \
                    WHERE tenant_id = $1 AND id = $2";
        let [v2, v3] = Edition::ALL.map(|edition| verdict.is_shown(edition));
        let values: [Value; 7] = [
            conn.tenant().uuid().into(),
            record.value.id.uuid().into(),
            i64::from(verdict.rules).into(),
            v2.into(),
            v3.into(),
            verdict.is_valid.into(),
            verdict.canonical().into(),
        ];
        conn.execute(sql(text, values)).await?;
    }
    Ok(records.len() as u64)
}

/// What is beside those footprints and does not follow from them, in words. A verdict by other rules is nothing wrong.
pub(crate) async fn beside(
    conn: &mut TenantConn,
    after: Option<Uuid>,
    limit: u64,
) -> Result<(Vec<(Uuid, &'static str)>, Option<Uuid>), StoreError> {
    let mut select = table::select::<Footprint>(conn).order_by_asc(Column::Id).limit(limit);
    if let Some(after) = after {
        select = select.filter(Column::Id.gt(after));
    }
    let rows: Vec<Model> = conn.all(select.build(DbBackend::Postgres)).await?;
    let select = footprint_product::Entity::find()
        .filter(footprint_product::Column::TenantId.eq(conn.tenant().uuid()))
        .filter(footprint_product::Column::Footprint.is_in(rows.iter().map(|row| row.id)))
        .order_by_asc(footprint_product::Column::Product);
    let mut products: HashMap<Uuid, Vec<Vec<u8>>> = HashMap::new();
    for row in conn.all::<footprint_product::Model>(select.build(DbBackend::Postgres)).await? {
        products.entry(row.footprint).or_default().push(row.product);
    }
    let last = rows.last().filter(|_| rows.len() as u64 == limit).map(|row| row.id);
    let mut wrong = Vec::new();
    for row in rows {
        // One that does not read was reported with the records.
        let Ok(footprint) = Footprint::decode(row.clone(), &mut ()) else { continue };
        let verdict = Verdict::of(&footprint);
        let is_verdict = (row.shown_v2, row.shown_v3, row.valid, row.verdict.as_str())
            == (
                verdict.is_shown(Edition::V2),
                verdict.is_shown(Edition::V3),
                verdict.is_valid,
                verdict.canonical().as_str(),
            );
        if row.place_us != FootprintPlace::of(&footprint).created_us
            || row.model != footprint.from_model.as_ref().map(|made| made.model.uuid())
        {
            wrong.push((row.id, FOOTPRINT_PLACE));
        }
        if row.rules == i64::from(RULE_SET) && !is_verdict {
            wrong.push((row.id, FOOTPRINT_VERDICT));
        }
        if products.remove(&row.id).unwrap_or_default() != product_keys(&footprint) {
            wrong.push((row.id, FOOTPRINT_PRODUCTS));
        }
    }
    Ok((wrong, last))
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
