//! The keys that sign access tokens.

use domain::Timestamp;
use ports::credential::SealedKey;
use ports::directory::DirectoryDraft;
use ports::store::StoreError;
use rusqlite::{Connection, params};

use crate::error::StoreErr as _;
use crate::row::{Columns, Damage, collect};

/// The columns that [`read`] takes.
pub(super) const COLUMNS: &str = "kid, public, sealed, created, retired";

pub(super) fn read(columns: &mut Columns<'_>) -> Result<SealedKey, Damage> {
    Ok(SealedKey {
        kid: columns.take()?,
        public: columns.take()?,
        sealed: columns.take()?,
        created: columns.timestamp()?,
        retired: columns.timestamp_optional()?,
    })
}

/// All of them, the newest first.
pub(super) fn list(conn: &Connection) -> Result<Vec<SealedKey>, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM signing_key ORDER BY ordinal DESC");
    collect(conn, &sql, [], "signing_key", read)
}

/// Removes all of them.
pub(super) fn remove_all(conn: &Connection, draft: &mut DirectoryDraft) -> Result<(), StoreError> {
    for key in list(conn)? {
        draft.removed(&key);
    }
    conn.execute("DELETE FROM signing_key", []).store_err()?;
    Ok(())
}

pub(super) fn add(conn: &Connection, draft: &mut DirectoryDraft, key: &SealedKey) -> Result<(), StoreError> {
    for before in list(conn)?.into_iter().filter(|before| before.retired.is_none()) {
        let after = SealedKey { retired: Some(key.created), ..before.clone() };
        let digest = draft.updated(&before, &after);
        conn.execute(
            "UPDATE signing_key SET retired = ?, digest = ? WHERE kid = ?",
            params![key.created.millis(), digest.as_bytes(), after.kid],
        )
        .store_err()?;
    }
    let digest = draft.added(key);
    let SealedKey { kid, public, sealed, created, retired } = key;
    conn.execute(
        "INSERT INTO signing_key (kid, public, sealed, created, retired, digest) VALUES (?, ?, ?, ?, ?, ?)",
        params![kid, public, sealed, created.millis(), retired.map(Timestamp::millis), digest.as_bytes()],
    )
    .store_err()?;
    Ok(())
}
