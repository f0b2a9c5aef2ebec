//! Checks the directory: its chain change by change, and each entry's digest.

use std::collections::HashMap;

use domain::{Canonical as _, Digest, Timestamp};
use ports::Verb;
use ports::credential::SealedKey;
use ports::directory::{Client, Key, Tenant};
use ports::store::{Finding, StoreError, Verification};
use sea_orm::{
    ColumnTrait as _, DbBackend, EntityTrait as _, FromQueryResult as _, QueryFilter as _, QueryOrder as _,
    QuerySelect as _, QueryTrait as _,
};

use super::chain::{self, Item, Link};
use super::entity::{change, change_item};
use super::entry::{Bound, Entry, Row};
use crate::conn::{Conn, sql, unreadable};
use crate::row::{self, Damage};

/// So many changes are read at once.
const CHANGES_AT_ONCE: u64 = 200;

/// What the newest change of an entry says of it.
type Newest = HashMap<(String, String), (Verb, Digest)>;

/// Checks the whole directory in that snapshot.
pub(super) async fn directory(conn: &mut Conn) -> Result<Verification, StoreError> {
    let mut report = Verification::default();
    let mut newest = check_chain(conn, &mut report).await?;
    check_table::<Tenant>(conn, &mut report, &mut newest).await?;
    check_table::<Client>(conn, &mut report, &mut newest).await?;
    check_table::<Key>(conn, &mut report, &mut newest).await?;
    check_table::<SealedKey>(conn, &mut report, &mut newest).await?;
    let kinds = [Tenant::KIND, Client::KIND, Key::KIND, SealedKey::KIND];
    for ((kind, id), (verb, _)) in newest {
        if verb != Verb::Removed && kinds.contains(&kind.as_str()) {
            find(&mut report, format!("{kind} {id}"), "is in the change chain, but not in the directory");
        }
    }
    Ok(report)
}

async fn check_table<E: Entry>(
    conn: &mut Conn,
    report: &mut Verification,
    newest: &mut Newest,
) -> Result<(), StoreError> {
    let statement = E::Table::find().build(DbBackend::Postgres);
    conn.each(statement, |row| {
        report.records += 1;
        check_entry::<E>(&Row::<E>::from_query_result(row, "").map_err(unreadable)?, report, newest);
        Ok(())
    })
    .await
}

fn check_entry<E: Entry>(row: &Row<E>, report: &mut Verification, newest: &mut Newest) {
    let entry = match E::read(row) {
        Ok(entry) => entry,
        Err(Damage(detail)) => return find(report, format!("row {} of {}", report.records, E::KIND), detail),
    };
    let (kind, id) = (E::KIND, entry.id().to_string());
    let (digest, subject) = (Bound(&entry).digest(), format!("{kind} {id}"));
    let known = newest.remove(&(kind.to_owned(), id));
    if digest.as_bytes() != E::digest(row) {
        find(report, subject, "its content does not have the digest that stands beside it");
    } else if known.is_none_or(|(verb, known)| verb == Verb::Removed || known != digest) {
        find(report, subject, "is not as its newest change left it");
    }
}

async fn check_chain(conn: &mut Conn, report: &mut Verification) -> Result<Newest, StoreError> {
    let (mut newest, mut previous, mut expected, mut last) = (Newest::new(), Digest::ZERO, 1, i64::MIN);
    loop {
        let some = change::Entity::find().filter(change::Column::Number.gt(last));
        let some = some.order_by_asc(change::Column::Number).limit(CHANGES_AT_ONCE);
        let changes: Vec<change::Model> = conn.all(some.build(DbBackend::Postgres)).await?;
        let (Some(first), Some(newest_read)) = (changes.first(), changes.last()) else { break };
        last = newest_read.number;
        let mut items = items_between(conn, first.number, last).await?;
        for change in changes {
            report.changes += 1;
            let items = items.remove(&change.number).unwrap_or_default();
            match read_change(change) {
                Err(Damage(detail)) => find(report, format!("change {expected}"), detail),
                Ok(change) => {
                    check_change(&change, (expected, previous), items, report, &mut newest);
                    (previous, expected) = (change.digest, change.number);
                }
            }
            expected += 1;
        }
    }
    let orphans = "SELECT count(*) FROM tonne_directory.change_item WHERE NOT EXISTS \
                   (SELECT FROM tonne_directory.change WHERE number = change_item.change)";
    let orphans: i64 = conn.value(sql(orphans, [])).await?.unwrap_or_default();
    if orphans > 0 {
        find(report, "the change chain".to_owned(), format!("{orphans} items belong to no change"));
    }
    if chain::read(conn).await? != (expected - 1, previous) {
        find(report, "head".to_owned(), "is not at the newest change");
    }
    Ok(newest)
}

/// A change as it is kept.
struct Change {
    number: u64,
    at: Timestamp,
    actor: String,
    cause: String,
    digest: Digest,
}

fn read_change(row: change::Model) -> Result<Change, Damage> {
    Ok(Change {
        number: row::count("number", row.number)?,
        at: row::timestamp("at", row.at)?,
        actor: row.actor,
        cause: row.cause,
        digest: row::digest("digest", &row.digest)?,
    })
}

fn check_change(
    change: &Change,
    (expected, previous): (u64, Digest),
    rows: Vec<change_item::Model>,
    report: &mut Verification,
    newest: &mut Newest,
) {
    let Change { number, at, actor, cause, digest } = change;
    let subject = format!("change {number}");
    if *number != expected {
        find(report, subject.clone(), format!("stands where change {expected} is expected"));
    }
    let mut items = Vec::with_capacity(rows.len());
    for row in rows {
        match read_item(row, items.len()) {
            Ok(item) => items.push(item),
            Err(Damage(detail)) => find(report, subject.clone(), detail),
        }
    }
    let link = Link { previous, number: *number, at: *at, actor, cause, items: &items };
    if link.digest() != *digest {
        find(report, subject.clone(), "does not have the digest that stands beside it");
    }
    for item in items {
        note(newest, item, &subject, report);
    }
}

fn note(newest: &mut Newest, item: Item, subject: &str, report: &mut Verification) {
    let Item { verb, kind, id, digest, replaced } = item;
    let key = (kind, id);
    let before = newest.get(&key).filter(|(verb, _)| *verb != Verb::Removed).map(|(_, digest)| *digest);
    let replaced = replaced.map(|text| Digest::of(text.as_bytes()));
    if verb != Verb::Added && replaced != before {
        let (kind, id) = &key;
        find(report, subject.to_owned(), format!("what it replaced of {kind} {id} is not what stood there"));
    }
    newest.insert(key, (verb, digest));
}

/// The items of the changes from `first` to `last`, each change's in order.
async fn items_between(
    conn: &mut Conn,
    first: i64,
    last: i64,
) -> Result<HashMap<i64, Vec<change_item::Model>>, StoreError> {
    let select = change_item::Entity::find().filter(change_item::Column::Change.between(first, last));
    let select = select.order_by_asc(change_item::Column::Change).order_by_asc(change_item::Column::Ordinal);
    let rows: Vec<change_item::Model> = conn.all(select.build(DbBackend::Postgres)).await?;
    let mut items: HashMap<_, Vec<_>> = HashMap::new();
    for row in rows {
        items.entry(row.change).or_default().push(row);
    }
    Ok(items)
}

fn read_item(row: change_item::Model, expected: usize) -> Result<Item, Damage> {
    let change_item::Model { change: _, ordinal, verb, kind, id, digest, replaced } = row;
    let verb = Verb::parse(&verb).ok_or_else(|| row::damage("verb", "is no verb"))?;
    if usize::try_from(ordinal) != Ok(expected) {
        return Err(Damage(format!("item {ordinal} stands at place {expected}")));
    }
    Ok(Item { verb, kind, id, digest: row::digest("digest", &digest)?, replaced })
}

fn find(report: &mut Verification, subject: String, detail: impl Into<String>) {
    report.findings.push(Finding { subject, detail: detail.into() });
}
