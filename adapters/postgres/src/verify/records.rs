//! Each record against the digest in its row and against the newest item of the chain; none missing, none too many.

use domain::{Activity, Canonical as _, Digest, Factor, Footprint, Input, Model, Node, Product, Switch};
use ports::store::{StoreError, Verification};
use ports::{RecordKind, Verb, Version};
use sea_orm::{
    ColumnTrait as _, DbBackend, FromQueryResult as _, QueryFilter as _, QueryOrder as _, QuerySelect as _,
    QueryTrait as _,
};
use uuid::Uuid;

use super::find;
use super::history::{History, Newest};
use crate::conn::TenantConn;
use crate::entity::Kept as _;
use crate::error::failed;
use crate::row::Damage;
use crate::session::kind_code;
use crate::table::{self, Found, Row, Table, found};

/// How many records are read at a time.
const PAGE: u64 = 2_000;

/// Checks the records of every kind.
pub(super) async fn check(conn: &mut TenantConn, report: &mut Verification) -> Result<(), StoreError> {
    let mut history = History::open(conn, report).await?;
    for kind in RecordKind::ALL {
        match kind {
            RecordKind::Activity => check_kind::<Activity>(conn, report, &mut history, kind).await?,
            RecordKind::Scope | RecordKind::Org | RecordKind::Taxonomy => {
                check_kind::<Node>(conn, report, &mut history, kind).await?;
            }
            RecordKind::Product => check_kind::<Product>(conn, report, &mut history, kind).await?,
            RecordKind::Factor => check_kind::<Factor>(conn, report, &mut history, kind).await?,
            RecordKind::Model => check_kind::<Model>(conn, report, &mut history, kind).await?,
            RecordKind::Input => check_kind::<Input>(conn, report, &mut history, kind).await?,
            RecordKind::Switch => check_kind::<Switch>(conn, report, &mut history, kind).await?,
            RecordKind::Footprint => check_kind::<Footprint>(conn, report, &mut history, kind).await?,
        }
    }
    Ok(())
}

/// Goes through the records of a kind and the chain's word of them side by side, both in order of their identifiers.
async fn check_kind<T: Table>(
    conn: &mut TenantConn,
    report: &mut Verification,
    history: &mut History,
    kind: RecordKind,
) -> Result<(), StoreError> {
    let mut last = None;
    loop {
        let (page, read) = page::<T>(conn, kind, &mut last).await?;
        for Found { id, record, digest } in page {
            report.records += 1;
            let mut newest = None;
            while let Some(next) = history.up_to(kind, id) {
                if next.kind == kind && next.id == id {
                    newest = Some(next);
                } else {
                    missing(report, next);
                }
                history.advance(conn, report).await?;
            }
            match (record, digest) {
                (Err(Damage(detail)), _) | (_, Err(Damage(detail))) => {
                    find(report, format!("{} {id}", table::name::<T>()), detail);
                }
                (Ok(record), Ok(beside)) => {
                    let digest = record.digest();
                    let wrong = if digest == beside {
                        against_chain(newest, digest, record.version)
                    } else {
                        Some("its content does not have the digest that stands beside it")
                    };
                    if let Some(wrong) = wrong {
                        find(report, format!("{kind} {id}"), wrong);
                    }
                }
            }
        }
        if read < PAGE {
            break;
        }
    }
    while let Some(next) = history.up_to(kind, Uuid::max()) {
        missing(report, next);
        history.advance(conn, report).await?;
    }
    Ok(())
}

/// The records of a kind behind `last`, and how many rows were read for them.
async fn page<T: Table>(
    conn: &mut TenantConn,
    kind: RecordKind,
    last: &mut Option<Uuid>,
) -> Result<(Vec<Found<T>>, u64), StoreError> {
    let mut select = table::select::<T>(conn);
    if let Some(column) = T::KIND {
        select = select.filter(column.eq(kind_code(kind)));
    }
    if let Some(last) = *last {
        select = select.filter(T::Orm::ID.gt(last));
    }
    let (mut rows, mut unread, mut read) = (Vec::new(), Vec::new(), 0);
    let statement = select.order_by_asc(T::Orm::ID).limit(PAGE).build(DbBackend::Postgres);
    conn.each(statement, |columns| {
        let id: Uuid = columns.try_get("", "id").map_err(|error| failed(error.to_string()))?;
        match Row::<T>::from_query_result(columns, "") {
            Ok(row) => rows.push(row),
            Err(error) => unread.push((id, error.to_string())),
        }
        (read, *last) = (read + 1, Some(id));
        Ok(())
    })
    .await?;
    let mut parts = T::parts(conn, &rows).await?;
    let mut page: Vec<Found<T>> = rows.into_iter().map(|row| found::<T>(row, &mut parts)).collect();
    let unread =
        unread.into_iter().map(|(id, detail)| Found { id, record: Err(Damage(detail)), digest: Ok(Digest::ZERO) });
    page.extend(unread);
    page.sort_unstable_by_key(|found| found.id);
    Ok((page, read))
}

fn against_chain(newest: Option<Newest>, digest: Digest, version: Version) -> Option<&'static str> {
    match newest {
        None => Some("is in no change of the chain"),
        Some(newest) if newest.verb == Verb::Removed => Some("was removed, but stands in the store"),
        Some(newest) if newest.digest != digest => Some("is not as its newest change left it"),
        Some(newest) if newest.change != version.0 => Some("its version is not its newest change"),
        Some(_) => None,
    }
}

/// The chain speaks of a record that is not there.
fn missing(report: &mut Verification, newest: Newest) {
    if newest.verb != Verb::Removed {
        let Newest { kind, id, .. } = newest;
        find(report, format!("{kind} {id}"), "is in the change chain, but not in the store");
    }
}
