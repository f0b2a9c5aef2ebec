//! Writing a backup.

use std::fmt::Write as _;
use std::io::{self, Read, Write};

use domain::Digest;
use tar::{Builder, Header};

use super::manifest::BackupManifest;
use super::{MANIFEST, SUMS};
use crate::hashing::Hashing;

/// A backup in the making. Without [`finish`](Self::finish) it is none.
pub struct BackupWriter<W: Write> {
    tar: Builder<W>,
    /// When it was begun, in seconds since 1970: the time of every member.
    time: u64,
    sums: String,
}

impl<W: Write> BackupWriter<W> {
    /// Begins a backup of that moment, in seconds since 1970.
    pub fn new(out: W, time: u64) -> Self {
        Self { tar: Builder::new(out), time, sums: String::new() }
    }

    /// Adds a member of so many bytes. An error when there are fewer.
    pub fn add(&mut self, name: &str, size: u64, from: impl Read) -> io::Result<()> {
        let mut hashing = Hashing::new(from);
        let mut header = Header::new_gnu();
        header.set_size(size);
        header.set_mode(0o600);
        header.set_mtime(self.time);
        self.tar.append_data(&mut header, name, (&mut hashing).take(size))?;
        let (read, digest) = hashing.finish();
        if read != size {
            return Err(io::Error::other(format!("{name} has {read} bytes where it had {size}")));
        }
        self.note(name, digest);
        Ok(())
    }

    /// Adds what the others are, and gives what was written to.
    pub fn finish(mut self, manifest: &BackupManifest) -> io::Result<W> {
        let text = serde_json::to_vec_pretty(manifest).map_err(io::Error::other)?;
        self.add_text(MANIFEST, &text)?;
        let sums = std::mem::take(&mut self.sums);
        self.add_text(SUMS, sums.as_bytes())?;
        self.tar.into_inner()
    }

    fn add_text(&mut self, name: &str, text: &[u8]) -> io::Result<()> {
        let size = u64::try_from(text.len()).map_err(io::Error::other)?;
        self.add(name, size, text)
    }

    fn note(&mut self, name: &str, digest: Digest) {
        // Writing into a text never fails.
        let _ = writeln!(self.sums, "{digest}  {name}");
    }
}

impl<W: Write> std::fmt::Debug for BackupWriter<W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BackupWriter").field("sums", &self.sums).finish_non_exhaustive()
    }
}
