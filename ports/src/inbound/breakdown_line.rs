//! One line of a report that is broken down: which activities it is made of.

use domain::{ActivityId, Co2e, Day, Name, Totals};

use super::breakdown::{BreakdownQuery, Label};
use crate::Revision;
use crate::repo::Listing;

/// A line of a breakdown, or its whole, with the activities that it is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BreakdownLine {
    /// The revision that it is of.
    pub revision: Revision,
    /// What was asked for.
    pub query: BreakdownQuery,
    /// What the line is about, in the order of the dimensions; empty of the whole.
    pub labels: Vec<Label>,
    /// What the report says that the line comes to.
    pub totals: Totals,
    /// What its activities come to, read and added one by one.
    pub recomputed: Totals,
    /// One page of its activities, by first day, then id.
    pub activities: Listing<LineActivity>,
}

/// An activity in a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineActivity {
    /// The activity.
    pub id: ActivityId,
    /// What it is called.
    pub name: Name,
    /// Its first day.
    pub day: Day,
    /// Its stored CO2e, in kg.
    pub co2e: Option<Co2e>,
    /// What it adds to the line: all of it, or under daily attribution its days in the line.
    pub adds: Totals,
}

impl BreakdownLine {
    /// Whether the line is what its activities come to, digit for digit.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.totals == self.recomputed
    }
}

impl Label {
    /// The word by which a line of that label is asked for.
    #[must_use]
    pub fn key(&self) -> String {
        match self {
            Self::Time(name) => name.clone(),
            Self::Record { id, .. } => id.to_string(),
            Self::Gas(gas) => gas.word().to_owned(),
            Self::Quality(quality) => quality.word().to_owned(),
            Self::Without => "none".to_owned(),
        }
    }
}
