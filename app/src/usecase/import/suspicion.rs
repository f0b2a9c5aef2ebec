//! Rows that are taken, though they look as if somebody should look at them: warnings, never refusals.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use domain::{Activity, Faults, SeriesKey, Total, is_name_of_total};

use super::content::content;
use super::recorded::Recorded;

/// Of so many rows it is remembered what they say, 64 bits and the line of each: some 30 MB. Rows behind them are compared
/// with these.
const REMEMBERED: usize = 1_000_000;

/// So many series and years are compared with the year before: some 2 MB.
const MOST_CHANGES: usize = 20_000;

/// What the rows of an import say so far.
#[derive(Debug, Default)]
pub(super) struct Suspicions {
    /// The line of the first row that says something.
    said: HashMap<[u32; 2], u32>,
    /// What the rows add to each series in each year, to be compared with the year before.
    changes: HashMap<(SeriesKey, i32), SeriesChange>,
    /// The recorded activities that rows are compared with.
    pub(super) recorded: Recorded,
    /// The last line that was added to them: rows that are built again are before it.
    counted: u64,
}

/// What rows add to a series in a year.
#[derive(Clone, Copy, Debug)]
pub(super) struct SeriesChange {
    /// The first of them.
    pub(super) line: u64,
    /// kg CO2e.
    pub(super) added: Total,
}

impl Suspicions {
    /// Notes what looks wrong with a good row. Looking at it once more, as when it is built again, says the same.
    pub(super) fn look_at(&mut self, line: u64, activity: &Activity, warnings: &mut Faults) {
        if is_name_of_total(activity.name.as_str()) {
            warnings.add("/name", "looks like that of a total, which counts what other rows say already");
        }
        let line = u32::try_from(line).unwrap_or(u32::MAX);
        let is_full = self.said.len() >= REMEMBERED;
        match self.said.entry(content(activity)) {
            Entry::Occupied(first) if *first.get() < line => {
                warnings.add("", format!("says the same as line {}, but for a syncId", first.get()));
            }
            Entry::Occupied(_) => {}
            Entry::Vacant(_) if is_full => {}
            Entry::Vacant(free) => {
                free.insert(line);
            }
        }
    }
}

impl Suspicions {
    /// Counts what a row adds or changes. Of more series and years than [`MOST_CHANGES`] the later ones are passed over.
    pub(super) fn count(&mut self, line: u64, before: Option<&Activity>, activity: &Activity) {
        if line < self.counted {
            return;
        }
        self.counted = line;
        let zero = Total::default();
        if let Some(before) = before {
            let co2e = before.co2e().map_or(zero, Total::from);
            self.change(line, before, -co2e);
        }
        let co2e = activity.co2e().map_or(zero, Total::from);
        self.change(line, activity, co2e);
    }

    fn change(&mut self, line: u64, activity: &Activity, added: Total) {
        let is_full = self.changes.len() >= MOST_CHANGES;
        match self.changes.entry((activity.series(), activity.span.first().calendar().0)) {
            Entry::Occupied(mut change) => change.get_mut().added += added,
            Entry::Vacant(_) if is_full => {}
            Entry::Vacant(free) => {
                free.insert(SeriesChange { line, added });
            }
        }
    }

    /// What the rows add, series by series and year by year.
    pub(super) const fn changes(&self) -> &HashMap<(SeriesKey, i32), SeriesChange> {
        &self.changes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::{ActivityId, Moment, Name, Span, SyncId};

    fn activity(name: &str, sync_id: &str) -> Activity {
        let span = Span::new(Moment::parse_start("2025-01-01").unwrap(), None).unwrap();
        Activity::new(ActivityId::new(uuid::Uuid::nil()), Name::parse(name).unwrap(), span)
            .with_sync_id(SyncId::parse(sync_id).ok())
    }

    fn told(suspicions: &mut Suspicions, line: u64, activity: &Activity) -> Vec<String> {
        let mut warnings = Faults::new();
        suspicions.look_at(line, activity, &mut warnings);
        warnings.as_slice().iter().map(|fault| fault.detail.clone()).collect()
    }

    #[test]
    fn a_row_that_says_the_same_again_is_told_and_one_that_is_built_again_is_not() {
        let mut suspicions = Suspicions::default();
        assert!(told(&mut suspicions, 2, &activity("a", "1")).is_empty());
        assert!(told(&mut suspicions, 2, &activity("a", "1")).is_empty());
        assert!(told(&mut suspicions, 3, &activity("b", "2")).is_empty());
        let again = ["says the same as line 2, but for a syncId"];
        assert_eq!(told(&mut suspicions, 4, &activity("a", "3")), again);
        assert_eq!(told(&mut suspicions, 4, &activity("a", "3")), again);
    }
}
