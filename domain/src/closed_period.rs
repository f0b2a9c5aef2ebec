//! Periods that are closed: spans of days whose figures stand fast, for a part of the company or all of it.

mod about;
mod class_totals;
mod frozen;
mod frozen_line;
mod guard;
mod significance;
mod span;

pub use about::{FrozenAbout, FrozenNode};
pub use class_totals::ClassTotals;
pub use frozen::FrozenReport;
pub use frozen_line::{FrozenFigures, FrozenLine};
pub use guard::{ClosedPeriods, ClosedSpan};
pub use significance::{Significance, SignificanceError};
pub use span::PeriodSpan;

use crate::calendar::day::{Day, Period};
use crate::calendar::timestamp::Timestamp;
use crate::canonical::{Canonical as _, CanonicalError, Digest};
use crate::id::{ClosedPeriodId, OrgId};
use crate::setters::setters;
use crate::text::{Name, Reason};
use uuid::Uuid;

/// A period that was closed for an org and all below it, or for the whole company, with the report as it was then.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ClosedPeriod {
    /// Unique within the tenant.
    pub id: ClosedPeriodId,
    /// The org that it was closed for, with all below it; `None` is the whole company, activities without an org too.
    pub org: Option<OrgId>,
    /// Its first day.
    first: Day,
    /// Its last day, included.
    last: Day,
    /// That it is the base year, which later years are compared with, and how large a change of it is significant; `None`
    /// is any other period. Of several the one that was closed last is the base year.
    pub base_year: Option<Significance>,
    /// Who closed it, when and why.
    pub closed: Signature,
    /// Who opened it again, when and why; `None` while it is closed.
    pub reopened: Option<Signature>,
    /// The report as it was when the period was closed.
    pub frozen: Frozen,
}

setters! {
    ClosedPeriod {
        with_org = org: Option<OrgId>,
        with_base_year = base_year: Option<Significance>,
        with_reopened = reopened: Option<Signature>,
    }
}

/// Who did something to a period, when and why.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Signature {
    /// When it was done.
    pub at: Timestamp,
    /// Who did it, as the change chain names them: `client:<uuid>`, `cli:<account>`.
    pub by: Name,
    /// Why.
    pub reason: Option<Reason>,
}

impl Signature {
    /// That somebody did it then, for that reason.
    #[must_use]
    pub const fn new(at: Timestamp, by: Name, reason: Option<Reason>) -> Self {
        Self { at, by, reason }
    }
}

/// A report as it was at one point of a tenant's history, as text with its digest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frozen {
    epoch: Uuid,
    number: u64,
    digest: Digest,
    text: String,
}

impl Frozen {
    /// The report, as it was at that change of that epoch.
    #[must_use]
    pub fn new(report: &FrozenReport, epoch: Uuid, number: u64) -> Self {
        let text = report.canonical();
        Self { epoch, number, digest: Digest::of(text.as_bytes()), text }
    }

    /// What was stored, if the text has the digest.
    pub(crate) fn from_stored(epoch: Uuid, number: u64, digest: Digest, text: String) -> Option<Self> {
        (Digest::of(text.as_bytes()) == digest).then_some(Self { epoch, number, digest, text })
    }

    /// The epoch of the history that the report is of.
    #[must_use]
    pub const fn epoch(&self) -> Uuid {
        self.epoch
    }

    /// The number of the newest change that is in the report.
    #[must_use]
    pub const fn number(&self) -> u64 {
        self.number
    }

    /// The SHA-256 of [`text`](Self::text): who keeps it can tell whether the report is still the one that was frozen.
    #[must_use]
    pub const fn digest(&self) -> Digest {
        self.digest
    }

    /// The canonical text of the report.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The report, read from its text.
    pub fn report(&self) -> Result<FrozenReport, CanonicalError> {
        FrozenReport::from_canonical((), &self.text)
    }
}

impl ClosedPeriod {
    /// A period of the whole company from `first` to `last`, both included; `None` when `first` lies after `last`.
    #[must_use]
    pub fn new(id: ClosedPeriodId, first: Day, last: Day, closed: Signature, frozen: Frozen) -> Option<Self> {
        (first <= last).then_some(Self { id, org: None, first, last, base_year: None, closed, reopened: None, frozen })
    }

    /// Its first day.
    #[must_use]
    pub const fn first(&self) -> Day {
        self.first
    }

    /// Its last day, included.
    #[must_use]
    pub const fn last(&self) -> Day {
        self.last
    }

    /// Its days.
    #[must_use]
    pub fn days(&self) -> Period {
        Period::new(Some(self.first), Some(self.last)).unwrap_or(Period::ALL)
    }

    /// Whether it is closed: nobody opened it again.
    #[must_use]
    pub const fn is_closed(&self) -> bool {
        self.reopened.is_none()
    }
}
