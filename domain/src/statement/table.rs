//! The figures of a statement, each with the questions of the report that give it.

use std::collections::BTreeMap;

use crate::aggregate::cell::SeriesKey;
use crate::aggregate::cube::{Attribution, Cube};
use crate::aggregate::report::{Filter, Scope2, Totals, breakdown, breakdown_by_gas, report};
use crate::calendar::day::Period;
use crate::gas::row::GasRow;
use crate::id::ScopeId;
use crate::tree::catalog::Catalog;
use crate::tree::scope_kind::{ScopeClass, ScopeKind};

/// Which activities of the period a figure is of: the question of the report that gives it again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Asked {
    /// All.
    Whole,
    /// Those of a node of the scope tree and of all below it.
    Below(ScopeId),
    /// Those that carry the node itself.
    At(ScopeId),
    /// Those without a scope, or with one that is not there.
    WithoutScope,
}

/// What one question of the report comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StatementPart {
    /// The question.
    pub asked: Asked,
    /// Its answer, with both figures of scope 2 side by side.
    pub totals: Totals,
}

/// A line of a statement: the sum of its parts, which do not overlap. Without an activity it has no part.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StatementLine {
    /// What its activities come to. `co2e` has scope 2 location-based; of a gas, `mass` is its mass.
    pub totals: Totals,
    /// What it is made of, by node.
    pub parts: Vec<StatementPart>,
}

impl StatementLine {
    fn add(&mut self, asked: Asked, totals: &Totals) {
        self.totals += *totals;
        match self.parts.iter_mut().find(|part| part.asked == asked) {
            Some(part) => part.totals += *totals,
            None => self.parts.push(StatementPart { asked, totals: *totals }),
        }
    }

    /// Whether an activity was recorded for it.
    #[must_use]
    pub const fn is_recorded(&self) -> bool {
        !self.parts.is_empty()
    }

    /// Whether activities were recorded for it, and none of them has CO2e: its zero is not known to be one.
    #[must_use]
    pub const fn is_incomplete(&self) -> bool {
        self.is_recorded() && self.totals.count > 0 && self.totals.count == self.totals.incomplete
    }
}

/// The figures of a statement, all of the same activities: lines of a table add up to the line above, to the digit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct StatementTables {
    /// All activities of the period.
    pub whole: Totals,
    /// By kind of scope, in the order of [`ScopeKind::ALL`]. With [`without_scope`](Self::without_scope) they are the
    /// whole.
    pub kinds: [StatementLine; ScopeKind::ALL.len()],
    /// Activities without a scope.
    pub without_scope: StatementLine,
    /// By category of scope 3, 1 to 15. With [`without_category`](Self::without_category) they are scope 3.
    pub categories: [StatementLine; 15],
    /// Activities of scope 3 without a category.
    pub without_category: StatementLine,
    /// Gas by gas, in the order of [`GasRow::ALL`], of scope 1 and of location-based scope 2; lines of gases do not count activities.
    pub gases: Vec<(GasRow, [StatementLine; 2])>,
}

/// The scopes that are reported gas by gas.
pub(super) const BY_GAS: [ScopeKind; 2] = [ScopeKind::Scope1, ScopeKind::Scope2];

impl StatementTables {
    /// The tables of a cube over a period, with the scope tree of the catalog.
    #[must_use]
    pub fn of(cube: &Cube, catalog: &Catalog, period: Period, attribution: Attribution) -> Self {
        let class = |id: ScopeId| catalog.class(id);
        let filter = Filter::default().with_period(period).with_attribution(attribution).with_scope2(Scope2::Both);
        let mut tables = Self { whole: report(cube, &filter, &class).totals, ..Self::default() };
        let scope = |series: &SeriesKey| series.scope;
        for (_, scope, totals) in breakdown(cube, &filter, &class, &[period], &scope) {
            tables.add(catalog, scope, &totals);
        }
        let located = filter.with_scope2(Scope2::Location);
        let mut gases: BTreeMap<GasRow, [StatementLine; 2]> =
            GasRow::ALL.into_iter().map(|gas| (gas, <[StatementLine; 2]>::default())).collect();
        for (_, (scope, gas), totals) in breakdown_by_gas(cube, &located, &class, &[period], &scope) {
            let Some((id, class)) = scope.and_then(|id| Some((id, catalog.class(id)?))) else { continue };
            let Some(at) = BY_GAS.into_iter().position(|kind| kind == class.kind()) else { continue };
            if let Some(line) = gases.get_mut(&gas).and_then(|lines| lines.get_mut(at)) {
                line.add(Asked::Below(root(catalog, id)), &totals);
            }
        }
        tables.gases = gases.into_iter().collect();
        tables
    }

    /// The line of that kind of scope.
    #[must_use]
    pub fn kind(&self, kind: ScopeKind) -> &StatementLine {
        let place = ScopeKind::ALL.into_iter().position(|one| one == kind);
        place.and_then(|at| self.kinds.get(at)).unwrap_or(&self.without_scope)
    }

    fn add(&mut self, catalog: &Catalog, scope: Option<ScopeId>, totals: &Totals) {
        let Some((id, class)) = scope.and_then(|id| Some((id, catalog.class(id)?))) else {
            self.without_scope.add(Asked::WithoutScope, totals);
            return;
        };
        let below = Asked::Below(root(catalog, id));
        for (kind, line) in ScopeKind::ALL.into_iter().zip(&mut self.kinds) {
            if kind == class.kind() {
                line.add(below, totals);
            }
        }
        match class.category() {
            Some(category) => {
                if let Some(line) = self.categories.get_mut(usize::from(category).saturating_sub(1)) {
                    line.add(Asked::Below(top_of_category(catalog, id, class)), totals);
                }
            }
            None if class.kind() == ScopeKind::Scope3 => self.without_category.add(Asked::At(id), totals),
            None => {}
        }
    }
}

/// The root above the node: all below it have its kind.
fn root(catalog: &Catalog, id: ScopeId) -> ScopeId {
    catalog.scopes.forest().at_depth(id, 1)
}

/// The highest node from that one up that has the same category: all below it have it.
fn top_of_category(catalog: &Catalog, id: ScopeId, class: ScopeClass) -> ScopeId {
    let above = catalog.scopes.forest().ancestors(id);
    above
        .take_while(|above| catalog.class(*above).is_some_and(|one| one.category() == class.category()))
        .last()
        .unwrap_or(id)
}
