//! How much more a disk takes.

/// The bytes that are free on the disk of that folder; `None` where that cannot be told.
pub(crate) fn free_bytes(folder: &std::path::Path) -> Option<u64> {
    #[cfg(unix)]
    {
        let stat = rustix::fs::statvfs(folder).ok()?;
        Some(stat.f_bavail.saturating_mul(stat.f_frsize))
    }
    #[cfg(not(unix))]
    {
        let _ = folder;
        None
    }
}
