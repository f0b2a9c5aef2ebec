//! Whether a disk has room for what is only kept for a while.

use std::io;
use std::path::Path;

/// So many bytes stay free on the disk.
#[cfg(unix)]
const RESERVE: u64 = 256 << 20;

/// Refuses to fill the disk of that folder: `StorageFull` where it lacks room for so many bytes more.
#[cfg(unix)]
pub(crate) fn check_room(folder: &Path, bytes: u64) -> io::Result<()> {
    let room = rustix::fs::statvfs(folder)?;
    if room.f_bavail.saturating_mul(room.f_frsize) < RESERVE.saturating_add(bytes) {
        return Err(io::Error::from(io::ErrorKind::StorageFull));
    }
    Ok(())
}

/// Elsewhere the disk itself says that it is full.
#[cfg(not(unix))]
pub(crate) fn check_room(_: &Path, _: u64) -> io::Result<()> {
    Ok(())
}
