//! Computing anew what factors that came later complete or correct.

use domain::{ActivityId, Faults, Total};

use super::draft::{Field, Reference};
use super::{Cause, Named};
use crate::RecalculationId;

/// What to compute anew, and how far to go.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recalculation {
    /// Which activities are computed anew.
    pub of: RecalculationOf,
    /// Whether to preview or to write.
    pub step: RecalculationStep,
    /// Those of this org and the orgs below it alone.
    pub org: Field<Reference>,
    /// Those of this scope and the scopes below it alone.
    pub scope: Field<Reference>,
    /// Those that change for this cause alone; what is incomplete changes for [`Cause::Factor`].
    pub only: Field<Cause>,
    /// What asks for it, as the change chain says behind what it does: `POST /v1/recalculation`; empty of a command.
    pub via: String,
    /// What reading found wrong.
    pub faults: Faults,
}

/// Which activities are computed anew.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RecalculationOf {
    /// Those without CO2e that have a product and a quantity to compute it from.
    #[default]
    Incomplete,
    /// Those whose CO2e is outdated ([`Activity::outdated`](domain::Activity::outdated)).
    Outdated,
}

impl RecalculationOf {
    /// Both kinds.
    pub const ALL: [Self; 2] = [Self::Incomplete, Self::Outdated];

    /// The word for it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Incomplete => "incomplete",
            Self::Outdated => "outdated",
        }
    }

    /// What that word stands for.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|of| of.as_str() == word)
    }
}

/// How far a recalculation goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecalculationStep {
    /// It says what it would do, and what confirms it.
    Preview,
    /// It writes. What changes figures that were there is written only when it is what a preview said.
    Write {
        /// [`Recalculated::confirm`] of that preview.
        confirm: Option<String>,
    },
}

impl Default for RecalculationStep {
    fn default() -> Self {
        Self::Write { confirm: None }
    }
}

/// What a recalculation did, or would do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recalculated {
    /// How many activities it is about.
    pub activities: u64,
    /// How many of them get another CO2e, location-based or market-based.
    pub changed: u64,
    /// What those that change came to before, in kg.
    pub before: Total,
    /// What they come to, in kg.
    pub after: Total,
    /// What they came to before with scope 2 market-based, in kg.
    pub market_before: Total,
    /// What they come to with scope 2 market-based, in kg.
    pub market_after: Total,
    /// What becomes of which scope and org, by cause, in the order of their identifiers: of previews and of what was written
    /// as one said. All groups together are the sums above.
    pub groups: Vec<RecalculatedGroup>,
    /// What it is called, to be undone by; `None` of a preview, and where nothing was written.
    pub id: Option<RecalculationId>,
    /// How many would change too, stand in closed periods and are left out: neither `changed` nor the amounts count them.
    pub closed: u64,
    /// What confirms this preview; `None` once it was written.
    pub confirm: Option<String>,
    /// The activities that cannot be computed, and why; the first 1,000.
    pub failed: Vec<(ActivityId, String)>,
    /// How many those are.
    pub failures: u64,
}

/// What became of a recalculation that was undone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UndoneRecalculation {
    /// The recalculation.
    pub id: RecalculationId,
    /// How many activities it changed.
    pub activities: u64,
    /// How many of them were given the figures that they had before it now; the others had them.
    pub restored: u64,
    /// How many stay as they are, since somebody edited them, or closed a period that they touch, while it was undone.
    pub kept: u64,
}

/// What becomes of the activities of one scope and org.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecalculatedGroup {
    /// Why they change.
    pub cause: Cause,
    /// The scope that they carry; `None` is none.
    pub scope: Option<Named>,
    /// The org that they carry; `None` is none.
    pub org: Option<Named>,
    /// How many they are.
    pub changed: u64,
    /// What they came to before, in kg.
    pub before: Total,
    /// What they come to, in kg.
    pub after: Total,
    /// What they came to before with scope 2 market-based, in kg.
    pub market_before: Total,
    /// What they come to with scope 2 market-based, in kg.
    pub market_after: Total,
}
