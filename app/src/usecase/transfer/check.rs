//! Whether the lines of a tenant's file fit each other: order, counts, the change chain, and records against changes.
//!
//! Which records there must be follows from the changes: what was added or updated, less what was replaced or removed.
//! Both sides are added up as sums of digests, so that nothing has to be remembered of a single record. Sums that are
//! equal by accident are as unlikely as digests that are.

use std::collections::HashSet;

use domain::{Digest, SeriesKey};
use files::{Canonized, TenantCounts, TenantEnd, TenantLine};
use ports::directory::{Client, Key};
use ports::load::AnyRecord;
use ports::{Change, ChangeDigest, ChangeItem, RecordKind, Verb, Version};
use uuid::Uuid;

/// What a line adds to the tenant. A change comes with its last item.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "nearly all lines are records, the largest")]
pub(super) enum Checked {
    Nothing,
    Series(SeriesKey),
    Record(AnyRecord),
    Change(Change, Vec<ChangeItem>),
    Client(Client),
    Key(Key),
    End(TenantEnd),
}

/// The check of one file, line by line. What is wrong completes "line N, which ...".
#[derive(Debug, Default)]
pub(super) struct Check {
    reached: Sort,
    credentials: bool,
    counts: TenantCounts,
    series: HashSet<SeriesKey>,
    records: Sum,
    open: Option<Open>,
    number: u64,
    digest: Option<Digest>,
    catalog: u64,
    footprints: u64,
}

/// The sorts of lines in their order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Sort {
    #[default]
    Header,
    Series,
    Catalog(RecordKind),
    Record(u8),
    Change,
    Client,
    Key,
    End,
}

/// A change whose items are not all there yet.
#[derive(Debug)]
struct Open {
    change: Change,
    chain: ChangeDigest,
    missing: u64,
    items: Vec<ChangeItem>,
}

impl Check {
    /// Takes the next line.
    pub(super) fn take(&mut self, line: TenantLine) -> Result<Checked, String> {
        if let (Some(open), false) = (&self.open, matches!(line, TenantLine::Item(_))) {
            return Err(format!("stands where {} more items of change {} belong", open.missing, open.change.number));
        }
        let sort = sort(&line);
        if sort < self.reached {
            return Err("does not stand in its place: lines of another sort go before it".to_owned());
        }
        self.reached = sort;
        match line {
            TenantLine::Header(header) => {
                self.credentials = header.credentials;
                Ok(Checked::Nothing)
            }
            TenantLine::Series(index, key) => self.series(index, key),
            TenantLine::Record(canonized) => self.record(*canonized),
            TenantLine::Change(change, items) => self.change(change, items),
            TenantLine::Item(item) => self.item(item),
            TenantLine::Client(_) | TenantLine::Key(_) if !self.credentials => {
                Err("is a credential, though the header says that there are none".to_owned())
            }
            TenantLine::Client(client) => {
                self.counts.clients += 1;
                Ok(Checked::Client(client))
            }
            TenantLine::Key(key) => {
                self.counts.keys += 1;
                Ok(Checked::Key(key))
            }
            TenantLine::End(end) => self.end(end),
        }
    }

    /// Whether the line before the last one was reached.
    pub(super) fn has_ended(&self) -> bool {
        self.reached == Sort::End
    }

    fn series(&mut self, index: u32, key: SeriesKey) -> Result<Checked, String> {
        if u64::from(index) != self.counts.series {
            return Err(format!("is series {index} where series {} belongs", self.counts.series));
        }
        if !self.series.insert(key) {
            return Err("is a series for the second time".to_owned());
        }
        self.counts.series += 1;
        Ok(Checked::Series(key))
    }

    fn record(&mut self, Canonized { record, digest }: Canonized) -> Result<Checked, String> {
        let kind = record.kind();
        let (id, version) = match &record {
            AnyRecord::Node(stored) => (stored.value.id.uuid(), stored.version),
            AnyRecord::Product(stored) => (stored.value.id.uuid(), stored.version),
            AnyRecord::Factor(stored) => (stored.value.id().uuid(), stored.version),
            AnyRecord::Model(stored) => (stored.value.id.uuid(), stored.version),
            AnyRecord::Input(stored) => (stored.value.id.uuid(), stored.version),
            AnyRecord::Switch(stored) => (stored.value.id.uuid(), stored.version),
            AnyRecord::Footprint(stored) => {
                self.footprints = self.footprints.max(stored.value.number);
                (stored.value.id.uuid(), stored.version)
            }
            AnyRecord::Activity(stored) => {
                if !self.series.contains(&stored.value.series()) {
                    return Err("is an activity of a series that is not there".to_owned());
                }
                (stored.value.id.uuid(), stored.version)
            }
        };
        self.counts.add(kind);
        self.records.add(&part(kind, id, version, digest));
        Ok(Checked::Record(record))
    }

    fn change(&mut self, change: Change, items: u64) -> Result<Checked, String> {
        if change.number != self.number + 1 {
            return Err(format!("is change {} where change {} belongs", change.number, self.number + 1));
        }
        self.number = change.number;
        self.counts.changes += 1;
        let previous = self.digest.unwrap_or(Digest::ZERO);
        let chain = ChangeDigest::new(previous, change.number, change.at, &change.actor, &change.cause);
        if items == 0 {
            return Err("is a change without items".to_owned());
        }
        self.open = Some(Open { change, chain, missing: items, items: Vec::new() });
        Ok(Checked::Nothing)
    }

    fn item(&mut self, item: ChangeItem) -> Result<Checked, String> {
        self.counts.items += 1;
        let number = self.number;
        let Some(mut open) = self.open.take() else { return Err("is an item of no change".to_owned()) };
        open.chain.item(&item);
        self.account(number, &item)?;
        open.items.push(item);
        open.missing -= 1;
        if open.missing > 0 {
            self.open = Some(open);
            return Ok(Checked::Nothing);
        }
        let Open { change, chain, items, .. } = open;
        if chain.finish() != change.digest {
            return Err(format!("ends change {number}, whose digest is not that of its items and the changes before"));
        }
        self.digest = Some(change.digest);
        Ok(Checked::Change(change, items))
    }

    /// Adds up what an item says about the records.
    fn account(&mut self, number: u64, item: &ChangeItem) -> Result<(), String> {
        let ChangeItem { verb, kind, id, digest, replaced } = item;
        let replaced = replaced.as_deref().map(|text| Replaced::read(*kind, text)).transpose()?;
        match (verb, &replaced) {
            (Verb::Added, None) | (Verb::Updated, Some(_)) => {
                self.records.take(&part(*kind, *id, Version(number), *digest));
            }
            (Verb::Removed, Some(replaced)) if replaced.digest == *digest => {}
            (Verb::Added | Verb::Updated | Verb::Removed, _) => {
                return Err(format!("says {verb}, which does not go with what it replaced", verb = verb.as_str()));
            }
        }
        if let Some(replaced) = replaced {
            self.records.add(&part(*kind, *id, replaced.version, replaced.digest));
            self.footprints = self.footprints.max(replaced.number.unwrap_or(0));
        }
        match kind {
            RecordKind::Scope | RecordKind::Org | RecordKind::Taxonomy | RecordKind::Product => self.catalog = number,
            RecordKind::Activity
            | RecordKind::Factor
            | RecordKind::Model
            | RecordKind::Input
            | RecordKind::Switch
            | RecordKind::Footprint => {}
        }
        Ok(())
    }

    fn end(&mut self, end: TenantEnd) -> Result<Checked, String> {
        let told = end.end;
        if end.counts != self.counts {
            return Err("counts other lines than there are".to_owned());
        }
        if (told.number, told.digest) != (self.number, self.digest.unwrap_or(Digest::ZERO)) {
            return Err("does not end with the newest change".to_owned());
        }
        if told.catalog != self.catalog {
            return Err(format!("names change {} the last of the catalog; {} was", told.catalog, self.catalog));
        }
        if told.footprints < self.footprints {
            return Err(format!("counts {} footprints ever; there was number {}", told.footprints, self.footprints));
        }
        if self.records != Sum::default() {
            return Err("ends records that are not those that the changes left".to_owned());
        }
        Ok(Checked::End(end))
    }
}

fn sort(line: &TenantLine) -> Sort {
    match line {
        TenantLine::Header(_) => Sort::Header,
        TenantLine::Series(..) => Sort::Series,
        TenantLine::Record(canonized) => match canonized.record.kind() {
            kind @ (RecordKind::Scope | RecordKind::Org | RecordKind::Taxonomy | RecordKind::Product) => {
                Sort::Catalog(kind)
            }
            RecordKind::Factor => Sort::Record(0),
            RecordKind::Model => Sort::Record(1),
            RecordKind::Input => Sort::Record(2),
            RecordKind::Switch => Sort::Record(3),
            RecordKind::Footprint => Sort::Record(4),
            RecordKind::Activity => Sort::Record(5),
        },
        TenantLine::Change(..) | TenantLine::Item(_) => Sort::Change,
        TenantLine::Client(_) => Sort::Client,
        TenantLine::Key(_) => Sort::Key,
        TenantLine::End(_) => Sort::End,
    }
}

/// The version of a record that a change replaced.
struct Replaced {
    digest: Digest,
    version: Version,
    /// The number, of a footprint.
    number: Option<u64>,
}

impl Replaced {
    /// Reads no more than that: older texts may have other members. In each the version stands last, and the number of a
    /// footprint second.
    fn read(kind: RecordKind, text: &str) -> Result<Self, String> {
        let wrong = || format!("replaced what is no {kind}");
        let (_, version) = text.rsplit_once(",\"version\":\"").ok_or_else(wrong)?;
        let version = version.strip_suffix("\"}").and_then(|digits| digits.parse().ok()).ok_or_else(wrong)?;
        let number = match kind {
            RecordKind::Footprint => {
                let (_, behind) = text.split_once(",\"number\":\"").ok_or_else(wrong)?;
                let (digits, _) = behind.split_once('"').ok_or_else(wrong)?;
                Some(digits.parse().map_err(|_| wrong())?)
            }
            RecordKind::Activity
            | RecordKind::Scope
            | RecordKind::Org
            | RecordKind::Taxonomy
            | RecordKind::Product
            | RecordKind::Factor
            | RecordKind::Model
            | RecordKind::Input
            | RecordKind::Switch => None,
        };
        Ok(Self { digest: Digest::of(text.as_bytes()), version: Version(version), number })
    }
}

/// What stands for one version of a record in a sum.
fn part(kind: RecordKind, id: Uuid, version: Version, digest: Digest) -> Digest {
    let mut bytes = Vec::with_capacity(80);
    bytes.extend_from_slice(kind.as_str().as_bytes());
    bytes.push(0);
    bytes.extend_from_slice(id.as_bytes());
    bytes.extend_from_slice(&version.0.to_be_bytes());
    bytes.extend_from_slice(digest.as_bytes());
    Digest::of(&bytes)
}

/// A sum of digests, lane by lane, that does not depend on their order.
#[derive(Debug, Default, PartialEq, Eq)]
struct Sum([u64; 4]);

impl Sum {
    fn add(&mut self, digest: &Digest) {
        self.each(digest, u64::wrapping_add);
    }

    fn take(&mut self, digest: &Digest) {
        self.each(digest, u64::wrapping_sub);
    }

    fn each(&mut self, digest: &Digest, combine: impl Fn(u64, u64) -> u64) {
        let (lanes, _) = digest.as_bytes().as_chunks::<8>();
        for (sum, lane) in self.0.iter_mut().zip(lanes) {
            *sum = combine(*sum, u64::from_be_bytes(*lane));
        }
    }
}
