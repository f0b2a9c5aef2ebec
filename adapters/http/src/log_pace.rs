//! How often the log says what may happen thousands of times a second, such as that the service is busy: a line a second.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long after a line none follows.
const PAUSE: Duration = Duration::from_secs(1);

/// The lines about one sort of event.
#[derive(Debug, Default)]
pub(crate) struct LogPace(Mutex<Lines>);

#[derive(Debug, Default)]
struct Lines {
    last: Option<Instant>,
    left_out: u64,
}

impl LogPace {
    /// How many events were left out since the last line, where one is due for the event of now; else it is left out too.
    pub(crate) fn due(&self, now: Instant) -> Option<u64> {
        let mut lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if lines.last.is_some_and(|last| now.saturating_duration_since(last) < PAUSE) {
            lines.left_out += 1;
            return None;
        }
        lines.last = Some(now);
        Some(std::mem::take(&mut lines.left_out))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_due_once_a_second_and_counts_those_left_out() {
        let (log, start) = (LogPace::default(), Instant::now());
        let at = |ms| log.due(start + Duration::from_millis(ms));
        assert_eq!([at(0), at(1), at(999)], [Some(0), None, None]);
        assert_eq!([at(1000), at(1500), at(2000)], [Some(2), None, Some(1)]);
        assert_eq!(at(9000), Some(0));
    }
}
