//! The first line of a tenant's file, and the last two.

use domain::{
    Canonical, CanonicalError, CanonicalReader, CanonicalWriter, Digest, Name, StatementSettings, Timestamp, YearStart,
};
use ports::directory::{Tenant, read_statement, read_year_start, write_statement, write_year_start};
use ports::load::LoadEnd;
use ports::{RecordKind, TenantId, TenantSlug};

use super::{begin, begun};

const TENANT: &str = "tenant";
pub(super) const EXPORT: &str = "export";
pub(super) const END: &str = "end";
pub(super) const SEAL: &str = "seal";

/// Whose file it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TenantHeader {
    /// The tenant, as its directory knew it.
    pub tenant: ExportedTenant,
    /// Whether its clients, keys and users are in the file.
    pub credentials: bool,
}

impl Canonical for TenantHeader {
    type Known = ();

    fn write(&self, to: &mut CanonicalWriter) {
        begin(EXPORT, to);
        to.object("tenant", |to| self.tenant.write(to));
        to.flag("credentials", self.credentials);
    }

    fn read((): (), from: &mut CanonicalReader<'_>) -> Result<Self, CanonicalError> {
        begun(EXPORT, from)?;
        let tenant = from.object("tenant", |from| ExportedTenant::read((), from))?;
        Ok(Self { tenant, credentials: from.flag("credentials")? })
    }
}

/// What a file says of its tenant. The epoch is left out: an import begins another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportedTenant {
    /// Identifies it.
    pub id: TenantId,
    /// Its part of the address.
    pub slug: TenantSlug,
    /// What it is called.
    pub name: Name,
    /// When it was added.
    pub created: Timestamp,
    /// The day on which its fiscal years begin.
    pub year_start: YearStart,
    /// What it states for its inventory statements.
    pub statement: StatementSettings,
}

impl From<&Tenant> for ExportedTenant {
    fn from(Tenant { id, slug, name, created, epoch: _, year_start, statement }: &Tenant) -> Self {
        let (slug, name, statement) = (slug.clone(), name.clone(), statement.clone());
        Self { id: *id, slug, name, created: *created, year_start: *year_start, statement }
    }
}

impl Canonical for ExportedTenant {
    type Known = ();

    fn write(&self, to: &mut CanonicalWriter) {
        let Self { id, slug, name, created, year_start, statement } = self;
        begin(TENANT, to);
        to.text("id", id);
        to.text("created", created);
        to.object("content", |to| {
            to.text("slug", slug);
            to.text("name", name);
            write_year_start(*year_start, to);
            write_statement(statement, to);
        });
    }

    fn read((): (), from: &mut CanonicalReader<'_>) -> Result<Self, CanonicalError> {
        begun(TENANT, from)?;
        let id = from.text("id", str::parse)?;
        let created = from.text("created", Timestamp::parse)?;
        from.object("content", |from| {
            let slug = from.text("slug", TenantSlug::parse)?;
            let name = from.text("name", Name::parse)?;
            let year_start = read_year_start(from)?;
            Ok(Self { id, slug, name, created, year_start, statement: read_statement(from)? })
        })
    }
}

/// How many lines of each kind a file has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TenantCounts {
    /// Combinations of scope, org and taxonomy.
    pub series: u64,
    /// Records, in the order of [`RecordKind::ALL`].
    pub records: [u64; RecordKind::ALL.len()],
    /// Changes of the ledger.
    pub changes: u64,
    /// Parts of items of changes.
    pub items: u64,
    /// Parts of postings of changes.
    pub postings: u64,
    /// Parts of the lines that imports wrote activities from.
    pub lines: u64,
    /// Imports.
    pub imports: u64,
    /// Clients of the token endpoint.
    pub clients: u64,
    /// API keys.
    pub keys: u64,
    /// Users.
    pub users: u64,
}

impl TenantCounts {
    /// How many records of that kind.
    #[must_use]
    pub fn of(&self, kind: RecordKind) -> u64 {
        RecordKind::ALL.iter().zip(self.records).find(|(known, _)| **known == kind).map_or(0, |(_, count)| count)
    }

    /// Counts a record of that kind.
    pub fn add(&mut self, kind: RecordKind) {
        for (known, count) in RecordKind::ALL.iter().zip(&mut self.records) {
            *count += u64::from(*known == kind);
        }
    }

    /// How many records there are.
    #[must_use]
    pub fn all_records(&self) -> u64 {
        self.records.iter().sum()
    }
}

impl Canonical for TenantCounts {
    type Known = ();

    fn write(&self, to: &mut CanonicalWriter) {
        let Self { series, records, changes, items, postings, lines, imports, clients, keys, users } = self;
        write_count("series", *series, to);
        for (kind, count) in RecordKind::ALL.iter().zip(records) {
            write_count(kind.as_str(), *count, to);
        }
        write_count("change", *changes, to);
        write_count("items", *items, to);
        write_count("postings", *postings, to);
        write_count("lines", *lines, to);
        write_count("import", *imports, to);
        write_count("client", *clients, to);
        write_count("key", *keys, to);
        write_count("user", *users, to);
    }

    fn read((): (), from: &mut CanonicalReader<'_>) -> Result<Self, CanonicalError> {
        let mut counts = Self { series: read_count("series", from)?, ..Self::default() };
        for (kind, count) in RecordKind::ALL.iter().zip(&mut counts.records) {
            *count = read_count(kind.as_str(), from)?;
        }
        counts.changes = read_count("change", from)?;
        counts.items = read_count("items", from)?;
        counts.postings = read_count("postings", from)?;
        counts.lines = read_count("lines", from)?;
        counts.imports = read_count("import", from)?;
        counts.clients = read_count("client", from)?;
        counts.keys = read_count("key", from)?;
        counts.users = read_count("user", from)?;
        Ok(counts)
    }
}

/// Leaves out zero, so that the files of before a kind came are files without a record of it.
fn write_count(name: &str, count: u64, to: &mut CanonicalWriter) {
    to.optional_integer(name, Some(count).filter(|count| *count > 0));
}

fn read_count(name: &str, from: &mut CanonicalReader<'_>) -> Result<u64, CanonicalError> {
    match from.optional_integer(name)? {
        Some(0) => Err(from.wrong(format_args!("says that there is no {name}, which is then left out"))),
        count => Ok(count.unwrap_or_default()),
    }
}

/// Where the history ends, and how many lines of each kind went before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TenantEnd {
    /// Where the history ends.
    pub end: LoadEnd,
    /// How many lines of each kind went before.
    pub counts: TenantCounts,
}

impl Canonical for TenantEnd {
    type Known = ();

    fn write(&self, to: &mut CanonicalWriter) {
        let LoadEnd { number, digest, catalog, footprints } = self.end;
        begin(END, to);
        to.integer("number", number);
        to.text("digest", digest);
        to.integer("catalog", catalog);
        to.integer("footprints", footprints);
        to.object("lines", |to| self.counts.write(to));
    }

    fn read((): (), from: &mut CanonicalReader<'_>) -> Result<Self, CanonicalError> {
        begun(END, from)?;
        let end = LoadEnd {
            number: from.integer("number")?,
            digest: from.text("digest", Digest::parse)?,
            catalog: from.integer("catalog")?,
            footprints: from.integer("footprints")?,
        };
        Ok(Self { end, counts: from.object("lines", |from| TenantCounts::read((), from))? })
    }
}

/// The last line: the digest of all bytes before it.
#[derive(PartialEq, Eq)]
pub(super) struct Seal(pub(super) Digest);

impl Canonical for Seal {
    type Known = ();

    fn write(&self, to: &mut CanonicalWriter) {
        begin(SEAL, to);
        to.text("sha256", self.0);
    }

    fn read((): (), from: &mut CanonicalReader<'_>) -> Result<Self, CanonicalError> {
        begun(SEAL, from)?;
        Ok(Self(from.text("sha256", Digest::parse)?))
    }
}
