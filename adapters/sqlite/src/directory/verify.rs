//! Checks the directory: its chain change by change, and each entry's digest.

use std::collections::HashMap;

use domain::{Canonical, Digest};
use ports::Verb;
use ports::store::{Finding, StoreError, Verification};
use rusqlite::{Connection, Row};

use super::chain::{Item, Link, head};
use super::{client, key, signing_key, tenant};
use crate::error::Meaning as _;
use crate::row::{Columns, Damage};
use crate::verify::check_file;

/// What the newest change of an entry says of it.
type Newest = HashMap<(String, String), (Verb, Digest)>;

/// Checks the whole directory in one snapshot.
pub(crate) fn directory(conn: &Connection) -> Result<Verification, StoreError> {
    let mut report = Verification::default();
    conn.execute_batch("BEGIN DEFERRED").meant()?;
    check_file(conn, &mut report);
    let mut newest = check_chain(conn, &mut report)?;
    for (kind, sql, read) in tables() {
        check_table(conn, &mut report, &mut newest, kind, &sql, read)?;
    }
    for ((kind, id), (verb, _)) in newest {
        if verb != Verb::Removed && tables().iter().any(|(known, ..)| *known == kind) {
            find(&mut report, format!("{kind} {id}"), "is in the change chain, but not in the directory");
        }
    }
    Ok(report)
}

type Read = fn(&mut Columns<'_>) -> Result<(String, Digest), Damage>;

fn tables() -> [(&'static str, String, Read); 4] {
    let sql = |columns: &str, table: &str| format!("SELECT {columns}, digest FROM {table}");
    [
        (tenant::KIND, sql(tenant::COLUMNS, "tenant"), |columns| {
            tenant::read(columns).map(|entry| (entry.id.to_string(), tenant::Bound(&entry).digest()))
        }),
        (client::KIND, sql(client::COLUMNS, "client"), |columns| {
            client::read(columns).map(|entry| (entry.id.to_string(), client::Bound(&entry).digest()))
        }),
        (key::KIND, sql(key::COLUMNS, "key"), |columns| {
            key::read(columns).map(|entry| (entry.id.to_string(), key::Bound(&entry).digest()))
        }),
        (signing_key::KIND, sql(signing_key::COLUMNS, "signing_key"), |columns| {
            signing_key::read(columns).map(|entry| (entry.kid.clone(), signing_key::Bound(&entry).digest()))
        }),
    ]
}

fn check_table(
    conn: &Connection,
    report: &mut Verification,
    newest: &mut Newest,
    kind: &str,
    sql: &str,
    read: Read,
) -> Result<(), StoreError> {
    let mut statement = conn.prepare(sql).meant()?;
    let mut rows = statement.query([]).meant()?;
    while let Some(row) = rows.next().meant()? {
        report.records += 1;
        let mut columns = Columns::new(row);
        let entry = read(&mut columns).and_then(|(id, digest)| Ok((id, digest, columns.digest()?)));
        match entry {
            Err(Damage(detail)) => find(report, format!("row {} of {kind}", report.records), detail),
            Ok((id, digest, beside)) => {
                let known = newest.remove(&(kind.to_owned(), id.clone()));
                let subject = format!("{kind} {id}");
                if digest != beside {
                    find(report, subject, "its content does not have the digest that stands beside it");
                } else if known.is_none_or(|(verb, known)| verb == Verb::Removed || known != digest) {
                    find(report, subject, "is not as its newest change left it");
                }
            }
        }
    }
    Ok(())
}

fn check_chain(conn: &Connection, report: &mut Verification) -> Result<Newest, StoreError> {
    let (mut newest, mut previous, mut expected) = (Newest::new(), Digest::ZERO, 1);
    let mut statement = conn.prepare("SELECT number, at, actor, cause, digest FROM change ORDER BY number").meant()?;
    let mut rows = statement.query([]).meant()?;
    while let Some(row) = rows.next().meant()? {
        report.changes += 1;
        match crate::ledger::read_change(&mut Columns::new(row)) {
            Err(Damage(detail)) => find(report, format!("change {expected}"), detail),
            Ok(change) => {
                let subject = format!("change {}", change.number);
                if change.number != expected {
                    find(report, subject.clone(), format!("stands where change {expected} is expected"));
                }
                let items = items_of(conn, change.number, report)?;
                let (number, at) = (change.number, change.at);
                let link = Link { previous, number, at, actor: &change.actor, cause: &change.cause, items: &items };
                if link.digest() != change.digest {
                    find(report, subject.clone(), "does not have the digest that stands beside it");
                }
                for item in items {
                    note(&mut newest, item, &subject, report);
                }
                (previous, expected) = (change.digest, change.number);
            }
        }
        expected += 1;
    }
    let orphans: u64 = conn
        .query_row("SELECT count(*) FROM change_item WHERE change NOT IN (SELECT number FROM change)", [], |row| {
            row.get(0)
        })
        .meant()?;
    if orphans > 0 {
        find(report, "the change chain".to_owned(), format!("{orphans} items belong to no change"));
    }
    if head(conn)? != (expected - 1, previous) {
        find(report, "head".to_owned(), "is not at the newest change");
    }
    Ok(newest)
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

fn items_of(conn: &Connection, change: u64, report: &mut Verification) -> Result<Vec<Item>, StoreError> {
    let sql = "SELECT verb, kind, id, digest, replaced, ordinal FROM change_item WHERE change = ? ORDER BY ordinal";
    let mut statement = conn.prepare_cached(sql).meant()?;
    let mut rows = statement.query([change]).meant()?;
    let mut items = Vec::new();
    while let Some(row) = rows.next().meant()? {
        match item(row, items.len()) {
            Ok(item) => items.push(item),
            Err(Damage(detail)) => find(report, format!("change {change}"), detail),
        }
    }
    Ok(items)
}

fn item(row: &Row<'_>, expected: usize) -> Result<Item, Damage> {
    let mut columns = Columns::new(row);
    let item = Item {
        verb: columns.parse(|word| Verb::parse(word).ok_or("is no verb"))?,
        kind: columns.take()?,
        id: columns.take()?,
        digest: columns.digest()?,
        replaced: columns.take()?,
    };
    let ordinal: usize = columns.take()?;
    if ordinal == expected { Ok(item) } else { Err(Damage(format!("item {ordinal} stands at place {expected}"))) }
}

fn find(report: &mut Verification, subject: String, detail: impl Into<String>) {
    report.findings.push(Finding { subject, detail: detail.into() });
}
