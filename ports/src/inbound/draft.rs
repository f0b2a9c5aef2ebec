//! The parts of a draft: fields that may be absent, null, given or faulty, and references to other records.

use domain::{Name, SyncId};
use uuid::Uuid;

/// A member of an input.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Field<T> {
    /// Not there: a change leaves it as it is, a new record goes without.
    #[default]
    Absent,
    /// There, and `null`: a change clears it.
    Null,
    /// A value was given.
    Given(T),
    /// There, but wrong: the draft's faults say how.
    Faulty,
}

impl<T> Field<T> {
    /// The value for a new record: absent and `null` are the same.
    pub fn into_option(self) -> Option<T> {
        match self {
            Self::Given(value) => Some(value),
            Self::Absent | Self::Null | Self::Faulty => None,
        }
    }

    /// The value that a change of `before` leaves.
    pub fn merge(self, before: Option<T>) -> Option<T> {
        match self {
            Self::Absent | Self::Faulty => before,
            Self::Null => None,
            Self::Given(value) => Some(value),
        }
    }

    /// The value given, if there is one.
    pub const fn given(&self) -> Option<&T> {
        match self {
            Self::Given(value) => Some(value),
            Self::Absent | Self::Null | Self::Faulty => None,
        }
    }

    /// Whether nothing was given and nothing is wrong with it.
    pub const fn is_missing(&self) -> bool {
        matches!(self, Self::Absent | Self::Null)
    }

    /// Given for `Some`, absent for `None`.
    pub fn of(value: Option<T>) -> Self {
        value.map_or(Self::Absent, Self::Given)
    }
}

/// How an input names another record.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Reference {
    /// The record with that UUID.
    Id(Uuid),
    /// The record with that syncId.
    SyncId(SyncId),
    /// By a word of a table: its syncId, or else its one matching name, or for a taxonomy its path.
    Word(String),
    /// By what an answer of ours shows of a record, whose uuid another installation does not have.
    Shown(Shown),
    /// By its place from a root of the tree down, each node found or made on the way: orgs and taxonomies of a table.
    Path(Vec<NodeStep>),
}

/// What an answer of ours shows of a record that another one refers to: its uuid finds it, else its syncId, else its path, which
/// is taken whole. The name finds it only where nothing else is shown, as a record of that name elsewhere is another.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Shown {
    /// Its uuid in the installation that wrote the answer.
    pub id: Uuid,
    /// Its syncId.
    pub sync_id: Option<SyncId>,
    /// Its place in its tree from the root down: names with ` / ` between them, of a taxonomy slugs with `/`.
    pub path: Option<String>,
    /// What it is called.
    pub name: Option<String>,
}

/// One node of a [`Reference::Path`]: the node below the one before it that has the syncId, or without one the name.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct NodeStep {
    /// What it is called when it is made.
    pub name: Name,
    /// What finds it, where names repeat.
    pub sync_id: Option<SyncId>,
}
