//! A part of a staged import, read as a file: on a thread that may wait, a chunk at a time.

use std::io::{self, Read, Seek, SeekFrom};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use ports::spool::{CHUNK, Spool, SpoolPart};
use ports::{Grant, StagedId};
use tokio::runtime::Handle;

/// Reads a part of a staged import.
pub(super) struct SpoolReader {
    pub(super) spool: Arc<dyn Spool>,
    pub(super) grant: Grant<ports::Read>,
    pub(super) runtime: Handle,
    pub(super) id: StagedId,
    pub(super) part: SpoolPart,
    /// How many bytes it has, where that is known; else it ends behind its last chunk.
    pub(super) length: Option<u64>,
    pub(super) at: u64,
    /// The same place, for whoever asks while it is read.
    pub(super) told: Arc<AtomicU64>,
    /// The chunk that was read last.
    pub(super) chunk: Option<(u32, Vec<u8>)>,
}

impl SpoolReader {
    fn load(&mut self, number: u32) -> io::Result<&[u8]> {
        if self.chunk.as_ref().is_none_or(|(loaded, _)| *loaded != number) {
            let found = self.runtime.block_on(self.spool.chunk(&self.grant, self.id, self.part, number));
            let found = found.map_err(io::Error::other)?;
            let is_missing = found.is_none() && self.length.is_some_and(|length| self.at < length);
            if is_missing {
                return Err(io::Error::new(io::ErrorKind::NotFound, "the file was discarded while it was read"));
            }
            self.chunk = Some((number, found.unwrap_or_default()));
        }
        Ok(self.chunk.as_ref().map_or(&[], |(_, bytes)| bytes.as_slice()))
    }
}

impl Read for SpoolReader {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if into.is_empty() || self.length.is_some_and(|length| self.at >= length) {
            return Ok(0);
        }
        let size = CHUNK as u64;
        let number = u32::try_from(self.at / size).map_err(io::Error::other)?;
        let within = usize::try_from(self.at % size).map_err(io::Error::other)?;
        let rest = self.load(number)?.get(within..).unwrap_or_default();
        let count = rest.len().min(into.len());
        into[..count].copy_from_slice(&rest[..count]);
        self.at += count as u64;
        self.told.store(self.at, Ordering::Relaxed);
        Ok(count)
    }
}

impl Seek for SpoolReader {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let (from, by) = match to {
            SeekFrom::Start(at) => (at, 0),
            SeekFrom::Current(by) => (self.at, by),
            SeekFrom::End(by) => (self.length.ok_or(io::ErrorKind::Unsupported)?, by),
        };
        let beyond = || io::Error::new(io::ErrorKind::InvalidInput, "a place before the first byte");
        self.at = from.checked_add_signed(by).ok_or_else(beyond)?;
        Ok(self.at)
    }
}
