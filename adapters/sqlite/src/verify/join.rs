//! What the chain says of each record beside the record itself. Both are put aside in partitions by the identifier, and
//! then brought together partition by partition, so that only the records of one are in memory.

use std::collections::HashMap;

use domain::Digest;
use ports::store::{Finding, StoreError, Verification};
use ports::{ChangeItem, RecordKind, Verb, Version};
use uuid::Uuid;

use super::find;
use super::spool::Spool;

/// How many partitions there are: one of ten million records has 150,000.
const PARTITIONS: usize = 64;
/// How many bytes of a partition are put aside at a time.
const CHUNK: usize = 64 * 1024;

/// The kind of a record and its identifier.
type Key = (u8, [u8; 16]);

/// Entries of fixed length, put aside in partitions.
struct Entries<const N: usize> {
    spool: Spool,
    partitions: Vec<Partition<N>>,
}

#[derive(Clone, Default)]
struct Partition<const N: usize> {
    pending: Vec<[u8; N]>,
    places: Vec<i64>,
}

impl<const N: usize> Entries<N> {
    fn open() -> Result<Self, StoreError> {
        Ok(Self { spool: Spool::open()?, partitions: vec![Partition::default(); PARTITIONS] })
    }

    /// Puts an entry aside, whose first bytes are the key.
    fn put(&mut self, entry: [u8; N]) -> Result<(), StoreError> {
        let mixed = entry.iter().skip(1).take(16).fold(0, |mixed, byte| mixed ^ byte);
        let Some(partition) = self.partitions.get_mut(usize::from(mixed) % PARTITIONS) else { return Ok(()) };
        partition.pending.push(entry);
        if partition.pending.len() * N >= CHUNK {
            partition.places.push(self.spool.put(partition.pending.as_flattened())?);
            partition.pending.clear();
        }
        Ok(())
    }

    /// Reads the entries of a partition in the order in which they came.
    fn each(&self, partition: usize, mut read: impl FnMut(&[u8; N])) -> Result<(), StoreError> {
        let Some(Partition { pending, places }) = self.partitions.get(partition) else { return Ok(()) };
        for place in places {
            self.spool.get(*place)?.as_chunks::<N>().0.iter().for_each(&mut read);
        }
        pending.iter().for_each(read);
        Ok(())
    }
}

/// The items of the chain, put aside: kind, identifier, verb, change, digest before, digest behind.
pub(super) struct Items(Entries<90>);

impl Items {
    /// None yet.
    pub(super) fn open() -> Result<Self, StoreError> {
        Entries::open().map(Self)
    }

    /// The next item of the chain. One that blanked a text left its record as it was.
    pub(super) fn put(&mut self, change: u64, item: &ChangeItem) -> Result<(), StoreError> {
        if item.blanked().is_some() {
            return Ok(());
        }
        let before = item.replaced().map_or(Digest::ZERO, |replaced| replaced.digest);
        let mut entry = Entry::default();
        entry.key(item.kind, item.id);
        entry.bytes(&[item.verb().code()]);
        entry.bytes(&change.to_be_bytes());
        entry.bytes(before.as_bytes());
        entry.bytes(item.left().unwrap_or(Digest::ZERO).as_bytes());
        self.0.put(entry.bytes)
    }
}

/// The records of the store, put aside: kind, identifier, whether it was read, version, digest.
pub(super) struct Records(Entries<58>);

impl Records {
    /// None yet.
    pub(super) fn open() -> Result<Self, StoreError> {
        Entries::open().map(Self)
    }

    /// A record whose content has that digest.
    pub(super) fn put(
        &mut self,
        kind: RecordKind,
        id: Uuid,
        version: Version,
        digest: Digest,
    ) -> Result<(), StoreError> {
        self.add(kind, id, true, version, digest)
    }

    /// A record that was reported as damaged: it is there all the same.
    pub(super) fn put_damaged(&mut self, kind: RecordKind, id: Uuid) -> Result<(), StoreError> {
        self.add(kind, id, false, Version(0), Digest::ZERO)
    }

    fn add(
        &mut self,
        kind: RecordKind,
        id: Uuid,
        is_read: bool,
        version: Version,
        digest: Digest,
    ) -> Result<(), StoreError> {
        let mut entry = Entry::default();
        entry.key(kind, id);
        entry.bytes(&[u8::from(is_read)]);
        entry.bytes(&version.0.to_be_bytes());
        entry.bytes(digest.as_bytes());
        self.0.put(entry.bytes)
    }
}

/// What the newest item of a record so far left.
struct Newest {
    change: u64,
    /// `None` where it was removed.
    left: Option<Digest>,
}

/// Checks that each item goes on from what the one before it left, and that the store holds what the last one left.
pub(super) fn check(items: &Items, records: &[Records], report: &mut Verification) -> Result<(), StoreError> {
    let (mut of_items, mut of_records, mut missing) = (Vec::new(), Verification::default(), Vec::new());
    for partition in 0..PARTITIONS {
        let mut newest: HashMap<Key, Newest> = HashMap::new();
        items.0.each(partition, |entry| follow(&mut newest, entry, &mut of_items))?;
        for some in records {
            some.0.each(partition, |entry| compare(&mut newest, entry, &mut of_records))?;
        }
        missing.extend(newest.into_iter().filter(|(_, newest)| newest.left.is_some()).map(|(key, _)| key));
    }
    of_items.sort_by_key(|(change, _)| *change);
    report.findings.extend(of_items.into_iter().map(|(_, finding)| finding));
    report.findings.append(&mut of_records.findings);
    missing.sort_unstable();
    for key in missing {
        find(report, name(key), "is in the change chain, but not in the store");
    }
    Ok(())
}

fn follow(newest: &mut HashMap<Key, Newest>, entry: &[u8; 90], found: &mut Vec<(u64, Finding)>) {
    let mut fields = Fields(entry);
    let (key, verb, change) = (fields.key(), fields.byte(), fields.number());
    let (before, behind) = (fields.digest(), fields.digest());
    let replaced = (verb != Verb::Added.code()).then_some(before);
    let left = (verb != Verb::Removed.code()).then_some(behind);
    let stood = newest.insert(key, Newest { change, left }).and_then(|newest| newest.left);
    if stood != replaced {
        let detail = format!("what it replaced of {} is not what stood there", name(key));
        found.push((change, Finding { subject: format!("change {change}"), detail }));
    }
}

fn compare(newest: &mut HashMap<Key, Newest>, entry: &[u8; 58], found: &mut Verification) {
    let mut fields = Fields(entry);
    let key = fields.key();
    let of_chain = newest.remove(&key);
    if fields.byte() == 0 {
        return;
    }
    let (version, digest) = (fields.number(), fields.digest());
    let wrong = match of_chain {
        None => "is in no change of the chain",
        Some(Newest { left: None, .. }) => "was removed, but stands in the store",
        Some(Newest { left: Some(left), .. }) if left != digest => "is not as its newest change left it",
        Some(Newest { change, .. }) if change != version => "its version is not its newest change",
        Some(_) => return,
    };
    find(found, name(key), wrong);
}

fn name((kind, id): Key) -> String {
    let kind = RecordKind::from_code(kind).map_or("record", RecordKind::as_str);
    format!("{kind} {}", Uuid::from_bytes(id))
}

/// An entry that is filled from its start.
struct Entry<const N: usize> {
    bytes: [u8; N],
    length: usize,
}

impl<const N: usize> Default for Entry<N> {
    fn default() -> Self {
        Self { bytes: [0; N], length: 0 }
    }
}

impl<const N: usize> Entry<N> {
    fn key(&mut self, kind: RecordKind, id: Uuid) {
        self.bytes(&[kind.code()]);
        self.bytes(id.as_bytes());
    }

    fn bytes(&mut self, bytes: &[u8]) {
        let end = self.length + bytes.len();
        if let Some(place) = self.bytes.get_mut(self.length..end) {
            place.copy_from_slice(bytes);
        }
        self.length = end;
    }
}

/// The fields of an entry, read from its start.
struct Fields<'e>(&'e [u8]);

impl Fields<'_> {
    fn take<const L: usize>(&mut self) -> [u8; L] {
        let Some((field, rest)) = self.0.split_first_chunk() else { return [0; L] };
        self.0 = rest;
        *field
    }

    fn byte(&mut self) -> u8 {
        u8::from_be_bytes(self.take())
    }

    fn number(&mut self) -> u64 {
        u64::from_be_bytes(self.take())
    }

    fn digest(&mut self) -> Digest {
        Digest::from_stored(self.take())
    }

    fn key(&mut self) -> Key {
        (self.byte(), self.take())
    }
}
