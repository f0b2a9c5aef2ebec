//! Reports in rows that are about parts of what activities come to, of which one activity may have several.

use std::collections::BTreeMap;

use super::choice::Choice;
use super::{Filter, Totals, intersection, measures, never_spread};
use crate::aggregate::cell::SeriesKey;
use crate::aggregate::cube::Cube;
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
    let series = cube.series_list();
    let lanes = Choice::new(series, filter, scopes).lanes(series);
    let kinds = series.scopes.each(|scope| scope.and_then(scopes).map(ScopeClass::kind));
    let whole = cube.whole_series(filter.attribution, &never_spread(scopes));
    let mut table = Vec::new();
    for period in periods {
        let Some(common) = intersection(*period, filter.period) else { continue };
        let mut rows: BTreeMap<(K, P), Totals> = BTreeMap::new();
        let sums = cube.totals_of_series(common, &whole);
        let others = measures::sums(cube, wanted, common, &whole);
        for (index, sums) in sums.into_iter().enumerate().filter(|(_, sums)| sums.count != 0) {
            if lanes.of_series()[index].is_left_out() {
                continue;
            }
            let kind = kinds[series.scopes.of_series()[index] as usize];
            let of = |measure| {
                let found = others.iter().find(|(one, _)| *one == measure);
                found.map(|(_, sums)| sums[index]).unwrap_or_default()
            };
            let key = key(&series.keys()[index]);
            for (part, totals) in split(sums.co2e, kind, &of) {
                *rows.entry((key, part)).or_default() += totals;
            }
        }
        table.extend(rows.into_iter().map(|(key, figures)| (*period, key, figures)));
    }
    table
}
