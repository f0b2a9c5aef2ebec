//! Each record against the digest in its row; and all that follows from the rows of activities: what they add up to, what
//! they refer to, and the entries of their indexes.

use std::collections::{HashMap, HashSet};

use domain::{
    Activity, Canonical as _, ClosedPeriod, Exclusion, Factor, Footprint, Input, Model, Org, Partner, Product, Scope,
    SeriesKey, Sharing, Switch, Taxonomy,
};
use ports::store::finding::CONTENT_DIGEST;
use ports::store::{StoreError, Verification};
use ports::{RecordKind, Stored};
use rusqlite::{Connection, Params, params};
use uuid::Uuid;

use super::find;
use super::indexes::{self, Hashing};
use super::join::Records;
use super::recount::Sums;
use crate::error::StoreErr as _;
use crate::row::Damage;
use crate::table::{Decoded, Table, decode_row, select};
use crate::usage::Usage;
use crate::{footprint, partner, sharing};

/// Into how many spans of days the activities are divided.
const SPANS: i64 = 64;

/// Some rows of the store.
#[derive(Clone, Copy, Debug)]
pub(super) enum Section {
    /// The records of a kind other than activities.
    Kind(RecordKind),
    /// The activities from one day on and before another.
    Days(i64, i64),
}

/// Every row of the store, in sections that are checked apart from each other.
pub(super) fn sections(conn: &Connection) -> Result<Vec<Section>, StoreError> {
    let kinds = RecordKind::ALL.into_iter().filter(|kind| *kind != RecordKind::Activity);
    let days: (Option<i64>, Option<i64>) = conn
        .query_row(
            "SELECT (SELECT day FROM activity ORDER BY day LIMIT 1), (SELECT day FROM activity ORDER BY day DESC LIMIT 1)",
            [],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )
        .store_err()?;
    let (first, last) = (days.0.unwrap_or_default(), days.1.unwrap_or_default());
    let length = (last.saturating_sub(first) / SPANS).max(0) + 1;
    let mut bounds: Vec<i64> = (1..SPANS).map(|span| first.saturating_add(span.saturating_mul(length))).collect();
    bounds.push(i64::MAX);
    let starts = std::iter::once(i64::MIN).chain(bounds.iter().copied());
    Ok(kinds.map(Section::Kind).chain(starts.zip(bounds.iter().copied()).map(|(a, b)| Section::Days(a, b))).collect())
}

/// What rows are compared with.
pub(super) struct Known {
    /// The index of each series.
    pub(super) series: HashMap<SeriesKey, u32>,
    /// The nodes that series name and that are not there.
    pub(super) missing: HashSet<(RecordKind, Uuid)>,
    /// How entries of indexes are hashed.
    pub(super) hashing: Hashing,
}

/// Whether rows were read to the end of their sections.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reached {
    pub(super) activities: bool,
    pub(super) others: bool,
}

/// What rows come to that were checked by one reader.
pub(super) struct Tally {
    pub(super) report: Verification,
    pub(super) records: Records,
    pub(super) cells: Sums,
    pub(super) usage: Usage,
    pub(super) entries: indexes::Sums,
    /// Whether every row of an activity was read.
    pub(super) is_whole: bool,
    /// Whether every section of activities was read to its end, and every other one.
    pub(super) reached: Reached,
    /// What ended sections early, besides damage.
    pub(super) failed: Vec<StoreError>,
    /// Whether activities stand in the order of their primary key, each once.
    pub(super) is_in_order: bool,
}

impl Tally {
    /// No rows.
    pub(super) fn open() -> Result<Self, StoreError> {
        Ok(Self {
            report: Verification::default(),
            records: Records::open()?,
            cells: Sums::open()?,
            usage: Usage::default(),
            entries: indexes::Sums::default(),
            is_whole: true,
            reached: Reached { activities: true, others: true },
            failed: Vec::new(),
            is_in_order: true,
        })
    }

    /// Checks the rows of a section, to the first that cannot be read.
    pub(super) fn check(&mut self, conn: &Connection, known: &Known, section: Section) {
        let Err(error) = self.rows_of(conn, known, section) else { return };
        match section {
            Section::Days(..) => (self.is_whole, self.reached.activities) = (false, false),
            Section::Kind(_) => self.reached.others = false,
        }
        if let StoreError::Corrupt { subject, detail } = error {
            find(&mut self.report, subject, detail);
        } else {
            self.failed.push(error);
        }
    }

    fn rows_of(&mut self, conn: &Connection, known: &Known, section: Section) -> Result<(), StoreError> {
        match section {
            Section::Days(from, before) => {
                let condition = "WHERE activity.day >= ? AND activity.day < ?";
                let mut last = None;
                self.each::<Activity>(conn, condition, params![from, before], |tally, record| {
                    let place = Some((record.value.span.first(), record.value.id));
                    tally.is_in_order &= last < place;
                    last = place;
                    tally.activity(known, &record.value)
                })
            }
            Section::Kind(RecordKind::Activity) => Ok(()),
            Section::Kind(RecordKind::Scope) => self.all::<Scope>(conn),
            Section::Kind(RecordKind::Org) => self.all::<Org>(conn),
            Section::Kind(RecordKind::Taxonomy) => self.all::<Taxonomy>(conn),
            Section::Kind(RecordKind::Product) => self.all::<Product>(conn),
            Section::Kind(RecordKind::Factor) => self.all::<Factor>(conn),
            Section::Kind(RecordKind::Model) => self.all::<Model>(conn),
            Section::Kind(RecordKind::Input) => self.all::<Input>(conn),
            Section::Kind(RecordKind::Switch) => self.all::<Switch>(conn),
            Section::Kind(RecordKind::Footprint) => self.with_beside::<Footprint>(conn, footprint::beside),
            Section::Kind(RecordKind::ClosedPeriod) => self.all::<ClosedPeriod>(conn),
            Section::Kind(RecordKind::Exclusion) => self.all::<Exclusion>(conn),
            Section::Kind(RecordKind::Partner) => self.with_beside::<Partner>(conn, partner::beside),
            Section::Kind(RecordKind::Sharing) => self.with_beside::<Sharing>(conn, sharing::beside),
        }
    }

    fn all<T: Table>(&mut self, conn: &Connection) -> Result<(), StoreError> {
        self.each::<T>(conn, "", [], |_, _| Ok(()))
    }

    /// Checks all rows of a table, and what `beside` finds wrong beside each of them.
    fn with_beside<T: Table>(
        &mut self,
        conn: &Connection,
        beside: impl Fn(&Connection, &T) -> Result<Option<&'static str>, StoreError>,
    ) -> Result<(), StoreError> {
        self.each::<T>(conn, "", [], |tally, record| {
            if let Some(detail) = beside(conn, &record.value)? {
                find(&mut tally.report, format!("{} {}", T::KIND, record.value.id()), detail);
            }
            Ok(())
        })
    }

    /// Checks the rows of a table that meet the condition; `more` gets each record that reads.
    fn each<T: Table>(
        &mut self,
        conn: &Connection,
        condition: &str,
        params: impl Params,
        mut more: impl FnMut(&mut Self, &Stored<T>) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let mut statement = conn.prepare_cached(&format!("{} {condition}", select::<T>())).store_err()?;
        let mut rows = statement.query(params).store_err()?;
        while let Some(row) = rows.next().store_err()? {
            self.report.records += 1;
            let Decoded { id, record, digest } = match decode_row::<T>(conn, row) {
                Ok(decoded) => decoded,
                Err(error) => {
                    self.is_whole = false;
                    find(&mut self.report, format!("a row of {}", T::NAME), error.to_string());
                    continue;
                }
            };
            let read = match record {
                Ok(record) => {
                    more(self, &record)?;
                    digest.map(|beside| (record.version, record.digest(), beside))
                }
                Err(damage) => {
                    self.is_whole = false;
                    Err(damage)
                }
            };
            match read {
                Ok((version, digest, beside)) if digest == beside => {
                    self.records.put(T::KIND, id, version, digest)?;
                }
                Ok(_) => self.damaged(T::KIND, id, CONTENT_DIGEST)?,
                Err(Damage(detail)) => self.damaged(T::KIND, id, &detail)?,
            }
        }
        Ok(())
    }

    fn damaged(&mut self, kind: RecordKind, id: Uuid, detail: &str) -> Result<(), StoreError> {
        find(&mut self.report, format!("{kind} {id}"), detail);
        self.records.put_damaged(kind, id)
    }

    fn activity(&mut self, known: &Known, activity: &Activity) -> Result<(), StoreError> {
        self.usage.add(activity);
        self.entries.add(&known.hashing, activity);
        let key = activity.series();
        if !known.missing.is_empty() {
            let nodes = [
                (RecordKind::Scope, key.scope.map(Uuid::from)),
                (RecordKind::Org, key.org.map(Uuid::from)),
                (RecordKind::Taxonomy, key.taxonomy.map(Uuid::from)),
            ];
            for (kind, node) in nodes.into_iter().filter_map(|(kind, node)| Some((kind, node?))) {
                if known.missing.contains(&(kind, node)) {
                    let detail = format!("its {kind} is the {kind} {node}, which is not there");
                    find(&mut self.report, format!("activity {}", activity.id), detail);
                }
            }
        }
        // The row of a series that does not read was reported with the series; its cells will differ.
        match known.series.get(&key) {
            Some(series) => self.cells.add(*series, &activity.posting()),
            None => Ok(()),
        }
    }
}
