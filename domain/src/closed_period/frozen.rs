//! A report that stands fast: what each series of activities came to in a period, under both attributions.

use std::collections::{BTreeMap, HashSet};

use super::frozen_line::{FrozenFigures, FrozenLine};
use super::{ClassTotals, FrozenAbout};
use crate::aggregate::cell::SeriesKey;
use crate::aggregate::cube::{Attribution, Cube};
use crate::aggregate::measure::Measure;
use crate::aggregate::report::{Scope2, Totals, measure_sums};
use crate::amount::total::Total;
use crate::calendar::day::Period;
use crate::id::{OrgId, ScopeId};
use crate::tree::scope_kind::{ScopeClass, ScopeKind};

/// What the activities of a period come to, series by series.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FrozenReport {
    /// What it is about; `None` of one of which only the figures are asked for.
    pub about: Option<FrozenAbout>,
    /// The series that have an activity in the period, by scope, org and taxonomy.
    pub lines: Vec<FrozenLine>,
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
        let kind = |key: &SeriesKey| key.scope.and_then(scopes).map(ScopeClass::kind);
        let measured = |attribution: Attribution| {
            let mut found = vec![(Total::ZERO, Total::ZERO); cube.series().len()];
            let measures = [Measure::BiogenicCo2, Measure::MarketDelta];
            let whole = cube.whole_series(attribution, &not_spread);
            for (measure, sums) in measure_sums(cube, &measures, period, &whole) {
                for ((key, found), sum) in cube.series().iter().zip(&mut found).zip(sums) {
                    let mut totals = Totals::default();
                    totals.add_measure(measure, sum, kind(key), Scope2::Both);
                    *found = (found.0 + totals.biogenic, found.1 + totals.market_delta);
                }
            }
            found
        };
        let measures = measured(Attribution::Start).into_iter().zip(measured(Attribution::Daily));
        let is_in = |key: &SeriesKey| orgs.is_none_or(|orgs| key.org.is_some_and(|org| orgs.contains(&org)));
        let sums = cube.series().iter().zip(started.into_iter().zip(spread)).zip(measures);
        let mut lines: Vec<FrozenLine> = sums
            .filter(|((key, (started, spread)), _)| is_in(key) && (started.count != 0 || spread.count != 0))
            .map(|((series, (started, spread)), (of_started, of_spread))| FrozenLine {
                series: *series,
                kind: kind(series),
                started: FrozenFigures::from(started).with_measures(of_started.0, of_started.1),
                spread: FrozenFigures::from(spread).with_measures(of_spread.0, of_spread.1),
            })
            .collect();
        lines.sort_unstable_by_key(|line| line.series);
        Self { about: None, lines }
    }

    /// The same with what it is about.
    #[must_use]
    pub fn with_about(self, about: FrozenAbout) -> Self {
        Self { about: Some(about), ..self }
    }

    /// What all lines come to whose activities are in scopes 1 to 3, with each counted wholly on its first day.
    #[must_use]
    pub fn in_scopes(&self) -> FrozenFigures {
        let is_counted =
            |line: &&FrozenLine| matches!(line.kind, Some(ScopeKind::Scope1 | ScopeKind::Scope2 | ScopeKind::Scope3));
        self.lines.iter().filter(is_counted).fold(FrozenFigures::default(), |sum, line| sum.plus(line.started))
    }

    /// What all lines come to, class by class of their scopes.
    #[must_use]
    pub fn by_class(&self, attribution: Attribution) -> ClassTotals {
        let figures = |line: &FrozenLine| match attribution {
            Attribution::Start => line.started,
            Attribution::Daily => line.spread,
        };
        self.lines.iter().fold(ClassTotals::default(), |sum, line| sum + figures(line).classed(line.kind))
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
