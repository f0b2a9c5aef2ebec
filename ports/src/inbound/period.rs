//! Closed periods: closing, opening again, and what became of their figures since.

use std::ops::{Add, Sub};

use async_trait::async_trait;
use domain::{
    ClassTotals, ClosedPeriod, ClosedPeriodId, Day, Faults, FrozenFigures, FrozenLine, FrozenReport, Name, Reason,
    SeriesKey, Significance, Total, YearStart,
};

use super::draft::{Field, Reference};
use super::{Done, Error, Named, Once};
use crate::repo::{Listing, Page};
use crate::{Caller, Revision, Stored};

/// Closed periods. Reading needs `activity:report`, closing and opening again `period:close`.
#[async_trait]
pub trait Periods: Send + Sync {
    /// One page of the periods that are closed or were, the first one that was closed first.
    async fn list(&self, caller: &Caller, page: Page) -> Result<Listing<PeriodView>, Error>;
    /// The period with that identifier.
    async fn get(&self, caller: &Caller, id: ClosedPeriodId) -> Result<PeriodView, Error>;
    /// Closes a period, and freezes its report as it is.
    async fn close(&self, caller: &Caller, draft: PeriodDraft) -> Result<PeriodView, Error> {
        self.close_once(caller, draft, None).await?.only_now()
    }
    /// The same once, where the request may be sent again.
    async fn close_once(
        &self,
        caller: &Caller,
        draft: PeriodDraft,
        once: Option<Once<PeriodView>>,
    ) -> Result<Done<PeriodView>, Error>;
    /// Opens a closed period again, for a reason. Its frozen report stays.
    async fn reopen(&self, caller: &Caller, id: ClosedPeriodId, draft: ReopenDraft) -> Result<PeriodView, Error> {
        self.reopen_once(caller, id, draft, None).await?.only_now()
    }
    /// The same once, where the request may be sent again.
    async fn reopen_once(
        &self,
        caller: &Caller,
        id: ClosedPeriodId,
        draft: ReopenDraft,
        once: Option<Once<PeriodView>>,
    ) -> Result<Done<PeriodView>, Error>;
    /// The base year against what it is today, and whether that asks for its recalculation. `NotFound` where no period was
    /// closed as the base year.
    async fn base_year(&self, caller: &Caller) -> Result<BaseYear, Error>;
    /// What the figures of a period are today, against its frozen report, by cause.
    async fn restatement(&self, caller: &Caller, id: ClosedPeriodId) -> Result<Restatement, Error>;
}

/// What is to be closed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PeriodDraft {
    /// The org to close it for, with all below it; the whole company without one.
    pub org: Field<Reference>,
    /// The days by their name ([`YearStart::period_by_name`]), in place of the first and the last.
    pub period: Field<String>,
    /// When the company's years begin.
    pub year_start: YearStart,
    /// The first day; required without a name.
    pub first: Field<Day>,
    /// The last day, included; required without a name.
    pub last: Field<Day>,
    /// That it is the base year, and how large a change of it is significant: for the whole company alone.
    pub base_year: Field<Significance>,
    /// Why it is closed.
    pub reason: Field<Reason>,
    /// What reading found wrong.
    pub faults: Faults,
}

/// Why a period is opened again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReopenDraft {
    /// The reason; required.
    pub reason: Field<Reason>,
    /// What reading found wrong.
    pub faults: Faults,
}

/// A closed period as it is shown.
#[derive(Clone, Debug, PartialEq)]
pub struct PeriodView {
    /// The period as it is stored.
    pub period: Stored<ClosedPeriod>,
    /// The org that it is closed for; `None` is the whole company.
    pub org: Option<Named>,
    /// The names from the root down to that org as they are today, with ` / ` between them.
    pub org_path: Option<String>,
    /// What its frozen report comes to in scopes 1 to 3.
    pub frozen: FrozenFigures,
}

/// Why a figure of a closed period differs from its frozen report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cause {
    /// Activities were recorded, edited or removed, by hand or by imports.
    Data,
    /// A factor came that completed what had none.
    Factor,
    /// A factor was corrected, and what was computed from it was computed anew.
    Correction,
    /// Gases were read under another set of global warming potentials.
    Gwp,
    /// A rule of the calculation changed.
    Rule,
    /// Orgs came, went or moved, or scopes became others.
    Structure,
}

impl Cause {
    /// Every cause.
    pub const ALL: [Self; 6] = [Self::Data, Self::Factor, Self::Correction, Self::Gwp, Self::Rule, Self::Structure];

    /// The causes for which a figure that is there can be outdated.
    pub const OUTDATED: [Self; 5] = [Self::Factor, Self::Correction, Self::Gwp, Self::Rule, Self::Structure];

    /// The cause of that word.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|cause| cause.as_str() == word)
    }

    /// The word for it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Data => "data",
            Self::Factor => "factor",
            Self::Correction => "correction",
            Self::Gwp => "gwp",
            Self::Rule => "rule",
            Self::Structure => "structure",
        }
    }
}

/// What the figures of a period are today, against its frozen report.
#[derive(Clone, Debug, PartialEq)]
pub struct Restatement {
    /// The period.
    pub period: PeriodView,
    /// The point of history that today's figures are of.
    pub revision: Revision,
    /// What activities in scopes 1 to 3 come to today, each counted wholly on its first day.
    pub now: FrozenFigures,
    /// What all activities of the period came to when it was closed, class by class.
    pub was: RestatedTotals,
    /// What they come to today.
    pub is: RestatedTotals,
    /// What of the difference is due to what; all causes together are the difference of each figure. A cause that changed no
    /// figure is left out.
    pub causes: Vec<RestatedCause>,
    /// The series whose figures differ.
    pub lines: Vec<RestatedLine>,
    /// The report of today, in the form of the frozen one.
    pub report: FrozenReport,
}

/// What activities come to, class by class, under both attributions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RestatedTotals {
    /// Those that begin in the period, each counted wholly.
    pub started: ClassTotals,
    /// Those that touch it, each with its share of the days.
    pub spread: ClassTotals,
}

impl RestatedTotals {
    /// Whether each figure is zero.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        self.started.is_zero() && self.spread.is_zero()
    }
}

impl Add for RestatedTotals {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { started: self.started + other.started, spread: self.spread + other.spread }
    }
}

impl Sub for RestatedTotals {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self { started: self.started - other.started, spread: self.spread - other.spread }
    }
}

/// What of the difference is due to one cause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RestatedCause {
    /// The cause.
    pub cause: Cause,
    /// By how much each figure changed.
    pub totals: RestatedTotals,
}

/// A series whose figures differ.
#[derive(Clone, Debug, PartialEq)]
pub struct RestatedLine {
    /// The nodes that its activities carry.
    pub series: SeriesKey,
    /// The names of those nodes that are there: scope, org and taxonomy.
    pub names: [Option<Name>; 3],
    /// As it was frozen; `None` had no activity then.
    pub was: Option<FrozenLine>,
    /// As it is; `None` has no activity.
    pub is: Option<FrozenLine>,
}

/// The base year against what it is today.
#[derive(Clone, Debug, PartialEq)]
pub struct BaseYear {
    /// How large a change of it is significant.
    pub significance: Significance,
    /// What differs, and why.
    pub restatement: Restatement,
    /// By how much the recalculation of what is outdated would change it besides, in kg of CO2 equivalent.
    pub outdated: Total,
    /// The same with scope 2 market-based.
    pub market_outdated: Total,
    /// Whether the difference, that of a single cause, or what is outdated is significant: then the base year is to be
    /// recalculated, and closed anew.
    pub asks_for_recalculation: bool,
}
