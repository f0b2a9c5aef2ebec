//! What rows are called, and in which order they follow each other.

use std::collections::{BTreeSet, HashMap};

use domain::{Catalog, Day, GasRow, NodeTree, Period, QualityRow, ScopeKind, Stretch, TreeNode, YearStart};
use ports::inbound::{BreakdownBy, BreakdownQuery, Label, Named};
use uuid::Uuid;

use super::nodes;
use super::sums::{About, Key, Records, Sums};

/// The labels of all rows.
pub(super) struct Labels {
    by: Vec<BreakdownBy>,
    year: YearStart,
    /// The parts of the period, and as many behind it as the period that is compared with has more.
    parts: Vec<Period>,
    /// Of each dimension the records in use.
    records: Vec<HashMap<Uuid, Label>>,
}

/// Where a row is in one dimension.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Order {
    Time(usize),
    Record(String, Uuid),
    Gas(GasRow),
    Quality(QualityRow),
    Without,
}

impl Labels {
    pub(super) fn new(catalog: &Catalog, query: &BreakdownQuery, sums: &Sums, other: Option<&Sums>) -> Self {
        let mut labels =
            Self { by: query.by.clone(), year: query.year, parts: sums.parts.clone(), records: Vec::new() };
        labels.extend(other.map_or(0, |other| other.parts.len()), query.period.first());
        let keys: Vec<Key> = keys(sums, other).into_iter().collect();
        for (dimension, by) in query.by.iter().enumerate() {
            let id = |(_, records): &Key| match records.get(dimension)? {
                Some(About::Record(id)) => Some(*id),
                Some(About::Gas(_) | About::Quality(_)) | None => None,
            };
            let ids: BTreeSet<Uuid> = keys.iter().filter_map(id).collect();
            labels.records.push(ids.into_iter().map(|id| (id, label(catalog, *by, id))).collect());
        }
        labels
    }

    /// Goes on behind the last part, or from the beginning, until there are so many.
    fn extend(&mut self, count: usize, beginning: Option<Day>) {
        let stretches: Vec<Stretch> = self.by.iter().filter_map(|by| stretch(*by)).collect();
        let next = |year: YearStart, day: Day| stretches.iter().filter_map(|one| year.next(*one, day)).min();
        while self.parts.len() < count {
            let first = match self.parts.last() {
                Some(part) => part.last().and_then(|last| next(self.year, last)),
                None => beginning,
            };
            let Some(first) = first else { return };
            let last = next(self.year, first).map(Day::previous);
            self.parts.extend(Period::new(Some(first), last));
        }
    }

    /// The rows in their order.
    pub(super) fn ordered(&self, sums: &Sums, other: Option<&Sums>) -> Vec<Key> {
        let mut keys: Vec<Key> = keys(sums, other).into_iter().collect();
        keys.sort_by_cached_key(|key| self.order(key));
        keys
    }

    /// What a row is about, dimension by dimension.
    pub(super) fn of(&self, (part, records): &Key) -> Vec<Label> {
        let label = |(dimension, by): (usize, &BreakdownBy)| match stretch(*by) {
            Some(stretch) => {
                let first = self.parts.get(*part).and_then(|part| part.first());
                Label::Time(first.map(|day| self.year.name(stretch, day)).unwrap_or_default())
            }
            None => self.record(dimension, records).unwrap_or(Label::Without),
        };
        self.by.iter().enumerate().map(label).collect()
    }

    fn order(&self, (part, records): &Key) -> Vec<Order> {
        let order = |(dimension, by): (usize, &BreakdownBy)| match by {
            BreakdownBy::Time(_) => Order::Time(*part),
            BreakdownBy::Scope
            | BreakdownBy::Org
            | BreakdownBy::Taxonomy
            | BreakdownBy::Product
            | BreakdownBy::Gas
            | BreakdownBy::Quality => {
                match self.record(dimension, records) {
                    // Scopes were made in the order of their standard, which is not that of their names.
                    Some(Label::Record { id, .. }) if *by == BreakdownBy::Scope => Order::Record(String::new(), id),
                    Some(Label::Record { id, path, .. }) => Order::Record(path, id),
                    Some(Label::Gas(gas)) => Order::Gas(gas),
                    Some(Label::Quality(quality)) => Order::Quality(quality),
                    Some(Label::Time(_) | Label::Without) | None => Order::Without,
                }
            }
        };
        self.by.iter().enumerate().map(order).collect()
    }

    fn record(&self, dimension: usize, records: &Records) -> Option<Label> {
        match (*records.get(dimension)?)? {
            About::Record(id) => self.records.get(dimension)?.get(&id).cloned(),
            About::Gas(gas) => Some(Label::Gas(gas)),
            About::Quality(quality) => Some(Label::Quality(quality)),
        }
    }
}

fn keys(sums: &Sums, other: Option<&Sums>) -> BTreeSet<Key> {
    sums.rows.keys().chain(other.into_iter().flat_map(|other| other.rows.keys())).copied().collect()
}

const fn stretch(by: BreakdownBy) -> Option<Stretch> {
    match by {
        BreakdownBy::Time(stretch) => Some(stretch),
        BreakdownBy::Scope
        | BreakdownBy::Org
        | BreakdownBy::Taxonomy
        | BreakdownBy::Product
        | BreakdownBy::Gas
        | BreakdownBy::Quality => None,
    }
}

fn label(catalog: &Catalog, by: BreakdownBy, id: Uuid) -> Label {
    match by {
        BreakdownBy::Time(_) | BreakdownBy::Gas | BreakdownBy::Quality => Label::Without,
        BreakdownBy::Scope => {
            node(&catalog.scopes, id.into(), catalog.scopes.find(id.into()).map(|scope| scope.class.kind()))
        }
        BreakdownBy::Org => node(&catalog.orgs, id.into(), None),
        BreakdownBy::Taxonomy => node(&catalog.taxonomies, id.into(), None),
        BreakdownBy::Product => {
            let name = catalog.products.get(&id.into()).map_or_else(|| id.to_string(), ToString::to_string);
            Label::Record { id, path: name.clone(), name, above: Vec::new(), kind: None }
        }
    }
}

fn node<T: TreeNode>(tree: &NodeTree<T>, id: T::Id, kind: Option<ScopeKind>) -> Label {
    let uuid: Uuid = id.into();
    let name = tree.find(id).map_or_else(|| uuid.to_string(), |node| node.name().to_string());
    let nodes = tree.forest().ancestors(id).filter_map(|id| tree.find(id));
    let mut above: Vec<_> = nodes.map(|node| Named { id: node.id().into(), name: node.name().clone() }).collect();
    above.reverse();
    Label::Record { id: uuid, name, path: nodes::path(tree, id), above, kind }
}
