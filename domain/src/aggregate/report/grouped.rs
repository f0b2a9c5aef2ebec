//! The groups of series that the rows of a breakdown are made of.

use std::collections::BTreeMap;

use super::choice::Choice;
use super::{Filter, never_spread};
use crate::aggregate::cell::SeriesKey;
use crate::aggregate::cube::Cube;
use crate::aggregate::cube::group_totals::Groups;
use crate::id::ScopeId;
use crate::tree::scope_kind::{ScopeClass, ScopeKind};

/// What the series of a group have in common.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Group<K> {
    /// The key of their row.
    pub(super) key: K,
    /// The kind of their scopes; `None` without a scope that is there.
    pub(super) kind: Option<ScopeKind>,
    /// Whether their activities count on their first day.
    is_whole: bool,
}

/// The groups of the series that the filter selects, and which series are in which of them.
pub(super) fn groups<K: Ord>(
    cube: &Cube,
    filter: &Filter,
    scopes: &dyn Fn(ScopeId) -> Option<ScopeClass>,
    key: &dyn Fn(&SeriesKey) -> K,
) -> (Vec<Group<K>>, Groups) {
    let series = cube.series_list();
    let lanes = Choice::new(series, filter, scopes).lanes(series);
    let kinds = series.scopes.each(|scope| scope.and_then(scopes).map(ScopeClass::kind));
    let whole = cube.whole_series(filter.attribution, &never_spread(scopes));
    let mut numbers: BTreeMap<Group<K>, u32> = BTreeMap::new();
    let of_series: Vec<Option<u32>> = (series.keys().iter().enumerate())
        .map(|(index, series_key)| {
            if lanes.of_series()[index].is_left_out() {
                return None;
            }
            let kind = kinds[series.scopes.of_series()[index] as usize];
            let group = Group { key: key(series_key), kind, is_whole: whole[index] };
            let next = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
            Some(*numbers.entry(group).or_insert(next))
        })
        .collect();
    let mut groups: Vec<(Group<K>, u32)> = numbers.into_iter().collect();
    groups.sort_unstable_by_key(|(_, number)| *number);
    let groups: Vec<Group<K>> = groups.into_iter().map(|(group, _)| group).collect();
    let is_whole = groups.iter().map(|group| group.is_whole).collect();
    (groups, Groups::new(&of_series, is_whole))
}
