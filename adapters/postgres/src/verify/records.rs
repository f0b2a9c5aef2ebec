//! The records: each against its digest, its references, and what the chain says of it.

use std::collections::HashSet;

use domain::{
    Activity, Canonical as _, ClosedPeriod, Digest, Exclusion, Factor, Footprint, Input, Model, Org, Partner, Product,
    Scope, Sharing, Switch, Taxonomy,
};
use ports::RecordKind;
use ports::store::finding::CONTENT_DIGEST;
use ports::store::{StoreError, Verification};
use sea_orm::{
    ColumnTrait as _, DbBackend, FromQueryResult as _, QueryFilter as _, QueryOrder as _, QuerySelect as _,
    QueryTrait as _,
};
use uuid::Uuid;

use super::balance::{Balance, Left, Wrong};
use super::{chain, find};
use crate::conn::TenantConn;
use crate::entity::RecordRow as _;
use crate::error::failed;
use crate::reference;
use crate::row::Damage;
use crate::table::{self, Decoded, Row, Table, decode_row};

/// How many records are read at a time.
const PAGE: u64 = 2_000;

/// What is done with the records of a kind.
macro_rules! each_kind {
    ($check:ident($($with:expr),*)) => {
        for kind in RecordKind::ALL {
            match kind {
                RecordKind::Activity => $check::<Activity>($($with),*).await?,
                RecordKind::Scope => $check::<Scope>($($with),*).await?,
                RecordKind::Org => $check::<Org>($($with),*).await?,
                RecordKind::Taxonomy => $check::<Taxonomy>($($with),*).await?,
                RecordKind::Product => $check::<Product>($($with),*).await?,
                RecordKind::Factor => $check::<Factor>($($with),*).await?,
                RecordKind::Model => $check::<Model>($($with),*).await?,
                RecordKind::Input => $check::<Input>($($with),*).await?,
                RecordKind::Switch => $check::<Switch>($($with),*).await?,
                RecordKind::Footprint => $check::<Footprint>($($with),*).await?,
                RecordKind::ClosedPeriod => $check::<ClosedPeriod>($($with),*).await?,
                RecordKind::Exclusion => $check::<Exclusion>($($with),*).await?,
                RecordKind::Partner => $check::<Partner>($($with),*).await?,
                RecordKind::Sharing => $check::<Sharing>($($with),*).await?,
            }
        }
    };
}

/// Checks the records of every kind, and that they are what the chain left.
pub(super) async fn check(
    conn: &mut TenantConn,
    report: &mut Verification,
    balance: &mut Balance,
) -> Result<(), StoreError> {
    each_kind!(check_kind(conn, report, balance));
    let mut wrong = balance.wrong();
    if wrong.is_empty() {
        return Ok(());
    }
    chain::look_closer(conn, report, &mut wrong).await?;
    each_kind!(look_closer(conn, report, &mut wrong));
    wrong.finish(report);
    Ok(())
}

/// Checks the records of a kind by themselves, and takes them into the balance.
async fn check_kind<T: Table>(
    conn: &mut TenantConn,
    report: &mut Verification,
    balance: &mut Balance,
) -> Result<(), StoreError> {
    let mut last = None;
    loop {
        let (page, read) = page::<T>(conn, &mut last).await?;
        let mut references = Vec::new();
        for Decoded { id, record, digest } in page {
            report.records += 1;
            match (record, digest) {
                (Err(Damage(detail)), _) | (_, Err(Damage(detail))) => {
                    find(report, format!("{} {id}", T::KIND), detail);
                }
                (Ok(record), Ok(beside)) => {
                    let digest = record.digest();
                    if digest != beside {
                        find(report, format!("{} {id}", T::KIND), CONTENT_DIGEST);
                    }
                    balance.record(T::KIND, id, Left { version: record.version, digest });
                    references.extend(record.value.references().into_iter().map(|to| (id, to)));
                }
            }
        }
        let wanted: HashSet<_> = references.iter().map(|(_, to)| (to.kind, to.id)).collect();
        let there = reference::present(conn, &wanted.into_iter().collect::<Vec<_>>()).await?;
        for (id, to) in references.into_iter().filter(|(_, to)| !there.contains(&(to.kind, to.id))) {
            let detail = format!("its {} is the {} {}, which is not there", to.member, to.kind, to.id);
            find(report, format!("{} {id}", T::KIND), detail);
        }
        if read < PAGE {
            return Ok(());
        }
    }
}

/// Looks at the records of a kind one by one, as far as something may be wrong with them.
async fn look_closer<T: Table>(
    conn: &mut TenantConn,
    report: &mut Verification,
    wrong: &mut Wrong,
) -> Result<(), StoreError> {
    let mut last = None;
    loop {
        let (page, read) = page::<T>(conn, &mut last).await?;
        for Decoded { id, record, digest } in page {
            if !wrong.concerns(T::KIND, id) {
                continue;
            }
            match (record, digest) {
                (Ok(record), Ok(beside)) if record.digest() == beside => {
                    if let Some(detail) = wrong.record(T::KIND, id, Left { version: record.version, digest: beside }) {
                        find(report, format!("{} {id}", T::KIND), detail);
                    }
                }
                // It was reported before.
                (Ok(_) | Err(_), Ok(_) | Err(_)) => wrong.unread(T::KIND, id),
            }
        }
        if read < PAGE {
            return Ok(());
        }
    }
}

/// The records of a kind behind `last`, and how many rows were read for them.
async fn page<T: Table>(conn: &mut TenantConn, last: &mut Option<Uuid>) -> Result<(Vec<Decoded<T>>, u64), StoreError> {
    let mut select = table::select::<T>(conn);
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
    let mut page: Vec<Decoded<T>> = rows.into_iter().map(|row| decode_row::<T>(row, &mut parts)).collect();
    let unread =
        unread.into_iter().map(|(id, detail)| Decoded { id, record: Err(Damage(detail)), digest: Ok(Digest::ZERO) });
    page.extend(unread);
    page.sort_unstable_by_key(|decoded| decoded.id);
    Ok((page, read))
}
