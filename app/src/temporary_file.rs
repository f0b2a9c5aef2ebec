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
/// What needs no temporary file, of what is read twice.
const OF_IMPORT: &str = "import a file instead of a pipe";
/// What needs no temporary file, of what is written.
const OF_EXPORT: &str = "export to a file instead of a pipe";

/// A file without a name in the system's folder for temporary files, with all that a source says, at its start. An error
/// when it says more than `most` bytes, or when the disk would become full.
pub(crate) fn temporary_file(source: impl Read, most: u64) -> io::Result<File> {
    let folder = std::env::temp_dir();
    let mut file = made_in(&folder, OF_IMPORT)?;
    copy(source, &mut file, most, || free_bytes(&folder)).map_err(|error| {
        let written = file.stream_position().unwrap_or_default();
        told(error, &folder, (written, free_bytes(&folder)), OF_IMPORT)
    })?;
    file.rewind()?;
    Ok(file)
}

/// A file without a name in the system's folder for temporary files, to be written, and then read from its start. A write is an
/// error when the disk would become full.
pub(crate) struct TemporaryWriter {
    to: WhileRoom<BufWriter<File>>,
    folder: PathBuf,
    /// The bytes so far.
    written: u64,
}

impl TemporaryWriter {
    pub(crate) fn begin() -> io::Result<Self> {
        let folder = std::env::temp_dir();
        let file = BufWriter::with_capacity(1 << 18, made_in(&folder, OF_EXPORT)?);
        let looked_at = folder.clone();
        let free = Box::new(move || free_bytes(&looked_at));
        Ok(Self { to: WhileRoom { to: file, free, since: 0 }, folder, written: 0 })
    }

    /// What was written, from its first byte on.
    pub(crate) fn into_file(self) -> io::Result<File> {
        let Self { to: WhileRoom { to, free, .. }, folder, written } = self;
        // What was still in memory is written here.
        let ended = to.into_inner().map_err(io::IntoInnerError::into_error);
        let mut file = ended.map_err(|error| told(error, &folder, (written, free()), OF_EXPORT))?;
        file.rewind()?;
        Ok(file)
    }

    fn told(&self, error: io::Error) -> io::Error {
        told(error, &self.folder, (self.written, (self.to.free)()), OF_EXPORT)
    }
}

impl Write for TemporaryWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let taken = self.to.write(bytes).map_err(|error| self.told(error))?;
        self.written += taken as u64;
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush().map_err(|error| self.told(error))
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

/// A file without a name in that folder; where none can be made the error says what to do, and `instead` what needs none.
fn made_in(folder: &Path, instead: &str) -> io::Result<File> {
    tempfile::tempfile_in(folder).map_err(|error| {
        let folder = folder.display();
        let told =
            format!("no temporary file can be made in {folder}: {error}; name another folder in TMPDIR, or {instead}");
        io::Error::new(error.kind(), told)
    })
}

/// The error of a file that has so many bytes, with the room of its folder and what to do, where it is that there is too little;
/// `instead` says what needs no temporary file.
fn told(error: io::Error, folder: &Path, (written, free): (u64, Option<u64>), instead: &str) -> io::Error {
    if !matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded) {
        return error;
    }
    let (folder, written, needed) = (folder.display(), written >> 20, (RESERVE + STEP) >> 20);
    let free = free.map_or_else(String::new, |free| format!(": {} MiB are free there", free >> 20));
    let told = format!(
        "{folder} has too little room for a temporary file, of which {written} MiB are written{free}; beyond {} MiB it needs \
         {needed} MiB free to go on. Name a folder with more room in TMPDIR, or {instead}",
        STEP >> 20
    );
    io::Error::new(error.kind(), told)
}

#[cfg(test)]
mod tests;
