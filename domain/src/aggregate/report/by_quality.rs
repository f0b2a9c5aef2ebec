//! What a report comes to by how well its figures are known.

use super::parted::breakdown_by_part;
use super::{Filter, Totals};
use crate::activity::{Activity, Quality};
use crate::aggregate::cell::SeriesKey;
use crate::aggregate::cube::{Attribution, Cube, SeriesTotals};
use crate::aggregate::measure::Measure;
use crate::amount::total::Total;
use crate::calendar::day::Period;
use crate::id::ScopeId;
use crate::tree::scope_kind::{ScopeClass, ScopeKind};

/// What a row by quality is about. The CO2e of all rows adds up to that of all activities, exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum QualityRow {
    /// Activities that state this quality.
    Stated(Quality),
    /// Activities that state none.
    NotStated,
}

impl QualityRow {
    /// Every row, in the order that reports have them.
    pub const ALL: [Self; 4] = [
        Self::Stated(Quality::Measured),
        Self::Stated(Quality::Estimated),
        Self::Stated(Quality::Proxy),
        Self::NotStated,
    ];

    /// The word for it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Stated(quality) => quality.word(),
            Self::NotStated => "notStated",
        }
    }
}

impl Totals {
    /// The rows of what some activities come to, whose scopes have that kind: rows of nothing are left out. `of` gives what
    /// they have of a measure.
    fn by_quality(co2e: Total, kind: Option<ScopeKind>, of: &dyn Fn(Measure) -> Total) -> Vec<(QualityRow, Self)> {
        let mut left = co2e;
        let mut rows = Vec::new();
        for row in QualityRow::ALL {
            let co2e = match row {
                QualityRow::Stated(quality) => of(quality.measure()),
                QualityRow::NotStated => left,
            };
            left -= co2e;
            let totals = Self::new(SeriesTotals { co2e, ..SeriesTotals::default() }, kind);
            if totals != Self::default() {
                rows.push((row, totals));
            }
        }
        rows
    }

    /// What the activity adds to rows by quality, as [`of_activity`](Self::of_activity) to a whole; nothing where it does not
    /// count in the period or has no CO2e.
    #[must_use]
    pub fn of_activity_by_quality(
        activity: &Activity,
        class: Option<ScopeClass>,
        attribution: Attribution,
        period: Period,
    ) -> Vec<(QualityRow, Self)> {
        let Some(share) = activity.share_of(class, attribution, period) else { return Vec::new() };
        let amount = |amount| Total::from(share(amount));
        let of = |measure| activity.measures.get(measure).copied().map(amount).unwrap_or_default();
        let co2e = activity.co2e().map(amount).unwrap_or_default();
        Self::by_quality(co2e, class.map(ScopeClass::kind), &of)
    }
}

/// The report broken down by quality beside what [`breakdown`](super::breakdown) does, with scope 2 location-based. The quality
/// is that of the CO2e alone: rows have none of the biogenic CO2 that is beside it, and activities are not counted.
#[must_use]
pub fn breakdown_by_quality<K: Ord + Copy>(
    cube: &Cube,
    filter: &Filter,
    scopes: &dyn Fn(ScopeId) -> Option<ScopeClass>,
    periods: &[Period],
    key: &dyn Fn(&SeriesKey) -> K,
) -> Vec<(Period, (K, QualityRow), Totals)> {
    breakdown_by_part(cube, filter, scopes, periods, key, &Quality::ALL.map(Quality::measure), &Totals::by_quality)
}
