//! A report that stands fast: what each series of activities came to in a period, under both attributions.

use std::collections::{BTreeMap, HashSet};

use super::frozen_line::{FrozenFigures, FrozenLine};
use super::{ClassTotals, FrozenAbout};
use crate::aggregate::cell::SeriesKey;
use crate::aggregate::cube::{Attribution, Cube, SeriesTotals};
use crate::aggregate::measure::Measure;
use crate::aggregate::report::{GasTotals, Scope2, Totals, gases_of, measure_sums, measures_of_gases};
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
            let measures: Vec<Measure> = [Measure::MarketDelta].into_iter().chain(measures_of_gases()).collect();
            let whole = cube.whole_series(attribution, &not_spread);
            let sums = measure_sums(cube, &measures, period, &whole);
            let of_series = |(number, key): (usize, &SeriesKey)| {
                Measured::of(kind(key), |measure| {
                    let found = sums.iter().find(|(known, _)| *known == measure);
                    found.and_then(|(_, sums)| sums.get(number).copied()).unwrap_or_default()
                })
            };
            cube.series().iter().enumerate().map(of_series).collect::<Vec<_>>()
        };
        let measures = measured(Attribution::Start).into_iter().zip(measured(Attribution::Daily));
        let is_in = |key: &SeriesKey| orgs.is_none_or(|orgs| key.org.is_some_and(|org| orgs.contains(&org)));
        let sums = cube.series().iter().zip(started.into_iter().zip(spread)).zip(measures);
        let mut lines: Vec<FrozenLine> = sums
            .filter(|((key, (started, spread)), _)| is_in(key) && (started.count != 0 || spread.count != 0))
            .map(|((series, (started, spread)), (of_started, of_spread))| FrozenLine {
                series: *series,
                kind: kind(series),
                started: of_started.beside(started),
                spread: of_spread.beside(spread),
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
        let counted = self.lines.iter().filter(|line| line.kind.is_some_and(ScopeKind::is_scope));
        counted.fold(FrozenFigures::default(), |sum, line| sum.plus(&line.started))
    }

    /// What all lines come to, class by class of their scopes.
    #[must_use]
    pub fn by_class(&self, attribution: Attribution) -> ClassTotals {
        let figures = |line: &FrozenLine| match attribution {
            Attribution::Start => line.started.classed(line.kind),
            Attribution::Daily => line.spread.classed(line.kind),
        };
        self.lines.iter().fold(ClassTotals::default(), |sum, line| sum + figures(line))
    }

    /// What the lines of one kind of scope come to, with each activity counted wholly on its first day.
    #[must_use]
    pub fn of_kind(&self, kind: ScopeKind) -> FrozenFigures {
        let lines = self.lines.iter().filter(|line| line.kind == Some(kind));
        lines.fold(FrozenFigures::default(), |sum, line| sum.plus(&line.started))
    }

    /// The series whose lines differ in the two reports, with both: what was, and what is.
    #[must_use]
    pub fn differences(&self, now: &Self) -> Vec<(Option<FrozenLine>, Option<FrozenLine>)> {
        let mut pairs: BTreeMap<_, (Option<FrozenLine>, Option<FrozenLine>)> = BTreeMap::new();
        for line in &self.lines {
            pairs.entry(line.series).or_default().0 = Some(line.clone());
        }
        for line in &now.lines {
            pairs.entry(line.series).or_default().1 = Some(line.clone());
        }
        pairs.into_values().filter(|(was, is)| was != is).collect()
    }
}

/// What a series has beside its CO2e.
struct Measured {
    biogenic: Total,
    market_delta: Total,
    gases: GasTotals,
}

impl Measured {
    /// What counts of a series whose scope has that kind; `of` gives what it has of a measure.
    fn of(kind: Option<ScopeKind>, of: impl Fn(Measure) -> Total) -> Self {
        let mut totals = Totals::default();
        for measure in [Measure::BiogenicCo2, Measure::MarketDelta] {
            totals.add_measure(measure, of(measure), kind, Scope2::Both);
        }
        let gases = if kind.is_some_and(ScopeKind::is_scope) { gases_of(of) } else { GasTotals::NONE };
        Self { biogenic: totals.biogenic, market_delta: totals.market_delta, gases }
    }

    fn beside(self, sums: SeriesTotals) -> FrozenFigures {
        FrozenFigures::from(sums).with_measures(self.biogenic, self.market_delta).with_gases(self.gases)
    }
}
