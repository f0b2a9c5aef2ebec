//! Whether another process reads a file, as the locks beside it say.

use std::path::Path;

/// Whether another process reads that file (`.db`) at this moment: until that ends its log cannot be emptied, where it sees an
/// older state. `None` where that cannot be told.
///
/// Not for a process that has the file open itself: the system would take the locks of its own readers away.
#[must_use]
pub fn is_read_elsewhere(file: &Path) -> Option<bool> {
    #[cfg(unix)]
    {
        use rustix::process::{Flock, FlockType, fcntl_getlk};
        // The bytes of the index that SQLite locks for readers: five, behind those of whoever writes, copies the log or
        // recovers it (`UNIX_SHM_BASE` and `WAL_READ_LOCK` of its source).
        let marks = Flock { start: 123, length: 5, ..Flock::from(FlockType::WriteLock) };
        let mut index = file.as_os_str().to_owned();
        index.push("-shm");
        match std::fs::File::open(index) {
            Ok(index) => fcntl_getlk(&index, &marks).ok().map(|held| held.is_some()),
            // It is there while anybody has the file open.
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Some(false),
            Err(_) => None,
        }
    }
    #[cfg(not(unix))]
    {
        let _ = file;
        None
    }
}
