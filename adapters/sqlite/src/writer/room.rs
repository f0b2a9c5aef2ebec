//! How much a file's log has room for, and what is said where that is nothing.

use std::time::Duration;

use ports::store::{LogFull, StoreError};

use super::Worker;
use super::log::MOMENT;

/// How much a file's log has room for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Room {
    Many,
    /// Single records alone: the log is very long, and a reader of an old state or an error keeps it from being emptied.
    Few,
    /// The log has reached its bound, and the same keeps it from being emptied.
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
        Some(refused(log_full(self.options.most_log_pages, &self.until())))
    }

    /// What a writer of many rows is told where the log has room for single records alone.
    pub(super) fn shortage(&self) -> Option<String> {
        (self.log.room() != Room::Many).then(|| too_long(&self.until()))
    }

    /// Until when the log has no room.
    fn until(&self) -> String {
        if self.log.is_failing() {
            return "it can be copied into the file, which failed (the messages of the service or command that writes say why)"
                .to_owned();
        }
        until_read(self.pool.upgrade().and_then(|pool| pool.longest_reading()))
    }
}

/// The error of a writer who is told that.
pub(super) fn refused(told: String) -> StoreError {
    StoreError::Busy(Some(Box::new(LogFull(told))))
}

/// That a log of so many pages is full, and until when.
fn log_full(most: u32, until: &str) -> String {
    let mebibytes = u64::from(most).div_ceil(256);
    format!("the log of the company's file is full ({mebibytes} MiB, store.log_bytes) until {until}")
}

/// That a log is too long for many rows, and until when.
fn too_long(until: &str) -> String {
    format!("the log of the company's file has no room for many rows at once until {until}")
}

/// Until when a reader prevents that a log is emptied: whoever has been reading in this process for longer than readers are
/// waited for, else another process.
fn until_read(longest: Option<Duration>) -> String {
    match longest.filter(|longest| *longest >= MOMENT) {
        Some(longest) => {
            format!("a read by this process that began {:.1} seconds ago has ended", longest.as_secs_f64())
        }
        None => "a read by another process (a backup, an export, a check) has ended".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_log_names_its_bound_and_who_reads() {
        let told = |longest| log_full(1 << 19, &until_read(longest));
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
            too_long(&until_read(Some(Duration::from_secs(2)))),
            "the log of the company's file has no room for many rows at once until a read by this process that began 2.0 \
             seconds ago has ended"
        );
    }
}
