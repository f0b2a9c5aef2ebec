//! Measures beside CO2e: gases one by one, and biogenic CO2.

use proptest::prelude::*;
use tonne_domain::{
    Activity, ActivityId, Attribution, CitedFactor, Cube, Decimal, EmittedGas, Explanation, Factor, FactorData,
    FactorLookup, FactorOrigin, Filter, Gas, GasAmount, GasRow, GasSplit, GwpSet, Measure, Measured, Moment, Period,
    PublishedUse, Quality, QualityRow, Scope2, ScopeClass, ScopeKind, SeriesKey, Span, Stated, SuppliedCo2e, Total,
    Totals, breakdown_by_gas, breakdown_by_quality, calculate, report,
};

use crate::naive::{any_activities, any_filter, class, cube};
use crate::sample::{co2e, factor, id, intensity, name, product, published, quantity, set, unit};

fn decimal(text: &str) -> Decimal {
    Decimal::parse(text).unwrap()
}

/// A copy of a published factor per `code` with those gases, and the total that its source prints (empty: none).
fn copied(code: &str, printed: &str, source: GwpSet, gases: &[(&str, GasAmount)]) -> Factor {
    let gases = gases.iter().map(|(gas, amount)| (Gas::parse(gas).unwrap(), *amount));
    let printed = (!printed.is_empty()).then(|| intensity(printed));
    let mut row = published(PublishedUse::Direct).with_co2e(printed);
    row.unit = unit(code);
    let row = row.with_gases(Some(GasSplit::new(source, gases).unwrap()));
    let data = FactorData::copied(FactorOrigin::new(set(1, None), row), None).unwrap();
    factor(9, &product(code), data)
}

fn mass(text: &str) -> GasAmount {
    GasAmount::Mass(decimal(text))
}

fn in_co2e(text: &str) -> GasAmount {
    GasAmount::Co2e(decimal(text))
}

/// EPA Emission Factors Hub 2025, Table 1: natural gas per mmBtu.
fn natural_gas() -> Factor {
    copied("MMBtu", "", GwpSet::Ar5, &[("CO2", mass("53.06")), ("CH4", mass("0.001")), ("N2O", mass("0.0001"))])
}

/// An activity of that quantity in 2024 as it is written: computed with the factor, with its measures.
fn burnt(amount: &str, code: &str, used: &Factor, stated: Stated) -> Activity {
    let (start, end) = (Moment::parse_start("2024-01-01").unwrap(), Moment::parse_end("2024-12-31").unwrap());
    let measured = Measured { quantity: quantity(amount), unit: unit(code) };
    let product = product(used.data().unit.code());
    let factors = std::slice::from_ref(used);
    let lookup = FactorLookup { product: &product, factors, day: start.day(), chosen: None };
    let calculation = calculate(SuppliedCo2e::default(), Some((measured.quantity, measured.unit)), Some(lookup));
    let mut activity = Activity::new(ActivityId::new(id(5)), name("Boiler"), Span::new(start, Some(end)).unwrap())
        .with_measured(Some(measured))
        .with_product(Some(product.id))
        .with_calculation(calculation.unwrap())
        .with_stated(stated);
    activity.measures = activity.computed_measures(Some(used), None).unwrap();
    activity
}

fn measure(activity: &Activity, measure: Measure) -> String {
    activity.measures.get(measure).map_or_else(|| "none".to_owned(), ToString::to_string)
}

/// 53.06 + 28 x 0.001 + 265 x 0.0001 = 53.1145 kg CO2e per mmBtu (EPA, AR5): of 1,000 mmBtu.
#[test]
fn a_thousand_mmbtu_of_natural_gas_emit_what_the_epa_prints_gas_by_gas() {
    let activity = burnt("1000", "MMBtu", &natural_gas(), Stated::default());
    assert_eq!(activity.co2e(), Some(co2e("53114.5")));
    let expected = [
        (Measure::Co2Fossil, "53060"),
        (Measure::N2o, "26.5"),
        (Measure::Ch4, "28"),
        (Measure::N2oMass, "0.1"),
        (Measure::Ch4Mass, "1"),
    ];
    let found: Vec<_> = activity.measures.iter().map(|(measure, amount)| (measure, amount.to_string())).collect();
    assert_eq!(found, expected.map(|(measure, amount)| (measure, amount.to_owned())));
}

/// UK 2024, natural gas per kWh gross: 0.18253 + 0.00028 + 0.00009 = 0.1829 kg CO2e, the gases given in CO2e under AR5.
#[test]
fn the_mass_of_a_gas_that_is_published_in_co2e_is_that_divided_by_its_potential() {
    let gases = [("CO2", in_co2e("0.18253")), ("CH4", in_co2e("0.00028")), ("N2O", in_co2e("0.00009"))];
    let activity = burnt("10000", "kWh", &copied("kWh", "0.1829", GwpSet::Ar5, &gases), Stated::default());
    assert_eq!(activity.co2e(), Some(co2e("1829")));
    assert_eq!(measure(&activity, Measure::Ch4), "2.8");
    assert_eq!(measure(&activity, Measure::Ch4Mass), "0.1");
    assert_eq!(measure(&activity, Measure::N2oMass), "0.00339622641509434", "0.9 / 265, rounded once");
}

/// EPA Emission Factors Hub 2025, Table 1: wood, 93.8 kg biogenic CO2, 0.0072 kg CH4 and 0.0036 kg N2O per mmBtu.
fn wood() -> Factor {
    let gases = [("CO2_biogenic", mass("93.8")), ("CH4", mass("0.0072")), ("N2O", mass("0.0036"))];
    copied("MMBtu", "", GwpSet::Ar5, &gases)
}

#[test]
fn biogenic_co2_of_wood_is_beside_its_co2e_and_what_is_stated_of_it_takes_its_place() {
    let computed = burnt("100", "MMBtu", &wood(), Stated::default());
    assert_eq!((computed.co2e(), computed.biogenic()), (Some(co2e("115.56")), Some(co2e("9380"))));
    let stated = burnt("100", "MMBtu", &wood(), Stated::default().with_biogenic(Some(co2e("9000.5"))));
    assert_eq!((stated.co2e(), measure(&stated, Measure::BiogenicCo2)), (computed.co2e(), "9000.5".to_owned()));
    let nothing = burnt("100", "MMBtu", &wood(), Stated::default().with_biogenic(Some(co2e("0"))));
    assert_eq!(measure(&nothing, Measure::BiogenicCo2), "none", "a measure of nothing costs nothing");
}

/// Totals of a cube with that activity alone, in a scope of that kind.
fn totals(activity: &Activity, kind: ScopeKind, filter: &Filter) -> Totals {
    let key = SeriesKey { scope: Some(id(1)), ..SeriesKey::default() };
    let cube = Cube::new([key], activity.posting().cells().map(|(day, cell)| (0, day, cell))).unwrap();
    report(&cube, filter, &|_| Some(ScopeClass::of(kind))).totals
}

#[test]
fn a_report_has_biogenic_co2_of_every_scope_beside_the_total_and_none_of_it_twice() {
    let activity = burnt("100", "MMBtu", &wood(), Stated::default());
    let all = Filter::default();
    let direct = totals(&activity, ScopeKind::Scope1, &all);
    assert_eq!((direct.co2e.to_string(), direct.biogenic.to_string()), ("115.56".to_owned(), "9380".to_owned()));
    let apart = totals(&activity, ScopeKind::Biogenic, &all);
    assert_eq!(apart.biogenic.to_string(), "115.56", "in a scope of that kind its CO2e is what is biogenic");
    assert!(apart.co2e.is_zero());
    let months = |attribution| -> Total {
        let month = |number| Period::parse(&format!("2024-{number:02}")).unwrap();
        let of = |period| Filter::default().with_period(period).with_attribution(attribution);
        (1..=12).map(|number| totals(&activity, ScopeKind::Scope1, &of(month(number))).biogenic).sum()
    };
    assert_eq!(months(Attribution::Start).to_string(), "9380");
    assert_eq!(months(Attribution::Daily).to_string(), "9380");
}

#[test]
fn an_explanation_has_every_gas_and_holds_until_a_measure_is_altered() {
    let used = wood();
    let activity = burnt("3", "kWh", &used, Stated::default());
    let cited = || Some(CitedFactor { factor: used.clone(), corrected_by: None });
    let explanation = Explanation::of_activity(&activity, cited()).unwrap();
    assert!(explanation.holds());
    assert_eq!(
        explanation.gases.iter().map(|(gas, _)| gas.gas).collect::<Vec<_>>(),
        [Gas::CO2_BIOGENIC, Gas::CH4, Gas::N2O]
    );
    let mut altered = activity.clone();
    altered.stated = Stated::default().with_biogenic(Some(co2e("1")));
    assert!(!Explanation::of_activity(&altered, cited()).unwrap().holds(), "the measure is not the one stated");
    let lost = activity.with_measures(tonne_domain::Measures::NONE);
    assert!(!Explanation::of_activity(&lost, cited()).unwrap().holds());
}

#[test]
fn what_a_source_prints_beyond_its_gases_is_unspecified() {
    let factor = copied("kWh", "0.207074", GwpSet::Ar5, &[("CO2", mass("0.2")), ("CH4", mass("0.0001"))]);
    let activity = burnt("1000", "kWh", &factor, Stated::default());
    let rows =
        Totals::of_activity_by_gas(&activity, Some(ScopeClass::of(ScopeKind::Scope2)), Attribution::Start, Period::ALL);
    let rows: Vec<_> = rows.iter().map(|(gas, row)| (gas.word(), row.co2e.to_string(), row.mass.to_string())).collect();
    let row = |gas, co2e: &str, mass: &str| (gas, co2e.to_owned(), mass.to_owned());
    assert_eq!(rows, [row("CO2", "200", "200"), row("CH4", "2.8", "0.1"), row("unspecified", "4.274", "0")]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// However a quantity is converted, its gases leave nothing and miss nothing of the part that was computed.
    #[test]
    fn gases_of_a_factor_that_is_their_sum_add_up_to_the_co2e_digit_for_digit(
        amount in 0_i64..=i64::MAX, code in prop::sample::select(vec!["MMBtu", "kWh", "MJ", "therm"]),
    ) {
        let used = natural_gas();
        let amount = Decimal::from_scaled(amount.into()).unwrap().to_string();
        let activity = burnt(&amount, code, &used, Stated::default());
        let data = used.data();
        let emitted = EmittedGas::of(activity.measured.unwrap(), data.unit, &data.gas_factors()).unwrap();
        let sum: Total = emitted.iter().map(|gas| Total::from(gas.co2e)).sum();
        prop_assert_eq!(sum, Total::from(activity.co2e().unwrap()));
    }

    /// Rows by gas and series add up to the report in every figure, under both attributions and any filter.
    #[test]
    fn rows_by_gas_add_up_to_the_report(activities in any_activities(200), filter in any_filter()) {
        let cube = cube(&activities);
        let filter = filter.with_scope2(Scope2::Location);
        let whole = report(&cube, &filter, &class).totals;
        let rows = breakdown_by_gas(&cube, &filter, &class, &[Period::ALL], &|key| key.scope);
        let mut sum = Totals::default();
        for (_, (_, gas), row) in &rows {
            prop_assert!(row.count == 0 && row.incomplete == 0);
            prop_assert!(*gas != GasRow::BiogenicCo2 || row.co2e.is_zero(), "biogenic CO2 is no CO2e");
            sum += *row;
        }
        let of = |totals: Totals| {
            let Totals { co2e, uncategorized, biogenic, credits, outside, .. } = totals;
            [co2e, uncategorized, biogenic, credits, outside]
        };
        prop_assert_eq!(of(sum), of(whole));
    }
    /// Rows by quality and series add up to the report in every figure that has a quality, under both attributions and any
    /// filter, and the tiers in scopes 1 to 3 are those of the report.
    #[test]
    fn rows_by_quality_add_up_to_the_report(activities in any_activities(200), filter in any_filter()) {
        let cube = cube(&activities);
        let filter = filter.with_scope2(Scope2::Location);
        let whole = report(&cube, &filter, &class).totals;
        let rows = breakdown_by_quality(&cube, &filter, &class, &[Period::ALL], &|key| key.scope);
        let mut sum = Totals::default();
        let mut tiers = [Total::ZERO; 4];
        for (_, (_, quality), row) in &rows {
            prop_assert!(row.count == 0 && row.incomplete == 0);
            sum += *row;
            tiers[QualityRow::ALL.iter().position(|one| one == quality).unwrap()] += row.co2e;
        }
        let of = |totals: Totals| {
            let Totals { co2e, uncategorized, credits, outside, .. } = totals;
            [co2e, uncategorized, credits, outside]
        };
        prop_assert_eq!(of(sum), of(whole));
        let stated = [whole.measured, whole.estimated, whole.proxy, whole.quality_not_stated(Scope2::Location)];
        prop_assert_eq!(tiers, stated);
    }

    /// Whichever figures of scope 2 are asked for, the tiers are of the location-based ones.
    #[test]
    fn tiers_are_of_location_based_figures(activities in any_activities(100), filter in any_filter()) {
        let cube = cube(&activities);
        let tiers = |scope2: Scope2| {
            let totals = report(&cube, &filter.clone().with_scope2(scope2), &class).totals;
            [totals.measured, totals.estimated, totals.proxy, totals.quality_not_stated(scope2)]
        };
        let located = report(&cube, &filter.clone().with_scope2(Scope2::Location), &class).totals.co2e;
        prop_assert_eq!(tiers(Scope2::Location).into_iter().sum::<Total>(), located);
        prop_assert_eq!(tiers(Scope2::Market), tiers(Scope2::Location));
        prop_assert_eq!(tiers(Scope2::Both), tiers(Scope2::Location));
    }
}

#[test]
fn the_co2e_of_an_activity_is_a_measure_of_the_quality_that_it_states() {
    for quality in Quality::ALL {
        let activity = burnt("3", "kWh", &wood(), Stated::default().with_quality(Some(quality)));
        assert_eq!(activity.measures.get(quality.measure()).copied(), activity.co2e());
        let others = Quality::ALL.into_iter().filter(|other| *other != quality);
        assert!(others.into_iter().all(|other| activity.measures.get(other.measure()).is_none()));
        let cited = Some(CitedFactor { factor: wood(), corrected_by: None });
        assert!(Explanation::of_activity(&activity, cited).unwrap().holds());
    }
    let activity = burnt("3", "kWh", &wood(), Stated::default());
    assert!(Quality::ALL.iter().all(|quality| activity.measures.get(quality.measure()).is_none()));
}
