//! Copying a file's write-ahead log back into it, beside the thread that writes: most of it on a thread of its own, so
//! that no writer waits for it.
//!
//! SQLite starts its log anew when all of it was copied and the next writer begins. Beside writers that never pause a
//! thread of its own never gets so far, so the writing thread copies the last few pages itself, between two groups; and
//! however many are left, once the log is very long. Where a reader of an old state or an error prevents even that, transactions
//! with many rows are refused until the log could be emptied, and from a bound on all of them.

mod pages;

use std::path::PathBuf;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use rusqlite::Connection;

use super::room::Room;
use crate::options::Options;
pub(super) use pages::copy;
use pages::{Pages, copy_all, count, note};

/// One in so many of the pages that make a log long (2 MB of 32) are few: the writing thread copies them itself, which
/// takes it a few milliseconds.
const FEW: u32 = 16;
/// From so many times the pages that make a log long on (160 MB), the writing thread copies what is left itself, however
/// much it is: writers wait then, but the log stays bounded beside imports, one transaction of which is usually 96 MB at most.
const VERY_LONG: u32 = 5;
/// How long readers of an old state are waited for before a very long log: longer than an import builds its rows.
pub(super) const MOMENT: Duration = Duration::from_millis(500);
/// How long nobody waits for readers again after that was in vain.
const BREAK: Duration = Duration::from_secs(10);

/// A file's log, as its writing thread sees it.
#[derive(Debug)]
pub(super) struct Log {
    path: PathBuf,
    /// How many pages make it long.
    long: u32,
    /// From how many on there is no room for more.
    most: u32,
    copying: Option<JoinHandle<()>>,
    /// How many pages were in the file already when it began.
    copied_before: u32,
    /// How many pages there must be, so that after one that was hindered by a reader not each group begins the next.
    next_at: u32,
    /// When readers were last waited for in vain, to start a very long log anew.
    hindered: Option<Instant>,
    /// Whether the last attempt to start a very long log anew failed, through no reader.
    is_failing: bool,
    room: Room,
    /// How long the connection's statements wait for another process.
    wait: Duration,
}

impl Log {
    /// The log of the file that this connection writes. The connection does not copy it by itself any more.
    ///
    /// What is in the log already is copied: after a crash the system may have pages of it in memory that the disk lacks,
    /// which are on the disk once they are in the file.
    pub(super) fn of(conn: &Connection, options: &Options) -> Result<Self, rusqlite::Error> {
        conn.pragma_update_and_check(None, "wal_autocheckpoint", 0, |row| row.get::<_, i64>(0))?;
        let path = conn.path().map(PathBuf::from).unwrap_or_default();
        let mut log = Self {
            path,
            long: options.log_pages,
            most: options.most_log_pages,
            copying: None,
            copied_before: 0,
            next_at: 0,
            hindered: None,
            is_failing: false,
            room: Room::Many,
            wait: options.wait,
        };
        let mut pages = copy(conn, "NOOP")?;
        if pages.left() > 0 {
            pages = copy(conn, "PASSIVE")?;
        }
        log.room = log.room_beside(pages);
        Ok(log)
    }

    /// How much there is room for.
    pub(super) const fn room(&self) -> Room {
        self.room
    }

    /// Whether it is an error, and no reader, that keeps a very long log from being started anew.
    pub(super) const fn is_failing(&self) -> bool {
        self.is_failing
    }

    /// How much there is room for beside so many pages.
    const fn room_beside(&self, pages: Pages) -> Room {
        if pages.all >= self.most {
            Room::Nothing
        } else if pages.all >= self.long.saturating_mul(VERY_LONG) {
            Room::Few
        } else {
            Room::Many
        }
    }

    /// Notes how much there is room for, and tells where that is nothing, or no longer so.
    fn set_room(&mut self, room: Room) {
        let (before, file) = (self.room, self.path.display());
        self.room = room;
        match (before, room) {
            (Room::Many | Room::Few, Room::Nothing) => {
                let mebibytes = self.most / 256;
                let until =
                    if self.is_failing { "it can be copied into the file" } else { "a reader of an old state ends" };
                tracing::warn!(%file, mebibytes, "a file's log is full: nothing is written until {until}");
            }
            (Room::Nothing, Room::Many | Room::Few) => tracing::warn!(%file, "a file's log has room again"),
            (Room::Nothing, Room::Nothing) | (Room::Many | Room::Few, Room::Many | Room::Few) => {}
        }
    }

    /// Has the log copied once it is long. Called between two groups, when no transaction is under way.
    pub(super) fn keep_short(&mut self, conn: &Connection) {
        let pages = count(conn, &self.path);
        let is_very_long = self.room_beside(pages) != Room::Many;
        if !is_very_long {
            self.set_room(Room::Many);
        }
        if self.copying.as_ref().is_some_and(|thread| !is_very_long && !thread.is_finished()) {
            return;
        }
        let pages = if self.copying.is_some() {
            self.join();
            let now = count(conn, &self.path);
            self.retry(self.copied_before, now);
            now
        } else {
            pages
        };
        if is_very_long {
            return self.start_anew(conn, pages);
        }
        if pages.all < self.long || pages.left() == 0 || pages.left() < self.next_at {
            return;
        }
        if pages.left() <= self.long / FEW {
            if let Some(after) = note(copy(conn, "PASSIVE")) {
                self.retry(pages.copied, after);
            }
            return;
        }
        self.copied_before = pages.copied;
        let path = self.path.clone();
        let copying = thread::Builder::new().name("tonne-log".to_owned()).spawn(move || {
            note(copy_all(&path));
        });
        match copying {
            Ok(thread) => self.copying = Some(thread),
            // It is tried again after the next group.
            Err(error) => tracing::warn!(%error, "the thread that copies a file's log did not start"),
        }
    }

    /// Copies all and has the log started anew, for which readers of an old state are waited for a moment: among them may be
    /// the one that an import builds its next rows in, at each of its commits another. Where one is in the way for longer,
    /// the log has little room or none, and readers are waited for again only after a break. `before` is what was counted in it
    /// before, which stands where an error keeps it from being copied and counted.
    fn start_anew(&mut self, conn: &Connection, before: Pages) {
        let is_break = self.hindered.is_some_and(|since| since.elapsed() < BREAK);
        let patience = if is_break { Duration::ZERO } else { MOMENT };
        let restarted = conn.busy_timeout(patience).and_then(|()| copy(conn, "TRUNCATE"));
        self.is_failing = note(restarted).is_none();
        let now = note(copy(conn, "NOOP")).unwrap_or(before);
        if let Err(error) = conn.busy_timeout(self.wait) {
            tracing::warn!(%error, "how long a statement waits for another process could not be set");
        }
        self.set_room(self.room_beside(now));
        if !is_break {
            self.hindered = (self.room != Room::Many).then(Instant::now);
        }
    }

    /// After a copy. Beside a reader of an old state nothing is copied that came later: where it brought nothing, the next
    /// one waits until there is more.
    const fn retry(&mut self, copied_before: u32, now: Pages) {
        self.next_at = if now.copied == copied_before { now.left().saturating_add(self.long) } else { 0 };
    }

    /// Waits for the copy under way.
    pub(super) fn join(&mut self) {
        if let Some(thread) = self.copying.take()
            && thread.join().is_err()
        {
            tracing::error!("the thread that copies a file's log ended in a panic");
        }
    }
}

impl Drop for Log {
    fn drop(&mut self) {
        self.join();
    }
}

#[cfg(test)]
mod tests;
