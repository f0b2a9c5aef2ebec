//! Exclusions: what the company leaves out of its inventory on purpose, and why.

use async_trait::async_trait;
use domain::{Category, Exclusion, ExclusionId, Faults, Reason};

use super::draft::{Field, Reference};
use super::{Done, Error, Named, Once};
use crate::repo::{Listing, Page};
use crate::{Caller, Stored, Version};

/// Exclusions. Reading needs `catalog:read`, writing `catalog:write`. None of them changes a figure.
#[async_trait]
pub trait Exclusions: Send + Sync {
    /// One page of the exclusions, the one that was added first first.
    async fn list(&self, caller: &Caller, page: Page) -> Result<Listing<ExclusionView>, Error>;
    /// The exclusion with that identifier.
    async fn get(&self, caller: &Caller, id: ExclusionId) -> Result<ExclusionView, Error>;
    /// Adds an exclusion.
    async fn add(&self, caller: &Caller, draft: ExclusionDraft) -> Result<ExclusionView, Error> {
        self.add_once(caller, draft, None).await?.only_now()
    }
    /// The same once, where the request may be sent again. `KeyReused` when its key was used for another.
    async fn add_once(
        &self,
        caller: &Caller,
        draft: ExclusionDraft,
        once: Option<Once<ExclusionView>>,
    ) -> Result<Done<ExclusionView>, Error>;
    /// Changes an exclusion: absent members stay.
    async fn update(
        &self,
        caller: &Caller,
        id: ExclusionId,
        seen: Option<Version>,
        draft: ExclusionDraft,
    ) -> Result<ExclusionView, Error>;
    /// Removes an exclusion. What it said stays in the history.
    async fn remove(&self, caller: &Caller, id: ExclusionId, seen: Option<Version>) -> Result<(), Error>;
}

/// The members of an exclusion that are given with it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExclusionDraft {
    /// The scope that is left out, with all below it; this or the category is required.
    pub scope: Field<Reference>,
    /// The category of scope 3 that is left out.
    pub category: Field<Category>,
    /// The org that it is left out for, with all below it; the whole company without one.
    pub org: Field<Reference>,
    /// The first year; required.
    pub first_year: Field<u16>,
    /// The last year, included; of a new one the first unless given.
    pub last_year: Field<u16>,
    /// Why it is left out; required.
    pub reason: Field<Reason>,
    /// What reading found wrong.
    pub faults: Faults,
}

/// An exclusion with the names of the nodes that it refers to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExclusionView {
    /// The exclusion as it is stored.
    pub exclusion: Stored<Exclusion>,
    /// The scope that is left out; `None` where it is a category.
    pub scope: Option<Named>,
    /// The names from the root down to that scope, with ` / ` between them.
    pub scope_path: Option<String>,
    /// The org that it is left out for; `None` is the whole company.
    pub org: Option<Named>,
    /// The names from the root down to that org, with ` / ` between them.
    pub org_path: Option<String>,
}
