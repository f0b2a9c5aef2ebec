//! Rows that make several activities, of which some were taken and others rejected.

use std::collections::HashMap;

use domain::Faults;
use ports::inbound::{Field, RowDraft};

/// The rows that make several activities without a syncId for each: mended and imported again, such a row adds those anew that
/// were taken.
#[derive(Debug, Default)]
pub(super) struct PartlyTaken {
    /// How many activities each row makes, and how many of them were rejected.
    rows: HashMap<u64, (u32, u32)>,
    /// The last row that was read, how many activities it makes, and whether one is without a syncId.
    last: (u64, u32, bool),
}

impl PartlyTaken {
    /// Notes activities that are to be imported, in the order of their rows.
    pub(super) fn read(&mut self, activities: &[RowDraft]) {
        for RowDraft { line, draft } in activities {
            let (count, lacks) = if self.last.0 == *line { (self.last.1, self.last.2) } else { (0, false) };
            self.last = (*line, count + 1, lacks || !matches!(draft.sync_id, Field::Given(_)));
            if self.last.1 > 1 && self.last.2 {
                self.rows.entry(*line).or_default().0 = self.last.1;
            }
        }
    }

    /// Notes which were rejected.
    pub(super) fn reject(&mut self, rejected: &[(u64, Faults)]) {
        for (line, _) in rejected {
            if let Some((_, rejected)) = self.rows.get_mut(line) {
                *rejected += 1;
            }
        }
    }

    /// How many rows were taken in part.
    pub(super) fn count(&self) -> u64 {
        self.rows.values().filter(|(all, rejected)| 0 < *rejected && rejected < all).count() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::SyncId;
    use ports::inbound::ActivityDraft;

    fn row(line: u64, sync_id: &str) -> RowDraft {
        let sync_id = SyncId::parse(sync_id).map_or(Field::Null, Field::Given);
        RowDraft { line, draft: ActivityDraft { sync_id, ..ActivityDraft::default() } }
    }

    fn count(batches: &[&[RowDraft]], rejected: &[u64]) -> u64 {
        let mut partly = PartlyTaken::default();
        for batch in batches {
            partly.read(batch);
        }
        partly.reject(&rejected.iter().map(|line| (*line, Faults::new())).collect::<Vec<_>>());
        partly.count()
    }

    #[test]
    fn a_row_of_which_some_activities_were_rejected_is_taken_in_part() {
        let rows = [row(2, ""), row(2, ""), row(3, ""), row(4, "a"), row(4, "b"), row(5, ""), row(5, "")];
        assert_eq!(count(&[&rows], &[]), 0);
        assert_eq!(count(&[&rows], &[2, 3, 4, 5]), 2);
        assert_eq!(count(&[&rows], &[2, 2, 3]), 0);
    }

    #[test]
    fn a_row_may_be_divided_between_two_batches() {
        assert_eq!(count(&[&[row(2, "")], &[row(2, ""), row(3, "")]], &[2]), 1);
    }
}
