//! The first line of a tenant's file, and the last but one.

use domain::{Canonical, CanonicalWriter, Digest, Name, Timestamp};
use ports::directory::Tenant;
use ports::load::LoadEnd;
use ports::{RecordKind, TenantId, TenantSlug};

use super::FORMAT;
use super::ledger::digest;
use super::members::Members;
use crate::json::{Json, Wrong};

/// Whose file it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TenantHeader {
    /// The tenant, as its directory knew it.
    pub tenant: Tenant,
    /// Whether its clients and keys are in the file.
    pub credentials: bool,
}

impl Canonical for TenantHeader {
    fn write(&self, record: &mut CanonicalWriter) {
        record.integer("format", FORMAT);
        record.text("uuid", self.tenant.id);
        record.text("slug", &self.tenant.slug);
        record.text("name", &self.tenant.name);
        record.text("created", self.tenant.created);
        record.flag("credentials", self.credentials);
    }
}

pub(super) fn header(json: Json) -> Result<TenantHeader, Wrong> {
    let mut members = Members::of(json)?;
    let format = members.integer("format", 0..=i64::MAX)?;
    if format != FORMAT {
        return Err(Wrong::new(format_args!(
            "has format {format}, and this version of Tonne reads format {FORMAT}: use the version that wrote it"
        )));
    }
    let tenant = Tenant {
        id: members.text("uuid", str::parse::<TenantId>)?,
        slug: members.text("slug", TenantSlug::parse)?,
        name: members.text("name", Name::parse)?,
        created: members.text("created", Timestamp::parse)?,
    };
    let credentials = members.flag("credentials")?;
    members.finish()?;
    Ok(TenantHeader { tenant, credentials })
}

/// How many lines of each sort a file has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TenantCounts {
    /// Series.
    pub series: u64,
    /// Records, in the order of [`RecordKind::ALL`].
    pub records: [u64; RecordKind::ALL.len()],
    /// Changes.
    pub changes: u64,
    /// Items of changes.
    pub items: u64,
    /// Clients.
    pub clients: u64,
    /// Keys.
    pub keys: u64,
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

/// Where the history ends, and how many lines of each sort went before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TenantEnd {
    /// Where the history ends.
    pub end: LoadEnd,
    /// How many lines of each sort went before.
    pub counts: TenantCounts,
}

impl Canonical for TenantEnd {
    fn write(&self, record: &mut CanonicalWriter) {
        let LoadEnd { number, digest, catalog, footprints } = self.end;
        record.text("number", number);
        record.text("digest", digest);
        record.text("catalog", catalog);
        record.text("footprintMark", footprints);
        record.text("series", self.counts.series);
        for (kind, count) in RecordKind::ALL.iter().zip(self.counts.records) {
            record.text(kind.as_str(), count);
        }
        record.text("change", self.counts.changes);
        record.text("item", self.counts.items);
        record.text("client", self.counts.clients);
        record.text("key", self.counts.keys);
    }
}

pub(super) fn end(json: Json) -> Result<TenantEnd, Wrong> {
    let mut members = Members::of(json)?;
    let mut count = |name: &str| members.text(name, str::parse::<u64>);
    let number = count("number")?;
    let digest = members.text("digest", digest)?;
    let mut count = |name: &str| members.text(name, str::parse::<u64>);
    let end = LoadEnd { number, digest, catalog: count("catalog")?, footprints: count("footprintMark")? };
    let mut counts = TenantCounts { series: count("series")?, ..TenantCounts::default() };
    for (kind, records) in RecordKind::ALL.iter().zip(&mut counts.records) {
        *records = count(kind.as_str())?;
    }
    (counts.changes, counts.items) = (count("change")?, count("item")?);
    (counts.clients, counts.keys) = (count("client")?, count("key")?);
    members.finish()?;
    Ok(TenantEnd { end, counts })
}

/// The last line: the digest of all bytes before it.
pub(super) struct Seal(pub(super) Digest);

impl Seal {
    /// The line, with its end.
    pub(super) fn line(&self) -> String {
        format!("{{\"sha256\":\"{}\"}}\n", self.0)
    }
}
