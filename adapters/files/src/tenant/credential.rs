//! Lines of credentials: what a client or key is, with the hash of its secret.

use domain::{Canonical, CanonicalWriter, Name, Timestamp};
use ports::directory::{Client, Key};
use ports::{Permissions, TenantId};

use super::ledger::digest;
use super::members::Members;
use crate::json::{Json, Wrong};

pub(super) struct ClientLine<'a>(pub(super) &'a Client);

impl Canonical for ClientLine<'_> {
    fn write(&self, record: &mut CanonicalWriter) {
        let Client { id, tenant: _, name, permissions, secret_hash, created, updated, expires, last_used } = self.0;
        record.text("uuid", id);
        record.text("name", name);
        record.text("permissions", permissions);
        record.text("secretHash", secret_hash);
        record.text("created", created);
        record.text("updated", updated);
        record.optional("expires", expires.as_ref());
        record.optional("lastUsed", last_used.as_ref());
    }
}

pub(super) fn client(json: Json, tenant: TenantId) -> Result<Client, Wrong> {
    let mut members = Members::of(json)?;
    let client = Client {
        id: members.text("uuid", str::parse)?,
        tenant,
        name: members.text("name", Name::parse)?,
        permissions: members.text("permissions", Permissions::parse)?,
        secret_hash: members.text("secretHash", digest)?,
        created: members.text("created", Timestamp::parse)?,
        updated: members.text("updated", Timestamp::parse)?,
        expires: members.optional("expires", Timestamp::parse)?,
        last_used: members.optional("lastUsed", Timestamp::parse)?,
    };
    members.finish()?;
    Ok(client)
}

pub(super) struct KeyLine<'a>(pub(super) &'a Key);

impl Canonical for KeyLine<'_> {
    fn write(&self, record: &mut CanonicalWriter) {
        let Key { id, tenant: _, name, permissions, prefix, hash, created, updated, expires, last_used } = self.0;
        record.text("uuid", id);
        record.text("name", name);
        record.text("permissions", permissions);
        record.text("prefix", prefix);
        record.text("hash", hash);
        record.text("created", created);
        record.text("updated", updated);
        record.optional("expires", expires.as_ref());
        record.optional("lastUsed", last_used.as_ref());
    }
}

pub(super) fn key(json: Json, tenant: TenantId) -> Result<Key, Wrong> {
    let mut members = Members::of(json)?;
    let key = Key {
        id: members.text("uuid", str::parse)?,
        tenant,
        name: members.text("name", Name::parse)?,
        permissions: members.text("permissions", Permissions::parse)?,
        prefix: members.string("prefix")?,
        hash: members.text("hash", digest)?,
        created: members.text("created", Timestamp::parse)?,
        updated: members.text("updated", Timestamp::parse)?,
        expires: members.optional("expires", Timestamp::parse)?,
        last_used: members.optional("lastUsed", Timestamp::parse)?,
    };
    members.finish()?;
    Ok(key)
}
