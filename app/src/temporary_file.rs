//! What is read twice and comes from where it can be read once: it waits in a temporary file, which never fills the disk.

use std::fs::File;
use std::io::{self, Read, Seek as _, Write};
use std::path::Path;

use crate::free_room::free_bytes;

/// So many bytes stay free on the disk.
const RESERVE: u64 = 256 << 20;
/// The free room is looked at after every so many bytes: less is taken wherever there is room for it.
const STEP: u64 = 16 << 20;

/// A file without a name in the system's folder for temporary files, with all that a source says, at its start. An error
/// when it says more than `most` bytes, or when the disk would become full.
pub(crate) fn temporary_file(source: impl Read, most: u64) -> io::Result<File> {
    let folder = std::env::temp_dir();
    let mut file = tempfile::tempfile_in(&folder)?;
    copy(source, &mut file, most, || free_bytes(&folder)).map_err(|error| named(error, &folder))?;
    file.rewind()?;
    Ok(file)
}

/// Copies a source, looking at the free room after each step; where that is not known, nothing is refused.
fn copy(mut source: impl Read, to: &mut impl Write, most: u64, free: impl Fn() -> Option<u64>) -> io::Result<()> {
    let mut copied = 0;
    loop {
        let step = io::copy(&mut source.by_ref().take(STEP), to)?;
        copied += step;
        if copied > most {
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, format!("it is longer than {} MiB", most >> 20)));
        }
        if step < STEP {
            return to.flush();
        }
        if free().is_some_and(|free| free < RESERVE + STEP) {
            return Err(io::ErrorKind::StorageFull.into());
        }
    }
}

/// The error with what to do, where the disk is full.
fn named(error: io::Error, folder: &Path) -> io::Error {
    if error.kind() != io::ErrorKind::StorageFull {
        return error;
    }
    let (folder, reserve) = (folder.display(), RESERVE >> 20);
    let told = format!(
        "the disk of {folder} would have less than {reserve} MiB free; free some, name another folder in TMPDIR, or give \
         the import a file instead of a pipe"
    );
    io::Error::new(error.kind(), told)
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    /// What comes of a source of so many bytes where so many are free in the beginning: how many were copied, and the error.
    fn copied(length: u64, free: u64) -> (u64, Option<io::ErrorKind>) {
        let taken = Cell::new(0);
        let mut to = Counted(&taken);
        let source = io::repeat(b'a').take(length);
        let result = copy(source, &mut to, u64::MAX, || Some(free - taken.get()));
        (taken.get(), result.err().map(|error| error.kind()))
    }

    struct Counted<'a>(&'a Cell<u64>);

    impl Write for Counted<'_> {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.set(self.0.get() + bytes.len() as u64);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn what_is_short_is_taken_where_less_than_the_reserve_is_free() {
        assert_eq!(copied(STEP - 1, RESERVE), (STEP - 1, None));
        assert_eq!(copied(2 * STEP, RESERVE), (STEP, Some(io::ErrorKind::StorageFull)));
    }

    #[test]
    fn what_would_fill_the_disk_ends_before_the_reserve() {
        assert_eq!(copied(10 * STEP, RESERVE + 3 * STEP), (3 * STEP, Some(io::ErrorKind::StorageFull)));
    }

    #[test]
    fn what_there_is_room_for_is_copied_whole() {
        assert_eq!(copied(2 * STEP + 1, RESERVE + 4 * STEP), (2 * STEP + 1, None));
        assert_eq!(copied(0, RESERVE + STEP), (0, None));
    }

    #[test]
    fn a_source_that_is_too_long_ends() {
        let error = copy(io::repeat(b'a'), &mut io::sink(), STEP, || None).unwrap_err();
        assert_eq!(
            (error.kind(), error.to_string()),
            (io::ErrorKind::FileTooLarge, "it is longer than 16 MiB".to_owned())
        );
    }

    #[test]
    fn a_full_disk_is_told_with_its_folder_and_what_to_do() {
        let told = named(io::ErrorKind::StorageFull.into(), Path::new("/tmp")).to_string();
        assert!(told.contains("the disk of /tmp") && told.contains("TMPDIR"), "{told}");
    }
}
