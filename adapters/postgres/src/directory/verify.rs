//! Checks the directory: its chain change by change, and each record's digest.

use std::collections::HashMap;

use ports::credential::{PasswordHash, SealedKey};
use ports::directory::{Client, DirectoryChange, DirectoryCheck, DirectoryItem, EntryKind, Key, Tenant, Versioned};
use ports::factor_sets::InstalledSet;
use ports::people::User;
use ports::store::{StoreError, Verification};
use ports::{UserId, Verb};
use sea_orm::{
    ColumnTrait as _, DbBackend, EntityTrait as _, FromQueryResult, QueryFilter as _, QueryOrder as _,
    QuerySelect as _, QueryTrait as _,
};
use uuid::Uuid;

use super::chain;
use super::entity::{change, change_item};
use super::entry::{EntryTable, Row};
use super::factor_sets;
use crate::conn::{Conn, sql, unreadable};
use crate::row::{self, Damage};

/// So many changes are read at once.
const CHANGES_AT_ONCE: u64 = 200;

/// Checks the whole directory in that snapshot.
pub(super) async fn directory(conn: &mut Conn) -> Result<Verification, StoreError> {
    let mut check = DirectoryCheck::default();
    check_chain(conn, &mut check).await?;
    check_table::<Tenant>(conn, &mut check).await?;
    check_table::<Versioned<Client>>(conn, &mut check).await?;
    check_table::<Versioned<Key>>(conn, &mut check).await?;
    check_table::<Versioned<User>>(conn, &mut check).await?;
    check_passwords(conn, &mut check).await?;
    check_table::<SealedKey>(conn, &mut check).await?;
    check_table::<InstalledSet>(conn, &mut check).await?;
    factor_sets::check_factors(conn, &mut check).await?;
    Ok(check.finish(chain::read(conn).await?))
}

async fn check_table<E: EntryTable>(conn: &mut Conn, check: &mut DirectoryCheck) -> Result<(), StoreError> {
    let mut place = 0;
    conn.each(E::Table::find().build(DbBackend::Postgres), |row| {
        place += 1;
        let row = Row::<E>::from_query_result(row, "").map_err(unreadable)?;
        match E::decode(&row).and_then(|entry| Ok((entry, row::digest("digest", E::digest_beside(&row))?))) {
            Ok((entry, beside)) => check.record(&entry, beside),
            Err(Damage(detail)) => check.damaged(&format!("row {place} of {}", E::KIND), detail),
        }
        Ok(())
    })
    .await
}

#[derive(FromQueryResult)]
struct NamedPassword {
    id: Uuid,
    password: Option<Vec<u8>>,
    hash: Option<String>,
}

/// Whether each password's hash is the one that its user's record names.
async fn check_passwords(conn: &mut Conn, check: &mut DirectoryCheck) -> Result<(), StoreError> {
    let text = "SELECT who.id, password, hash FROM tonne_directory.user AS who \
                LEFT JOIN tonne_directory.user_password ON user_id = who.id ORDER BY who.id";
    let rows: Vec<NamedPassword> = conn.all(sql(text, [])).await?;
    for NamedPassword { id, password, hash } in rows {
        match password.map(|bytes| row::digest("password", &bytes)).transpose() {
            Ok(named) => check.password(UserId::new(id), named, hash.map(PasswordHash).as_ref()),
            Err(Damage(detail)) => check.damaged(&format!("user {id}"), detail),
        }
    }
    Ok(())
}

async fn check_chain(conn: &mut Conn, check: &mut DirectoryCheck) -> Result<(), StoreError> {
    let mut last = i64::MIN;
    loop {
        let some = change::Entity::find().filter(change::Column::Number.gt(last));
        let some = some.order_by_asc(change::Column::Number).limit(CHANGES_AT_ONCE);
        let changes: Vec<change::Model> = conn.all(some.build(DbBackend::Postgres)).await?;
        let (Some(first), Some(newest)) = (changes.first(), changes.last()) else { break };
        last = newest.number;
        let mut items = items_between(conn, first.number, last).await?;
        for change in changes {
            let (number, items) = (change.number, items.remove(&change.number).unwrap_or_default());
            match read_change(change, items) {
                Ok(change) => check.change(&change),
                Err(Damage(detail)) => check.damaged(&format!("change {number}"), detail),
            }
        }
    }
    let orphans = "SELECT count(*) FROM tonne_directory.change_item WHERE NOT EXISTS \
                   (SELECT FROM tonne_directory.change WHERE number = change_item.change)";
    let orphans: i64 = conn.value(sql(orphans, [])).await?.unwrap_or_default();
    if orphans > 0 {
        check.damaged("the change chain", format!("items that belong to no change: {orphans}"));
    }
    Ok(())
}

fn read_change(row: change::Model, rows: Vec<change_item::Model>) -> Result<DirectoryChange, Damage> {
    let mut items = Vec::with_capacity(rows.len());
    for row in rows {
        items.push(read_item(row, items.len())?);
    }
    Ok(DirectoryChange {
        number: row::count("number", row.number)?,
        at: row::timestamp("at", row.at)?,
        actor: row.actor,
        cause: row.cause,
        items,
        digest: row::digest("digest", &row.digest)?,
    })
}

fn read_item(row: change_item::Model, expected: usize) -> Result<DirectoryItem, Damage> {
    let change_item::Model { change: _, ordinal, verb, kind, id, digest, replaced } = row;
    let verb = Verb::parse(&verb).ok_or_else(|| row::damage("verb", "is no verb"))?;
    let kind = EntryKind::parse(&kind).ok_or_else(|| row::damage("kind", "is no kind"))?;
    if usize::try_from(ordinal) != Ok(expected) {
        return Err(Damage(format!("item {ordinal} stands at place {expected}")));
    }
    Ok(DirectoryItem { verb, kind, id, digest: row::digest("digest", &digest)?, replaced })
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
