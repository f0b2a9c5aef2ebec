//! Recording activities, and asking for the report of them.

use crate::{Caller, RecalculationId, Revision, Version};
use async_trait::async_trait;
use domain::{
    ActivityId, Co2e, Description, EvidenceList, FactorId, Faults, MarketBasis, Moment, Name, Quality, Quantity,
    SyncId, Unit,
};

use super::activity_view::ActivityView;

use super::draft::{Field, Reference};
use super::recalculation::{Recalculated, Recalculation, UndoneRecalculation};
use super::report::{ReportQuery, ReportView};
use super::{Done, Error, Once};

/// Recording activities and reporting what they add up to.
#[async_trait]
pub trait Activities: Send + Sync {
    /// The report of the activities that the query asks for; needs `activity:report`, and `activity:read` for rows.
    /// Unknown nodes are `Parameters` faults named `org`, `scope`, `taxonomy`.
    async fn report(&self, caller: &Caller, query: ReportQuery) -> Result<ReportView, Error>;

    /// The point of history that a report made now would be of; needs `activity:report`.
    async fn revision(&self, caller: &Caller) -> Result<Revision, Error>;

    /// One activity; needs `activity:read`.
    async fn get(&self, caller: &Caller, id: ActivityId) -> Result<ActivityView, Error>;

    /// Records an activity under a new id; needs `activity:write`.
    async fn add(&self, caller: &Caller, draft: ActivityDraft) -> Result<ActivityView, Error> {
        self.add_once(caller, draft, None).await?.only_now()
    }

    /// The same once, where the request may be sent again. `KeyReused` when its key was used for another.
    async fn add_once(
        &self,
        caller: &Caller,
        draft: ActivityDraft,
        once: Option<Once<ActivityView>>,
    ) -> Result<Done<ActivityView>, Error>;

    /// Changes an activity: absent members stay. `seen` is the version it must still have.
    async fn update(
        &self,
        caller: &Caller,
        id: ActivityId,
        seen: Option<Version>,
        draft: ActivityDraft,
    ) -> Result<ActivityView, Error>;

    /// Removes an activity; needs `activity:write`. `seen` is the version it must still have.
    async fn remove(&self, caller: &Caller, id: ActivityId, seen: Option<Version>) -> Result<(), Error>;

    /// Computes activities anew that a factor which came later completes, or whose factor was corrected, and touches no
    /// others; needs `activity:write`. What changes figures that are there needs a preview that is still true, else it is
    /// `Conflict`.
    async fn recalculate(&self, caller: &Caller, asked: Recalculation) -> Result<Recalculated, Error> {
        self.recalculate_once(caller, asked, None).await?.only_now()
    }

    /// The same once, where the request may be sent again. `KeyReused` when its key was used for another.
    /// The answer is stored with the last of what it writes; a preview writes nothing and is made anew each time.
    async fn recalculate_once(
        &self,
        caller: &Caller,
        asked: Recalculation,
        once: Option<Once<Recalculated>>,
    ) -> Result<Done<Recalculated>, Error>;

    /// Undoes a recalculation: what it changed gets the figures that it had before; needs `activity:write`. Of many in batches:
    /// the same call goes on with one that was broken off, and changes nothing of one that is undone. `NotFound` where no change
    /// names it; `Conflict` where later changes stand on what it left, or a closed period stands in the way.
    async fn undo_recalculation(&self, caller: &Caller, id: RecalculationId) -> Result<UndoneRecalculation, Error>;
}

/// The members of an activity that are given with it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ActivityDraft {
    /// What it is called; required.
    pub name: Field<Name>,
    /// What another system calls it; unique among activities.
    pub sync_id: Field<SyncId>,
    /// Free text for people.
    pub description: Field<Description>,
    /// Goes together with `unit`.
    pub quantity: Field<Quantity>,
    /// Goes together with `quantity`.
    pub unit: Field<Unit>,
    /// Replaces the computed upstream part, in kg.
    pub upstream: Field<Co2e>,
    /// Replaces the computed downstream part, in kg.
    pub downstream: Field<Co2e>,
    /// CO2 from living matter in kg, beside CO2e; replaces what the factor says of it.
    pub biogenic: Field<Co2e>,
    /// What the market-based figure rests on; together with the factor.
    pub market_instrument: Field<MarketBasis>,
    /// The factor that counts in the market; together with what it rests on.
    pub market_factor: Field<FactorId>,
    /// Which certificate or contract it is.
    pub market_reference: Field<Name>,
    /// How well its figure is known.
    pub quality: Field<Quality>,
    /// What shows that it is as it is recorded; replaces what was there.
    pub evidence: Field<EvidenceList>,
    /// The product that was consumed.
    pub product: Field<Reference>,
    /// The node of the scope tree.
    pub scope: Field<Reference>,
    /// The category of activity.
    pub taxonomy: Field<Reference>,
    /// The node of the org tree.
    pub org: Field<Reference>,
    /// When it began; required.
    pub start: Field<Moment>,
    /// When it ended; not before `start`.
    pub end: Field<Moment>,
    /// What it says of the record that it was read from.
    pub read_back: ReadBack,
    /// What reading found wrong, by JSON pointer: `/startDate`, `/org/uuid`.
    pub faults: Faults,
}

/// What an input says of computed values and of itself, beside what can be given: as an answer of ours has it, or a table
/// with sums of its own. None of it is written. It must agree with what the record comes to, so that no amount that is
/// there is passed over; in a row of an answer, which says in `supplied` which parts were, a difference is a warning, since
/// another installation may have computed with other factors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReadBack {
    /// The activity that it was read from.
    pub id: Option<ActivityId>,
    /// The upstream part, where it is said not to be supplied.
    pub upstream: Option<Co2e>,
    /// The downstream part, where it is said not to be supplied.
    pub downstream: Option<Co2e>,
    /// Biogenic CO2, where it is said not to be supplied.
    pub biogenic: Option<Co2e>,
    /// The sum of the parts.
    pub co2e: Option<Co2e>,
    /// The parts that are said to be supplied; `None` where the input says nothing of that.
    pub supplied: Option<SuppliedParts>,
}

/// Which parts of a CO2e are said to be supplied.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each part is supplied or not, whatever the others are")]
pub struct SuppliedParts {
    /// Whether the upstream part was supplied.
    pub upstream: bool,
    /// Whether the downstream part was supplied.
    pub downstream: bool,
    /// Whether biogenic CO2 was supplied.
    pub biogenic: bool,
    /// Whether the factor that counts in the market was named.
    pub market: bool,
}
