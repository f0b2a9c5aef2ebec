//! The keys that sign access tokens.

use domain::{Canonical, CanonicalWriter, Digest, Timestamp};
use ports::credential::SealedKey;
use ports::store::StoreError;
use rusqlite::{Connection, params};

use super::chain::{Change, collect};
use crate::error::Meaning as _;
use crate::row::{Columns, Damage};

/// What entries of this table are called in the chain.
pub(super) const KIND: &str = "signing_key";

/// A signing key as the chain binds it.
pub(super) struct Bound<'a>(pub(super) &'a SealedKey);

impl Canonical for Bound<'_> {
    fn write(&self, record: &mut CanonicalWriter) {
        let SealedKey { kid, public, sealed, created, retired } = self.0;
        record.text("kind", KIND);
        record.text("kid", kid);
        record.text("public", Digest::of(public));
        record.text("sealed", Digest::of(sealed));
        record.text("created", created);
        record.optional("retired", *retired);
    }
}

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

pub(super) fn list(conn: &Connection) -> Result<Vec<SealedKey>, StoreError> {
    collect(conn, KIND, &format!("SELECT {COLUMNS} FROM signing_key ORDER BY ordinal DESC"), [], read)
}

pub(super) fn add(conn: &Connection, change: &mut Change, key: &SealedKey) -> Result<(), StoreError> {
    for before in list(conn)?.into_iter().filter(|before| before.retired.is_none()) {
        let after = SealedKey { retired: Some(key.created), ..before.clone() };
        let digest = change.note(KIND, &after.kid, Some(&Bound(&before)), Some(&Bound(&after)));
        conn.execute(
            "UPDATE signing_key SET retired = ?, digest = ? WHERE kid = ?",
            params![key.created.millis(), digest.as_bytes(), after.kid],
        )
        .meant()?;
    }
    let digest = change.note(KIND, &key.kid, None, Some(&Bound(key)));
    conn.execute(
        "INSERT INTO signing_key (kid, public, sealed, created, retired, digest) VALUES (?, ?, ?, ?, ?, ?)",
        params![
            key.kid,
            key.public,
            key.sealed,
            key.created.millis(),
            key.retired.map(Timestamp::millis),
            digest.as_bytes()
        ],
    )
    .meant()?;
    Ok(())
}
