//! What a report comes to gas by gas.

use super::gas_totals::{GasTotal, GasTotals};
use super::parted::breakdown_by_part;
use super::{Filter, Totals};
use crate::activity::Activity;
use crate::aggregate::cell::SeriesKey;
use crate::aggregate::cube::{Attribution, Cube, SeriesTotals};
use crate::aggregate::measure::Measure;
use crate::amount::total::Total;
use crate::calendar::day::Period;
use crate::gas::row::GasRow;
use crate::id::ScopeId;
use crate::tree::scope_kind::{ScopeClass, ScopeKind};

/// What some activities have of the single gases, in their order; `of` gives what they have of a measure.
pub(crate) fn gases_of(of: impl Fn(Measure) -> Total) -> GasTotals {
    let in_scopes = GasRow::ALL.into_iter().filter(|row| row.is_in_scopes());
    let measured = in_scopes.filter_map(|row| row.measures().map(|measures| (row, measures)));
    GasTotals::new(measured.map(|(row, (co2e, mass))| (row, GasTotal { co2e: of(co2e), mass: of(mass) })))
}

/// The measures that rows by gas are made of.
pub(crate) fn measures_of_gases() -> impl Iterator<Item = Measure> {
    let of_gas = |row: GasRow| row.measures().map_or([None, None], |(co2e, mass)| [Some(co2e), Some(mass)]);
    let mut known: Vec<Measure> = GasRow::ALL.into_iter().flat_map(of_gas).flatten().collect();
    known.dedup();
    known.into_iter()
}

impl Totals {
    /// The rows of what some activities come to, whose scopes have that kind: rows of nothing are left out. `of` gives what
    /// they have of a measure. Biogenic CO2 is in a row of its own; in nodes of its kind all CO2e is that.
    fn by_gas(
        co2e: Total,
        kind: Option<ScopeKind>,
        of: impl Fn(Measure) -> Total,
    ) -> impl Iterator<Item = (GasRow, Self)> {
        let is_biogenic = kind == Some(ScopeKind::Biogenic);
        let (mut rows, mut left) = (Vec::new(), co2e);
        let placed = |co2e| Self::new(SeriesTotals { co2e, ..SeriesTotals::default() }, kind);
        for row in GasRow::ALL {
            let totals = match row.measures() {
                Some((of_co2e, _)) if !row.is_in_scopes() => {
                    let biogenic = if is_biogenic { co2e } else { of(of_co2e) };
                    Self { biogenic, mass: biogenic, ..Self::default() }
                }
                _ if is_biogenic => continue,
                Some((of_co2e, of_mass)) => {
                    let co2e = of(of_co2e);
                    left -= co2e;
                    Self { mass: of(of_mass), ..placed(co2e) }
                }
                None => placed(left),
            };
            if totals != Self::default() {
                rows.push((row, totals));
            }
        }
        rows.into_iter()
    }

    /// What of the activity's CO2e is of which gas, where it counts in the period; nothing where it does not.
    #[must_use]
    pub fn gases_of_activity(
        activity: &Activity,
        class: Option<ScopeClass>,
        attribution: Attribution,
        period: Period,
    ) -> GasTotals {
        let Some(share) = activity.share_of(class, attribution, period) else { return GasTotals::NONE };
        gases_of(|measure| activity.measures.get(measure).map(|amount| Total::from(share(*amount))).unwrap_or_default())
    }

    /// What the activity adds to rows by gas, as [`of_activity`](Self::of_activity) to a whole; nothing where it does not
    /// count in the period.
    #[must_use]
    pub fn of_activity_by_gas(
        activity: &Activity,
        class: Option<ScopeClass>,
        attribution: Attribution,
        period: Period,
    ) -> Vec<(GasRow, Self)> {
        let Some(share) = activity.share_of(class, attribution, period) else { return Vec::new() };
        let amount = |amount| Total::from(share(amount));
        let of = |measure| activity.measures.get(measure).copied().map(amount).unwrap_or_default();
        let co2e = activity.co2e().map(amount).unwrap_or_default();
        Self::by_gas(co2e, class.map(ScopeClass::kind), of).collect()
    }
}

/// The report broken down by gas beside what [`breakdown`](super::breakdown) does. Activities are not counted: one of them
/// is in several rows. The mass of a row is that of the same activities as its CO2e; of unspecified gases there is none.
#[must_use]
pub fn breakdown_by_gas<K: Ord + Copy>(
    cube: &Cube,
    filter: &Filter,
    scopes: &dyn Fn(ScopeId) -> Option<ScopeClass>,
    periods: &[Period],
    key: &dyn Fn(&SeriesKey) -> K,
) -> Vec<(Period, (K, GasRow), Totals)> {
    let wanted: Vec<Measure> = measures_of_gases().collect();
    breakdown_by_part(cube, filter, scopes, periods, key, &wanted, &|co2e, kind, of| {
        Totals::by_gas(co2e, kind, of).collect()
    })
}
