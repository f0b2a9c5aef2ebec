//! Which scopes and categories have activities in a period, and what exclusions say of those.

use std::collections::BTreeMap;

use crate::aggregate::cell::SeriesKey;
use crate::aggregate::cube::{Attribution, Cube};
use crate::aggregate::report::Filter;
use crate::exclusion::{Category, ExcludedPart, Exclusion};
use crate::id::ScopeId;
use crate::tree::catalog::NodeTree;
use crate::tree::node::Scope;
use crate::tree::scope_kind::{ScopeClass, ScopeKind};

/// The activities of a scope or of a category of scope 3 in a period.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Coverage {
    /// Scope 1, scope 2, or scope 3 with its category; scope 3 without one for activities whose scope has none.
    pub class: ScopeClass,
    /// How many activities begin in the period.
    pub count: i64,
    /// How many of them have no CO2e.
    pub incomplete: i64,
}

/// A line for scope 1, scope 2 and each category of scope 3, whether there are activities or not; behind them one for scope 3
/// without a category where there are some. The activities of each are those that a report of the filter has.
#[must_use]
pub fn coverage(cube: &Cube, filter: &Filter, scopes: &dyn Fn(ScopeId) -> Option<ScopeClass>) -> Vec<Coverage> {
    let mut counts: BTreeMap<(ScopeKind, Option<u8>), (i64, i64)> = BTreeMap::new();
    let sums = cube.sums(filter.period, Attribution::Start, &|_: &SeriesKey| true);
    for (key, sums) in cube.series().iter().zip(sums).filter(|(key, _)| filter.selects_series(key)) {
        let Some(class) = key.scope.and_then(scopes) else { continue };
        let (count, incomplete) = counts.entry((class.kind(), class.category())).or_default();
        *count += sums.count;
        *incomplete += sums.incomplete;
    }
    let line = |class: ScopeClass| {
        let found = counts.get(&(class.kind(), class.category())).copied();
        let (count, incomplete) = found.unwrap_or_default();
        Coverage { class, count, incomplete }
    };
    let categories = Category::all().filter_map(|one| ScopeClass::new(ScopeKind::Scope3, Some(one.number())).ok());
    let mut lines = vec![line(ScopeClass::of(ScopeKind::Scope1)), line(ScopeClass::of(ScopeKind::Scope2))];
    lines.extend(categories.map(line));
    lines.push(line(ScopeClass::of(ScopeKind::Scope3)));
    lines.retain(|line| line.class != ScopeClass::of(ScopeKind::Scope3) || line.count != 0);
    lines
}

/// How much of a scope or category an exclusion leaves out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LeftOut {
    /// Some of it.
    Part,
    /// All of it.
    Whole,
}

/// What of the scope or category an exclusion leaves out by what it names, whatever its org and years; `None` is nothing. A
/// category that it names is left out wholly, and so is what only nodes at or below a scope that it names stand for.
#[must_use]
pub fn left_out(exclusion: &Exclusion, class: ScopeClass, scopes: &NodeTree<Scope>) -> Option<LeftOut> {
    let node = match exclusion.part {
        ExcludedPart::Category(category) => {
            return (class.category() == Some(category.number())).then_some(LeftOut::Whole);
        }
        ExcludedPart::Scope(id) => scopes.find(id)?,
    };
    let is_related = node.class.kind() == class.kind()
        && (node.class.category().is_none() || node.class.category() == class.category());
    if !is_related {
        return None;
    }
    let below = scopes.forest().subtree(node.id);
    let mut of_class = scopes.iter().filter(|scope| scope.class == class).peekable();
    let is_whole = match of_class.peek() {
        Some(_) => of_class.all(|scope| below.contains(&scope.id)),
        None => node.parent.is_none(),
    };
    Some(if is_whole { LeftOut::Whole } else { LeftOut::Part })
}
