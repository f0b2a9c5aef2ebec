//! Temporary files, which never fill the disk: for what is read twice and comes from where it can be read once, and for what is
//! written to whoever may read slowly.

use std::fs::File;
use std::io::{self, BufWriter, Read, Seek as _, Write};
use std::path::{Path, PathBuf};

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
    copy(source, &mut file, most, || free_bytes(&folder)).map_err(|error| named(error, &folder, "import a file"))?;
    file.rewind()?;
    Ok(file)
}

/// A file without a name in the system's folder for temporary files, to be written, and then read from its start. A write is an
/// error when the disk would become full.
pub(crate) struct TemporaryWriter {
    to: WhileRoom<BufWriter<File>>,
    folder: PathBuf,
}

impl TemporaryWriter {
    pub(crate) fn begin() -> io::Result<Self> {
        let folder = std::env::temp_dir();
        let place = |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", folder.display()));
        let file = BufWriter::with_capacity(1 << 18, tempfile::tempfile_in(&folder).map_err(place)?);
        let looked_at = folder.clone();
        let free = Box::new(move || free_bytes(&looked_at));
        Ok(Self { to: WhileRoom { to: file, free, since: 0 }, folder })
    }

    /// What was written, from its first byte on.
    pub(crate) fn into_file(self) -> io::Result<File> {
        let mut file = self.to.to.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.rewind()?;
        Ok(file)
    }
}

impl Write for TemporaryWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.to.write(bytes).map_err(|error| named(error, &self.folder, "export to a file"))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

/// Writes while the disk has room, at which it looks after each step; where that is not known, nothing is refused.
struct WhileRoom<W> {
    to: W,
    /// The bytes that are free.
    free: Box<dyn Fn() -> Option<u64> + Send>,
    /// The bytes since it was looked at.
    since: u64,
}

impl<W: Write> Write for WhileRoom<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.since >= STEP {
            demand_room((self.free)())?;
            self.since = 0;
        }
        let written = self.to.write(bytes)?;
        self.since += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

/// Refuses another step where it would leave less than the reserve; `None`: it is not known how much is free.
fn demand_room(free: Option<u64>) -> io::Result<()> {
    if free.is_some_and(|free| free < RESERVE + STEP) { Err(io::ErrorKind::StorageFull.into()) } else { Ok(()) }
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
        demand_room(free())?;
    }
}

/// The error with what to do, where the disk is full; `instead` says what would need no temporary file.
fn named(error: io::Error, folder: &Path, instead: &str) -> io::Error {
    if error.kind() != io::ErrorKind::StorageFull {
        return error;
    }
    let (folder, reserve) = (folder.display(), RESERVE >> 20);
    let told = format!(
        "the disk of {folder} would have less than {reserve} MiB free; free some, name another folder in TMPDIR, or {instead} \
         instead of a pipe"
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
    fn what_is_written_ends_before_the_reserve() {
        let written = |free: u64| {
            let mut to = WhileRoom { to: io::sink(), free: Box::new(move || Some(free)), since: 0 };
            let copied = io::copy(&mut io::repeat(b'a').take(3 * STEP), &mut to);
            copied.map_err(|error| error.kind())
        };
        assert_eq!(written(RESERVE + STEP), Ok(3 * STEP));
        assert_eq!(written(RESERVE + STEP - 1), Err(io::ErrorKind::StorageFull));
    }

    #[test]
    fn what_was_written_is_read_from_its_start() {
        let mut to = TemporaryWriter::begin().unwrap();
        to.write_all(b"one moment").unwrap();
        assert_eq!(io::read_to_string(to.into_file().unwrap()).unwrap(), "one moment");
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
        let told = named(io::ErrorKind::StorageFull.into(), Path::new("/tmp"), "import a file").to_string();
        assert!(told.contains("the disk of /tmp") && told.contains("TMPDIR"), "{told}");
    }
}
