//! The change chain, change by change, and the head.

use domain::Digest;
use ports::store::{StoreError, Verification};
use ports::{Change, ChangeDigest, RecordKind};
use sea_orm::QueryResult;
use uuid::Uuid;

use super::find;
use crate::conn::{TenantConn, column, sql};
use crate::entity::change;
use crate::head::{self, Lock};
use crate::item::{ITEMS, ItemRow};
use crate::ledger::read_change;
use crate::row::Damage;

const ORPHANS: &str = "SELECT coalesce(sum(cardinality(ids)), 0)::bigint FROM tonne.change_item AS item WHERE item.tenant_id = $1 AND NOT EXISTS \
    (SELECT FROM tonne.change WHERE change.tenant_id = $1 AND change.number = item.change)";

/// Checks numbers, digests and items.
pub(super) async fn check(conn: &mut TenantConn, report: &mut Verification) -> Result<(), StoreError> {
    let tenant = conn.tenant().uuid();
    let mut walk = Walk { report, tenant, open: None, number: 0, digest: Digest::ZERO, catalog: 0 };
    // A change without items comes once.
    let text = format!(
        "SELECT change.number, change.at, change.actor, change.cause, change.digest, item.ordinal, item.verb, \
         item.kind, item.id, item.digest FROM tonne.change LEFT JOIN {ITEMS} AS item \
         ON item.tenant_id = change.tenant_id AND item.change = change.number \
         WHERE change.tenant_id = $1 ORDER BY change.number, item.ordinal"
    );
    conn.each(sql(&text, [tenant.into()]), |row| walk.take(row)).await?;
    walk.close();
    let Walk { number, digest, catalog, .. } = walk;
    let orphans: Option<i64> = conn.value(sql(ORPHANS, [tenant.into()])).await?;
    let orphans = orphans.unwrap_or_default();
    if orphans > 0 {
        find(report, "the change chain", format!("{orphans} items belong to no change"));
    }
    check_head(conn, report, number, digest, catalog).await
}

/// Where the walk along the chain is: behind the change of that number and digest.
struct Walk<'r> {
    report: &'r mut Verification,
    tenant: Uuid,
    open: Option<Open>,
    number: u64,
    digest: Digest,
    /// The last change that touched a node or a product.
    catalog: u64,
}

/// The change whose items go by.
struct Open {
    /// Its number as it stands in the row.
    row: i64,
    /// The change and its digest so far, where it reads.
    change: Option<(Change, ChangeDigest)>,
    items: i32,
}

impl Walk<'_> {
    fn take(&mut self, row: &QueryResult) -> Result<(), StoreError> {
        let number: i64 = column(row, 0)?;
        if self.open.as_ref().is_none_or(|open| open.row != number) {
            self.close();
            let (at, actor, cause) = (column(row, 1)?, column(row, 2)?, column(row, 3)?);
            self.begin(change::Model { tenant_id: self.tenant, number, at, actor, cause, digest: column(row, 4)? });
        }
        if let Some(ordinal) = column(row, 5)? {
            let (verb, kind, id, digest) = (column(row, 6)?, column(row, 7)?, column(row, 8)?, column(row, 9)?);
            // The chain binds the digest of what was replaced through the item that left it, not the text itself.
            self.item(ItemRow { change: number, ordinal, verb, kind, id, digest, replaced: None });
        }
        Ok(())
    }

    fn begin(&mut self, columns: change::Model) {
        self.report.changes += 1;
        let (row, expected) = (columns.number, self.number + 1);
        let change = match read_change(columns) {
            Err(Damage(detail)) => {
                find(self.report, format!("change {expected}"), detail);
                None
            }
            Ok(change) => {
                let number = change.number;
                if number != expected {
                    let detail = format!("stands where change {expected} is expected");
                    find(self.report, format!("change {number}"), detail);
                }
                let chain = ChangeDigest::new(self.digest, number, change.at, &change.actor, &change.cause);
                Some((change, chain))
            }
        };
        self.open = Some(Open { row, change, items: 0 });
    }

    fn item(&mut self, columns: ItemRow) {
        let Some(open) = &mut self.open else { return };
        let expected = open.items;
        open.items = expected.saturating_add(1);
        let Some((Change { number, .. }, chain)) = &mut open.change else { return };
        let number = *number;
        let (ordinal, item) = (columns.ordinal, columns.read());
        match item {
            Err(Damage(detail)) => find(self.report, format!("change {number}"), detail),
            Ok(item) => {
                if ordinal != expected {
                    let detail = format!("item {ordinal} stands where item {expected} is expected");
                    find(self.report, format!("change {number}"), detail);
                }
                chain.item(&item);
                if is_of_catalogue(item.kind) {
                    self.catalog = number;
                }
            }
        }
    }

    fn close(&mut self) {
        let Some(Open { change, items, .. }) = self.open.take() else { return };
        let Some((change, chain)) = change else {
            self.number += 1;
            return;
        };
        let subject = || format!("change {}", change.number);
        if items == 0 {
            find(self.report, subject(), "has no items");
        }
        if chain.finish() != change.digest {
            find(self.report, subject(), "does not have the digest that stands beside it");
        }
        (self.number, self.digest) = (change.number, change.digest);
    }
}

const fn is_of_catalogue(kind: RecordKind) -> bool {
    match kind {
        RecordKind::Scope | RecordKind::Org | RecordKind::Taxonomy | RecordKind::Product => true,
        RecordKind::Activity
        | RecordKind::Factor
        | RecordKind::Model
        | RecordKind::Input
        | RecordKind::Switch
        | RecordKind::Footprint => false,
    }
}

async fn check_head(
    conn: &mut TenantConn,
    report: &mut Verification,
    number: u64,
    digest: Digest,
    catalog: u64,
) -> Result<(), StoreError> {
    let row = head::read(conn, Lock::Free).await?;
    let head = row.head;
    if head.number != number {
        find(report, "head", format!("is at change {}, but the newest change is {number}", head.number));
    }
    if head.digest != digest {
        find(report, "head", "does not have the digest of the newest change");
    }
    if head.catalog != catalog {
        let detail = format!("says that change {} was the last of the catalog, but {catalog} was", head.catalog);
        find(report, "head", detail);
    }
    let text = "SELECT seal FROM tonne.head WHERE tenant_id = $1";
    let tenant = conn.tenant().uuid();
    let seal: Option<Vec<u8>> = conn.value(sql(text, [tenant.into()])).await?;
    if seal.as_deref() != Some(row.seal().as_bytes().as_slice()) {
        find(report, "head", "its columns do not have the digest that stands beside them");
    }
    Ok(())
}
