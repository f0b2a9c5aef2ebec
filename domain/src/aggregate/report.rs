//! The activity report: totals, counts and the nodes in use, of a cube under a filter, whole or broken down.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::ops::AddAssign;

use choice::{Choice, SUM_KINDS, nodes};

use crate::activity::Activity;
use crate::aggregate::cell::SeriesKey;
use crate::aggregate::cube::group_totals::GroupReading;
use crate::aggregate::cube::lane_totals::MOST;
use crate::aggregate::cube::{Attribution, Cube, SeriesTotals};
use crate::aggregate::measure::Measure;
use crate::amount::total::Total;
use crate::calendar::day::{Day, Period};
use crate::id::{OrgId, ScopeId, TaxonomyId};
use crate::setters::setters;
use crate::tree::scope_kind::{ScopeClass, ScopeKind};

mod by_gas;
mod by_quality;
mod choice;
mod gas_totals;
mod grouped;
mod measures;
mod parted;
mod place;
mod single;

pub(crate) use measures::sums as measure_sums;

pub use by_gas::breakdown_by_gas;
pub(crate) use by_gas::{gases_of, measures_of_gases};
pub use by_quality::{QualityRow, breakdown_by_quality};
pub use gas_totals::{GasTotal, GasTotals};
pub use place::FirstDays;

/// Which figures of scope 2 a report is of. They are never added.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Scope2 {
    /// Location-based: by where energy is used.
    #[default]
    Location,
    /// Market-based: by contract, else by the residual mix, else location-based.
    Market,
    /// Both, side by side.
    Both,
}

impl Scope2 {
    /// Each of them with its word.
    pub const ALL: [(&str, Self); 3] = [("location", Self::Location), ("market", Self::Market), ("both", Self::Both)];

    /// Its word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Location => "location",
            Self::Market => "market",
            Self::Both => "both",
        }
    }

    /// The one of that word.
    pub fn parse(word: &str) -> Result<Self, UnknownScope2> {
        Self::ALL.into_iter().find(|(known, _)| *known == word).map(|(_, scope2)| scope2).ok_or(UnknownScope2)
    }
}

/// A text that is no word for figures of scope 2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("is not location, market or both")]
pub struct UnknownScope2;

/// Which activities a report or a list is about. A set holds a node and all below it; `None` is every activity, with or
/// without a node.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Filter {
    /// Activities in these days; how they count is said by the attribution.
    pub period: Period,
    /// Which days an activity counts on.
    pub attribution: Attribution,
    /// Activities of exactly these org nodes; `None` is all of them, and those without an org.
    pub orgs: Option<HashSet<OrgId>>,
    /// Activities of exactly these scope nodes; `None` is all of them, and those without a scope.
    pub scopes: Option<HashSet<ScopeId>>,
    /// Activities of exactly these taxonomy nodes; `None` is all of them, and those without a taxonomy.
    pub taxonomies: Option<HashSet<TaxonomyId>>,
    /// Which figures of scope 2 count.
    pub scope2: Scope2,
}

setters! {
    Filter {
        with_period = period: Period,
        with_attribution = attribution: Attribution,
        with_orgs = orgs: Option<HashSet<OrgId>>,
        with_scopes = scopes: Option<HashSet<ScopeId>>,
        with_taxonomies = taxonomies: Option<HashSet<TaxonomyId>>,
        with_scope2 = scope2: Scope2,
    }
}

impl Filter {
    /// Whether the activities of the series pass, whatever their days.
    #[must_use]
    pub fn selects_series(&self, key: &SeriesKey) -> bool {
        within(self.orgs.as_ref(), key.org)
            && within(self.scopes.as_ref(), key.scope)
            && within(self.taxonomies.as_ref(), key.taxonomy)
    }

    /// Whether the activity passes: under [`Attribution::Start`] when its first day lies in the period, under
    /// [`Attribution::Daily`] when it touches the period. Activities of the scopes `not_spread` belong to their first day
    /// under either.
    #[must_use]
    pub fn selects(&self, activity: &Activity, not_spread: &HashSet<ScopeId>) -> bool {
        self.selects_days(&activity.series(), (activity.span.first(), activity.span.last()), not_spread)
    }

    /// The same of an activity of that series, from its first day to its last.
    #[must_use]
    pub fn selects_days(&self, key: &SeriesKey, (first, last): (Day, Day), not_spread: &HashSet<ScopeId>) -> bool {
        let spread = key.scope.is_none_or(|scope| !not_spread.contains(&scope));
        let in_period = match self.attribution {
            Attribution::Daily if spread => {
                self.period.last().is_none_or(|end| first <= end)
                    && self.period.first().is_none_or(|start| start <= last)
            }
            Attribution::Start | Attribution::Daily => self.period.contains(first),
        };
        in_period && self.selects_series(key)
    }
}

fn within<Id: Eq + std::hash::Hash>(nodes: Option<&HashSet<Id>>, id: Option<Id>) -> bool {
    nodes.is_none_or(|nodes| id.is_some_and(|id| nodes.contains(&id)))
}

/// What activities come to. The amounts do not overlap and are never netted with each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Totals {
    /// How many there are.
    pub count: i64,
    /// How many of them have no amount.
    pub incomplete: i64,
    /// Kilograms of CO2 equivalent in scopes 1 to 3.
    pub co2e: Total,
    /// Kilograms of CO2 equivalent of activities without a scope, or with one that is not there.
    pub uncategorized: Total,
    /// Kilograms of biogenic CO2: of activities in nodes of kind `biogenic`, and the measure of all others.
    pub biogenic: Total,
    /// Kilograms of CO2 equivalent in nodes of kind `credit`.
    pub credits: Total,
    /// Kilograms of CO2 equivalent in nodes of kind `outside`.
    pub outside: Total,
    /// What of `co2e` is of scope 2.
    pub scope2: Total,
    /// By how much scope 2 is more market-based than location-based; zero unless the market is asked for.
    pub market_delta: Total,
    /// What of market-based scope 2 rests on instruments; zero unless the market is asked for.
    pub market_instrument: Total,
    /// What of it rests on a residual mix; zero unless the market is asked for.
    pub market_residual: Total,
    /// What of `co2e`, in scope 2 location-based, was stated to be measured.
    pub measured: Total,
    /// What of it was stated to be estimated.
    pub estimated: Total,
    /// What of it was stated to be calculated from a proxy.
    pub proxy: Total,
    /// Kilograms of the gas itself, of rows by gas; zero elsewhere.
    pub mass: Total,
}

impl Totals {
    /// The totals of series whose scopes have that kind; `None` without a scope that is there.
    pub(crate) fn new(sums: SeriesTotals, kind: Option<ScopeKind>) -> Self {
        let counts = Self { count: sums.count, incomplete: sums.incomplete, ..Self::default() };
        match kind {
            None => Self { uncategorized: sums.co2e, ..counts },
            Some(ScopeKind::Biogenic) => Self { biogenic: sums.co2e, ..counts },
            Some(ScopeKind::Credit) => Self { credits: sums.co2e, ..counts },
            Some(ScopeKind::Outside) => Self { outside: sums.co2e, ..counts },
            Some(ScopeKind::Scope2) => Self { co2e: sums.co2e, scope2: sums.co2e, ..counts },
            Some(ScopeKind::Scope1 | ScopeKind::Scope3) => Self { co2e: sums.co2e, ..counts },
        }
    }
}

impl AddAssign for Totals {
    /// Both together. A number that would leave 64 bits, which no cube has, stays at their end.
    fn add_assign(&mut self, other: Self) {
        self.count = self.count.saturating_add(other.count);
        self.incomplete = self.incomplete.saturating_add(other.incomplete);
        self.co2e += other.co2e;
        self.uncategorized += other.uncategorized;
        self.biogenic += other.biogenic;
        self.credits += other.credits;
        self.outside += other.outside;
        self.scope2 += other.scope2;
        self.market_delta += other.market_delta;
        self.market_instrument += other.market_instrument;
        self.market_residual += other.market_residual;
        self.measured += other.measured;
        self.estimated += other.estimated;
        self.proxy += other.proxy;
        self.mass += other.mass;
    }
}

/// The report over all activities that pass a filter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// What they come to.
    pub totals: Totals,
    /// The scope nodes they carry.
    pub scopes: BTreeSet<ScopeId>,
    /// The org nodes they carry.
    pub orgs: BTreeSet<OrgId>,
    /// The taxonomy nodes they carry.
    pub taxonomies: BTreeSet<TaxonomyId>,
    /// The first day of the period, of an open one the first on which an activity counts.
    pub first: Option<Day>,
    /// The last day of the period, of an open one the last on which an activity counts.
    pub last: Option<Day>,
}

const _: () = assert!(measures::reported(Scope2::Both).len() < MOST, "a report reads all its measures at once");

/// The report on a cube; `scopes` classes the nodes of the scope tree, `None` one that is not there.
#[must_use]
pub fn report(cube: &Cube, filter: &Filter, scopes: &dyn Fn(ScopeId) -> Option<ScopeClass>) -> Report {
    let (series, period) = (cube.series_list(), filter.period);
    let choice = Choice::new(series, filter, scopes);
    let lanes = choice.lanes(series);
    // What no activity has takes no time.
    let used = measures::reported(filter.scope2).iter().copied().filter(|measure| cube.has(*measure));
    let read: Vec<Measure> = [Measure::Co2e].into_iter().chain(used).collect();
    let found = cube.lane_totals_of(&read, period, &lanes);
    let (counts, nodes) = nodes(series, &choice, &lanes, &found.counts);
    let mut totals = Totals::default();
    for ((kind, count), sum) in SUM_KINDS.into_iter().zip(counts).zip(0..) {
        totals += Totals::new(SeriesTotals { count, ..found.sum(sum) }, kind);
    }
    for (place, measure) in read.into_iter().enumerate().skip(1) {
        for (kind, sum) in SUM_KINDS.into_iter().zip(0..) {
            totals.add_measure(measure, found.amount(sum, place), kind, filter.scope2);
        }
    }
    Report {
        totals,
        first: period.first().or_else(|| cube.first_day(&lanes, &found.counts)),
        last: period.last().or_else(|| cube.last_day(&lanes, &found.counts)),
        ..nodes
    }
}

/// The report broken down by period and by the key of a series, in the order of `periods`, then of the keys; rows
/// without an activity are left out. Days outside the filter's period count nowhere.
///
/// The amounts of periods that do not overlap and together cover the filter's period add up to the report's totals
/// exactly. So do the counts under [`Attribution::Start`]; under [`Attribution::Daily`] an activity counts in each
/// period it touches.
#[must_use]
pub fn breakdown<K: Ord + Clone>(
    cube: &Cube,
    filter: &Filter,
    scopes: &dyn Fn(ScopeId) -> Option<ScopeClass>,
    periods: &[Period],
    key: &dyn Fn(&SeriesKey) -> K,
) -> Vec<(Period, K, Totals)> {
    let (groups, numbered) = grouped::groups(cube, filter, scopes, key);
    let used: Vec<Measure> =
        measures::reported(filter.scope2).iter().copied().filter(|measure| cube.has(*measure)).collect();
    let mut reading = GroupReading::new(cube, &numbered, &used);
    let mut table = Vec::new();
    for period in periods {
        let mut rows: BTreeMap<&K, Totals> = BTreeMap::new();
        let common = intersection(*period, filter.period);
        let totals = common.map(|common| reading.totals(common)).unwrap_or_default();
        for (group, found) in groups.iter().zip(totals).filter(|(_, found)| found.sums.count != 0) {
            let row = rows.entry(&group.key).or_default();
            *row += Totals::new(found.sums, group.kind);
            for (measure, amount) in used.iter().zip(found.measures) {
                row.add_measure(*measure, amount, group.kind, filter.scope2);
            }
        }
        table.extend(rows.into_iter().map(|(key, figures)| (*period, key.clone(), figures)));
    }
    table
}

fn never_spread(scopes: &dyn Fn(ScopeId) -> Option<ScopeClass>) -> impl Fn(&SeriesKey) -> bool {
    move |key| key.scope.and_then(scopes).is_some_and(ScopeClass::never_spread)
}

fn intersection(a: Period, b: Period) -> Option<Period> {
    let first = a.first().max(b.first());
    let last = [a.last(), b.last()].into_iter().flatten().min();
    Period::new(first, last)
}
