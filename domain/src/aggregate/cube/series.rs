//! The series of a cube. The nodes that they carry are numbered in the order in which they first come, so that a question
//! looks at each node once, and at a series by its numbers.

use std::collections::HashMap;
use std::hash::Hash;

use crate::aggregate::cell::SeriesKey;
use crate::id::{OrgId, ScopeId, TaxonomyId};

/// All series, by index.
#[derive(Clone, Default)]
pub(crate) struct SeriesList {
    keys: Vec<SeriesKey>,
    /// The scopes that series carry.
    pub(crate) scopes: Nodes<ScopeId>,
    /// The orgs that series carry.
    pub(crate) orgs: Nodes<OrgId>,
    /// The taxonomies that series carry.
    pub(crate) taxonomies: Nodes<TaxonomyId>,
}

impl SeriesList {
    /// The keys, by index.
    pub(crate) fn keys(&self) -> &[SeriesKey] {
        &self.keys
    }

    /// How many series there are.
    pub(crate) fn len(&self) -> usize {
        self.keys.len()
    }
}

impl Extend<SeriesKey> for SeriesList {
    fn extend<T: IntoIterator<Item = SeriesKey>>(&mut self, keys: T) {
        for (index, key) in (self.keys.len()..).zip(keys) {
            self.keys.push(key);
            self.scopes.push(index, key.scope);
            self.orgs.push(index, key.org);
            self.taxonomies.push(index, key.taxonomy);
        }
    }
}

impl FromIterator<SeriesKey> for SeriesList {
    fn from_iter<T: IntoIterator<Item = SeriesKey>>(keys: T) -> Self {
        let mut list = Self::default();
        list.extend(keys);
        list
    }
}

/// The nodes of one tree that series carry; to carry none is a node too.
#[derive(Clone)]
pub(crate) struct Nodes<Id> {
    ids: Vec<Option<Id>>,
    numbers: HashMap<Option<Id>, u32>,
    /// The numbers in the order of the identifiers.
    order: Vec<u32>,
    /// The number of each series' node.
    of_series: Vec<u32>,
    /// The series of each node.
    series: Vec<Vec<u32>>,
}

impl<Id> Default for Nodes<Id> {
    fn default() -> Self {
        Self { ids: Vec::new(), numbers: HashMap::new(), order: Vec::new(), of_series: Vec::new(), series: Vec::new() }
    }
}

impl<Id: Copy + Hash + Ord> Nodes<Id> {
    /// By number, what is said of each node.
    pub(crate) fn each<T>(&self, say: impl FnMut(Option<Id>) -> T) -> Vec<T> {
        self.ids.iter().copied().map(say).collect()
    }

    /// The numbers of the nodes of all series, by index.
    #[inline]
    pub(crate) fn of_series(&self) -> &[u32] {
        &self.of_series
    }

    /// Whether the node of that series is one that counts; `None` is that all of them count.
    pub(crate) fn is_among(&self, series: usize, counted: Option<&[bool]>) -> bool {
        counted.is_none_or(|counted| counted[self.of_series[series] as usize])
    }

    /// The series that carry the node of that number, by index.
    pub(crate) fn series(&self, number: usize) -> &[u32] {
        self.series.get(number).map_or(&[], Vec::as_slice)
    }

    /// The identifiers of the nodes for whose numbers `is_meant` says so, in their order.
    pub(crate) fn ids(&self, is_meant: impl Fn(usize) -> bool) -> impl Iterator<Item = Id> {
        let meant = self.order.iter().map(|number| *number as usize).filter(move |number| is_meant(*number));
        meant.filter_map(|number| self.ids[number])
    }

    #[expect(clippy::cast_possible_truncation, reason = "series are numbered in 32 bits, and nodes are no more")]
    fn push(&mut self, series: usize, id: Option<Id>) {
        let next = self.ids.len() as u32;
        let number = *self.numbers.entry(id).or_insert(next);
        if number == next {
            let at = self.order.partition_point(|other| self.ids[*other as usize] < id);
            self.ids.push(id);
            self.order.insert(at, number);
            self.series.push(Vec::new());
        }
        self.of_series.push(number);
        self.series[number as usize].push(series as u32);
    }
}
