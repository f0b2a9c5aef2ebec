//! What the figures of a statement were computed from: factor sets, factors that somebody wrote, and CO2e that was supplied.

use std::collections::BTreeMap;

use crate::activity::{Activity, MarketBasis};
use crate::aggregate::cube::{Attribution, SeriesTotals};
use crate::aggregate::measure::Measure;
use crate::aggregate::report::{Scope2, Totals};
use crate::amount::total::Total;
use crate::calendar::day::{Day, Period};
use crate::canonical::Digest;
use crate::gas::potential::GwpSet;
use crate::id::FactorId;
use crate::product::factor::FactorData;
use crate::text::{Name, Source};
use crate::tree::scope_kind::{ScopeClass, ScopeKind};

/// What an amount of an activity comes from.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FigureSource {
    /// A set of published factors, read under those global warming potentials.
    Set {
        /// Who published it.
        publisher: Name,
        /// What the table is called.
        title: Name,
        /// Which edition.
        edition: Name,
        /// The first day for which it was published.
        valid_from: Day,
        /// The day after the last; `None` while no end is known.
        valid_to: Option<Day>,
        /// The licence, with the attribution that it asks for.
        licence: Source,
        /// The SHA-256 of its file.
        sha256: Digest,
        /// The set of global warming potentials, where it is known.
        gwp: Option<GwpSet>,
    },
    /// A factor that somebody wrote, with where they say it was published.
    Written {
        /// Where it was published.
        source: Source,
        /// The set of global warming potentials, where it is known.
        gwp: Option<GwpSet>,
    },
    /// A factor that is not there any more.
    Missing(FactorId),
    /// An amount that was supplied with the activity.
    Supplied,
    /// Nothing: the activity has no CO2e.
    Incomplete,
}

impl FigureSource {
    /// Where a factor comes from.
    #[must_use]
    pub fn of(data: &FactorData) -> Self {
        match &data.origin {
            Some(origin) => Self::Set {
                publisher: origin.set.publisher.clone(),
                title: origin.set.title.clone(),
                edition: origin.set.edition.clone(),
                valid_from: origin.set.valid_from,
                valid_to: origin.set.valid_to,
                licence: origin.set.licence.clone(),
                sha256: origin.set.id,
                gwp: data.gwp,
            },
            None => Self::Written { source: data.source.clone(), gwp: data.gwp },
        }
    }

    /// The set of global warming potentials behind it, where one is known.
    #[must_use]
    pub const fn gwp(&self) -> Option<GwpSet> {
        match self {
            Self::Set { gwp, .. } | Self::Written { gwp, .. } => *gwp,
            Self::Missing(_) | Self::Supplied | Self::Incomplete => None,
        }
    }
}

/// How much came by one source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceLine {
    /// The source.
    pub source: FigureSource,
    /// What came by it, scope 2 location-based. An activity of which a part was supplied and a part computed is counted in both
    /// lines.
    pub totals: Totals,
}

/// How much of market-based scope 2 came by one source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MarketSourceLine {
    /// What it rests on.
    pub basis: MarketBasis,
    /// The source of the factor.
    pub source: FigureSource,
    /// How many activities.
    pub count: i64,
    /// Kilograms of CO2 equivalent.
    pub co2e: Total,
}

/// What an amount of an activity comes from, before the factors are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Cause {
    Factor(FactorId),
    Supplied,
    Incomplete,
}

/// How much came by which factor, added up activity by activity.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceSums {
    whole: Totals,
    lines: BTreeMap<Cause, Totals>,
    market: BTreeMap<(MarketBasis, FactorId), (i64, Total)>,
}

impl SourceSums {
    /// Adds what an activity has in the period, if it counts in it. `class` is that of its scope.
    pub fn add(&mut self, activity: &Activity, class: Option<ScopeClass>, attribution: Attribution, period: Period) {
        let Some(whole) = Totals::of_activity(activity, class, attribution, period, Scope2::Both) else { return };
        let Some(share) = activity.share_of(class, attribution, period) else { return };
        self.whole += whole;
        let kind = class.map(ScopeClass::kind);
        let placed = |co2e| Totals::new(SeriesTotals { count: 1, incomplete: 0, co2e }, kind);
        let factor = activity.calculation.factor();
        let supplied = activity.calculation.supplied();
        let parts = [supplied.upstream, supplied.downstream];
        match (activity.co2e(), factor) {
            (None, _) => {
                let counts = SeriesTotals { count: 1, incomplete: 1, co2e: Total::ZERO };
                self.line(Cause::Incomplete, &Totals::new(counts, kind));
            }
            (Some(co2e), None) => self.line(Cause::Supplied, &placed(share(co2e).into())),
            (Some(co2e), Some(factor)) => {
                // What was supplied and what was computed are together what counts, also of a part of the days.
                let given = parts.into_iter().flatten().map(|part| Total::from(share(part))).sum::<Total>();
                self.line(Cause::Factor(factor), &placed(Total::from(share(co2e)) - given));
                if parts.iter().any(Option::is_some) {
                    self.line(Cause::Supplied, &placed(given));
                }
            }
        }
        // In nodes of its kind all CO2e is biogenic, and the measure counts nowhere.
        let biogenic = if kind == Some(ScopeKind::Biogenic) { Total::ZERO } else { whole.biogenic };
        if !biogenic.is_zero() {
            let cause = match (activity.stated.biogenic, factor) {
                (None, Some(factor)) => Cause::Factor(factor),
                (Some(_), _) | (None, None) => Cause::Supplied,
            };
            self.line(cause, &Totals { biogenic, ..Totals::default() });
        }
        if let Some(market) = activity.stated.market.as_ref().filter(|_| kind == Some(ScopeKind::Scope2)) {
            let amount = activity.measures.get(market.measure()).map(|amount| Total::from(share(*amount)));
            if amount.is_some() || activity.measures.get(Measure::MarketDelta).is_some() {
                let line = self.market.entry((market.basis, market.factor)).or_default();
                line.0 = line.0.saturating_add(1);
                line.1 += amount.unwrap_or_default();
            }
        }
    }

    fn line(&mut self, cause: Cause, totals: &Totals) {
        *self.lines.entry(cause).or_default() += *totals;
    }

    /// What all activities come to, with both figures of scope 2 side by side.
    #[must_use]
    pub const fn whole(&self) -> &Totals {
        &self.whole
    }

    /// The factors that activities name; each once.
    #[must_use]
    pub fn factors(&self) -> Vec<FactorId> {
        let named = self.lines.keys().filter_map(|cause| match cause {
            Cause::Factor(id) => Some(*id),
            Cause::Supplied | Cause::Incomplete => None,
        });
        let mut all: Vec<FactorId> = named.chain(self.market.keys().map(|(_, id)| *id)).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The sources: sets, factors that somebody wrote, what was supplied, and what has no CO2e. `find` gives the source of a
    /// factor that is there.
    #[must_use]
    pub fn lines(&self, find: &dyn Fn(FactorId) -> Option<FigureSource>) -> Vec<SourceLine> {
        let mut found: BTreeMap<FigureSource, Totals> = BTreeMap::new();
        for (cause, totals) in &self.lines {
            let source = match *cause {
                Cause::Factor(id) => find(id).unwrap_or(FigureSource::Missing(id)),
                Cause::Supplied => FigureSource::Supplied,
                Cause::Incomplete => FigureSource::Incomplete,
            };
            *found.entry(source).or_default() += *totals;
        }
        found.into_iter().map(|(source, totals)| SourceLine { source, totals }).collect()
    }

    /// What market-based scope 2 rests on, beside location-based figures.
    #[must_use]
    pub fn market(&self, find: &dyn Fn(FactorId) -> Option<FigureSource>) -> Vec<MarketSourceLine> {
        let mut found: BTreeMap<(MarketBasis, FigureSource), (i64, Total)> = BTreeMap::new();
        for ((basis, id), (count, co2e)) in &self.market {
            let source = find(*id).unwrap_or(FigureSource::Missing(*id));
            let line = found.entry((*basis, source)).or_default();
            line.0 = line.0.saturating_add(*count);
            line.1 += *co2e;
        }
        let line = |((basis, source), (count, co2e))| MarketSourceLine { basis, source, count, co2e };
        found.into_iter().map(line).collect()
    }
}
