//! How much of a year closed periods cover.

use crate::calendar::day::{Day, Period};

/// How much of a span of days is closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClosedPart {
    /// Every day of it.
    Closed,
    /// Some of its days.
    Partly,
    /// None of its days.
    Open,
}

impl ClosedPart {
    /// How much of the days from `first` to `last`, both included, those closed spans cover; they may overlap.
    #[must_use]
    pub fn of((first, last): (Day, Day), closed: &[Period]) -> Self {
        let mut spans: Vec<(Day, Day)> = closed
            .iter()
            .map(|span| {
                (span.first().map_or(first, |day| day.max(first)), span.last().map_or(last, |day| day.min(last)))
            })
            .filter(|(begin, end)| begin <= end)
            .collect();
        if spans.is_empty() {
            return Self::Open;
        }
        spans.sort_unstable();
        // The number of the first day that is not known to be closed.
        let mut open = first.number();
        for (begin, end) in spans {
            if begin.number() > open {
                return Self::Partly;
            }
            open = open.max(end.number() + 1);
        }
        if open > last.number() { Self::Closed } else { Self::Partly }
    }

    /// Its word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Closed => "closed",
            Self::Partly => "partly",
            Self::Open => "open",
        }
    }
}
