//! How much a file's log has room for, and what is said where that is nothing.

use std::time::Duration;

use ports::store::{LogFull, StoreError};

use super::Worker;
use super::log::MOMENT;

/// How much a file's log has room for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Room {
    Many,
    /// Beside a reader of an old state: single records alone.
    Few,
    /// Beside a reader of an old state that has gone on for longer.
    Nothing,
}

impl Worker {
    /// What is answered to a writer where the log has room for nothing, also now: whoever was in the way may have ended since the
    /// last group.
    pub(super) fn refusal(&mut self) -> Option<StoreError> {
        if self.log.room() == Room::Many {
            return None;
        }
        self.log.keep_short(&self.conn);
        if self.log.room() != Room::Nothing {
            return None;
        }
        Some(refused(log_full(self.options.most_log_pages, self.longest_reading())))
    }

    /// What a writer of many rows is told where the log has room for single records alone.
    pub(super) fn shortage(&self) -> Option<String> {
        (self.log.room() != Room::Many).then(|| too_long(self.longest_reading()))
    }

    fn longest_reading(&self) -> Option<Duration> {
        self.pool.upgrade().and_then(|pool| pool.longest_reading())
    }
}

/// The error of a writer who is told that.
pub(super) fn refused(told: String) -> StoreError {
    StoreError::Busy(Some(Box::new(LogFull(told))))
}

/// That a log of so many pages is full, and until when.
fn log_full(most: u32, longest: Option<Duration>) -> String {
    let mebibytes = u64::from(most).div_ceil(256);
    let who = who(longest);
    format!("the log of the company's file is full ({mebibytes} MiB, store.log_bytes) until {who} has ended")
}

/// That a log is too long for many rows, and until when.
fn too_long(longest: Option<Duration>) -> String {
    format!("the log of the company's file has no room for many rows at once until {} has ended", who(longest))
}

/// Who prevents that a log is emptied: whoever has been reading in this process for longer than readers are waited for, else
/// another process.
fn who(longest: Option<Duration>) -> String {
    match longest.filter(|longest| *longest >= MOMENT) {
        Some(longest) => format!("a read by this process that began {:.1} seconds ago", longest.as_secs_f64()),
        None => "a read by another process (a backup, an export, a check)".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_log_names_its_bound_and_who_reads() {
        let told = |longest| log_full(1 << 19, longest);
        assert_eq!(
            told(Some(Duration::from_millis(34_300))),
            "the log of the company's file is full (2048 MiB, store.log_bytes) until a read by this process that began \
             34.3 seconds ago has ended"
        );
        let by_another = "the log of the company's file is full (2048 MiB, store.log_bytes) until a read by another process \
                          (a backup, an export, a check) has ended";
        assert_eq!(told(Some(MOMENT / 2)), by_another, "short reads were waited for");
        assert_eq!(told(None), by_another);
    }

    #[test]
    fn a_log_without_room_for_many_rows_names_who_reads() {
        assert_eq!(
            too_long(Some(Duration::from_secs(2))),
            "the log of the company's file has no room for many rows at once until a read by this process that began 2.0 \
             seconds ago has ended"
        );
        assert!(too_long(None).contains("until a read by another process"), "{}", too_long(None));
    }
}
