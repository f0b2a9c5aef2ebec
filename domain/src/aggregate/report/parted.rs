//! Reports in rows that are about parts of what activities come to, of which one activity may have several.

use std::collections::BTreeMap;

use super::{Filter, Totals, grouped, intersection};
use crate::aggregate::cell::SeriesKey;
use crate::aggregate::cube::Cube;
use crate::aggregate::cube::group_totals::GroupReading;
use crate::aggregate::measure::Measure;
use crate::amount::total::Total;
use crate::calendar::day::Period;
use crate::id::ScopeId;
use crate::tree::scope_kind::{ScopeClass, ScopeKind};

/// The parts of an amount of CO2e of activities whose scopes have that kind, and what each adds to a report, by what they have
/// of measures.
pub(super) type Split<'a, P> = &'a dyn Fn(Total, Option<ScopeKind>, &dyn Fn(Measure) -> Total) -> Vec<(P, Totals)>;

/// The report broken down by part beside what [`breakdown`](super::breakdown) does; `wanted` are the measures that the split asks
/// for. Activities are not counted: one of them may be in several rows.
pub(super) fn breakdown_by_part<K: Ord + Copy, P: Ord>(
    cube: &Cube,
    filter: &Filter,
    scopes: &dyn Fn(ScopeId) -> Option<ScopeClass>,
    periods: &[Period],
    key: &dyn Fn(&SeriesKey) -> K,
    wanted: &[Measure],
    split: Split<'_, P>,
) -> Vec<(Period, (K, P), Totals)> {
    let (groups, numbered) = grouped::groups(cube, filter, scopes, key);
    let used: Vec<Measure> = wanted.iter().copied().filter(|measure| cube.has(*measure)).collect();
    let mut reading = GroupReading::new(cube, &numbered, &used);
    let mut table = Vec::new();
    for period in periods {
        let Some(common) = intersection(*period, filter.period) else { continue };
        let mut rows: BTreeMap<(K, P), Totals> = BTreeMap::new();
        for (group, found) in groups.iter().zip(reading.totals(common)).filter(|(_, found)| found.sums.count != 0) {
            let of = |measure| {
                let place = used.iter().position(|one| *one == measure);
                place.map(|place| found.measures[place]).unwrap_or_default()
            };
            for (part, totals) in split(found.sums.co2e, group.kind, &of) {
                *rows.entry((group.key, part)).or_default() += totals;
            }
        }
        table.extend(rows.into_iter().map(|(key, figures)| (*period, key, figures)));
    }
    table
}
