//! Published factors: what a company may look up, and what the operator of an installation adds and removes.

use std::fmt;

use async_trait::async_trait;
use domain::{Digest, Faults, Name, PublishedFactor, PublishedUse, SearchWords, Unit};

use super::Error;
use crate::factor_sets::{AddedSet, InstalledSet, NewFactorSet};
use crate::repo::{Listing, Page};
use crate::{Caller, Grant, Installation, Maintenance};

/// The id of a set, or the beginning of it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SetPrefix(String);

/// A text that is no beginning of a set's id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("is no id of a set and no beginning of one: 8 to 64 lower-case hexadecimal digits")]
pub struct NoSetPrefix;

impl SetPrefix {
    /// The fewest digits.
    pub const FEWEST: usize = 8;

    /// Reads 8 to 64 lower-case hexadecimal digits.
    pub fn parse(text: &str) -> Result<Self, NoSetPrefix> {
        let is_hex = text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        if is_hex && (Self::FEWEST..=64).contains(&text.len()) { Ok(Self(text.to_owned())) } else { Err(NoSetPrefix) }
    }

    /// Whether the id begins so.
    #[must_use]
    pub fn begins(&self, id: Digest) -> bool {
        id.to_string().starts_with(&self.0)
    }
}

impl From<Digest> for SetPrefix {
    fn from(id: Digest) -> Self {
        Self(id.to_string())
    }
}

impl fmt::Display for SetPrefix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// A question for published factors. Whatever is not given leaves all.
#[derive(Clone, Debug, Default)]
pub struct FactorQuestion {
    /// The words it is to be found by.
    pub words: Option<SearchWords>,
    /// The set it is of.
    pub set: Option<SetPrefix>,
    /// The region it is of, those within it included.
    pub region: Option<Name>,
    /// The unit it is per.
    pub unit: Option<Unit>,
    /// A calendar year for which its set holds.
    pub year: Option<i32>,
    /// Its use.
    pub usage: Option<PublishedUse>,
    /// What was found wrong when it was read; the pointers are `q`, `set`, `region`, `unit`, `year` and `use`.
    pub faults: Faults,
}

/// A published factor with the set it is of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundFactor {
    /// The set.
    pub installed: InstalledSet,
    /// The factor.
    pub factor: PublishedFactor,
}

/// Whether a set may come beside another one of the same publisher, title and edition, which it does not correct.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Beside {
    /// It is refused: it is a conflict.
    #[default]
    Refused,
    /// It may, as where an edition is published in several files.
    Allowed,
}

/// Looks up published factors. Each call needs the permission `catalog:read`; the sets are the same for every company.
#[async_trait]
pub trait PublishedFactors: Send + Sync {
    /// Every set: the newest first, as a search orders them.
    async fn list_factor_sets(&self, caller: &Caller) -> Result<Vec<InstalledSet>, Error>;

    /// The factors that answer a question, the best first. `Parameters` when it is wrong or names no set that is there.
    async fn search_factors(
        &self,
        caller: &Caller,
        question: FactorQuestion,
        page: Page,
    ) -> Result<Listing<FoundFactor>, Error>;

    /// The factor in that cell of that set. `NotFound` when there is none, or more than one set begins so.
    async fn get_published_factor(&self, caller: &Caller, set: &SetPrefix, cell: &Name) -> Result<FoundFactor, Error>;
}

/// Adds and removes sets: the operator's work.
#[async_trait]
pub trait FactorSetImports: Send + Sync {
    /// What adding that set would do: nothing is written.
    async fn preview_factor_set(
        &self,
        grant: &Grant<Maintenance, Installation>,
        set: &NewFactorSet,
        beside: Beside,
    ) -> Result<AddedSet, Error>;

    /// Adds a set. One of the same file that is there stays as it is.
    async fn add_factor_set(
        &self,
        grant: &Grant<Maintenance, Installation>,
        set: NewFactorSet,
        beside: Beside,
    ) -> Result<AddedSet, Error>;

    /// Removes a set; companies keep the factors that they copied of it. `NotFound` when there is none, or more than one
    /// set begins so.
    async fn remove_factor_set(
        &self,
        grant: &Grant<Maintenance, Installation>,
        set: &SetPrefix,
    ) -> Result<InstalledSet, Error>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_is_named_by_its_id_or_the_beginning_of_it() {
        let id = Digest::of(b"file");
        assert_eq!(id.to_string().get(..8), Some("3b9c358f"));
        assert!(SetPrefix::parse("3b9c358f").unwrap().begins(id) && SetPrefix::from(id).begins(id));
        assert!(!SetPrefix::parse("3b9c358e").unwrap().begins(id));
        for text in ["", "3b9c358", "3B9C358F", "3b9c358g", &"0".repeat(65)] {
            assert_eq!(SetPrefix::parse(text), Err(NoSetPrefix), "{text}");
        }
    }
}
