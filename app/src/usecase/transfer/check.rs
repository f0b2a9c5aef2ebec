//! Whether the lines of a tenant's file fit each other: order, counts, the change chain, and records against changes.
//!
//! Which records there must be follows from the changes: what was added or updated, less what was replaced or removed.
//! Both sides are added up as sums of digests, so that nothing has to be remembered of a single record. Sums that are
//! equal by accident are as unlikely as digests that are. What the activities come to and what the postings do are compared
//! in the same manner, and so are the postings of each change with what it wrote and replaced.

mod line_kind;
mod sum;

use std::collections::HashMap;

use domain::{Canonical as _, Magnitude, PackedCells, SeriesKey};
use files::{Canonized, TenantCounts, TenantEnd, TenantLine};
use ports::credential::PasswordHash;
use ports::directory::{Client, Key};
use ports::import_batch::ImportBatch;
use ports::ledger::{ChainWalk, LineCheck, PackedItems, PackedLines, PartPlace};
use ports::load::AnyRecord;
use ports::people::User;
use ports::store::Verification;
use ports::{ChainHead, Change, ChangeItem, ImportId, RecordKind, Replaced, Version};
use uuid::Uuid;

use super::cells::{CellSums, ChangeSums};
use line_kind::LineKind;
use sum::{Sum, version_digest};

/// What a line adds to the tenant.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "nearly all lines are records, the largest")]
pub(super) enum Checked {
    Nothing,
    Series(SeriesKey),
    Record(AnyRecord),
    Change(Change),
    Items(PartPlace, PackedItems),
    Postings(PartPlace, PackedCells),
    Lines(PartPlace, PackedLines),
    Import(Box<ImportBatch>),
    Client(Client),
    Key(Key),
    User(Box<User>, Option<PasswordHash>),
    End(TenantEnd),
}

/// The check of one file, line by line. What is wrong completes "line N, which ...".
#[derive(Debug, Default)]
pub(super) struct Check {
    reached: LineKind,
    credentials: bool,
    counts: TenantCounts,
    series: HashMap<SeriesKey, u32>,
    records: Sum,
    /// What the activities come to, less what the postings do.
    cells: CellSums,
    /// Of all postings: what is read of them can be added up.
    magnitude: Magnitude,
    /// What each change wrote of activities, less what it replaced and what it posted.
    changes: ChangeSums,
    /// Whether a version of an activity was blanked. Its text is not there, so what it posted when it was written, and took
    /// away when it was replaced, is known of neither change: then postings are held to the activities in total alone.
    is_blanked: bool,
    chain: ChainWalk,
    found: Verification,
    /// Where the next part of items of the change under way stands.
    next: Option<PartPlace>,
    /// Where the next part of postings of the newest change stands, once its items are over.
    next_postings: Option<PartPlace>,
    lines: LineCheck,
    newest_import: Option<ImportId>,
    footprints: u64,
}

impl Check {
    /// Takes the next line.
    pub(super) fn take(&mut self, line: TenantLine) -> Result<Checked, String> {
        let kind = LineKind::of(&line);
        if kind < self.reached {
            return Err("does not stand in its place: lines of another kind go before it".to_owned());
        }
        self.reached = kind;
        if !matches!(line, TenantLine::Items(..)) && self.next.take().is_some() {
            self.chain.end(&mut self.found);
            self.fits()?;
        }
        if !matches!(line, TenantLine::Items(..) | TenantLine::Postings(..)) {
            self.next_postings = None;
        }
        if !matches!(line, TenantLine::Items(..) | TenantLine::Postings(..) | TenantLine::Lines(..)) {
            self.lines.end().map_err(|wrong| self.broken_lines(&wrong))?;
        }
        match line {
            TenantLine::Header(header) => {
                self.credentials = header.credentials;
                Ok(Checked::Nothing)
            }
            TenantLine::Series(index, key) => self.series(index, key),
            TenantLine::Record(canonized) => self.record(*canonized),
            TenantLine::Change(change) => self.change(change),
            TenantLine::Items(place, items) => self.items(place, items),
            TenantLine::Postings(place, cells) => self.postings(place, cells),
            TenantLine::Lines(place, lines) => {
                self.counts.lines += 1;
                self.lines.part(place, &lines).map_err(|wrong| self.broken_lines(&wrong))?;
                Ok(Checked::Lines(place, lines))
            }
            TenantLine::Import(import) => self.import(import),
            TenantLine::Client(_) | TenantLine::Key(_) | TenantLine::User(..) if !self.credentials => {
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
            TenantLine::User(user, password) => {
                self.counts.users += 1;
                Ok(Checked::User(user, password))
            }
            TenantLine::End(end) => self.end(end),
        }
    }

    /// Whether the line before the last one was reached.
    pub(super) fn has_ended(&self) -> bool {
        self.reached == LineKind::End
    }

    fn series(&mut self, index: u32, key: SeriesKey) -> Result<Checked, String> {
        if u64::from(index) != self.counts.series {
            return Err(format!("is series {index} where series {} belongs", self.counts.series));
        }
        if self.series.insert(key, index).is_some() {
            return Err("is a series for the second time".to_owned());
        }
        self.counts.series += 1;
        Ok(Checked::Series(key))
    }

    fn record(&mut self, Canonized { record, digest }: Canonized) -> Result<Checked, String> {
        let (kind, id) = (record.kind(), record.id());
        match &record {
            AnyRecord::Activity(stored) => {
                let series = self.series.get(&stored.value.series());
                let series = *series.ok_or("is an activity of a series that is not there")?;
                for (day, cell) in stored.value.posting().cells() {
                    self.cells.add(series, day, &cell);
                    self.changes.add(stored.version.0, series, day, &cell);
                }
            }
            AnyRecord::Footprint(stored) => self.footprints = self.footprints.max(stored.value.number),
            AnyRecord::Scope(_)
            | AnyRecord::Org(_)
            | AnyRecord::Taxonomy(_)
            | AnyRecord::Product(_)
            | AnyRecord::Factor(_)
            | AnyRecord::Model(_)
            | AnyRecord::Input(_)
            | AnyRecord::Switch(_)
            | AnyRecord::ClosedPeriod(_)
            | AnyRecord::Exclusion(_)
            | AnyRecord::Partner(_)
            | AnyRecord::Sharing(_) => {}
        }
        self.counts.add(kind);
        self.records.add(&version_digest(kind, id, record.version(), digest));
        Ok(Checked::Record(record))
    }

    fn broken_lines(&self, wrong: &str) -> String {
        format!("shows that the lines of change {} are broken: {wrong}", self.counts.changes)
    }

    /// Imports stand in the order of their identifiers, each once, and name changes that there are.
    fn import(&mut self, import: Box<ImportBatch>) -> Result<Checked, String> {
        self.lines.begin(0);
        self.counts.imports += 1;
        if self.newest_import.replace(import.id).is_some_and(|before| before >= import.id) {
            return Err("is an import for the second time, or does not stand in the order of identifiers".to_owned());
        }
        let newest = self.counts.changes;
        let are_there = import.changes.is_none_or(|(first, last)| 1 <= first && first <= last && last <= newest);
        let is_left = import
            .left
            .is_none_or(|left| import.changes.is_some_and(|(first, last)| (first..=last).contains(&left.change)));
        if !are_there || !is_left {
            return Err("is an import that names changes which are not there".to_owned());
        }
        Ok(Checked::Import(import))
    }

    fn change(&mut self, change: Change) -> Result<Checked, String> {
        self.counts.changes += 1;
        self.chain.begin(change.clone(), &mut self.found);
        self.lines.begin(change.number);
        self.next = Some(PartPlace { change: change.number, part: 0 });
        self.next_postings = self.next;
        self.fits()?;
        Ok(Checked::Change(change))
    }

    fn items(&mut self, place: PartPlace, items: PackedItems) -> Result<Checked, String> {
        self.counts.items += 1;
        match &mut self.next {
            Some(next) if *next == place => next.part += 1,
            Some(PartPlace { change, part }) => {
                return Err(format!("does not stand where part {part} of the items of change {change} belongs"));
            }
            None => return Err("has items of no change".to_owned()),
        }
        let mut count = 0_u64;
        for item in items.items() {
            let item = item.map_err(|error| error.to_string())?;
            self.chain.item(&item, item.replaced().map(|replaced| replaced.digest), &mut self.found);
            self.account(place.change, &item)?;
            self.lines.item(&item);
            count += 1;
        }
        if count == 0 {
            return Err("has no items".to_owned());
        }
        self.fits()?;
        Ok(Checked::Items(place, items))
    }

    fn postings(&mut self, place: PartPlace, cells: PackedCells) -> Result<Checked, String> {
        self.counts.postings += 1;
        match &mut self.next_postings {
            Some(next) if *next == place => next.part += 1,
            Some(PartPlace { change, part }) => {
                return Err(format!("does not stand where part {part} of the postings of change {change} belongs"));
            }
            None => return Err("has postings of no change".to_owned()),
        }
        let mut count = 0_u64;
        for cell in cells.cells() {
            let (series, day, cell) = cell.map_err(|error| format!("has postings that do not read: {error}"))?;
            if u64::from(series) >= self.counts.series {
                return Err(format!("has postings of series {series}, which is not there"));
            }
            self.magnitude = self.magnitude.with(cell.counts()).map_err(|error| format!("has postings of {error}"))?;
            let cell = -cell;
            self.cells.add(series, day, &cell);
            self.changes.add(place.change, series, day, &cell);
            count += 1;
        }
        if count == 0 { Err("has no postings".to_owned()) } else { Ok(Checked::Postings(place, cells)) }
    }

    /// Adds up what an item says about the records.
    fn account(&mut self, number: u64, item: &ChangeItem) -> Result<(), String> {
        let (kind, id) = (item.kind, item.id);
        if let Some(digest) = item.left() {
            self.records.take(&version_digest(kind, id, Version(number), digest));
        }
        let Some(Replaced { version, digest, text }) = item.replaced() else { return Ok(()) };
        if version.0 > number {
            return Err(format!("has an item that replaced version {version} of {kind} {id}, which came later"));
        }
        self.records.add(&version_digest(kind, id, *version, *digest));
        let Some(text) = text else {
            self.is_blanked |= kind == RecordKind::Activity;
            return Ok(());
        };
        let wrong = |what: &dyn std::fmt::Display| format!("has an item that replaced what is no {kind} {id}: {what}");
        let record = AnyRecord::from_canonical((), text).map_err(|error| wrong(&error))?;
        if (record.kind(), record.id(), record.version()) != (kind, id, *version) {
            return Err(wrong(&format_args!("{} {} of version {}", record.kind(), record.id(), record.version())));
        }
        match record {
            AnyRecord::Footprint(stored) => self.footprints = self.footprints.max(stored.value.number),
            AnyRecord::Activity(stored) => {
                let series = self.series.get(&stored.value.series());
                let series = *series.ok_or_else(|| wrong(&"it is of a series that is not there"))?;
                for (day, cell) in stored.value.posting().cells() {
                    self.changes.add(version.0, series, day, &cell);
                    self.changes.add(number, series, day, &-cell);
                }
            }
            AnyRecord::Scope(_)
            | AnyRecord::Org(_)
            | AnyRecord::Taxonomy(_)
            | AnyRecord::Product(_)
            | AnyRecord::Factor(_)
            | AnyRecord::Model(_)
            | AnyRecord::Input(_)
            | AnyRecord::Switch(_)
            | AnyRecord::ClosedPeriod(_)
            | AnyRecord::Exclusion(_)
            | AnyRecord::Partner(_)
            | AnyRecord::Sharing(_) => {}
        }
        Ok(())
    }

    fn end(&mut self, end: TenantEnd) -> Result<Checked, String> {
        let stated = end.end;
        if end.counts != self.counts {
            return Err("counts other lines than there are".to_owned());
        }
        let head =
            ChainHead { number: stated.number, digest: stated.digest, epoch: Uuid::nil(), catalog: stated.catalog };
        self.chain.head(&head, &mut self.found);
        self.fits()?;
        if stated.footprints < self.footprints {
            return Err(format!("counts {} footprints ever; there was number {}", stated.footprints, self.footprints));
        }
        if self.records != Sum::default() {
            return Err("ends records that are not those that the changes left".to_owned());
        }
        if let Some((day, series)) = self.cells.first_difference() {
            return Err(format!(
                "ends postings that do not add up to the activities: first on {day}, and first in series {series}"
            ));
        }
        if !self.is_blanked && !self.changes.is_zero() {
            return Err("ends postings that are not, change by change, those of what the changes wrote".to_owned());
        }
        Ok(Checked::End(end))
    }

    /// Whether all changes so far follow one another.
    fn fits(&mut self) -> Result<(), String> {
        match self.found.findings.drain(..).next() {
            None => Ok(()),
            Some(finding) => Err(format!("shows that the history is broken: {}: {}", finding.subject, finding.detail)),
        }
    }
}
