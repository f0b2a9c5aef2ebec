//! A set that is to be added, with its factors as stores keep them.

use domain::{Canonical as _, Digest, FactorSet, Name, PublishedFactor, Timestamp};

use super::InstalledSet;

/// Why factors make no set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NewFactorSetError {
    /// There is none.
    #[error("the set has no factor")]
    Empty,
    /// Two have the same cell.
    #[error("two factors have the cell {0:?}")]
    Twice(Name),
}

/// A factor as stores keep it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FactorRow {
    /// Its cell.
    pub cell: Name,
    /// Its canonical text.
    pub text: String,
    /// The digest of that text.
    pub digest: Digest,
}

/// A set with its factors, by cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewFactorSet {
    set: FactorSet,
    rows: Vec<FactorRow>,
}

impl NewFactorSet {
    /// The set of those factors, in any order: at least one, each cell once.
    pub fn new(set: FactorSet, factors: &[PublishedFactor]) -> Result<Self, NewFactorSetError> {
        let mut rows: Vec<FactorRow> = factors
            .iter()
            .map(|factor| {
                let text = factor.canonical();
                FactorRow { cell: factor.cell.clone(), digest: Digest::of(text.as_bytes()), text }
            })
            .collect();
        rows.sort_by(|a, b| a.cell.cmp(&b.cell));
        match rows.windows(2).find(|pair| pair[0].cell == pair[1].cell) {
            _ if rows.is_empty() => Err(NewFactorSetError::Empty),
            Some(pair) => Err(NewFactorSetError::Twice(pair[0].cell.clone())),
            None => Ok(Self { set, rows }),
        }
    }

    /// What its publisher says of it.
    #[must_use]
    pub const fn set(&self) -> &FactorSet {
        &self.set
    }

    /// Its factors, by cell.
    #[must_use]
    pub fn rows(&self) -> &[FactorRow] {
        &self.rows
    }

    /// The set as it is when somebody adds it.
    #[must_use]
    pub fn installed(&self, added: Timestamp, by: &str) -> InstalledSet {
        InstalledSet {
            set: self.set.clone(),
            factors: self.rows.len() as u64,
            digest: digest_of(self.rows.iter().map(|row| row.digest)),
            added,
            by: by.to_owned(),
        }
    }
}

/// The digest of factors with those digests, which stand in the order of their cells.
pub(super) fn digest_of(digests: impl IntoIterator<Item = Digest>) -> Digest {
    let bytes: Vec<u8> = digests.into_iter().flat_map(|digest| *digest.as_bytes()).collect();
    Digest::of(&bytes)
}
