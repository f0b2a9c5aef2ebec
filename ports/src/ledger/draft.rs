//! A change in the making: what every store does alike between the first write of a transaction and its commit.

use std::mem;

use domain::{PackedCells, Posting, Postings, Timestamp};
use uuid::Uuid;

use super::{ItemsPacker, PackedItems, PackedLines, PartPlace};
use crate::change::{Action, ChainHead, Change, ChangeDigest, ChangeItem};
use crate::record::{RecordKind, Version};
use crate::store::{Intent, StoreError};

/// Postings of more cells are put aside in parts before the change is closed, so that a large change needs little memory.
const MANY_CELLS: usize = 100_000;

/// A change in the making.
///
/// What one call writes is noted first, and then kept or undone as a whole, as the call succeeds or fails.
#[derive(Debug)]
pub struct Draft {
    before: ChainHead,
    at: Timestamp,
    actor: String,
    cause: String,
    digest: ChangeDigest,
    is_empty: bool,
    touches_catalog: bool,
    call: Call,
    packer: ItemsPacker,
    postings: Postings,
    /// Lines that fill no part yet.
    lines: Vec<u64>,
    full: Parts,
    next_items: u32,
    next_postings: u32,
    next_lines: u32,
}

/// What the call under way wrote.
#[derive(Debug, Default)]
struct Call {
    items: Vec<ChangeItem>,
    postings: Postings,
    lines: Vec<u64>,
}

/// What of a change is to be written: rows of the tables of the same names.
#[derive(Debug, Default)]
pub struct Parts {
    /// Parts of its items.
    pub items: Vec<(PartPlace, PackedItems)>,
    /// Parts of its postings.
    pub postings: Vec<(PartPlace, PackedCells)>,
    /// Parts of the lines that an import wrote its activities from.
    pub lines: Vec<(PartPlace, PackedLines)>,
    /// The records that the change removed.
    pub removals: Vec<Removal>,
}

/// That a change removed a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Removal {
    /// What the record was.
    pub kind: RecordKind,
    /// The identifier it had.
    pub id: Uuid,
    /// The number of the change.
    pub change: u64,
}

impl Removal {
    /// The removal that an item of that change records, if it does.
    #[must_use]
    pub fn of(item: &ChangeItem, change: u64) -> Option<Self> {
        match item.action {
            Action::Removed(_) => Some(Self { kind: item.kind, id: item.id, change }),
            Action::Added(_) | Action::Updated { .. } | Action::Blanked(_) => None,
        }
    }
}

/// What closing a change gives.
#[derive(Debug)]
pub struct Closed {
    /// The change, with its digest.
    pub change: Change,
    /// The head behind it.
    pub head: ChainHead,
    /// What of it was not written before.
    pub parts: Parts,
}

impl Draft {
    /// A change behind that head.
    #[must_use]
    pub fn new(before: ChainHead, intent: &Intent, actor: &str) -> Self {
        let Intent { at, cause } = intent;
        Self {
            before,
            at: *at,
            actor: actor.to_owned(),
            cause: cause.clone(),
            digest: ChangeDigest::new(before.digest, before.number + 1, *at, actor, cause),
            is_empty: true,
            touches_catalog: false,
            call: Call::default(),
            packer: ItemsPacker::default(),
            postings: Postings::new(),
            lines: Vec::new(),
            full: Parts::default(),
            next_items: 0,
            next_postings: 0,
            next_lines: 0,
        }
    }

    /// The head before it.
    #[must_use]
    pub const fn before(&self) -> ChainHead {
        self.before
    }

    /// The number that the change will have.
    #[must_use]
    pub const fn number(&self) -> u64 {
        self.before.number + 1
    }

    /// The version of the records that it writes.
    #[must_use]
    pub const fn version(&self) -> Version {
        Version(self.number())
    }

    /// The moment that its records get.
    #[must_use]
    pub const fn at(&self) -> Timestamp {
        self.at
    }

    /// Notes what the call under way did with a record.
    pub fn note(&mut self, item: ChangeItem) {
        self.call.items.push(item);
    }

    /// Notes that the call under way added an activity of that series.
    pub fn post(&mut self, series: u32, posting: &Posting) {
        self.call.postings.add(series, posting);
    }

    /// Notes that the call under way took an activity of that series away.
    pub fn unpost(&mut self, series: u32, posting: &Posting) {
        self.call.postings.take(series, posting);
    }

    /// Notes what the call under way did with many records, and by how much it changed cells.
    pub fn note_all(&mut self, items: Vec<ChangeItem>, postings: Postings) -> Result<(), StoreError> {
        self.call.items.extend(items);
        self.call.postings.add_all(postings).map_err(|error| StoreError::Failed(error.into()))
    }

    /// Notes from which lines of its file the import wrote the activities that have none yet.
    pub fn note_lines(&mut self, lines: &[u64]) {
        self.call.lines.extend_from_slice(lines);
    }

    /// Keeps what the call wrote. On an error nothing of the transaction can be stored.
    pub fn keep(&mut self) -> Result<(), StoreError> {
        let Call { items, postings, lines } = mem::take(&mut self.call);
        for item in items {
            self.take_in(&item);
        }
        self.lines.extend(lines);
        let full = self.lines.len() / PackedLines::MOST * PackedLines::MOST;
        self.put_lines_aside(full);
        self.postings.add_all(postings).map_err(|error| StoreError::Failed(error.into()))?;
        if self.postings.len() >= MANY_CELLS {
            self.put_postings_aside()?;
        }
        Ok(())
    }

    /// Forgets what the call wrote.
    pub fn undo(&mut self) {
        self.call = Call::default();
    }

    /// What can be written already, each part once.
    #[must_use]
    pub fn take_full(&mut self) -> Parts {
        mem::take(&mut self.full)
    }

    /// Closes it; `None` when nothing was written.
    pub fn close(mut self) -> Result<Option<Closed>, StoreError> {
        if self.is_empty {
            return Ok(None);
        }
        let number = self.number();
        let last = mem::take(&mut self.packer).finish();
        self.put_items_aside(last);
        self.put_postings_aside()?;
        self.put_lines_aside(self.lines.len());
        let Self { before, at, actor, cause, digest, touches_catalog, full: parts, .. } = self;
        let digest = digest.finish();
        let catalog = if touches_catalog { number } else { before.catalog };
        let head = ChainHead { number, digest, epoch: before.epoch, catalog };
        Ok(Some(Closed { change: Change { number, at, actor, cause, digest }, head, parts }))
    }

    fn take_in(&mut self, item: &ChangeItem) {
        self.is_empty = false;
        self.touches_catalog |= item.kind.is_catalog();
        self.digest.item(item);
        self.full.removals.extend(Removal::of(item, self.number()));
        let part = self.packer.push(item);
        self.put_items_aside(part);
    }

    fn put_items_aside(&mut self, part: Option<PackedItems>) {
        if let Some(items) = part {
            self.full.items.push((PartPlace { change: self.number(), part: self.next_items }, items));
            self.next_items += 1;
        }
    }

    /// Packs the first lines.
    fn put_lines_aside(&mut self, count: usize) {
        let lines: Vec<u64> = self.lines.drain(..count).collect();
        for lines in PackedLines::pack(&lines) {
            self.full.lines.push((PartPlace { change: self.number(), part: self.next_lines }, lines));
            self.next_lines += 1;
        }
    }

    fn put_postings_aside(&mut self) -> Result<(), StoreError> {
        for postings in mem::take(&mut self.postings).pack()? {
            self.full.postings.push((PartPlace { change: self.number(), part: self.next_postings }, postings));
            self.next_postings += 1;
        }
        Ok(())
    }
}
