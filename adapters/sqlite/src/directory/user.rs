//! Users.

use domain::{Name, Timestamp};
use ports::people::{Identity, Locale, Rights, SignInName, User};
use rusqlite::types::Value;

use super::credential::CredentialTable;
use crate::row::{self, Columns, Damage};

impl CredentialTable for User {
    const TABLE: &'static str = "user";
    const COLUMNS: &'static str = "id, tenant, name, display, rights, password, issuer, subject, locale, created, updated, \
                                   disabled, last_used";
    const WRITTEN: &'static [&'static str] = &[
        "tenant",
        "name",
        "display",
        "rights",
        "password",
        "issuer",
        "subject",
        "locale",
        "created",
        "updated",
        "disabled",
        "last_used",
    ];

    fn read(columns: &mut Columns<'_>) -> Result<Self, Damage> {
        Ok(Self {
            id: columns.id()?,
            tenant: columns.id()?,
            name: columns.parse(SignInName::parse)?,
            display: columns.parse(Name::parse)?,
            rights: columns.parse(Rights::parse)?,
            password: columns.digest_optional()?,
            identity: identity(columns)?,
            locale: columns.parse_optional(Locale::parse)?,
            created: columns.timestamp()?,
            updated: columns.timestamp()?,
            disabled: columns.timestamp_optional()?,
            last_seen: columns.timestamp_optional()?,
        })
    }

    fn values(&self) -> Vec<Value> {
        vec![
            row::id(self.tenant),
            row::text(&self.name),
            row::text(&self.display),
            row::text(self.rights),
            self.password.map_or(Value::Null, row::digest),
            row::text_or_null(self.identity.as_ref().map(Identity::issuer)),
            row::text_or_null(self.identity.as_ref().map(Identity::subject)),
            row::text_or_null(self.locale.as_ref()),
            Value::Integer(self.created.millis()),
            Value::Integer(self.updated.millis()),
            row::integer_or_null(self.disabled.map(Timestamp::millis)),
            row::integer_or_null(self.last_seen.map(Timestamp::millis)),
        ]
    }
}

fn identity(columns: &mut Columns<'_>) -> Result<Option<Identity>, Damage> {
    match columns.take::<Option<String>>()? {
        Some(issuer) => columns.parse(|subject| Identity::new(&issuer, subject)).map(Some),
        None => columns.take::<Option<String>>().map(|_| None),
    }
}
