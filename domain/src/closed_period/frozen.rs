//! A report that stands fast: what each series of activities came to in a period, under both attributions.

use std::collections::{BTreeMap, HashSet};

use crate::aggregate::cell::SeriesKey;
use crate::aggregate::cube::{Attribution, Cube, SeriesTotals};
use crate::amount::total::Total;
use crate::calendar::day::Period;
use crate::id::{OrgId, ScopeId};
use crate::tree::scope_kind::{ScopeClass, ScopeKind};

/// What the activities of a period come to, series by series.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FrozenReport {
    /// The series that have an activity in the period, by scope, org and taxonomy.
    pub lines: Vec<FrozenLine>,
}

/// What the activities of one series come to in a period.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrozenLine {
    /// The nodes that they carry.
    pub series: SeriesKey,
    /// What kind of scope theirs is; `None` without a scope that is there.
    pub kind: Option<ScopeKind>,
    /// Those whose first day lies in the period, each counted wholly.
    pub started: FrozenFigures,
    /// Those that touch the period, each with its share of the days.
    pub spread: FrozenFigures,
}

/// What activities come to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct FrozenFigures {
    /// How many there are.
    pub count: i64,
    /// How many of them have no CO2e.
    pub incomplete: i64,
    /// Kilograms of CO2 equivalent.
    pub co2e: Total,
}

impl FrozenFigures {
    /// So many activities, so many of them without CO2e, and the kilograms of CO2 equivalent of the others.
    #[must_use]
    pub const fn new(count: i64, incomplete: i64, co2e: Total) -> Self {
        Self { count, incomplete, co2e }
    }

    /// Both together.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            count: self.count.saturating_add(other.count),
            incomplete: self.incomplete.saturating_add(other.incomplete),
            co2e: self.co2e + other.co2e,
        }
    }
}

impl From<SeriesTotals> for FrozenFigures {
    fn from(sums: SeriesTotals) -> Self {
        Self { count: sums.count, incomplete: sums.incomplete, co2e: sums.co2e }
    }
}

impl FrozenReport {
    /// The report of a cube over a period, of activities in those orgs; `None` is all of them, and those without one.
    /// `scopes` classes the nodes of the scope tree, `None` one that is not there.
    #[must_use]
    pub fn of(
        cube: &Cube,
        period: Period,
        orgs: Option<&HashSet<OrgId>>,
        scopes: &dyn Fn(ScopeId) -> Option<ScopeClass>,
    ) -> Self {
        let not_spread = |key: &SeriesKey| key.scope.and_then(scopes).is_some_and(ScopeClass::never_spread);
        let started = cube.sums(period, Attribution::Start, &not_spread);
        let spread = cube.sums(period, Attribution::Daily, &not_spread);
        let is_in = |key: &SeriesKey| orgs.is_none_or(|orgs| key.org.is_some_and(|org| orgs.contains(&org)));
        let line = |(series, (started, spread)): (&SeriesKey, (SeriesTotals, SeriesTotals))| FrozenLine {
            series: *series,
            kind: series.scope.and_then(scopes).map(ScopeClass::kind),
            started: started.into(),
            spread: spread.into(),
        };
        let sums = cube.series().iter().zip(started.into_iter().zip(spread));
        let mut lines: Vec<FrozenLine> = sums
            .filter(|(key, (started, spread))| is_in(key) && (started.count != 0 || spread.count != 0))
            .map(line)
            .collect();
        lines.sort_unstable_by_key(|line| line.series);
        Self { lines }
    }

    /// What all lines come to whose activities are in scopes 1 to 3, with each counted wholly on its first day.
    #[must_use]
    pub fn in_scopes(&self) -> FrozenFigures {
        let is_counted =
            |line: &&FrozenLine| matches!(line.kind, Some(ScopeKind::Scope1 | ScopeKind::Scope2 | ScopeKind::Scope3));
        self.lines.iter().filter(is_counted).fold(FrozenFigures::default(), |sum, line| sum.plus(line.started))
    }

    /// What the lines of one kind of scope come to, with each activity counted wholly on its first day.
    #[must_use]
    pub fn of_kind(&self, kind: ScopeKind) -> FrozenFigures {
        let lines = self.lines.iter().filter(|line| line.kind == Some(kind));
        lines.fold(FrozenFigures::default(), |sum, line| sum.plus(line.started))
    }

    /// The series whose lines differ in the two reports, with both: what was, and what is.
    #[must_use]
    pub fn differences(&self, now: &Self) -> Vec<(Option<FrozenLine>, Option<FrozenLine>)> {
        let mut pairs: BTreeMap<_, (Option<FrozenLine>, Option<FrozenLine>)> = BTreeMap::new();
        for line in &self.lines {
            pairs.entry(line.series).or_default().0 = Some(*line);
        }
        for line in &now.lines {
            pairs.entry(line.series).or_default().1 = Some(*line);
        }
        pairs.into_values().filter(|(was, is)| was != is).collect()
    }
}
