//! Market-based figures of scope 2 beside the location-based ones. Figures of grids and mixes are made up; the rules are
//! those of the GHG Protocol's Scope 2 Guidance (2015), chapters 6 and 7.

mod page;

use proptest::prelude::*;
use tonne_domain::{
    Activity, ActivityId, CitedFactor, Cube, Explanation, Factor, FactorBasis, FactorLookup, Filter, Incomplete,
    Market, MarketBasis, MarketOrigin, Measure, Measured, Moment, Outdated, Scope2, ScopeClass, ScopeKind, SeriesKey,
    Span, Stated, SuppliedCo2e, Totals, add_successor, calculate, factor_on, report, residual_mix_on,
};

use crate::sample::{co2e, day, factor, id, name, product, quantity, terms, unit};

/// The grid of the location, 0.4 kg CO2e per kWh.
fn grid() -> Factor {
    factor(1, &product("kWh"), terms("kWh", "", "0.4", "2024-01-01"))
}

/// The residual mix, 0.5 kg CO2e per kWh.
fn mix() -> Factor {
    factor(2, &product("kWh"), terms("kWh", "", "0.5", "2024-01-01").with_basis(FactorBasis::ResidualMix))
}

/// What guarantees of origin stand for, nothing per MWh.
fn wind() -> Factor {
    factor(3, &product("kWh"), terms("MWh", "", "0", "2024-01-01"))
}

/// So many kWh of a day, with what counts in the market.
fn used(amount: &str, in_market: Option<(MarketBasis, &Factor)>) -> Activity {
    let measured = Measured { quantity: quantity(amount), unit: unit("kWh") };
    let (product, factors) = (product("kWh"), [grid(), mix()]);
    let lookup = FactorLookup { product: &product, factors: &factors, day: day("2024-06-01"), chosen: None };
    let calculation =
        calculate(SuppliedCo2e::default(), Some((measured.quantity, measured.unit)), Some(lookup)).unwrap();
    let market = in_market.map(|(basis, factor)| Market::new(basis, factor.id(), MarketOrigin::Named));
    let span = Span::new(Moment::parse_start("2024-06-01").unwrap(), None).unwrap();
    let mut activity = Activity::new(ActivityId::new(id(5)), name("Power"), span)
        .with_measured(Some(measured))
        .with_product(Some(product.id))
        .with_scope(Some(id(1)))
        .with_calculation(calculation)
        .with_stated(Stated::default().with_market(market));
    activity.measures = activity.computed_measures(Some(&grid()), in_market.map(|(_, factor)| factor)).unwrap();
    activity
}

fn totals(activities: &[Activity], kind: ScopeKind, scope2: Scope2) -> Totals {
    let key = SeriesKey { scope: Some(id(1)), ..SeriesKey::default() };
    let cells = activities.iter().flat_map(|one| one.posting().cells().map(|(day, cell)| (0, day, cell)));
    let cube = Cube::new([key], cells).unwrap();
    report(&cube, &Filter::default().with_scope2(scope2), &|_| Some(ScopeClass::of(kind))).totals
}

/// 1,000 kWh by certificate, 2,000 of the residual mix and 500 of neither.
fn company() -> [Activity; 3] {
    [
        used("1000", Some((MarketBasis::Certificate, &wind()))),
        used("2000", Some((MarketBasis::ResidualMix, &mix()))),
        used("500", None),
    ]
}

/// Location-based 3,500 x 0.4 = 1,400; market-based 0 + 2,000 x 0.5 + 500 x 0.4 = 1,200.
#[test]
fn both_totals_are_of_all_energy_and_are_never_added() {
    let located = totals(&company(), ScopeKind::Scope2, Scope2::Location);
    assert_eq!((located.co2e.to_string(), located.market_delta.is_zero()), ("1400".to_owned(), true));
    assert_eq!(totals(&company(), ScopeKind::Scope2, Scope2::Market).co2e.to_string(), "1200");
    let both = totals(&company(), ScopeKind::Scope2, Scope2::Both);
    assert_eq!((both.co2e.to_string(), both.market_co2e().to_string()), ("1400".to_owned(), "1200".to_owned()));
}

#[test]
fn what_a_market_based_total_rests_on_adds_up_to_it() {
    for scope2 in [Scope2::Market, Scope2::Both] {
        let found = totals(&company(), ScopeKind::Scope2, scope2);
        let rests = [found.market_instrument, found.market_residual, found.market_location()];
        assert_eq!(rests.map(|total| total.to_string()), ["0", "1000", "200"], "{scope2:?}");
    }
}

#[test]
fn the_market_counts_in_scope_2_alone() {
    for kind in [ScopeKind::Scope1, ScopeKind::Scope3, ScopeKind::Outside] {
        let (located, in_market) =
            (totals(&company(), kind, Scope2::Location), totals(&company(), kind, Scope2::Market));
        assert_eq!(located, in_market, "{kind}");
    }
}

#[test]
fn a_figure_that_is_the_same_in_the_market_has_no_difference() {
    let same = used("1000", Some((MarketBasis::SupplierRate, &grid())));
    assert_eq!(same.measures.get(Measure::MarketDelta), None);
    assert_eq!(same.market_co2e(), Some(co2e("400")));
    assert!(used("1000", None).measures.is_empty(), "who uses none of it has none of it");
}

#[test]
fn a_residual_mix_stands_beside_the_factors_of_its_days_and_completes_no_activity() {
    let factors = [grid(), mix()];
    let on = day("2024-06-01");
    assert_eq!(factor_on(&factors, on).map(Factor::id), Some(grid().id()));
    assert_eq!(residual_mix_on(&factors, on).map(Factor::id), Some(mix().id()));
    assert_eq!(add_successor(&[grid()], &mix()).unwrap(), [], "it closes none of them");
    let (product, alone) = (product("kWh"), [mix()]);
    let lookup = FactorLookup { product: &product, factors: &alone, day: on, chosen: None };
    let measured = Some((quantity("1"), unit("kWh")));
    let found = calculate(SuppliedCo2e::default(), measured, Some(lookup)).unwrap();
    assert_eq!(found.reason(), Some(Incomplete::NoFactor));
}

#[test]
fn a_correction_of_a_residual_mix_is_one() {
    let wrong = mix();
    let right = Factor::correction(id(4), &product("kWh"), &wrong, terms("kWh", "", "0.6", "2024-01-01")).unwrap();
    assert_eq!(right.data().basis, FactorBasis::ResidualMix);
}

#[test]
fn an_explanation_has_the_market_step_and_needs_its_factor() {
    let activity = used("1000", Some((MarketBasis::Contract, &mix())));
    let cited = || Some(CitedFactor { factor: grid(), corrected_by: None });
    let explained = |factor: Option<&Factor>| {
        Explanation::of_activity(&activity, cited()).and_then(|explanation| explanation.with_market(factor))
    };
    let found = explained(Some(&mix())).unwrap();
    assert!(found.holds());
    assert_eq!(found.market.unwrap().terms[0].co2e, co2e("500"));
    assert!(explained(None).is_err() && explained(Some(&wind())).is_err());
    let mut altered = activity.clone();
    altered.measures = used("1001", Some((MarketBasis::Contract, &mix()))).measures;
    let found = Explanation::of_activity(&altered, cited()).unwrap().with_market(Some(&mix())).unwrap();
    assert!(!found.holds());
}

/// The mix, corrected as often as there are figures, each the one before it.
fn corrected(figures: &[u32]) -> Vec<Factor> {
    let mut factors = vec![mix()];
    for (number, figure) in (10..).zip(figures) {
        let terms = terms("kWh", "", &figure.to_string(), "2024-01-01");
        factors.push(Factor::correction(id(number), &product("kWh"), &factors[factors.len() - 1], terms).unwrap());
    }
    factors
}

/// The activity with the factor that counts in the market today, and the measures that it has by it.
fn renewed(activity: &Activity, factors: &[Factor]) -> Option<(Activity, Outdated)> {
    let (market, cause) = activity.renewed_market(factors)?;
    let mut after = activity.clone();
    let factor = factors.iter().find(|factor| factor.id() == market.factor);
    after.stated.market = Some(market);
    after.measures = after.computed_measures(Some(&grid()), factor).unwrap();
    Some((after, cause))
}

proptest! {
    /// However often it was corrected, one renewal leads to the newest figure, and nothing is left to renew.
    #[test]
    fn a_figure_of_a_corrected_mix_is_outdated_once(figures in prop::collection::vec(0_u32..9, 0..5), given in any::<prop::sample::Index>()) {
        let factors = corrected(&figures);
        let counts = &factors[given.index(factors.len())];
        let before = used("1000", Some((MarketBasis::ResidualMix, counts)));
        let newest = &factors[factors.len() - 1];
        let expected = used("1000", Some((MarketBasis::ResidualMix, newest)));
        let located = [grid()];
        let outdated = before.outdated(None, &located, &factors, None);
        match renewed(&before, &factors) {
            None => prop_assert!(counts.id() == newest.id() && outdated.is_none()),
            Some((after, cause)) => {
                prop_assert_eq!((outdated, cause), (Some(Outdated::Correction), Outdated::Correction));
                prop_assert_eq!(after.outdated(None, &located, &factors, None), None);
                prop_assert_eq!(after, expected);
            }
        }
    }
}

#[test]
fn a_mix_that_ended_before_the_day_gives_way_to_the_one_that_holds_on_it() {
    let before = used("1000", Some((MarketBasis::ResidualMix, &mix())));
    let successor =
        factor(4, &product("kWh"), terms("kWh", "", "0.3", "2024-05-01").with_basis(FactorBasis::ResidualMix));
    let mut factors = add_successor(&[mix()], &successor).unwrap();
    factors.extend([grid(), successor.clone()]);
    let (after, cause) = renewed(&before, &factors).unwrap();
    assert_eq!((after.market_co2e(), cause), (Some(co2e("300")), Outdated::Factor));
    assert_eq!(after.stated.market.unwrap().factor, successor.id());
    let later = factor(4, &product("kWh"), terms("kWh", "", "0.3", "2024-07-01").with_basis(FactorBasis::ResidualMix));
    let mut factors = add_successor(&[mix()], &later).unwrap();
    factors.push(later);
    assert_eq!(renewed(&before, &factors), None, "it ended behind the day");
}

#[test]
fn a_correction_of_what_counts_nowhere_makes_nothing_outdated() {
    let factors = corrected(&[7]);
    assert_eq!(used("1000", None).renewed_market(&factors), None);
    let mut incomplete = used("1000", Some((MarketBasis::ResidualMix, &mix())));
    incomplete = incomplete.with_calculation(tonne_domain::Calculation::incomplete(Incomplete::NoFactor));
    assert_eq!(incomplete.renewed_market(&factors), None);
    assert_eq!(used("1000", Some((MarketBasis::Certificate, &wind()))).renewed_market(&[wind()]), None);
}
