//! The canonical text of what a directory keeps, the same in every store.
//!
//! ```text
//! {"form":1,"kind":"client","id":"..","created":"..","updated":"..","version":17,"content":{"tenant":"..",..}}
//! ```

use std::fmt;

use domain::{
    Canonical, CanonicalError, CanonicalReader, CanonicalWriter, Consolidation, Description, Digest, Name, PartnerId,
    StatementSettings, Timestamp, YearStart, parse_uuid,
};

use super::record::{Client, Key, Tenant, Versioned};
use crate::credential::SealedKey;
use crate::{Permissions, TenantId, TenantSlug, Version, read_form, write_form};

/// What an item of the directory's change chain is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EntryKind {
    /// A company.
    Tenant,
    /// A client of the OAuth token endpoint.
    Client,
    /// An API key.
    Key,
    /// A key that signs access tokens.
    SigningKey,
    /// Somebody who signs in.
    User,
    /// A set of published factors.
    FactorSet,
    /// The exchange of a refresh token for the next; the item names their family.
    Exchange,
    /// The revocation of a family of refresh tokens.
    RevokedFamily,
    /// The revocation of an access token.
    RevokedToken,
    /// The use of a link that signs in once; the item names the session that it began.
    UsedLink,
    /// The end of a user's session.
    EndedSession,
}

impl EntryKind {
    /// Every kind.
    pub const ALL: [Self; 11] = [
        Self::Tenant,
        Self::Client,
        Self::Key,
        Self::SigningKey,
        Self::User,
        Self::FactorSet,
        Self::Exchange,
        Self::RevokedFamily,
        Self::RevokedToken,
        Self::UsedLink,
        Self::EndedSession,
    ];

    /// The word for it, as it is stored.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Tenant => "tenant",
            Self::Client => "client",
            Self::Key => "key",
            Self::SigningKey => "signingKey",
            Self::User => "user",
            Self::FactorSet => "factorSet",
            Self::Exchange => "exchange",
            Self::RevokedFamily => "revokedFamily",
            Self::RevokedToken => "revokedToken",
            Self::UsedLink => "usedLink",
            Self::EndedSession => "endedSession",
        }
    }

    /// The kind of that word.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == word)
    }

    /// Whether it is a record, whose canonical text is stored and compared; the others are events that run out.
    #[must_use]
    pub const fn is_record(self) -> bool {
        match self {
            Self::Tenant | Self::Client | Self::Key | Self::SigningKey | Self::User | Self::FactorSet => true,
            Self::Exchange | Self::RevokedFamily | Self::RevokedToken | Self::UsedLink | Self::EndedSession => false,
        }
    }
}

impl fmt::Display for EntryKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A record of the directory. Its canonical text says all of it but when it was last used.
pub trait Entry: Canonical<Known = ()> {
    /// What the entry is.
    const KIND: EntryKind;

    /// The text of its identifier.
    fn id(&self) -> String;
}

impl Entry for Tenant {
    const KIND: EntryKind = EntryKind::Tenant;

    fn id(&self) -> String {
        self.id.to_string()
    }
}

impl Canonical for Tenant {
    type Known = ();

    fn write(&self, to: &mut CanonicalWriter) {
        let Self { id, slug, name, created, epoch, year_start, statement } = self;
        begin::<Self>(id, to);
        to.text("created", created);
        to.object("content", |to| {
            to.text("slug", slug);
            to.text("name", name);
            to.text("epoch", epoch);
            write_year_start(*year_start, to);
            write_statement(statement, to);
        });
    }

    fn read((): (), from: &mut CanonicalReader<'_>) -> Result<Self, CanonicalError> {
        begun::<Self>(from)?;
        let id = from.text("id", str::parse)?;
        let created = from.text("created", Timestamp::parse)?;
        from.object("content", |from| {
            let slug = from.text("slug", TenantSlug::parse)?;
            let name = from.text("name", Name::parse)?;
            let epoch = from.text("epoch", parse_uuid)?;
            let year_start = read_year_start(from)?;
            Ok(Self { id, slug, name, created, epoch, year_start, statement: read_statement(from)? })
        })
    }
}

impl Entry for Versioned<Client> {
    const KIND: EntryKind = EntryKind::Client;

    fn id(&self) -> String {
        self.value.id.to_string()
    }
}

impl Canonical for Versioned<Client> {
    type Known = ();

    fn write(&self, to: &mut CanonicalWriter) {
        let Client { id, tenant, name, permissions, secret_hash, created, updated, expires, partner, last_used: _ } =
            &self.value;
        begin::<Self>(id, to);
        to.text("created", created);
        to.text("updated", updated);
        to.integer("version", self.version.0);
        to.object("content", |to| {
            write_held(to, *tenant, name, *permissions);
            to.text("secretHash", secret_hash);
            to.optional("expires", *expires);
            to.optional("partner", *partner);
        });
    }

    fn read((): (), from: &mut CanonicalReader<'_>) -> Result<Self, CanonicalError> {
        begun::<Self>(from)?;
        let id = from.text("id", str::parse)?;
        let created = from.text("created", Timestamp::parse)?;
        let updated = from.text("updated", Timestamp::parse)?;
        let version = Version(from.integer("version")?);
        let value = from.object("content", |from| {
            let (tenant, name, permissions) = read_held(from)?;
            let secret_hash = from.text("secretHash", Digest::parse)?;
            let expires = from.optional("expires", Timestamp::parse)?;
            let partner = from.optional("partner", parse_uuid)?.map(PartnerId::new);
            let last_used = None;
            Ok(Client { id, tenant, name, permissions, secret_hash, created, updated, expires, partner, last_used })
        })?;
        Ok(Self { value, version })
    }
}

impl Entry for Versioned<Key> {
    const KIND: EntryKind = EntryKind::Key;

    fn id(&self) -> String {
        self.value.id.to_string()
    }
}

impl Canonical for Versioned<Key> {
    type Known = ();

    fn write(&self, to: &mut CanonicalWriter) {
        let Key { id, tenant, name, permissions, prefix, hash, created, updated, expires, last_used: _ } = &self.value;
        begin::<Self>(id, to);
        to.text("created", created);
        to.text("updated", updated);
        to.integer("version", self.version.0);
        to.object("content", |to| {
            write_held(to, *tenant, name, *permissions);
            to.text("prefix", prefix);
            to.text("hash", hash);
            to.optional("expires", *expires);
        });
    }

    fn read((): (), from: &mut CanonicalReader<'_>) -> Result<Self, CanonicalError> {
        begun::<Self>(from)?;
        let id = from.text("id", str::parse)?;
        let created = from.text("created", Timestamp::parse)?;
        let updated = from.text("updated", Timestamp::parse)?;
        let version = Version(from.integer("version")?);
        let value = from.object("content", |from| {
            let (tenant, name, permissions) = read_held(from)?;
            let prefix = from.string("prefix")?;
            let hash = from.text("hash", Digest::parse)?;
            let expires = from.optional("expires", Timestamp::parse)?;
            Ok(Key { id, tenant, name, permissions, prefix, hash, created, updated, expires, last_used: None })
        })?;
        Ok(Self { value, version })
    }
}

impl Entry for SealedKey {
    const KIND: EntryKind = EntryKind::SigningKey;

    fn id(&self) -> String {
        self.kid.clone()
    }
}

impl Canonical for SealedKey {
    type Known = ();

    fn write(&self, to: &mut CanonicalWriter) {
        let Self { kid, public, sealed, created, retired } = self;
        begin::<Self>(kid, to);
        to.text("created", created);
        to.object("content", |to| {
            to.text("public", Hex(public));
            to.text("sealed", Hex(sealed));
            to.optional("retired", *retired);
        });
    }

    fn read((): (), from: &mut CanonicalReader<'_>) -> Result<Self, CanonicalError> {
        begun::<Self>(from)?;
        let kid = from.string("id")?;
        let created = from.text("created", Timestamp::parse)?;
        from.object("content", |from| {
            let public = from.text("public", unhex)?.0;
            let sealed = from.text("sealed", unhex)?.0;
            Ok(Self { kid, public, sealed, created, retired: from.optional("retired", Timestamp::parse)? })
        })
    }
}

/// Writes the day on which a tenant's years begin; 1 January is left out.
pub fn write_year_start(year_start: YearStart, to: &mut CanonicalWriter) {
    to.optional("yearStart", Some(year_start).filter(|start| *start != YearStart::default()));
}

/// Reads what [`write_year_start`] writes.
pub fn read_year_start(from: &mut CanonicalReader<'_>) -> Result<YearStart, CanonicalError> {
    let given = from.optional("yearStart", |text| match YearStart::parse(text) {
        Ok(start) if start == YearStart::default() => Err("is 1 January, which is left out".to_owned()),
        read => read.map_err(|error| error.to_string()),
    })?;
    Ok(given.unwrap_or_default())
}

/// Writes what a tenant states for its inventory statements; nothing where it states nothing.
pub fn write_statement(statement: &StatementSettings, to: &mut CanonicalWriter) {
    to.optional("consolidation", statement.consolidation);
    to.optional("reportingCompany", statement.company.as_ref());
    to.optional("boundary", statement.boundary.as_ref());
}

/// Reads what [`write_statement`] writes.
pub fn read_statement(from: &mut CanonicalReader<'_>) -> Result<StatementSettings, CanonicalError> {
    Ok(StatementSettings::default()
        .with_consolidation(from.optional("consolidation", Consolidation::parse)?)
        .with_company(from.optional("reportingCompany", Name::parse)?)
        .with_boundary(from.optional("boundary", Description::parse)?))
}

/// Writes what the text of an entry begins with.
pub(crate) fn begin<E: Entry>(id: impl fmt::Display, to: &mut CanonicalWriter) {
    open(E::KIND, id, to);
}

/// Writes what every text of the directory begins with.
pub(super) fn open(kind: EntryKind, id: impl fmt::Display, to: &mut CanonicalWriter) {
    write_form(to);
    to.text("kind", kind);
    to.text("id", id);
}

/// Reads what [`begin`] writes, but for the id.
pub(crate) fn begun<E: Entry>(from: &mut CanonicalReader<'_>) -> Result<(), CanonicalError> {
    read_form(from)?;
    from.word("kind", |word| (word == E::KIND.as_str()).then_some(()))
}

/// What clients and keys have in common.
fn write_held(to: &mut CanonicalWriter, tenant: TenantId, name: &Name, permissions: Permissions) {
    to.text("tenant", tenant);
    to.text("name", name);
    to.text("permissions", permissions);
}

fn read_held(from: &mut CanonicalReader<'_>) -> Result<(TenantId, Name, Permissions), CanonicalError> {
    let tenant = from.text("tenant", str::parse)?;
    Ok((tenant, from.text("name", Name::parse)?, from.text("permissions", Permissions::parse)?))
}

/// Bytes, shown as lower-case hexadecimal digits.
struct Hex<B>(B);

impl<B: AsRef<[u8]>> fmt::Display for Hex<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.as_ref().iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

fn unhex(text: &str) -> Result<Hex<Vec<u8>>, &'static str> {
    let (pairs, []) = text.as_bytes().as_chunks::<2>() else { return Err("has an odd number of digits") };
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let byte = |pair: &[u8; 2]| Some(digit(pair[0])? << 4 | digit(pair[1])?);
    pairs.iter().map(byte).collect::<Option<_>>().map(Hex).ok_or("has another character than hexadecimal digits")
}
