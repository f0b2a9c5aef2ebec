//! The footprint of a model: what is computed, what is asked for, and that no amount is lost or rounded.

use std::sync::Arc;

use proptest::prelude::*;
use tonne_domain::footprint::publish::{
    Counted, ModelFootprint, PublishingCompany, SourcedInput, of_model, said_together,
};
use tonne_domain::footprint::{Edition, FOOTPRINT, FieldValue, Fields, FromModel, Verdict};
use tonne_domain::{
    Decimal, Factor, FactorData, FactorOrigin, Faults, Footprint, FootprintId, Gas, GasAmount, GasSplit, GwpSet, Input,
    InputCalculation, Model, PublishedUse, Source, Stage, SupplierFootprint, Total,
};

use crate::footprint::{at, empty, moment, put, texts};
use crate::sample::{co2e, factor, id, input, model, name, product, published, quantity, set, terms, unit};

fn number(text: &str) -> FieldValue {
    FieldValue::Number(Decimal::parse(text).unwrap())
}

/// What is said of a product of which all can be computed but these.
fn said() -> Footprint {
    let mut said = Footprint::new(id(1), 1, at("2025-01-01T00:00:00Z"), Fields::new(&FOOTPRINT));
    for (pointer, value) in [
        ("/productIds", texts(&["urn:gtin:1"])),
        ("/productClassifications", texts(&["urn:cpc:41532"])),
        ("/pcf/exemptedEmissionsPercent", number("0")),
        ("/pcf/crossSectoralStandards", texts(&["GHGP-Product"])),
        ("/pcf/fossilCarbonContent", number("0")),
        ("/pcf/biogenicCarbonContent", number("0")),
        ("/pcf/packagingEmissionsIncluded", FieldValue::Flag(false)),
    ] {
        put(&mut said, pointer, Some(value));
    }
    said
}

fn company() -> PublishingCompany {
    PublishingCompany { name: name("Works"), ids: vec!["urn:pact:works.example:company:1".to_owned()] }
}

/// A factor that names its set and tells no gases.
fn plain() -> Factor {
    factor(9, &product("kg"), terms("kg", "1", "", "2024-01-01").with_gwp(Some(GwpSet::Ar6)))
}

fn publish(model: &Model, inputs: &[Input], factor: &Factor, said: &Fields) -> Result<ModelFootprint, Faults> {
    let sourced: Vec<_> =
        inputs.iter().map(|input| SourcedInput { input, factor: input.calculation.factor().map(|_| factor) }).collect();
    of_model(model, &sourced, &company(), said)
}

fn amount(fields: &Fields, name: &str) -> Option<String> {
    fields.object("pcf").unwrap().number(name).map(|number| number.to_string())
}

#[track_caller]
fn pointers(result: Result<ModelFootprint, Faults>) -> Vec<String> {
    let mut pointers: Vec<_> = result
        .unwrap_err()
        .as_slice()
        .iter()
        .map(|fault| format!("{} {}", fault.code.as_str(), fault.pointer))
        .collect();
    pointers.sort_unstable();
    pointers
}

#[test]
fn a_models_footprint_is_shown_in_both_versions() {
    let inputs = [input(1, "A1", "2.5"), input(2, "A3", "0.000000000000000001"), input(3, "", "1")];
    let made = publish(&model(1, "t", "2"), &inputs, &plain(), &said().fields).unwrap();
    let verdict = Verdict::of(&Footprint::new(id(1), 1, at("2025-01-01T00:00:00Z"), made.fields.clone()));
    for edition in Edition::ALL {
        assert!(verdict.is_shown(edition), "{:?}", verdict.edition(edition));
    }
    let fields = &made.fields;
    assert_eq!(fields.object("pcf").unwrap().text("declaredUnitOfMeasurement"), Some("kilogram"));
    for (name, expected) in [
        ("declaredUnitAmount", Some("2000")),
        ("productMassPerDeclaredUnit", Some("2000")),
        ("pcfExcludingBiogenicUptake", Some("3.500000000000000001")),
        ("pcfIncludingBiogenicUptake", Some("3.500000000000000001")),
        ("fossilGhgEmissions", Some("3.500000000000000001")),
        ("biogenicNonCO2Emissions", None),
        ("biogenicCO2Uptake", None),
        ("outboundLogisticsGhgEmissions", None),
        ("primaryDataShare", Some("0")),
    ] {
        assert_eq!(amount(fields, name).as_deref(), expected, "{name}");
    }
    let pcf = fields.object("pcf").unwrap();
    assert_eq!(pcf.texts("ipccCharacterizationFactors"), ["AR6"]);
    assert_eq!(pcf.find("referencePeriodStart"), Some(&moment("2024-01-01T00:00:00Z")));
    assert_eq!(pcf.find("referencePeriodEnd"), Some(&moment("2025-01-01T00:00:00Z")));
    let source = &pcf.objects("secondaryEmissionFactorSources")[0];
    assert_eq!((source.text("name"), source.text("version")), (Some("A published table"), Some("2024-01-01")));
    assert_eq!((fields.text("companyName"), fields.text("productNameCompany")), (Some("Works"), Some("Housing")));
    assert!(fields.text("comment").unwrap().contains("biogenicNonCO2Emissions is not known"));
}

#[test]
fn the_share_of_primary_data_is_that_of_suppliers_footprints_by_the_size_of_the_inputs() {
    let supplied = |share: &str| {
        let source = |text: &str| Source::parse(text).unwrap();
        let footprint = SupplierFootprint::new(name("Bottlers"), id(4), source("https://a.example"), source("urn:a:b"))
            .with_primary_data_share(Some(Decimal::parse(share).unwrap()))
            .unwrap();
        let data = plain().data().clone().with_supplier(Some(Arc::new(footprint)));
        factor(10, &product("kg"), data)
    };
    let inputs = [input(1, "A1", "3"), input(2, "A3", "1")];
    let of = |first: &Factor, second: &Factor| {
        let sourced = [(&inputs[0], first), (&inputs[1], second)]
            .map(|(input, factor)| SourcedInput { input, factor: Some(factor) });
        let made = of_model(&model(1, "t", "2"), &sourced, &company(), &said().fields).unwrap().fields;
        let secondary = made.object("pcf").unwrap().objects("secondaryEmissionFactorSources").len();
        (amount(&made, "primaryDataShare").unwrap(), secondary)
    };
    assert_eq!(of(&supplied("50.5"), &plain()), ("37.875".to_owned(), 1));
    assert_eq!(of(&supplied("100"), &supplied("100")), ("100".to_owned(), 0));
    assert_eq!(of(&plain(), &plain()), ("0".to_owned(), 1));
}

#[test]
fn all_that_is_missing_is_asked_for_at_once() {
    let inputs = [input(1, "A1", "1")];
    let unsaid = factor(9, &product("kg"), terms("kg", "1", "", "2024-01-01"));
    let sourced = [SourcedInput { input: &inputs[0], factor: Some(&unsaid) }];
    let nobody = PublishingCompany { name: name("Works"), ids: Vec::new() };
    let refused = of_model(&model(1, "km", "2"), &sourced, &nobody, &Fields::new(&FOOTPRINT));
    assert_eq!(
        pointers(refused),
        [
            "required /companyIds",
            "required /pcf/crossSectoralStandards",
            "required /pcf/declaredUnitAmount",
            "required /pcf/declaredUnitOfMeasurement",
            "required /pcf/exemptedEmissionsPercent",
            "required /pcf/fossilCarbonContent",
            "required /pcf/ipccCharacterizationFactors",
            "required /pcf/productMassPerDeclaredUnit",
            "required /productIds",
        ]
    );
}

#[test]
fn what_is_computed_cannot_be_said_and_what_is_said_must_be_right() {
    let mut wrong = said();
    for (pointer, value) in [
        ("/created", moment("2025-01-01T00:00:00Z")),
        ("/productCategoryCpc", FieldValue::Text("1".to_owned())),
        ("/companyIds", texts(&["no urn"])),
        ("/pcf/fossilGhgEmissions", number("1")),
        ("/pcf/declaredUnitAmount", number("1")),
        ("/pcf/productMassPerDeclaredUnit", number("1")),
        ("/pcf/ipccCharacterizationFactors", texts(&["AR5"])),
        ("/pcf/exemptedEmissionsPercent", number("101")),
    ] {
        put(&mut wrong, pointer, Some(value));
    }
    let refused = publish(&model(1, "kg", "2"), &[input(1, "A1", "1")], &plain(), &wrong.fields);
    assert_eq!(
        pointers(refused),
        [
            "invalid /companyIds/0",
            "invalid /pcf/exemptedEmissionsPercent",
            "read_only /created",
            "read_only /pcf/declaredUnitAmount",
            "read_only /pcf/fossilGhgEmissions",
            "read_only /pcf/ipccCharacterizationFactors",
            "read_only /pcf/productMassPerDeclaredUnit",
            "unknown /productCategoryCpc",
        ]
    );
}

#[test]
fn a_model_without_figures_has_no_footprint() {
    let none = ["invalid /pcf/pcfExcludingBiogenicUptake"];
    let refused = |inputs: &[Input]| pointers(publish(&model(1, "kg", "1"), inputs, &plain(), &said().fields));
    assert_eq!(refused(&[]), none);
    assert_eq!(refused(&[input(1, "C3", "1"), input(2, "D", "1")]), none);
    assert_eq!(refused(&[input(1, "A1", "1"), input(2, "A2", "")]), none);
    let logistics = refused(&[input(1, "A1", "1"), input(2, "A4", "")]);
    assert_eq!(logistics, ["invalid /pcf/outboundLogisticsGhgEmissions"]);
    let large = "99999999999999999999";
    assert!(!refused(&[input(1, "A1", large), input(2, "A1", large)]).is_empty());
    // What is beyond the gate is in no amount, and may be unknown.
    assert!(
        publish(&model(1, "kg", "1"), &[input(1, "A1", "1"), input(2, "C3", "")], &plain(), &said().fields).is_ok()
    );
}

#[test]
fn stages_are_counted_up_to_the_gate() {
    let inputs = [input(1, "A1-A3", "4"), input(2, "A4", "2"), input(3, "C4", "1"), input(4, "D", "-3")];
    let made = publish(&model(1, "kg", "1"), &inputs, &plain(), &said().fields).unwrap();
    assert_eq!(amount(&made.fields, "pcfExcludingBiogenicUptake").as_deref(), Some("4"));
    assert_eq!(amount(&made.fields, "outboundLogisticsGhgEmissions").as_deref(), Some("2"));
    assert_eq!(
        made.fields.object("pcf").unwrap().text("boundaryProcessesDescription"),
        Some(
            "Cradle to gate: A1-A3 Product stage. Beside it as outbound logistics: A4 Transport to the site. Beyond the \
             gate, and in no amount: C4 Disposal, D Benefits and loads beyond the system boundary."
        )
    );
}

#[test]
fn a_removal_is_asked_for_by_its_kind() {
    let inputs = [input(1, "A1", "-5"), input(2, "A3", "2")];
    let refused = publish(&model(1, "kg", "1"), &inputs, &plain(), &said().fields);
    assert_eq!(pointers(refused), ["required /pcf/biogenicCO2Uptake"]);
    let mut with_uptake = said();
    put(&mut with_uptake, "/pcf/biogenicCO2Uptake", Some(number("-5")));
    let made = publish(&model(1, "kg", "1"), &inputs, &plain(), &with_uptake.fields).unwrap();
    for (name, expected) in
        [("pcfExcludingBiogenicUptake", "2"), ("pcfIncludingBiogenicUptake", "-3"), ("fossilGhgEmissions", "2")]
    {
        assert_eq!(amount(&made.fields, name).as_deref(), Some(expected), "{name}");
    }
}

/// A factor with those gases by mass, per kilogram under AR6.
fn of_gases(gases: &[(Gas, &str)]) -> Factor {
    let mass = |digits: &str| GasAmount::Mass(Decimal::parse(digits).unwrap());
    let split = GasSplit::new(GwpSet::Ar6, gases.iter().map(|(gas, digits)| (*gas, mass(digits)))).unwrap();
    let mut of = published(PublishedUse::Direct).with_gases(Some(split)).with_co2e(None);
    of.unit = unit("kg");
    let origin = FactorOrigin::new(set(1, Some(GwpSet::Ar6)), of);
    let data = FactorData::copied(origin, None).unwrap();
    factor(9, &product("kg"), data)
}

/// One kilogram of what that factor is of.
fn burnt(factor: &Factor) -> Input {
    let data = factor.data();
    let sum = data.upstream.or(data.downstream).unwrap();
    let mut input = input(1, "A3", "1");
    input.calculation = InputCalculation::Computed { co2e: co2e(&sum.to_string()), factor: factor.id() };
    input
}

#[test]
fn biogenic_parts_are_those_of_the_factors_gases() {
    let biogas = of_gases(&[(Gas::CO2, "1"), (Gas::CO2_BIOGENIC, "2"), (Gas::CH4_NON_FOSSIL, "0.1")]);
    let made = publish(&model(1, "kg", "1"), &[burnt(&biogas)], &biogas, &said().fields).unwrap();
    for (name, expected) in [
        ("pcfExcludingBiogenicUptake", Some("3.7")),
        ("biogenicNonCO2Emissions", Some("2.7")),
        ("fossilGhgEmissions", Some("1")),
    ] {
        assert_eq!(amount(&made.fields, name).as_deref(), expected, "{name}");
    }
    assert!(made.notes.iter().any(|note| note.contains("2 kg of CO2 from living matter")), "{:?}", made.notes);
    // Methane of untold origin, and nitrous oxide beside gases of living matter, may be either.
    for unknown in [
        of_gases(&[(Gas::CO2, "1"), (Gas::CH4, "0.1")]),
        of_gases(&[(Gas::CO2_BIOGENIC, "2"), (Gas::CO2, "1"), (Gas::N2O, "0.1")]),
    ] {
        let made = publish(&model(1, "kg", "1"), &[burnt(&unknown)], &unknown, &said().fields).unwrap();
        assert_eq!(amount(&made.fields, "biogenicNonCO2Emissions"), None);
    }
    let fossil = of_gases(&[(Gas::CO2, "1"), (Gas::CH4_FOSSIL, "0.1"), (Gas::N2O, "0.1")]);
    let made = publish(&model(1, "kg", "1"), &[burnt(&fossil)], &fossil, &said().fields).unwrap();
    assert_eq!(amount(&made.fields, "biogenicNonCO2Emissions").as_deref(), Some("0"));
}

#[test]
fn ratings_are_averages_by_the_size_of_the_inputs() {
    let mut rated = said();
    put(&mut rated, "/pcf/dqi/technologicalDQR", Some(number("2")));
    put(&mut rated, "/pcf/geographyCountry", Some(FieldValue::Text("GB".to_owned())));
    let old = factor(9, &product("kg"), terms("kg", "1", "", "2000-01-01").with_gwp(Some(GwpSet::Ar6)));
    let (first, second) = (input(1, "A1", "1"), input(2, "A1", "3"));
    let here = of_gases(&[(Gas::CO2, "1")]);
    let sourced =
        [SourcedInput { input: &first, factor: Some(&old) }, SourcedInput { input: &second, factor: Some(&here) }];
    let made = of_model(&model(1, "kg", "1"), &sourced, &company(), &rated.fields).unwrap();
    let dqi = made.fields.object("pcf").unwrap().object("dqi").unwrap();
    // 1 of 4 kg is 24 years old and of no known place: (5 + 3 x 1) / 4.
    for (name, expected) in [("technologicalDQR", "2"), ("temporalDQR", "2"), ("geographicalDQR", "2")] {
        assert_eq!(dqi.number(name).unwrap().to_string(), expected, "{name}");
    }
    rated.fields.object_mut("pcf").unwrap().remove("geographyCountry");
    let refused = of_model(&model(1, "kg", "1"), &sourced, &company(), &rated.fields);
    assert_eq!(pointers(refused), ["required /pcf/dqi/geographicalDQR"]);
}

#[test]
fn what_was_said_holds_until_something_else_is_said_and_amounts_while_the_unit_is_the_same() {
    let mut before = said();
    put(&mut before, "/pcf/productMassPerDeclaredUnit", Some(number("7")));
    let model = model(1, "piece", "2");
    let made = publish(&model, &[input(1, "A1", "1")], &plain(), &before.fields).unwrap();
    let from = FromModel { model: model.id, said: before.fields.clone() };
    let published = Footprint::new(id(5), 1, at("2025-01-01T00:00:00Z"), made.fields);
    let mut now = Footprint::new(id(1), 1, at("2025-01-01T00:00:00Z"), Fields::new(&FOOTPRINT));
    put(&mut now, "/productIds", Some(texts(&["urn:gtin:2"])));
    put(&mut now, "/pcf/exemptedEmissionsPercent", Some(number("1")));
    let together = said_together(Some((&published, &from)), &model, &now.fields);
    assert_eq!(together.texts("productIds"), ["urn:gtin:2"]);
    let pcf = together.object("pcf").unwrap();
    let digits = |name| pcf.number(name).map(|number| number.to_string());
    assert_eq!(digits("exemptedEmissionsPercent").as_deref(), Some("1"));
    assert_eq!(digits("productMassPerDeclaredUnit").as_deref(), Some("7"));
    let larger = model.clone().with_amount(tonne_domain::DeclaredAmount::new(quantity("3")).unwrap());
    let together = said_together(Some((&published, &from)), &larger, &Fields::new(&FOOTPRINT));
    let pcf = together.object("pcf").unwrap();
    assert_eq!(pcf.number("productMassPerDeclaredUnit"), None);
    assert!(pcf.number("exemptedEmissionsPercent").is_some());
    assert_eq!(said_together(None, &larger, &now.fields), now.fields);
}

fn any_input() -> impl Strategy<Value = Input> {
    let limit = Decimal::parse("9999999999999").unwrap().scaled();
    let stages: Vec<_> = Stage::all().map(Some).chain([None]).collect();
    (-limit..=limit, prop::sample::select(stages)).prop_map(|(scaled, stage)| {
        let mut input = input(1, "", &Decimal::from_scaled(scaled).unwrap().to_string());
        input.stage = stage;
        input
    })
}

proptest! {
    #[test]
    fn every_amount_of_a_footprint_comes_from_the_inputs_and_none_is_lost(
        inputs in prop::collection::vec(any_input(), 1..12),
        units in 1_u32..1_000,
        uptake in 0_i64..10_i64.pow(15),
        land in 0_i64..1_000,
    ) {
        let mut parts = said();
        put(&mut parts, "/pcf/biogenicCO2Uptake", Some(FieldValue::Number(Decimal::from_integer(-uptake))));
        put(&mut parts, "/pcf/landUseChangeGhgEmissions", Some(FieldValue::Number(Decimal::from_integer(land))));
        let model = model(1, "kg", &units.to_string());
        let Ok(made) = publish(&model, &inputs, &plain(), &parts.fields) else { return Ok(()) };
        let total = |name: &str| made.fields.object("pcf").unwrap().number(name).map_or(Total::ZERO, Total::from);
        let of = |counted| made.stages.iter().filter(|sum| sum.counted == counted).map(|sum| sum.co2e.unwrap()).sum::<Total>();
        // The stages are the inputs; the footprint is its stages; it is the sum of its own parts, to the last digit.
        let all: Total = inputs.iter().map(|input| Total::from(input.calculation.co2e().unwrap())).sum();
        prop_assert_eq!(made.stages.iter().map(|sum| sum.co2e.unwrap()).sum::<Total>(), all);
        prop_assert_eq!(total("pcfIncludingBiogenicUptake"), of(Counted::Footprint));
        prop_assert_eq!(total("outboundLogisticsGhgEmissions"), of(Counted::OutboundLogistics));
        prop_assert_eq!(
            total("pcfIncludingBiogenicUptake"),
            total("pcfExcludingBiogenicUptake") + total("biogenicCO2Uptake")
        );
        prop_assert_eq!(
            total("pcfExcludingBiogenicUptake"),
            total("fossilGhgEmissions") + total("landUseChangeGhgEmissions") + total("biogenicNonCO2Emissions")
        );
        // The model's own total is the same per unit, rounded once.
        let counted: Vec<Input> = inputs.iter().filter(|input| Counted::of(input.stage) == Counted::Footprint).cloned().collect();
        let per_unit = total("pcfIncludingBiogenicUptake").checked_div(Decimal::from_integer(units.into()));
        prop_assert_eq!(model.total(&counted), per_unit);
    }

    #[test]
    fn every_footprint_of_a_model_is_shown_in_version_3(inputs in prop::collection::vec(any_input(), 1..6), code in
        prop::sample::select(vec!["kg", "t", "lbs", "L", "m3", "gal", "kWh", "MJ", "tkm", "m2", "ha", "h", "d"]))
    {
        let mut all = said();
        put(&mut all, "/pcf/biogenicCO2Uptake", Some(number("-100000000000000")));
        let is_mass_told = !matches!(code, "L" | "m3" | "gal" | "m2" | "ha");
        if !is_mass_told {
            put(&mut all, "/pcf/productMassPerDeclaredUnit", Some(number("1")));
        }
        if let Ok(made) = publish(&model(1, code, "0.7"), &inputs, &plain(), &all.fields) {
            let verdict = Verdict::of(&Footprint::new(id::<FootprintId>(1), 1, empty().stamps.created, made.fields));
            prop_assert!(verdict.is_shown(Edition::V3), "{:?}", verdict.edition(Edition::V3));
            prop_assert!(verdict.is_valid);
        }
    }
}

#[test]
fn an_amount_that_a_unit_of_pact_cannot_say_exactly_is_told_to_be_rounded() {
    let inputs = [input(1, "A1", "1")];
    let made = |code: &str, amount: &str| publish(&model(1, code, amount), &inputs, &plain(), &said().fields).unwrap();
    let is_told =
        |made: &ModelFootprint| made.notes.iter().any(|note| note.starts_with("declaredUnitAmount is rounded"));
    assert!(!is_told(&made("lbs", "1000")));
    assert!(is_told(&made("lbs", "1.000000000000000001")));
}
