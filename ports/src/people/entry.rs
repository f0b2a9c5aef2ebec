//! The canonical text of a user in the directory's chain. It names the password's hash by its digest alone, so that no hash
//! stays in the chain when the password is another.

use std::fmt;

use domain::{Canonical, CanonicalError, CanonicalReader, CanonicalWriter, Digest, Name, Timestamp};

use super::{Identity, IdentityError, Locale, Rights, SignInName, User};
use crate::directory::{Credential, Entry, EntryKind, Versioned, begin_entry, begun_entry};
use crate::{TenantId, UserId, Version};

impl Entry for Versioned<User> {
    const KIND: EntryKind = EntryKind::User;

    fn id(&self) -> String {
        self.value.id.to_string()
    }
}

impl Canonical for Versioned<User> {
    type Known = ();

    fn write(&self, to: &mut CanonicalWriter) {
        let User {
            id,
            tenant,
            name,
            display,
            rights,
            password,
            identity,
            locale,
            created,
            updated,
            disabled,
            last_seen: _,
        } = &self.value;
        begin_entry::<Self>(id, to);
        to.text("created", created);
        to.text("updated", updated);
        to.integer("version", self.version.0);
        to.object("content", |to| {
            to.text("tenant", tenant);
            to.text("name", name);
            to.text("display", display);
            to.text("rights", rights);
            to.optional("password", *password);
            to.optional("issuer", identity.as_ref().map(Identity::issuer));
            to.optional("subject", identity.as_ref().map(Identity::subject));
            to.optional("locale", locale.as_ref());
            to.optional("disabled", *disabled);
        });
    }

    fn read((): (), from: &mut CanonicalReader<'_>) -> Result<Self, CanonicalError> {
        begun_entry::<Self>(from)?;
        let id = from.text("id", str::parse)?;
        let created = from.text("created", Timestamp::parse)?;
        let updated = from.text("updated", Timestamp::parse)?;
        let version = Version(from.integer("version")?);
        let value = from.object("content", |from| {
            let tenant = from.text("tenant", str::parse)?;
            let name = from.text("name", SignInName::parse)?;
            let display = from.text("display", Name::parse)?;
            let rights = from.text("rights", Rights::parse)?;
            let password = from.optional("password", Digest::parse)?;
            let issuer = from.optional_string("issuer")?;
            let subject = from.optional("subject", Subject::of(issuer.as_deref()))?;
            let locale = from.optional("locale", Locale::parse)?;
            let disabled = from.optional("disabled", Timestamp::parse)?;
            Ok(User {
                id,
                tenant,
                name,
                display,
                rights,
                password,
                identity: subject.map(|subject| subject.0),
                locale,
                created,
                updated,
                disabled,
                last_seen: None,
            })
        })?;
        Ok(Self { value, version })
    }
}

/// A subject behind its issuer, which is read before it.
struct Subject(Identity);

impl Subject {
    fn of(issuer: Option<&str>) -> impl FnOnce(&str) -> Result<Self, IdentityError> {
        move |subject| issuer.ok_or(IdentityError).and_then(|issuer| Identity::new(issuer, subject)).map(Self)
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.subject())
    }
}

impl Credential for User {
    type Id = UserId;

    fn id(&self) -> UserId {
        self.id
    }

    fn tenant(&self) -> TenantId {
        self.tenant
    }

    fn last_used(&self) -> Option<Timestamp> {
        self.last_seen
    }

    fn with_last_used(self, at: Option<Timestamp>) -> Self {
        Self { last_seen: at, ..self }
    }
}
