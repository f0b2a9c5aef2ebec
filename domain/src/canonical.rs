//! The canonical form: one text of a value for all stores and files, and its digest.
//!
//! The text is a JSON object without white space, its members in a fixed order. A member without a value is left out, so
//! a member that comes later changes no text of a value that lacks it. Amounts are plain decimals in strings, days and
//! moments RFC 3339 in strings, counts whole numbers. Equal values have equal texts, and each text is read as one value.

mod activity;
mod closed_period;
mod digest;
mod error;
mod exclusion;
mod factor;
mod footprint;
mod input;
mod model;
mod node;
mod partner;
mod product;
mod published;
mod reader;
mod rule;
mod scan;
mod sharing;
mod switch;
mod writer;

pub use digest::{Digest, DigestError};
pub use error::CanonicalError;
pub use reader::{CanonicalItemReader, CanonicalReader};
pub use writer::{CanonicalItem, CanonicalWriter};

/// A value that has a canonical text.
///
/// Reading what was written gives the value, and writing what was read gives the text.
pub trait Canonical: Sized {
    /// What is known of the value before its text is read: the id of a record, which is in the envelope around its
    /// content; `()` where the text says all.
    type Known;

    /// Writes the members in the order of the kind's form, absent ones left out.
    fn write(&self, to: &mut CanonicalWriter);

    /// Reads the members that [`write`](Self::write) writes, in the same order.
    fn read(known: Self::Known, from: &mut CanonicalReader<'_>) -> Result<Self, CanonicalError>;

    /// The value whose text that is.
    fn from_canonical(known: Self::Known, text: &str) -> Result<Self, CanonicalError> {
        CanonicalReader::read(text, |from| Self::read(known, from))
    }

    /// The canonical text, which the digest is of.
    fn canonical(&self) -> String {
        CanonicalWriter::text_of(|to| self.write(to))
    }

    /// The digest of its canonical text.
    fn digest(&self) -> Digest {
        CanonicalWriter::digest_of(|to| self.write(to))
    }
}
