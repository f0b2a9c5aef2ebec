//! The options that a store is opened with.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use ports::clock::Clock;
use ports::id_source::Ids;

/// The options that a store is opened with: where time and chance come from, and its bounds.
#[derive(Clone)]
pub struct Options {
    /// Tells the time, for the names of backups and the directory's change chain.
    pub clock: Arc<dyn Clock>,
    /// Makes up the epochs of new tenants.
    pub ids: Arc<dyn Ids>,
    /// What is done with files.
    pub access: Access,
    /// How long a write transaction may be silent before it is undone and loses its turn.
    pub hold: Duration,
    /// How long a write transaction waits for its turn, and a statement for another process.
    pub wait: Duration,
    /// How many write transactions share one commit to the disk at most.
    pub group: usize,
    /// How long a group of write transactions takes on new members.
    pub group_time: Duration,
    /// How many read transactions of one file are open at a time; more wait.
    pub readers: usize,
    /// How many readers of a store's files are kept open for the next read transaction, of all files together.
    pub idle_readers: usize,
    /// How many tenants' files a store with a directory has open at a time, except for those in use.
    pub tenants: usize,
    /// From how many pages of 4 KiB on a file's log is copied into the file. It grows to five times as many beside writers
    /// that never pause, and further only by single records while a reader of an old state or an error keeps it from being
    /// emptied: more than 50 activities in a transaction are [`Busy`](ports::store::StoreError::Busy) then.
    pub log_pages: u32,
    /// From how many pages on nothing more is written: write transactions are
    /// [`Busy`](ports::store::StoreError::Busy) with a [`LogFull`](ports::store::LogFull) until the log can be emptied. What was
    /// begun before is written, whatever its size.
    pub most_log_pages: u32,
    /// How many pages of 4 KiB a file may have; beyond that writes fail as on a full disk.
    pub max_pages: Option<u32>,
    /// How many bytes are free on the disk, in place of what the system says. For tests.
    pub free_bytes: Option<u64>,
    /// Under how many of the next commits to tenants' files the disk is to fail. For tests.
    pub failing_commits: Arc<AtomicU32>,
}

/// What is done with files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Access {
    /// They are read and written; those that are absent or of an earlier format are made and brought up.
    #[default]
    Write,
    /// They are read as they are, also where nothing may be written. Whatever would write fails.
    Read,
}

impl Options {
    /// Options with the usual bounds.
    #[must_use]
    pub fn new(clock: Arc<dyn Clock>, ids: Arc<dyn Ids>) -> Self {
        Self {
            clock,
            ids,
            access: Access::Write,
            hold: Duration::from_secs(5),
            wait: Duration::from_secs(10),
            group: 64,
            group_time: Duration::from_millis(5),
            readers: 64,
            idle_readers: 128,
            tenants: 64,
            log_pages: 8_000,
            most_log_pages: 1 << 19,
            max_pages: None,
            free_bytes: None,
            failing_commits: Arc::default(),
        }
    }
}

impl Options {
    /// Whether the disk is to fail under the commit that comes next.
    pub(crate) fn takes_failure(&self) -> bool {
        let less = |left: u32| left.checked_sub(1);
        self.failing_commits.fetch_update(Ordering::AcqRel, Ordering::Acquire, less).is_ok()
    }
}

impl fmt::Debug for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Options")
            .field("access", &self.access)
            .field("hold", &self.hold)
            .field("wait", &self.wait)
            .field("group", &self.group)
            .field("group_time", &self.group_time)
            .field("readers", &self.readers)
            .field("idle_readers", &self.idle_readers)
            .field("tenants", &self.tenants)
            .field("log_pages", &self.log_pages)
            .field("most_log_pages", &self.most_log_pages)
            .field("max_pages", &self.max_pages)
            .field("free_bytes", &self.free_bytes)
            .finish_non_exhaustive()
    }
}
