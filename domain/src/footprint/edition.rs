//! The editions of PACT that partners read: each record is shown in both, converted where it was written in the other.

use std::fmt;

use crate::footprint::spec_version::{Major, SpecVersion};

/// A form in which partners read footprints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Edition {
    /// PACT 2.3: amounts are per one declared unit.
    V2,
    /// PACT 3.0: amounts are per `declaredUnitAmount` of the declared unit.
    V3,
}

impl Edition {
    /// Both.
    pub const ALL: [Self; 2] = [Self::V2, Self::V3];

    /// The edition of that segment.
    pub fn parse(segment: &str) -> Result<Self, &'static str> {
        Self::ALL.into_iter().find(|edition| edition.segment() == segment).ok_or("must be 2 or 3")
    }

    /// The version of the data model.
    #[must_use]
    pub const fn spec_version(self) -> SpecVersion {
        match self {
            Self::V2 => SpecVersion::V2_3,
            Self::V3 => SpecVersion::V3_0,
        }
    }

    /// Its major version.
    #[must_use]
    pub const fn major(self) -> Major {
        self.spec_version().major()
    }

    /// The `specVersion` of a record that was written in another version.
    #[must_use]
    pub const fn spec_version_text(self) -> &'static str {
        match self {
            Self::V2 => "2.3.0",
            Self::V3 => "3.0.0",
        }
    }

    /// The segment of the paths below which it is read: `2` or `3`.
    #[must_use]
    pub const fn segment(self) -> &'static str {
        match self {
            Self::V2 => "2",
            Self::V3 => "3",
        }
    }
}

impl fmt::Display for Edition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.spec_version_text())
    }
}
