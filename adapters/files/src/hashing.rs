//! Reading and hashing at once.

use std::io::{self, Read};

use domain::Digest;
use sha2::{Digest as _, Sha256};

/// Reads on from another reader, and knows the SHA-256 of what was read.
pub struct Hashing<R> {
    inner: R,
    hasher: Sha256,
    read: u64,
}

impl<R> Hashing<R> {
    /// Nothing is read yet.
    pub fn new(inner: R) -> Self {
        Self { inner, hasher: Sha256::new(), read: 0 }
    }

    /// How many bytes were read.
    pub const fn count(&self) -> u64 {
        self.read
    }

    /// How many bytes were read, and their digest.
    #[must_use]
    pub fn finish(self) -> (u64, Digest) {
        (self.read, Digest::from_stored(self.hasher.finalize().into()))
    }
}

impl<R: Read> Hashing<R> {
    /// Reads all that is left, and gives the SHA-256 of everything.
    pub fn digest(mut self) -> io::Result<Digest> {
        io::copy(&mut self, &mut io::sink())?;
        Ok(self.finish().1)
    }
}

impl<R: Read> Read for Hashing<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(into)?;
        self.hasher.update(into.get(..count).unwrap_or_default());
        self.read += u64::try_from(count).unwrap_or(u64::MAX);
        Ok(count)
    }
}
