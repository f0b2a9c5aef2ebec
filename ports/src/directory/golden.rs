//! The texts and digests of `ports/tests/golden/directory.txt`, which other programs may check a directory by.

use domain::{
    Canonical as _, CanonicalWriter, Consolidation, Day, Description, Digest, FactorSet, GwpSet, Name, Source,
    StatementSettings, Timestamp, YearStart,
};
use uuid::Uuid;

use super::{Client, DirectoryChange, DirectoryDraft, DirectoryHead, Entry, Event, Key, Refresh, Tenant, Versioned};
use crate::credential::SealedKey;
use crate::factor_sets::InstalledSet;
use crate::people::{Identity, Locale, Rights, SignInName, User};
use crate::{Permissions, TenantSlug, Version};

const FILE: &str = include_str!("../../tests/golden/directory.txt");

fn id<Id: From<Uuid>>(number: u128) -> Id {
    Uuid::from_u128(0x0190_0000_0000_7000_8000_0000_0000_0000 | number).into()
}

fn at(seconds: i64) -> Timestamp {
    Timestamp::from_millis(1_735_689_600_000 + seconds * 1_000).unwrap()
}

pub(super) fn tenant() -> Tenant {
    let (slug, name) = (TenantSlug::parse("acme").unwrap(), Name::parse("Acme “Ü” \"&\"").unwrap());
    let (year_start, statement) = (YearStart::default(), StatementSettings::default());
    Tenant { id: id(1), slug, name, created: at(0), epoch: id(9), year_start, statement }
}

fn fiscal() -> Tenant {
    Tenant { year_start: YearStart::parse("04-06").unwrap(), ..tenant() }
}

fn stating() -> Tenant {
    let statement = StatementSettings::default()
        .with_consolidation(Some(Consolidation::FinancialControl))
        .with_company(Some(Name::parse("Acme Group").unwrap()))
        .with_boundary(Some(Description::parse("All sites,\nbut one.").unwrap()));
    Tenant { statement, ..fiscal() }
}

pub(super) fn client() -> Versioned<Client> {
    let value = Client {
        id: id(2),
        tenant: id(1),
        name: Name::parse("ERP").unwrap(),
        permissions: Permissions::parse("activity:write footprint:review").unwrap(),
        secret_hash: Digest::of(b"secret"),
        created: at(1),
        updated: at(2),
        expires: Some(at(1_000)),
        partner: None,
        last_used: Some(at(3)),
    };
    Versioned { value, version: Version(3) }
}

fn key() -> Versioned<Key> {
    let value = Key {
        id: id(3),
        tenant: id(1),
        name: Name::parse("CI").unwrap(),
        permissions: Permissions::parse("admin").unwrap(),
        prefix: "tonne_a1B2c3".to_owned(),
        hash: Digest::of(b"key"),
        created: at(4),
        updated: at(4),
        expires: None,
        last_used: None,
    };
    Versioned { value, version: Version(4) }
}

fn user() -> Versioned<User> {
    let value = User {
        id: id(7),
        tenant: id(1),
        name: SignInName::parse("ana@example.org").unwrap(),
        display: Name::parse("Ana “A” \"&\"").unwrap(),
        rights: Rights::parse("editor").unwrap(),
        password: None,
        identity: None,
        locale: None,
        created: at(4),
        updated: at(5),
        disabled: None,
        last_seen: None,
    };
    Versioned { value, version: Version(5) }
}

fn filled_user() -> Versioned<User> {
    let value = User {
        rights: Rights::parse("activity:read catalog:read").unwrap(),
        password: Some(Digest::of(b"$argon2id$")),
        identity: Some(Identity::new("https://id.example/", "248289761001").unwrap()),
        locale: Some(Locale::parse("de-CH").unwrap()),
        disabled: Some(at(6)),
        ..user().value
    };
    Versioned { value, version: Version(6) }
}

fn signing_key() -> SealedKey {
    let (public, sealed) = (vec![0, 127, 255], vec![1, 2, 3, 254]);
    SealedKey { kid: "a".to_owned(), public, sealed, created: at(5), retired: Some(at(6)) }
}

fn factor_set() -> InstalledSet {
    let (name, day) = (|text| Name::parse(text).unwrap(), |text| Day::parse(text).unwrap());
    let set = FactorSet::new(
        Digest::of(b"file"),
        name("factors-2024.csv"),
        name("Ministry of Air"),
        name("Conversion factors"),
        name("2024 v1.1"),
        Source::parse("Open Government Licence v3.0").unwrap(),
        day("2024-01-01"),
    );
    let set = set.with_valid_to(Some(day("2025-01-01"))).with_gwp(Some(GwpSet::parse("AR5").unwrap()));
    InstalledSet { set, factors: 2, digest: Digest::of(b"factors"), added: at(7), by: "cli:me".to_owned() }
}

fn refresh() -> Refresh {
    Refresh {
        hash: Digest::of(b"next"),
        family: id(5),
        client: id(2),
        tenant: id(1),
        scope: Permissions::NONE,
        jti: id(6),
        created: at(7),
        expires: at(100),
        used: None,
        revoked: None,
    }
}

/// An event of each kind.
fn events(refresh: &Refresh) -> [Event<'_>; 5] {
    [
        Event::Exchanged { from: Digest::of(b"first"), to: refresh },
        Event::FamilyRevoked { family: id(5), at: at(8) },
        Event::TokenRevoked { jti: id(6), expires: at(9) },
        Event::LinkUsed { link: Digest::of(b"link"), session: id(8), user: id(7), at: at(10) },
        Event::SessionEnded { session: id(8), user: id(7), at: at(11) },
    ]
}

/// A tenant is added; a client is added, changed, and removed while tokens of it are exchanged and revoked.
pub(super) fn changes() -> Vec<DirectoryChange> {
    let mut changes: Vec<DirectoryChange> = Vec::new();
    let mut make = |actor: &str, cause: &str, note: &dyn Fn(&mut DirectoryDraft)| {
        let head = changes.last().map_or(DirectoryHead::NEW, DirectoryChange::head);
        let mut draft = DirectoryDraft::behind(head, at(i64::try_from(head.number).unwrap()), actor, cause);
        note(&mut draft);
        changes.extend(draft.close());
    };
    let added = Versioned { version: Version(2), ..client() };
    let refresh = refresh();
    make("cli:me", "add tenant", &|draft| {
        draft.added(&tenant());
    });
    make("key:1", "add client", &|draft| {
        draft.added(&added);
    });
    make("key:1", "update client", &|draft| {
        draft.updated(&added, &client());
    });
    make("system", "remove client", &|draft| {
        for event in events(&refresh) {
            draft.happened(&event);
        }
        draft.removed(&client());
    });
    changes
}

/// The lines of the file: what it is, its text, its digest.
fn lines() -> Vec<[String; 3]> {
    fn record<E: Entry>(what: &str, entry: &E) -> [String; 3] {
        [format!("# {what}"), entry.canonical(), entry.digest().to_string()]
    }
    let (mut lasting, mut ending) = (client(), key());
    (lasting.value.expires, ending.value.expires) = (None, Some(at(2_000)));
    let mut partners = lasting.clone();
    partners.value.partner = Some(id(9));
    let mut lasting_set = factor_set();
    lasting_set.set = lasting_set.set.with_valid_to(None).with_gwp(None);
    let mut correcting_set = factor_set();
    correcting_set.set = correcting_set.set.with_corrects(Some(Digest::of(b"wrong file")));
    let mut lines = vec![
        record("a tenant", &tenant()),
        record("a tenant whose fiscal years begin in April", &fiscal()),
        record("a tenant that states something for its inventory", &stating()),
        record("a client that runs out", &client()),
        record("a client that does not run out", &lasting),
        record("a partner's client", &partners),
        record("a key that runs out", &ending),
        record("a key that does not run out", &key()),
        record("a user", &user()),
        record("a user with all that may be left out", &filled_user()),
        record("a signing key that signs", &SealedKey { retired: None, ..signing_key() }),
        record("a signing key that is retired", &signing_key()),
        record("a factor set with an end", &factor_set()),
        record("a factor set without an end", &lasting_set),
        record("a factor set that corrects another", &correcting_set),
    ];
    let whats = [
        "an exchange of a refresh token",
        "a revoked family",
        "a revoked access token",
        "a used link",
        "an ended session",
    ];
    let refresh = refresh();
    for (what, event) in whats.into_iter().zip(events(&refresh)) {
        let text = CanonicalWriter::text_of(|to| event.write(to));
        lines.push([format!("# {what}"), text, event.digest().to_string()]);
    }
    let mut previous = Digest::ZERO;
    for change in changes() {
        let text = CanonicalWriter::text_of(|to| change.write(previous, to));
        lines.push([format!("# change {}: {}", change.number, change.cause), text, change.digest.to_string()]);
        previous = change.digest;
    }
    lines
}

#[test]
fn texts_and_digests_are_those_of_the_file() {
    let written = lines().iter().map(|lines| lines.join("\n") + "\n").collect::<String>();
    assert!(written == FILE, "the file should be:\n{written}");
}

#[test]
fn a_digest_is_that_of_its_text() {
    for [what, text, digest] in lines() {
        assert_eq!(Digest::of(text.as_bytes()).to_string(), digest, "{what}");
    }
}

#[test]
fn what_is_written_is_read_back() {
    fn check<E: Entry + PartialEq + std::fmt::Debug>(entry: &E) {
        let text = entry.canonical();
        assert_eq!(E::from_canonical((), &text).unwrap().canonical(), text);
        assert_eq!(E::from_canonical((), &text).unwrap(), *entry);
    }
    check(&tenant());
    check(&fiscal());
    check(&stating());
    let mut unused = client();
    unused.value.last_used = None;
    check(&unused);
    check(&key());
    check(&user());
    check(&filled_user());
    check(&factor_set());
    assert!(SealedKey::from_canonical((), &signing_key().canonical()).unwrap() == signing_key());
}

#[test]
fn another_spelling_is_refused() {
    let first_of_january = fiscal().canonical().replace("04-06", "01-01");
    assert!(Tenant::from_canonical((), &first_of_january).is_err());
    let text = client().canonical();
    for (from, to) in [
        ("\"form\":1", "\"form\":2"),
        ("\"kind\":\"client\"", "\"kind\":\"key\""),
        ("activity:write footprint:review", "footprint:review activity:write"),
        ("\"expires\"", "\"expired\""),
    ] {
        assert!(Versioned::<Client>::from_canonical((), &text.replace(from, to)).is_err(), "{to}");
    }
}

/// An entry or event whose text got a member.
#[cfg(feature = "contract")]
#[test]
fn a_member_that_comes_later_leaves_the_texts_and_digests_of_the_file_as_they_are() {
    use super::EntryKind;
    use crate::contract::later::Later;

    fn same<E: Entry>(text: &str) -> Digest {
        let later = Later::<E>::from_canonical((), text).unwrap();
        assert_eq!(later.canonical(), text);
        later.digest()
    }
    let lines: Vec<&str> = FILE.lines().collect();
    let mut entries = 0;
    for [_, text, digest] in lines.as_chunks::<3>().0 {
        let kind = text.split('"').nth(5).unwrap();
        let found = match EntryKind::parse(kind) {
            Some(EntryKind::Tenant) => same::<Tenant>(text),
            Some(EntryKind::Client) => same::<Versioned<Client>>(text),
            Some(EntryKind::Key) => same::<Versioned<Key>>(text),
            Some(EntryKind::User) => same::<Versioned<User>>(text),
            Some(EntryKind::SigningKey) => same::<SealedKey>(text),
            Some(EntryKind::FactorSet) => same::<InstalledSet>(text),
            Some(
                EntryKind::Exchange
                | EntryKind::RevokedFamily
                | EntryKind::RevokedToken
                | EntryKind::UsedLink
                | EntryKind::EndedSession,
            )
            | None => continue,
        };
        entries += 1;
        assert_eq!(found.to_string(), **digest, "{text}");
    }
    assert_eq!(entries, 15);
    // The text of a change is never read, only written again.
    let (mut previous, note) = (Digest::ZERO, None::<&str>);
    for change in changes() {
        let later = CanonicalWriter::digest_of(|to| {
            change.write(previous, to);
            to.optional("note", note);
        });
        assert_eq!(later, change.digest, "change {}", change.number);
        previous = change.digest;
    }
}
