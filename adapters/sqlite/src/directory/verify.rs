//! Checks the directory: its chain change by change, and each entry's digest.

use domain::Digest;
use ports::credential::{PasswordHash, SealedKey};
use ports::directory::{Client, DirectoryChange, DirectoryCheck, DirectoryItem, Entry, Key, Tenant, Versioned};
use ports::factor_sets::InstalledSet;
use ports::people::User;
use ports::store::{Finding, StoreError, Verification};
use rusqlite::Connection;

use super::chain::{head, read_item};
use super::credential::{CredentialTable, read_versioned};
use super::{factor_sets, signing_key, tenant};
use crate::error::StoreErr as _;
use crate::row::{Columns, Damage, collect};
use crate::verify::check_file;

/// Checks the whole directory in one snapshot.
pub(crate) fn directory(conn: &Connection) -> Result<Verification, StoreError> {
    let mut of_file = Verification::default();
    conn.execute_batch("BEGIN DEFERRED").store_err()?;
    check_file(conn, &mut of_file);
    let mut check = DirectoryCheck::default();
    check_chain(conn, &mut check)?;
    let sql = |columns: &str, table: &str| format!("SELECT {columns}, digest FROM {table}");
    check_table::<Tenant>(conn, &mut check, &sql(tenant::COLUMNS, "tenant"), tenant::read)?;
    check_credentials::<Client>(conn, &mut check)?;
    check_credentials::<Key>(conn, &mut check)?;
    check_credentials::<User>(conn, &mut check)?;
    check_passwords(conn, &mut check)?;
    check_table::<SealedKey>(conn, &mut check, &sql(signing_key::COLUMNS, "signing_key"), signing_key::read)?;
    check_table::<InstalledSet>(conn, &mut check, &sql(factor_sets::COLUMNS, "factor_set"), factor_sets::read)?;
    factor_sets::check_factors(conn, &mut check)?;
    let mut found = check.finish(head(conn)?);
    let orphans: u64 = conn
        .query_row("SELECT count(*) FROM change_item WHERE change NOT IN (SELECT number FROM change)", [], |row| {
            row.get(0)
        })
        .store_err()?;
    if orphans > 0 {
        let detail = format!("items that belong to no change: {orphans}");
        of_file.findings.push(Finding { subject: "the change chain".to_owned(), detail });
    }
    found.findings.splice(0..0, of_file.findings);
    Ok(found)
}

fn check_credentials<T: CredentialTable>(conn: &Connection, check: &mut DirectoryCheck) -> Result<(), StoreError>
where
    Versioned<T>: Entry,
{
    let sql = format!("SELECT {}, version, digest FROM {}", T::COLUMNS, T::TABLE);
    check_table::<Versioned<T>>(conn, check, &sql, read_versioned)
}

/// Whether each password's hash is the one that its user's record names.
fn check_passwords(conn: &Connection, check: &mut DirectoryCheck) -> Result<(), StoreError> {
    let sql = "SELECT id, password, hash FROM user LEFT JOIN user_password ON user_id = id ORDER BY id";
    let read =
        |columns: &mut Columns<'_>| Ok((columns.id()?, columns.digest_optional()?, columns.take::<Option<String>>()?));
    for (id, named, hash) in collect(conn, sql, [], "user_password", read)? {
        check.password(id, named, hash.map(PasswordHash).as_ref());
    }
    Ok(())
}

fn check_table<E: Entry>(
    conn: &Connection,
    check: &mut DirectoryCheck,
    sql: &str,
    read: fn(&mut Columns<'_>) -> Result<E, Damage>,
) -> Result<(), StoreError> {
    let mut statement = conn.prepare(sql).store_err()?;
    let mut rows = statement.query([]).store_err()?;
    let mut number = 0_u64;
    while let Some(row) = rows.next().store_err()? {
        number += 1;
        let mut columns = Columns::new(row);
        let entry = read(&mut columns).and_then(|entry| Ok((entry, columns.digest()?)));
        match entry {
            Err(Damage(detail)) => check.damaged(&format!("row {number} of {}", E::KIND), detail),
            Ok((entry, beside)) => check.record(&entry, beside),
        }
    }
    Ok(())
}

fn check_chain(conn: &Connection, check: &mut DirectoryCheck) -> Result<(), StoreError> {
    let mut statement =
        conn.prepare("SELECT number, at, actor, cause, digest FROM change ORDER BY number").store_err()?;
    let mut rows = statement.query([]).store_err()?;
    while let Some(row) = rows.next().store_err()? {
        match read_change(&mut Columns::new(row)) {
            Err(Damage(detail)) => check.damaged("a change", detail),
            Ok(mut change) => {
                change.items = items_of(conn, change.number, check)?;
                check.change(&change);
            }
        }
    }
    Ok(())
}

fn read_change(columns: &mut Columns<'_>) -> Result<DirectoryChange, Damage> {
    Ok(DirectoryChange {
        number: columns.take()?,
        at: columns.timestamp()?,
        actor: columns.take()?,
        cause: columns.take()?,
        items: Vec::new(),
        digest: columns.digest().unwrap_or(Digest::ZERO),
    })
}

fn items_of(conn: &Connection, change: u64, check: &mut DirectoryCheck) -> Result<Vec<DirectoryItem>, StoreError> {
    let sql = "SELECT verb, kind, id, digest, replaced, ordinal FROM change_item WHERE change = ? ORDER BY ordinal";
    let mut statement = conn.prepare_cached(sql).store_err()?;
    let mut rows = statement.query([change]).store_err()?;
    let mut items: Vec<DirectoryItem> = Vec::new();
    while let Some(row) = rows.next().store_err()? {
        let mut columns = Columns::new(row);
        match read_item(&mut columns).and_then(|item| Ok((item, columns.take::<usize>()?))) {
            Ok((item, ordinal)) => {
                if ordinal != items.len() {
                    let detail = format!("item {ordinal} stands at place {}", items.len());
                    check.damaged(&format!("change {change}"), detail);
                }
                items.push(item);
            }
            Err(Damage(detail)) => check.damaged(&format!("change {change}"), detail),
        }
    }
    Ok(items)
}
