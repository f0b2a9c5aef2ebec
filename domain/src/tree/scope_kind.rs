//! What a node of the scope tree stands for: a GHG Protocol scope, with a category in scope 3, or none of them.

use std::fmt;
use std::str::FromStr;

/// The scope that a node belongs to (GHG Protocol Corporate Standard).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ScopeKind {
    /// Direct emissions of the company's own sources.
    Scope1,
    /// Emissions of purchased electricity, steam, heat and cooling.
    Scope2,
    /// All other emissions of the value chain.
    Scope3,
    /// CO2 of biogenic origin, which is reported apart from the scopes (GHG Protocol Corporate Standard, chapter 9).
    Biogenic,
    /// Credits bought or sold and avoided emissions: reported apart, and never netted with emissions.
    Credit,
    /// Whatever else is reported apart from the scopes.
    Outside,
}

impl ScopeKind {
    /// All kinds.
    pub const ALL: [Self; 6] = [Self::Scope1, Self::Scope2, Self::Scope3, Self::Biogenic, Self::Credit, Self::Outside];

    /// Reads what [`ScopeKind::as_str`] writes.
    pub fn parse(text: &str) -> Result<Self, ScopeKindError> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == text).ok_or(ScopeKindError)
    }

    /// Whether it is scope 1, 2 or 3.
    #[must_use]
    pub const fn is_scope(self) -> bool {
        matches!(self, Self::Scope1 | Self::Scope2 | Self::Scope3)
    }

    /// `scope1`, `scope2`, `scope3`, `biogenic`, `credit` or `outside`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Scope1 => "scope1",
            Self::Scope2 => "scope2",
            Self::Scope3 => "scope3",
            Self::Biogenic => "biogenic",
            Self::Credit => "credit",
            Self::Outside => "outside",
        }
    }
}

impl fmt::Display for ScopeKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for ScopeKind {
    type Err = ScopeKindError;

    fn from_str(text: &str) -> Result<Self, ScopeKindError> {
        Self::parse(text)
    }
}

/// A text that is no kind of scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a kind of scope: write scope1, scope2, scope3, biogenic, credit or outside")]
pub struct ScopeKindError;

/// Why a kind and a category do not go together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScopeClassError {
    /// The category is not 1 to 15.
    #[error("not a category of scope 3, which are 1 to 15")]
    NoSuchCategory,
    /// A category on another kind than scope 3.
    #[error("a category on a node of another kind than scope3, which alone has categories")]
    NotScope3,
}

/// Why a node of the scope tree cannot be below another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OutOfPlace {
    /// The node above has another kind.
    #[error("must be {0}, the kind of the node above")]
    Kind(ScopeKind),
    /// The node above has a category, and this one another or none.
    #[error("must be {0}, the category of the node above")]
    Category(u8),
}

/// A kind and, in scope 3, the category where it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ScopeClass {
    kind: ScopeKind,
    category: Option<u8>,
}

impl ScopeClass {
    /// The class of that kind and category.
    pub fn new(kind: ScopeKind, category: Option<u8>) -> Result<Self, ScopeClassError> {
        match category {
            Some(_) if kind != ScopeKind::Scope3 => Err(ScopeClassError::NotScope3),
            Some(number) if !(1..=15).contains(&number) => Err(ScopeClassError::NoSuchCategory),
            Some(_) | None => Ok(Self { kind, category }),
        }
    }

    /// The class of that kind without a category.
    #[must_use]
    pub const fn of(kind: ScopeKind) -> Self {
        Self { kind, category: None }
    }

    /// The kind that the root of the node's branch has.
    #[must_use]
    pub const fn kind(self) -> ScopeKind {
        self.kind
    }

    /// The scope 3 category, 1 to 15.
    #[must_use]
    pub const fn category(self) -> Option<u8> {
        self.category
    }

    /// Whether a node of this class may be below one of that: it has the same kind, and its category if it has one.
    pub fn check_below(self, above: Self) -> Result<(), OutOfPlace> {
        if self.kind != above.kind {
            return Err(OutOfPlace::Kind(above.kind));
        }
        match above.category {
            Some(category) if self.category != above.category => Err(OutOfPlace::Category(category)),
            Some(_) | None => Ok(()),
        }
    }

    /// Whether it is booked in one year and never spread over days: capital goods (2), waste (5), use (11) and end of
    /// life (12) of sold products (GHG Protocol Scope 3 Standard, time boundary of the categories).
    #[must_use]
    pub const fn never_spread(self) -> bool {
        matches!(self.category, Some(2 | 5 | 11 | 12))
    }
}
