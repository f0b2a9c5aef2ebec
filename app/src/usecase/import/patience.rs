//! Waiting for a store that is busy: an import has time, and an end half-way costs more than waiting.

use std::time::{Duration, Instant};

use ports::inbound::ImportPatience;

/// How long an import waits for a store that is busy: longer than many others take that wait for their turns as well, and
/// longer than a stream usually may take, beside which a store may have no room for many rows.
const MINUTES: Duration = Duration::from_mins(15);
/// How long an import waits whose answer somebody waits for.
const SECONDS: Duration = Duration::from_secs(5);
/// How long a store that refuses at once is left alone before the next try, at first and at most: rows may have to be
/// built again for it.
const PAUSES: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(2));

/// How long a store has been waited for.
pub(super) struct Patience {
    since: Instant,
    most: Duration,
    pause: Duration,
}

impl Patience {
    /// The patience of an import that nobody would send again; it begins now.
    pub(super) fn new() -> Self {
        Self::of(ImportPatience::Minutes)
    }

    /// From now on.
    pub(super) fn of(patience: ImportPatience) -> Self {
        let most = match patience {
            ImportPatience::Minutes => MINUTES,
            ImportPatience::Seconds => SECONDS,
        };
        Self { since: Instant::now(), most, pause: PAUSES.0 }
    }

    /// Whether there is to be another attempt, and the pause before it. A store waits by itself before it says that it is
    /// busy.
    pub(super) async fn allows_another(&mut self) -> bool {
        if self.since.elapsed() >= self.most {
            return false;
        }
        tokio::time::sleep(self.pause).await;
        self.pause = (self.pause * 2).min(PAUSES.1);
        true
    }
}
