//! Clients.

use domain::{Name, Timestamp};
use ports::Permissions;
use ports::directory::Client;
use rusqlite::types::Value;

use super::credential::CredentialTable;
use crate::row::{self, Columns, Damage};

impl CredentialTable for Client {
    const TABLE: &'static str = "client";
    const COLUMNS: &'static str =
        "id, tenant, name, permissions, secret_hash, created, updated, expires, partner, last_used";
    const WRITTEN: &'static [&'static str] =
        &["tenant", "name", "permissions", "secret_hash", "created", "updated", "expires", "partner", "last_used"];

    fn read(columns: &mut Columns<'_>) -> Result<Self, Damage> {
        Ok(Self {
            id: columns.id()?,
            tenant: columns.id()?,
            name: columns.parse(Name::parse)?,
            permissions: columns.parse(Permissions::parse)?,
            secret_hash: columns.digest()?,
            created: columns.timestamp()?,
            updated: columns.timestamp()?,
            expires: columns.timestamp_optional()?,
            partner: columns.id_optional()?,
            last_used: columns.timestamp_optional()?,
        })
    }

    fn values(&self) -> Vec<Value> {
        vec![
            row::id(self.tenant),
            row::text(&self.name),
            row::text(self.permissions),
            row::digest(self.secret_hash),
            Value::Integer(self.created.millis()),
            Value::Integer(self.updated.millis()),
            row::integer_or_null(self.expires.map(Timestamp::millis)),
            self.partner.map_or(Value::Null, row::id),
            row::integer_or_null(self.last_used.map(Timestamp::millis)),
        ]
    }
}
