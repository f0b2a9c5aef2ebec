//! The directory's change chain: one link for each record that a change wrote, bound to all links before.

use std::collections::HashMap;
use std::fmt::{Display, Write as _};

use domain::{CanonicalWriter, Digest, Timestamp};
use ports::Verb;
use ports::credential::SealedKey;
use ports::directory::{Client, Key, Tenant};
use ports::store::{Finding, Verification};

/// All links, the oldest first.
#[derive(Default)]
pub(super) struct Links(Vec<Link>);

struct Link {
    number: u64,
    actor: String,
    verb: Verb,
    entry: Entry,
    /// Of the link, its fields and the link before.
    digest: Digest,
}

/// What the chain knows of a record: what it is, and its digest.
#[derive(Clone)]
pub(super) struct Entry {
    kind: &'static str,
    id: String,
    digest: Digest,
    lasting: bool,
}

/// The digest of the canonical text of those members.
fn digest_of(members: &[(&'static str, Option<&dyn Display>)]) -> Digest {
    CanonicalWriter::digest_of(|to| {
        for (name, value) in members {
            to.optional(name, *value);
        }
    })
}

impl Entry {
    fn new(kind: &'static str, id: &dyn Display, members: &[(&'static str, Option<&dyn Display>)]) -> Self {
        Self { kind, id: id.to_string(), digest: digest_of(members), lasting: true }
    }

    /// What is noted, but runs out by itself.
    pub(super) fn passing(kind: &'static str, id: &dyn Display, at: Timestamp) -> Self {
        Self { lasting: false, ..Self::new(kind, id, &[("at", Some(&at))]) }
    }

    pub(super) fn of_tenant(tenant: &Tenant) -> Self {
        let Tenant { id, slug, name, created } = tenant;
        Self::new("tenant", id, &[("slug", Some(slug)), ("name", Some(name)), ("created", Some(created))])
    }

    /// All but when it was last used.
    pub(super) fn of_client(client: &Client) -> Self {
        let Client { id, tenant, name, permissions, secret_hash, created, updated, expires, last_used: _ } = client;
        let members: [(&str, Option<&dyn Display>); 7] = [
            ("tenant", Some(tenant)),
            ("name", Some(name)),
            ("permissions", Some(permissions)),
            ("secretHash", Some(secret_hash)),
            ("created", Some(created)),
            ("updated", Some(updated)),
            ("expires", expires.as_ref().map(|at| at as _)),
        ];
        Self::new("client", id, &members)
    }

    /// All but when it was last used.
    pub(super) fn of_key(key: &Key) -> Self {
        let Key { id, tenant, name, permissions, prefix, hash, created, updated, expires, last_used: _ } = key;
        let members: [(&str, Option<&dyn Display>); 8] = [
            ("tenant", Some(tenant)),
            ("name", Some(name)),
            ("permissions", Some(permissions)),
            ("prefix", Some(prefix)),
            ("hash", Some(hash)),
            ("created", Some(created)),
            ("updated", Some(updated)),
            ("expires", expires.as_ref().map(|at| at as _)),
        ];
        Self::new("key", id, &members)
    }

    pub(super) fn of_signing_key(key: &SealedKey) -> Self {
        let SealedKey { kid, public, sealed, created, retired } = key;
        let (public, sealed) = (hexadecimal(public), hexadecimal(sealed));
        let members: [(&str, Option<&dyn Display>); 4] = [
            ("public", Some(&public)),
            ("sealed", Some(&sealed)),
            ("created", Some(created)),
            ("retired", retired.as_ref().map(|at| at as _)),
        ];
        Self::new("signing key", kid, &members)
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

fn digest(previous: Digest, number: u64, actor: &str, verb: Verb, entry: &Entry) -> Digest {
    let members: [(&str, Option<&dyn Display>); 7] = [
        ("previous", Some(&previous)),
        ("number", Some(&number)),
        ("actor", Some(&actor)),
        ("verb", Some(&verb.as_str())),
        ("kind", Some(&entry.kind)),
        ("id", Some(&entry.id)),
        ("record", Some(&entry.digest)),
    ];
    digest_of(&members)
}

impl Links {
    pub(super) const fn count(&self) -> u64 {
        self.0.len() as u64
    }

    /// Adds a link.
    pub(super) fn note(&mut self, actor: &str, verb: Verb, entry: &Entry) {
        let previous = self.0.last().map_or(Digest::ZERO, |link| link.digest);
        let number = self.count() + 1;
        let digest = digest(previous, number, actor, verb, entry);
        self.0.push(Link { number, actor: actor.into(), verb, entry: entry.clone(), digest });
    }

    /// Adds the chain up, and compares what it says with the records there are.
    pub(super) fn verify(&self, records: &[Entry]) -> Verification {
        let mut findings = Vec::new();
        let mut find = |subject, detail: &str| findings.push(Finding { subject, detail: detail.into() });
        let mut expected: HashMap<(&str, &str), Digest> = HashMap::new();
        let mut previous = Digest::ZERO;
        for (number, link) in (1..).zip(&self.0) {
            let Link { actor, verb, entry, .. } = link;
            if (link.number, link.digest) != (number, digest(previous, number, actor, *verb, entry)) {
                find(format!("change {number}"), "its digest is not that of its content and the changes before");
            }
            match verb {
                Verb::Removed => expected.remove(&(entry.kind, &*entry.id)),
                Verb::Added | Verb::Updated if !entry.lasting => None,
                Verb::Added | Verb::Updated => expected.insert((entry.kind, &entry.id), entry.digest),
            };
            previous = link.digest;
        }
        for Entry { kind, id, digest, .. } in records {
            if expected.remove(&(*kind, &**id)) != Some(*digest) {
                find(format!("{kind} {id}"), "its content does not have the digest that its last change gave it");
            }
        }
        for (kind, id) in expected.into_keys() {
            find(format!("{kind} {id}"), "was never removed, but is not there");
        }
        Verification { records: records.len() as u64, changes: self.count(), cells: 0, findings }
    }
}
