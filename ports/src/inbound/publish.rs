//! Footprints that are made of models.

use domain::footprint::publish::{PublishingCompany, StageSum};
use domain::{Faults, Fields, FootprintId};

use super::footprint_view::FootprintView;

/// What is said of a model's footprint besides what is computed.
#[derive(Clone, Debug, PartialEq)]
pub struct PublishDraft {
    /// The company that it is of.
    pub company: PublishingCompany,
    /// What is said, by the names of PACT 3.
    pub said: Fields,
    /// What becomes of what was said before.
    pub earlier: SaidEarlier,
    /// What reading found wrong.
    pub faults: Faults,
}

/// What becomes of what was said for the model's last footprint.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SaidEarlier {
    /// It holds where nothing else is said now.
    #[default]
    Holds,
    /// It does not count any more.
    Dropped,
}

/// What became of a model's footprint.
#[derive(Clone, Debug, PartialEq)]
pub struct PublishedFootprint {
    /// What was done.
    pub outcome: PublishOutcome,
    /// The footprint with its verdict; of a preview it has number 0 and no uuid but the nil one.
    pub footprint: FootprintView,
    /// The footprint that it takes the place of.
    pub replaces: Option<FootprintId>,
    /// What the model's inputs come to by stage.
    pub stages: Vec<StageSum>,
    /// What is not known or was rounded.
    pub notes: Vec<String>,
}

/// What was done about a model's footprint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PublishOutcome {
    /// It was added, and the one before was deprecated.
    Published,
    /// The one that there is says the same: nothing was done.
    Unchanged,
    /// Nothing was written; this is what would be published.
    Preview,
}

impl PublishOutcome {
    /// All.
    pub const ALL: [Self; 3] = [Self::Published, Self::Unchanged, Self::Preview];

    /// Its word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Published => "published",
            Self::Unchanged => "unchanged",
            Self::Preview => "preview",
        }
    }
}
