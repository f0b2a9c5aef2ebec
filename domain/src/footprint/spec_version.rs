//! The versions of the PACT data model that a footprint can follow, as its `specVersion` says.

use std::str::FromStr;

use crate::footprint::format;

/// A version of the PACT data model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SpecVersion {
    /// Version 2.0.
    V2_0,
    /// Version 2.1.
    V2_1,
    /// Version 2.2.
    V2_2,
    /// Version 2.3.
    V2_3,
    /// Version 3.0.
    V3_0,
}

/// The major version. Field names and the meaning of amounts change with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Major {
    /// Amounts are per one declared unit.
    V2,
    /// Amounts are per `declaredUnitAmount` of the declared unit.
    V3,
}

/// Why a `specVersion` names no version that is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpecVersionError {
    /// Not of the format.
    #[error("not three numbers with points between them, such as 2.3.0 or 3.0.0")]
    Malformed,
    /// Of the format, but not a version whose rules are known here.
    #[error("not a version of PACT known here; known are 2.0, 2.1, 2.2, 2.3 and 3.0, such as 2.3.0")]
    Unknown,
}

impl SpecVersion {
    /// Reads a `specVersion`: `\d+\.\d+\.\d+(-\d{8})?`. The patch number and the date make no difference.
    pub fn parse(spec_version: &str) -> Result<Self, SpecVersionError> {
        let (numbers, date) = spec_version.split_once('-').map_or((spec_version, None), |(n, d)| (n, Some(d)));
        let parts: Vec<&str> = numbers.split('.').collect();
        let [major, minor, patch] = parts[..] else { return Err(SpecVersionError::Malformed) };
        if ![major, minor, patch].into_iter().all(format::is_digits)
            || date.is_some_and(|date| date.len() != 8 || !format::is_digits(date))
        {
            return Err(SpecVersionError::Malformed);
        }
        match (major, minor) {
            ("2", "0") => Ok(Self::V2_0),
            ("2", "1") => Ok(Self::V2_1),
            ("2", "2") => Ok(Self::V2_2),
            ("2", "3") => Ok(Self::V2_3),
            ("3", "0") => Ok(Self::V3_0),
            _ => Err(SpecVersionError::Unknown),
        }
    }

    /// The major version, which names the form of the interface.
    #[must_use]
    pub const fn major(self) -> Major {
        match self {
            Self::V2_0 | Self::V2_1 | Self::V2_2 | Self::V2_3 => Major::V2,
            Self::V3_0 => Major::V3,
        }
    }
}

impl FromStr for SpecVersion {
    type Err = SpecVersionError;

    fn from_str(text: &str) -> Result<Self, SpecVersionError> {
        Self::parse(text)
    }
}
