//! Activities added up the slow way: one by one and day by day, without cells.

use std::collections::BTreeSet;

use proptest::prelude::*;
use tonne_domain::{
    Attribution, Cell, Co2e, Cube, Day, Decimal, Filter, Measure, Measures, OrgId, Period, Posting, Report, Scope2,
    ScopeClass, ScopeId, ScopeKind, SeriesKey, TaxonomyId, Total, Totals,
};
use uuid::Uuid;

/// An activity of a series, by index in [`series`].
#[derive(Clone, Debug)]
pub(crate) struct Activity {
    pub(crate) series: u32,
    pub(crate) posting: Posting,
}

/// The days that tests use run from this one.
const FIRST: i32 = 2_460_000;
/// And are so many.
pub(crate) const DAYS: i32 = 60;

pub(crate) fn day(offset: i32) -> Day {
    Day::from_number(FIRST + offset).unwrap()
}

pub(crate) fn id(number: u8) -> Uuid {
    Uuid::from_u128(u128::from(number))
}

/// Scope nodes: 1 to 3 the scopes, 4 outside, 5 biogenic, 6 credit, 7 is not there, 10 + c category c of scope 3.
pub(crate) fn class(scope: ScopeId) -> Option<ScopeClass> {
    let (kind, category) = match u8::try_from(scope.uuid().as_u128()).unwrap() {
        1 => (ScopeKind::Scope1, None),
        2 => (ScopeKind::Scope2, None),
        3 => (ScopeKind::Scope3, None),
        4 => (ScopeKind::Outside, None),
        5 => (ScopeKind::Biogenic, None),
        6 => (ScopeKind::Credit, None),
        7 => return None,
        number => (ScopeKind::Scope3, Some(number - 10)),
    };
    Some(ScopeClass::new(kind, category).unwrap())
}

/// Every combination of eleven scopes, three orgs and two taxonomies.
pub(crate) fn series() -> Vec<SeriesKey> {
    let mut keys = Vec::new();
    for scope in [None, Some(1), Some(2), Some(3), Some(4), Some(5), Some(6), Some(7), Some(12), Some(15), Some(16)] {
        for org in [None, Some(1), Some(2)] {
            for taxonomy in [None, Some(1)] {
                keys.push(SeriesKey {
                    scope: scope.map(|n| ScopeId::new(id(n))),
                    org: org.map(|n| OrgId::new(id(n))),
                    taxonomy: taxonomy.map(|n| TaxonomyId::new(id(n))),
                });
            }
        }
    }
    keys
}

pub(crate) fn any_amount() -> impl Strategy<Value = Option<Co2e>> {
    let limit = Decimal::MAX.scaled();
    let scaled = prop_oneof![
        4 => -100_i128..100,
        2 => -1_000_000_000_000_000_000_000_i128..1_000_000_000_000_000_000_000,
        1 => prop_oneof![Just(limit), Just(-limit), -limit..=limit],
    ];
    prop::option::weighted(0.8, scaled.prop_map(|scaled| Co2e::new(Decimal::from_scaled(scaled).unwrap())))
}

pub(crate) fn any_booking() -> impl Strategy<Value = Posting> {
    (0..DAYS, 0..DAYS, any::<bool>(), any_amount(), any_measures()).prop_map(|(a, b, single, co2e, measures)| {
        let last = if single { a } else { a.max(b) };
        let mut posting = Posting::new(day(a.min(last)), day(last), co2e);
        posting.measures = measures;
        posting
    })
}

/// Mostly none, else biogenic CO2, now and then with another and with what counts in the market.
pub(crate) fn any_measures() -> impl Strategy<Value = Measures> {
    let market = prop::option::weighted(0.2, (any_amount(), any_amount(), any::<bool>()));
    let pair = (prop::option::weighted(0.4, any_amount()), prop::option::weighted(0.1, any_amount()));
    (pair, market).prop_map(|((one, other), market)| {
        let (delta, rests, is_residual) = market.unwrap_or_default();
        let basis = if is_residual { Measure::MarketResidual } else { Measure::MarketInstrument };
        let market =
            delta.map(|delta| (Measure::MarketDelta, delta)).into_iter().chain(rests.map(|rests| (basis, rests)));
        let one = one.flatten().map(|amount| (Measure::BiogenicCo2, amount));
        let other = other.flatten().map(|amount| (Measure::Nf3, amount));
        Measures::new(one.into_iter().chain(other).chain(market)).unwrap()
    })
}

pub(crate) fn any_activities(most: usize) -> impl Strategy<Value = Vec<Activity>> {
    let count = u32::try_from(series().len()).unwrap();
    let one = (0..count, any_booking()).prop_map(|(series, posting)| Activity { series, posting });
    prop::collection::vec(one, 0..most)
}

pub(crate) fn any_period() -> impl Strategy<Value = Period> {
    let end = || prop::option::weighted(0.8, -3..DAYS + 3);
    (end(), end()).prop_map(|(a, b)| match (a, b) {
        (Some(a), Some(b)) => Period::new(Some(day(a.min(b))), Some(day(a.max(b)))).unwrap(),
        (a, b) => Period::new(a.map(day), b.map(day)).unwrap(),
    })
}

pub(crate) fn any_attribution() -> impl Strategy<Value = Attribution> {
    prop_oneof![Just(Attribution::Start), Just(Attribution::Daily)]
}

pub(crate) fn any_filter() -> impl Strategy<Value = Filter> {
    let nodes = |of: &'static [u8]| prop::option::of(prop::sample::subsequence(of, 0..=of.len()));
    let figures = (any_attribution(), prop::sample::select(Scope2::ALL.map(|(_, scope2)| scope2).to_vec()));
    (any_period(), figures, nodes(&[1, 2]), nodes(&[1, 2, 3, 4, 5, 6, 7, 12, 15, 16]), nodes(&[1])).prop_map(
        |(period, (attribution, scope2), orgs, scopes, taxonomies)| {
            Filter::default()
                .with_period(period)
                .with_attribution(attribution)
                .with_scope2(scope2)
                .with_orgs(orgs.map(|nodes| nodes.into_iter().map(|n| OrgId::new(id(n))).collect()))
                .with_scopes(scopes.map(|nodes| nodes.into_iter().map(|n| ScopeId::new(id(n))).collect()))
                .with_taxonomies(taxonomies.map(|nodes| nodes.into_iter().map(|n| TaxonomyId::new(id(n))).collect()))
        },
    )
}

pub(crate) fn cells(activities: &[Activity]) -> impl Iterator<Item = (u32, Day, Cell)> {
    activities.iter().flat_map(|a| a.posting.cells().map(|(day, cell)| (a.series, day, cell)))
}

pub(crate) fn cube(activities: &[Activity]) -> Cube {
    Cube::new(series(), cells(activities)).unwrap()
}

/// What an activity bears on one of its days of an amount.
fn on_day(posting: &Posting, amount: Co2e, at: Day) -> i128 {
    let scaled = amount.decimal().scaled();
    let days = i128::from(posting.last.number() - posting.first.number()) + 1;
    let even = scaled / days;
    if at == posting.last { scaled - even * (days - 1) } else { even }
}

/// The days of the period on which the activity counts, each with the CO2e it bears there.
pub(crate) fn days_of(posting: &Posting, attribution: Attribution, period: Period) -> Vec<(Day, Total)> {
    days_of_amount(posting, posting.co2e.unwrap_or_default(), attribution, period)
}

/// The days of the period on which the activity counts, each with what it bears there of an amount.
fn days_of_amount(posting: &Posting, amount: Co2e, attribution: Attribution, period: Period) -> Vec<(Day, Total)> {
    let total = |scaled: i128| Total::from(Decimal::from_scaled(scaled).unwrap());
    let mut days = Vec::new();
    match attribution {
        Attribution::Start => days.push((posting.first, Total::from(amount))),
        Attribution::Daily => {
            for number in posting.first.number()..=posting.last.number() {
                let at = Day::from_number(number).unwrap();
                days.push((at, total(on_day(posting, amount, at))));
            }
        }
    }
    days.retain(|(at, _)| period.contains(*at));
    days
}

/// What each series has of a measure in the period.
pub(crate) fn sums_of(
    activities: &[Activity],
    measure: Measure,
    period: Period,
    attribution: Attribution,
    not_spread: &dyn Fn(&SeriesKey) -> bool,
) -> Vec<Total> {
    let keys = series();
    let mut sums = vec![Total::ZERO; keys.len()];
    for Activity { series, posting } in activities {
        let other = posting.measures.get(measure).copied();
        let amount = if measure == Measure::Co2e { posting.co2e } else { other };
        let at = *series as usize;
        let attribution = if not_spread(&keys[at]) { Attribution::Start } else { attribution };
        for (_, amount) in days_of_amount(posting, amount.unwrap_or_default(), attribution, period) {
            sums[at] += amount;
        }
    }
    sums
}

/// The report over a list of activities.
pub(crate) fn report(activities: &[Activity], filter: &Filter) -> Report {
    let keys = series();
    let (mut totals, mut scopes, mut orgs, mut taxonomies) =
        (Totals::default(), BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    let (mut first, mut last): (Option<Day>, Option<Day>) = (None, None);
    for activity in activities {
        let key = keys[activity.series as usize];
        let passes = filter.orgs.as_ref().is_none_or(|set| key.org.is_some_and(|id| set.contains(&id)))
            && filter.scopes.as_ref().is_none_or(|set| key.scope.is_some_and(|id| set.contains(&id)))
            && filter.taxonomies.as_ref().is_none_or(|set| key.taxonomy.is_some_and(|id| set.contains(&id)));
        let not_spread =
            key.scope.and_then(class).is_some_and(|class| matches!(class.category(), Some(2 | 5 | 11 | 12)));
        let attribution = if not_spread { Attribution::Start } else { filter.attribution };
        let days = days_of(&activity.posting, attribution, filter.period);
        let (Some((from, _)), Some((to, _))) = (days.first(), days.last()) else { continue };
        if !passes {
            continue;
        }
        totals.count += 1;
        totals.incomplete += i64::from(activity.posting.co2e.is_none());
        let amount: Total = days.iter().map(|(_, amount)| *amount).sum();
        let kind = key.scope.and_then(class).map(ScopeClass::kind);
        if let Some(biogenic) = activity.posting.measures.get(Measure::BiogenicCo2)
            && kind != Some(ScopeKind::Biogenic)
        {
            let days = days_of_amount(&activity.posting, *biogenic, attribution, filter.period);
            totals.biogenic += days.iter().map(|(_, amount)| *amount).sum();
        }
        for (measure, other) in activity.posting.measures.iter() {
            if matches!(kind, Some(ScopeKind::Scope1 | ScopeKind::Scope2 | ScopeKind::Scope3)) {
                let days = days_of_amount(&activity.posting, *other, attribution, filter.period);
                let amount: Total = days.iter().map(|(_, amount)| *amount).sum();
                let tiers = [
                    (Measure::Co2eMeasured, &mut totals.measured),
                    (Measure::Co2eEstimated, &mut totals.estimated),
                    (Measure::Co2eProxy, &mut totals.proxy),
                ];
                for (tier, total) in tiers {
                    if tier == measure {
                        *total += amount;
                    }
                }
            }
            if kind == Some(ScopeKind::Scope2) && filter.scope2 != Scope2::Location {
                let days = days_of_amount(&activity.posting, *other, attribution, filter.period);
                let amount: Total = days.iter().map(|(_, amount)| *amount).sum();
                if measure == Measure::MarketDelta {
                    totals.market_delta += amount;
                    if filter.scope2 == Scope2::Market {
                        totals.co2e += amount;
                    }
                } else if measure == Measure::MarketInstrument {
                    totals.market_instrument += amount;
                } else if measure == Measure::MarketResidual {
                    totals.market_residual += amount;
                }
            }
        }
        match kind {
            None => totals.uncategorized += amount,
            Some(ScopeKind::Outside) => totals.outside += amount,
            Some(ScopeKind::Biogenic) => totals.biogenic += amount,
            Some(ScopeKind::Credit) => totals.credits += amount,
            Some(ScopeKind::Scope2) => {
                totals.co2e += amount;
                totals.scope2 += amount;
            }
            Some(ScopeKind::Scope1 | ScopeKind::Scope3) => totals.co2e += amount,
        }
        scopes.extend(key.scope);
        orgs.extend(key.org);
        taxonomies.extend(key.taxonomy);
        first = Some(first.map_or(*from, |day| day.min(*from)));
        last = Some(last.map_or(*to, |day| day.max(*to)));
    }
    let first = filter.period.first().or(first);
    let mut report = Report::default();
    (report.totals, report.first, report.last) = (totals, first, filter.period.last().or(last));
    (report.scopes, report.orgs, report.taxonomies) = (scopes, orgs, taxonomies);
    report
}
