//! The change chain, change by change, and the head.

use std::collections::BTreeSet;

use ports::ledger::{ChainWalk, LineCheck, PackedItems, PackedLines, PartPlace, Removal};
use ports::store::finding::HEAD_DIGEST;
use ports::store::{StoreError, Verification};
use ports::{Action, ChangeItem};
use sea_orm::QueryResult;
use time::OffsetDateTime;

use super::balance::{Balance, Wrong};
use super::cursor::Cursor;
use super::find;
use crate::conn::{TenantConn, column, sql};
use crate::entity::change;
use crate::head::{self, Lock};
use crate::ledger::read_change;
use crate::row::{self, Damage};

const CHANGES: &str =
    "SELECT number, at, actor, cause, digest FROM tonne.change WHERE tenant_id = {tenant} ORDER BY number";
const ITEMS: &str =
    "SELECT change, part, items FROM tonne.change_items WHERE tenant_id = {tenant} ORDER BY change, part";

const LINES: &str =
    "SELECT change, part, lines FROM tonne.import_lines WHERE tenant_id = {tenant} ORDER BY change, part";

struct ChangeColumns {
    number: i64,
    at: OffsetDateTime,
    actor: String,
    cause: String,
    digest: Vec<u8>,
}

/// A part of a change.
struct PartColumns {
    change: i64,
    part: i32,
    bytes: Vec<u8>,
}

/// Checks numbers, digests and items, and takes the items into the balance.
pub(super) async fn check(
    conn: &mut TenantConn,
    report: &mut Verification,
    balance: &mut Balance,
) -> Result<(), StoreError> {
    let tenant = conn.tenant().uuid();
    let mut walk = ChainWalk::default();
    let mut changes = Cursor::open(conn, "tonne_changes", CHANGES, ChangeColumns::of).await?;
    let mut items = Cursor::open(conn, "tonne_items", ITEMS, PartColumns::of).await?;
    let mut part = items.next(conn).await?;
    let mut lines = Lines::open(conn).await?;
    let mut removals = BTreeSet::new();
    while let Some(columns) = changes.next(conn).await? {
        let Some(ChangeColumns { number, at, actor, cause, digest }) = columns else {
            find(report, "a row of change", "a column does not read");
            continue;
        };
        let read = read_change(change::Model { tenant_id: tenant, number, at, actor, cause, digest });
        match read {
            Ok(change) => walk.begin(change, report),
            Err(Damage(detail)) => find(report, format!("change {number}"), detail),
        }
        lines.check.begin(u64::try_from(number).unwrap_or_default());
        let mut expected = 0;
        while let Some(columns) = part.take_if(|columns| columns.as_ref().is_none_or(|one| one.change <= number)) {
            part = items.next(conn).await?;
            let Some(columns) = columns else {
                find(report, "a row of change_items", "a column does not read");
                continue;
            };
            if columns.change < number {
                find(report, format!("items of change {}", columns.change), "belong to no change");
                continue;
            }
            if columns.part != expected {
                let detail = format!("part {} of its items stands where part {expected} is expected", columns.part);
                find(report, format!("change {number}"), detail);
            }
            expected = columns.part.saturating_add(1);
            for item in PackedItems::from_stored(columns.bytes).items() {
                match item {
                    Ok(item) => {
                        lines.check.item(&item);
                        walk.item(&item, supposed(&item), report);
                        if let Ok(number) = u64::try_from(number) {
                            balance.item(number, &item);
                            removals.extend(Removal::of(&item, number));
                        }
                    }
                    Err(error) => walk.damaged(&error, report),
                }
            }
        }
        walk.end(report);
        lines.end(conn, number, report).await?;
    }
    lines.find_rest(report);
    if let Some(Some(columns)) = part {
        find(report, format!("items of change {}", columns.change), "belong to no change");
    }
    check_removals(conn, report, removals).await?;
    let row = head::read(conn, Lock::Free).await?;
    walk.head(&row.head, report);
    let text = "SELECT seal FROM tonne.head WHERE tenant_id = $1";
    let seal: Option<Vec<u8>> = conn.value(sql(text, [tenant.into()])).await?;
    if seal.as_deref() != Some(row.seal().as_bytes().as_slice()) {
        find(report, "head", HEAD_DIGEST);
    }
    Ok(())
}

/// `None` where a column does not read.
type PartRow = Option<PartColumns>;

/// The lines of all changes.
struct Lines {
    check: LineCheck,
    parts: Cursor<PartColumns>,
    next: Option<PartRow>,
}

impl Lines {
    async fn open(conn: &mut TenantConn) -> Result<Self, StoreError> {
        let mut parts = Cursor::open(conn, "tonne_lines", LINES, PartColumns::of).await?;
        let next = parts.next(conn).await?;
        Ok(Self { check: LineCheck::default(), parts, next })
    }

    /// Checks the lines of the change, whose items were taken.
    async fn end(&mut self, conn: &mut TenantConn, number: i64, report: &mut Verification) -> Result<(), StoreError> {
        let mut checked = Ok(());
        while let Some(columns) = self.next.take_if(|next| next.as_ref().is_none_or(|one| one.change <= number)) {
            self.next = self.parts.next(conn).await?;
            let Some(PartColumns { change, part, bytes }) = columns else {
                find(report, "a row of import_lines", "a column does not read");
                continue;
            };
            if change < number {
                find(report, format!("lines of change {change}"), "belong to no change");
                continue;
            }
            let place = u64::try_from(change).ok().zip(u32::try_from(part).ok());
            let place = place.map(|(change, part)| PartPlace { change, part });
            let Some(place) = place else { continue };
            checked = checked.and_then(|()| self.check.part(place, &PackedLines::from_stored(bytes)));
        }
        if let Err(wrong) = checked.and_then(|()| self.check.end()) {
            find(report, format!("change {number}"), wrong);
        }
        Ok(())
    }

    /// Tells of lines behind the last change.
    fn find_rest(&self, report: &mut Verification) {
        if let Some(Some(columns)) = &self.next {
            find(report, format!("lines of change {}", columns.change), "belong to no change");
        }
    }
}

/// What the item says it replaced: whether that is what stood there, the balance tells.
fn supposed(item: &ChangeItem) -> Option<domain::Digest> {
    match &item.action {
        Action::Added(_) | Action::Blanked(_) => None,
        Action::Updated { replaced, .. } | Action::Removed(replaced) => Some(replaced.digest),
    }
}

/// Compares the removals of the chain with those that records' histories begin with.
async fn check_removals(
    conn: &mut TenantConn,
    report: &mut Verification,
    mut removals: BTreeSet<Removal>,
) -> Result<(), StoreError> {
    let text = "SELECT kind, id, change FROM tonne.removed WHERE tenant_id = $1";
    let statement = sql(text, [conn.tenant().uuid().into()]);
    conn.each(statement, |columns| {
        let (kind, id, change): (i16, uuid::Uuid, i64) =
            (column(columns, 0)?, column(columns, 1)?, column(columns, 2)?);
        let removal =
            row::kind(kind).zip(u64::try_from(change).ok()).map(|(kind, change)| Removal { kind, id, change });
        if !removal.is_some_and(|removal| removals.remove(&removal)) {
            find(report, format!("removal of {id} in change {change}"), "is in no change of the chain");
        }
        Ok(())
    })
    .await?;
    for Removal { kind, id, change } in removals {
        find(report, format!("removal of {kind} {id} in change {change}"), "is missing");
    }
    Ok(())
}

/// Goes through the items once more for the groups in which something is wrong.
pub(super) async fn look_closer(
    conn: &mut TenantConn,
    report: &mut Verification,
    wrong: &mut Wrong,
) -> Result<(), StoreError> {
    let mut items = Cursor::open(conn, "tonne_items_again", ITEMS, PartColumns::of).await?;
    while let Some(columns) = items.next(conn).await? {
        let Some(PartColumns { change, bytes: items, .. }) = columns else { continue };
        let Ok(change) = u64::try_from(change) else { continue };
        for item in PackedItems::from_stored(items).items().map_while(Result::ok) {
            wrong.item(change, &item, report);
        }
    }
    Ok(())
}

impl ChangeColumns {
    fn of(row: &QueryResult) -> Result<Self, StoreError> {
        let (number, at, actor) = (column(row, 0)?, column(row, 1)?, column(row, 2)?);
        Ok(Self { number, at, actor, cause: column(row, 3)?, digest: column(row, 4)? })
    }
}

impl PartColumns {
    fn of(row: &QueryResult) -> Result<Self, StoreError> {
        Ok(Self { change: column(row, 0)?, part: column(row, 1)?, bytes: column(row, 2)? })
    }
}
