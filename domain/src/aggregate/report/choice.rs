//! What a filter makes of the nodes that series carry, and which of them are found.

use std::collections::BTreeSet;
use std::hash::Hash;

use super::{Filter, Report, within};
use crate::aggregate::cube::Attribution;
use crate::aggregate::cube::lanes::{Lane, Lanes, SLOTS};
use crate::aggregate::cube::series::{Nodes, SeriesList};
use crate::id::ScopeId;
use crate::tree::scope_kind::{ScopeClass, ScopeKind};

/// The kinds whose amounts stand in sums of their own, by number of the sum.
pub(super) const SUM_KINDS: [Option<ScopeKind>; 6] = [
    None,
    Some(ScopeKind::Scope1),
    Some(ScopeKind::Biogenic),
    Some(ScopeKind::Credit),
    Some(ScopeKind::Outside),
    Some(ScopeKind::Scope2),
];

/// The number of the sum that a kind's amounts stand in.
const fn sum_of(kind: Option<ScopeKind>) -> u8 {
    match kind {
        None => 0,
        Some(ScopeKind::Scope1 | ScopeKind::Scope3) => 1,
        Some(ScopeKind::Biogenic) => 2,
        Some(ScopeKind::Credit) => 3,
        Some(ScopeKind::Outside) => 4,
        Some(ScopeKind::Scope2) => 5,
    }
}

/// What a filter says of the nodes that series carry, by the nodes' numbers.
pub(super) struct Choice {
    scopes: Vec<Lane>,
    /// Which count; `None` is that all of them do.
    orgs: Option<Vec<bool>>,
    taxonomies: Option<Vec<bool>>,
}

impl Choice {
    pub(super) fn new(series: &SeriesList, filter: &Filter, scopes: &dyn Fn(ScopeId) -> Option<ScopeClass>) -> Self {
        let lane = |scope: Option<ScopeId>| {
            if !within(filter.scopes.as_ref(), scope) {
                return Lane::LEFT_OUT;
            }
            let class = scope.and_then(scopes);
            let sum = sum_of(class.map(ScopeClass::kind));
            match filter.attribution {
                Attribution::Daily if !class.is_some_and(ScopeClass::never_spread) => Lane::spread(sum),
                Attribution::Start | Attribution::Daily => Lane::whole(sum),
            }
        };
        Self {
            scopes: series.scopes.each(lane),
            orgs: filter.orgs.as_ref().map(|orgs| series.orgs.each(|org| within(Some(orgs), org))),
            taxonomies: filter.taxonomies.as_ref().map(|all| series.taxonomies.each(|one| within(Some(all), one))),
        }
    }

    pub(super) fn lanes(&self, series: &SeriesList) -> Lanes {
        Lanes::new(series, &self.scopes, self.orgs.as_deref(), self.taxonomies.as_deref())
    }
}

/// The numbers of activities by sum, and the nodes that the series with activities carry.
pub(super) fn nodes(
    series: &SeriesList,
    choice: &Choice,
    lanes: &Lanes,
    counts: &[i64],
) -> ([i64; SUM_KINDS.len()], Report) {
    let mut slots = [0_i64; SLOTS];
    let counted: Vec<bool> = choice.scopes.iter().map(|lane| !lane.is_left_out()).collect();
    let mut scopes = FoundNodes::new(&series.scopes, Some(&counted));
    let mut orgs = FoundNodes::new(&series.orgs, choice.orgs.as_deref());
    let mut taxonomies = FoundNodes::new(&series.taxonomies, choice.taxonomies.as_deref());
    lanes.visit(counts, |index, lane, count| {
        // See `Magnitude`: no sum leaves 64 bits; that of what is left out is of no use.
        slots[lane.slot()] = slots[lane.slot()].wrapping_add(count);
        if scopes.left + orgs.left + taxonomies.left > 0 && count != 0 && !lane.is_left_out() {
            scopes.add(index);
            orgs.add(index);
            taxonomies.add(index);
        }
    });
    let nodes = Report { scopes: scopes.ids(), orgs: orgs.ids(), taxonomies: taxonomies.ids(), ..Report::default() };
    let mut sums = [0; SUM_KINDS.len()];
    for (sum, number) in sums.iter_mut().zip(0..) {
        *sum = slots[Lane::whole(number).slot()].saturating_add(slots[Lane::spread(number).slot()]);
    }
    (sums, nodes)
}

/// The nodes of one tree that were found.
struct FoundNodes<'a, Id> {
    nodes: &'a Nodes<Id>,
    is_seen: Vec<bool>,
    /// How many of those that count were not: once it is zero there is nothing to look for.
    left: usize,
}

impl<'a, Id: Copy + Hash + Ord> FoundNodes<'a, Id> {
    fn new(nodes: &'a Nodes<Id>, counted: Option<&[bool]>) -> Self {
        let is_seen = nodes.each(|_| false);
        let left = counted.map_or(is_seen.len(), |counted| counted.iter().filter(|counts| **counts).count());
        Self { nodes, is_seen, left }
    }

    fn add(&mut self, series: usize) {
        let is_seen = &mut self.is_seen[self.nodes.of_series()[series] as usize];
        self.left -= usize::from(!*is_seen);
        *is_seen = true;
    }

    fn ids(&self) -> BTreeSet<Id> {
        self.nodes.ids(|number| self.is_seen[number]).collect()
    }
}
