//! SHA-256 digests of canonical text.

use std::fmt;

use sha2::{Digest as _, Sha256};

/// SHA-256 of canonical bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest([u8; 32]);

/// A text that is no digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("is not a digest of 64 lower-case hexadecimal digits")]
pub struct DigestError;

impl Digest {
    /// What is before the first change of a chain.
    pub const ZERO: Self = Self([0; 32]);

    /// The digest of those bytes.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// Reads 64 lower-case hexadecimal digits.
    pub fn parse(text: &str) -> Result<Self, DigestError> {
        let (pairs, []) = text.as_bytes().as_chunks::<2>() else { return Err(DigestError) };
        let mut bytes = [0; 32];
        if pairs.len() != bytes.len() {
            return Err(DigestError);
        }
        for (byte, pair) in bytes.iter_mut().zip(pairs) {
            *byte = hex(pair[0])? << 4 | hex(pair[1])?;
        }
        Ok(Self(bytes))
    }

    /// The digest that was stored as these bytes.
    #[must_use]
    pub const fn from_stored(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The 32 bytes of SHA-256.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

fn hex(digit: u8) -> Result<u8, DigestError> {
    match digit {
        b'0'..=b'9' => Ok(digit - b'0'),
        b'a'..=b'f' => Ok(digit - b'a' + 10),
        _ => Err(DigestError),
    }
}

impl fmt::Display for Digest {
    /// 64 lower-case hexadecimal digits.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
