//! How many rows an import writes in one turn: few at first and where others wait, all it has where nobody else writes.

use std::time::Duration;

/// How long a turn should take where others wait: several imports may stand before a single write, one turn of each.
const SHORT: Duration = Duration::from_millis(40);
/// The fewest rows of a turn: below it the turn itself costs more than its rows.
const FEWEST: usize = 500;
/// The rows of the first turn, before it is known whether others wait.
const FIRST: usize = 2_000;
/// How many times as many the next turn may have, where nobody waited.
const GROWTH: usize = 4;
/// Above so many rows a turn is bounded by what it is given alone.
const MOST: usize = 50_000;

/// How many rows the next turn may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TurnSize(Option<usize>);

impl Default for TurnSize {
    fn default() -> Self {
        Self(Some(FIRST))
    }
}

/// What a turn took.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turn {
    pub(super) rows: usize,
    pub(super) time: Duration,
    /// Whether others waited for its end.
    pub(super) others_wait: bool,
}

impl TurnSize {
    /// How many of so many rows.
    pub(super) fn of(self, rows: usize) -> usize {
        self.0.map_or(rows, |most| rows.min(most))
    }

    /// The size after that turn: as many rows as fit into a short one where others waited, else some times as many as before.
    pub(super) fn after(self, turn: Turn) -> Self {
        if turn.others_wait {
            let (time, short) = (turn.time.as_micros().max(1), SHORT.as_micros());
            let fits = u128::try_from(turn.rows).unwrap_or(u128::MAX).saturating_mul(short) / time;
            // Of a small batch one does not learn that many fit.
            let fits = usize::try_from(fits).unwrap_or(usize::MAX).min(self.0.unwrap_or(usize::MAX).saturating_mul(2));
            Self(Some(fits.max(FEWEST)))
        } else {
            Self(self.0.and_then(|most| most.checked_mul(GROWTH)).filter(|most| *most <= MOST))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turn(rows: usize, millis: u64, others_wait: bool) -> Turn {
        Turn { rows, time: Duration::from_millis(millis), others_wait }
    }

    #[test]
    fn an_import_begins_with_few_rows_and_takes_all_while_nobody_waits() {
        let mut size = TurnSize::default();
        assert_eq!(size.of(20_000), FIRST);
        for rows in [2_000, 8_000] {
            size = size.after(turn(rows, 900, false));
        }
        assert_eq!(size.of(20_000), 20_000);
    }

    #[test]
    fn turns_become_short_where_others_wait_and_long_again_when_they_are_gone() {
        let mut size = TurnSize(None).after(turn(20_000, 800, true));
        assert_eq!(size.of(20_000), 1_000);
        size = size.after(turn(1_000, 20, true));
        assert_eq!(size.of(20_000), 2_000);
        size = size.after(turn(2_000, 4_000, true));
        assert_eq!(size.of(20_000), FEWEST);
        for _ in 0..10 {
            size = size.after(turn(500, 10, false));
        }
        assert_eq!(size, TurnSize(None));
    }

    #[test]
    fn a_turn_of_no_time_has_an_end_too() {
        assert_eq!(TurnSize(None).after(turn(0, 0, true)).of(20_000), FEWEST);
        assert!(TurnSize(None).after(turn(usize::MAX, 0, true)).of(20_000) >= FEWEST);
    }
}
