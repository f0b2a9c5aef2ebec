//! Life-cycle stages of a product, as EN 15804 and ISO 21930 name them.

use std::fmt;
use std::str::FromStr;

/// A life-cycle stage (module), or the aggregate A1-A3.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Stage(u8);

/// Which part of the life cycle a stage belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Group {
    /// Making it and bringing it to where it is used.
    A,
    /// The use of the product.
    B,
    /// The end of its life.
    C,
    /// Benefits and loads beyond the boundary of the system. Never added to the others.
    D,
}

/// A text that is no stage.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a life-cycle stage; write A0 to A5, A1-A3, B1 to B8, C1 to C4 or D")]
pub struct StageError(String);

/// Code, name and group of every stage, in the order of the life cycle. A0 and B8 are those of whole buildings.
const STAGES: [(&str, &str, Group); 20] = [
    ("A0", "Preliminary studies", Group::A),
    ("A1", "Raw material supply", Group::A),
    ("A2", "Transport to the manufacturer", Group::A),
    ("A3", "Manufacturing", Group::A),
    ("A1-A3", "Product stage", Group::A),
    ("A4", "Transport to the site", Group::A),
    ("A5", "Installation", Group::A),
    ("B1", "Use", Group::B),
    ("B2", "Maintenance", Group::B),
    ("B3", "Repair", Group::B),
    ("B4", "Replacement", Group::B),
    ("B5", "Refurbishment", Group::B),
    ("B6", "Operational energy use", Group::B),
    ("B7", "Operational water use", Group::B),
    ("B8", "Users' activities", Group::B),
    ("C1", "Deconstruction and demolition", Group::C),
    ("C2", "Transport to waste processing", Group::C),
    ("C3", "Waste processing", Group::C),
    ("C4", "Disposal", Group::C),
    ("D", "Benefits and loads beyond the system boundary", Group::D),
];

/// What the aggregate A1-A3 covers, and the aggregate itself, which cannot be split (EN 15804, product stage).
pub const PRODUCT_STAGE: [Stage; 4] = [Stage(1), Stage(2), Stage(3), Stage(4)];

impl Stage {
    /// Reads a code, such as `A1` or `A1-A3`.
    pub fn parse(text: &str) -> Result<Self, StageError> {
        Self::all().find(|stage| stage.code() == text).ok_or_else(|| StageError(text.chars().take(40).collect()))
    }

    /// Every stage, in the order of the life cycle.
    pub fn all() -> impl Iterator<Item = Self> {
        (0_u8..).take(STAGES.len()).map(Self)
    }

    /// The code of the standard, such as `A1`.
    #[must_use]
    pub fn code(self) -> &'static str {
        STAGES[usize::from(self.0)].0
    }

    /// The name in words.
    #[must_use]
    pub fn name(self) -> &'static str {
        STAGES[usize::from(self.0)].1
    }

    /// The part of the life cycle it belongs to.
    #[must_use]
    pub fn group(self) -> Group {
        STAGES[usize::from(self.0)].2
    }

    /// Whether it is A1, A2, A3 or their aggregate.
    #[must_use]
    pub fn is_product_stage(self) -> bool {
        PRODUCT_STAGE.contains(&self)
    }
}

impl fmt::Display for Stage {
    /// Writes the code.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.code())
    }
}

impl FromStr for Stage {
    type Err = StageError;

    fn from_str(text: &str) -> Result<Self, StageError> {
        Self::parse(text)
    }
}

impl fmt::Debug for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Stage({})", self.code())
    }
}
