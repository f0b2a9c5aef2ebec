//! A switch's footprint is the sum of its sources per one of its unit, and says what keeps it from being whole.

use proptest::prelude::*;
use tonne_domain::{
    Incomplete, Input, InputCalculation, Issue, Model, ModelId, Sources, SourcesError, Switch, SwitchFootprint,
    SwitchModels,
};

use crate::sample::{id, input, model, switch, unit};

/// The footprint of the switch made from those models, whatever models the inputs were made for.
fn footprint(switch: &Switch, sources: &[(&Model, &[Input])]) -> SwitchFootprint {
    let models = sources.iter().map(|(model, _)| model.id).collect();
    let switch = switch.clone().with_sources(Sources::new(models).unwrap());
    let moved = |(model, inputs): &(&Model, &[Input])| -> Vec<Input> {
        inputs.iter().map(|input| input.clone().with_model(model.id)).collect()
    };
    let inputs: Vec<Vec<Input>> = sources.iter().map(moved).collect();
    let find = |id: ModelId| {
        let at = sources.iter().position(|(model, _)| model.id == id)?;
        Some((sources[at].0, &inputs[at][..]))
    };
    SwitchFootprint::of(&SwitchModels::new(&switch, find).unwrap())
}

/// productCarbonFootprint, A1-A3 and D as text, and the codes of the issues.
fn shown(switch: &Switch, sources: &[(&Model, &[Input])]) -> ([Option<String>; 3], Vec<&'static str>) {
    let found = footprint(switch, sources);
    let figures =
        [found.product_carbon_footprint, found.a1_a3, found.d].map(|figure| figure.map(|sum| sum.to_string()));
    (figures, found.issues.iter().map(Issue::code).collect())
}

fn figures(pcf: &str, a1_a3: &str, d: &str) -> [Option<String>; 3] {
    [pcf, a1_a3, d].map(|figure| (!figure.is_empty()).then(|| figure.to_owned()))
}

#[test]
fn stages_go_into_their_figures_and_d_into_no_other() {
    let housing = model(1, "kg", "1");
    let inputs = [
        input(1, "A1", "1"),
        input(2, "A2", "2"),
        input(3, "A3", "4"),
        input(4, "A1-A3", "8"),
        input(5, "A4", "16"),
        input(6, "B6", "32"),
        input(7, "C4", "64"),
        input(8, "", "128"),
        input(9, "A0", "256"),
        input(10, "D", "-1000"),
    ];
    assert_eq!(shown(&switch("kg"), &[(&housing, &inputs)]), (figures("511", "15", "-1000"), vec![]));
}

#[test]
fn sources_add_up_per_one_unit_of_the_switch() {
    // 6 kg per 3 lb is 2 per lb; 5000 per 2 t is 2.5 per kg, times 0.45359237 kg per lb.
    let (frame, cover) = (model(1, "lbs", "3"), model(2, "t", "2"));
    let (first, second) = ([input(1, "A1", "6")], [input(2, "C1", "5000")]);
    let sources: [(&Model, &[Input]); 2] = [(&frame, &first), (&cover, &second)];
    assert_eq!(shown(&switch("lbs"), &sources), (figures("3.133980925", "2", ""), vec![]));
}

#[test]
fn the_sum_is_rounded_once() {
    // Three thirds are one; three rounded thirds would be 0.999999999999999999.
    let thirds = [1, 2, 3].map(|number| model(number, "piece", "3"));
    let inputs = [input(1, "A1", "1")];
    let sources: [(&Model, &[Input]); 3] = thirds.each_ref().map(|third| (third, &inputs[..]));
    assert_eq!(shown(&switch("piece"), &sources), (figures("1", "1", ""), vec![]));
}

#[test]
fn what_is_not_declared_is_not_zero() {
    let housing = model(1, "kg", "1");
    assert_eq!(shown(&switch("kg"), &[(&housing, &[input(1, "B1", "3")])]), (figures("3", "", ""), vec![]));
    assert_eq!(shown(&switch("kg"), &[(&housing, &[input(1, "A1", "0")])]), (figures("0", "0", ""), vec![]));
    assert_eq!(shown(&switch("kg"), &[(&housing, &[])]), (figures("", "", ""), vec!["no_input"]));
    assert_eq!(
        shown(&switch("kg"), &[(&housing, &[input(1, "D", "3")])]),
        (figures("", "", "3"), vec!["only_stage_d"])
    );
}

#[test]
fn a_source_without_inputs_leaves_every_figure_unknown_and_one_of_stage_d_alone_does_not() {
    let [housing, other, unfinished] = [1, 2, 3].map(|number| model(number, "kg", "1"));
    let made = [input(1, "A1", "3")];
    let (credit, nothing): ([Input; 1], [Input; 0]) = ([input(2, "D", "-1")], []);
    let credited: [(&Model, &[Input]); 2] = [(&housing, &made), (&other, &credit)];
    assert_eq!(shown(&switch("kg"), &credited), (figures("3", "3", "-1"), vec![]));
    let lacking: [(&Model, &[Input]); 3] = [(&housing, &made), (&other, &credit), (&unfinished, &nothing)];
    assert_eq!(shown(&switch("kg"), &lacking), (figures("", "", ""), vec!["no_input"]));
}

#[test]
fn an_input_without_co2e_takes_away_only_the_figures_it_belongs_to() {
    let housing = model(1, "kg", "1");
    for (stage, expected) in [
        ("A2", figures("", "", "5")),
        ("A1-A3", figures("", "", "5")),
        ("C1", figures("", "2", "5")),
        ("", figures("", "2", "5")),
        ("D", figures("2", "2", "")),
    ] {
        let inputs = [input(1, "A1", "2"), input(2, "D", "5"), input(3, stage, "")];
        let (found, issues) = shown(&switch("kg"), &[(&housing, &inputs)]);
        assert_eq!((found, issues), (expected, vec!["no_co2e"]), "stage {stage:?}");
    }
}

#[test]
fn an_issue_names_the_input_it_is_about() {
    let housing = model(1, "kg", "1");
    let mut steel = input(42, "A1", "");
    steel.calculation = InputCalculation::Incomplete(Incomplete::NoFactor);
    let found = footprint(&switch("kg"), &[(&housing, &[steel])]);
    assert_eq!(
        found.issues[0].to_string(),
        "Input \"Steel\" (00000000-0000-0000-0000-00000000002a) of model 00000000-0000-0000-0000-000000000001 \
         has no CO2e. The product has no emission factor yet."
    );
}

#[test]
fn without_a_source_or_a_unit_there_is_no_figure() {
    let housing = model(1, "kg", "1");
    assert_eq!(shown(&switch("kg"), &[]), (figures("", "", ""), vec!["no_source"]));
    assert_eq!(shown(&switch(""), &[(&housing, &[input(1, "A1", "2")])]), (figures("", "", ""), vec!["no_unit"]));
    assert_eq!(shown(&switch(""), &[]), (figures("", "", ""), vec!["no_source", "no_unit"]));
}

#[test]
fn units_that_cannot_be_brought_together_leave_no_figure() {
    let (weighed, counted) = (model(1, "kg", "1"), model(2, "piece", "1"));
    let inputs = [input(1, "A1", "2")];
    let sources: [(&Model, &[Input]); 2] = [(&weighed, &inputs), (&counted, &inputs)];
    assert_eq!(shown(&switch("t"), &sources), (figures("", "", ""), vec!["units"]));
    let issue = &footprint(&switch("t"), &sources).issues[0];
    assert!(matches!(issue, Issue::Units { model, unit: theirs, .. } if *model == id(2) && *theirs == unit("piece")));
}

#[test]
fn the_largest_amounts_print_in_full() {
    let housing = model(1, "g", "0.000000000000000001");
    let inputs = [input(1, "A1", "99999999999999999999")];
    let (found, issues) = shown(&switch("t"), &[(&housing, &inputs)]);
    assert_eq!(found[0].as_deref(), Some("99999999999999999999000000000000000000000000"));
    assert!(issues.is_empty());
}

#[test]
fn sources_are_few_and_each_named_once() {
    let ids = |numbers: &[u128]| numbers.iter().map(|number| id(*number)).collect::<Vec<_>>();
    assert!(Sources::new(ids(&[1, 2, 3])).is_ok());
    assert_eq!(Sources::new(ids(&[1, 2, 1, 2])), Err(SourcesError::Repeated(vec![2, 3])));
    let numbers: Vec<u128> = (0..101).collect();
    assert!(Sources::new(ids(&numbers[..100])).is_ok());
    assert_eq!(Sources::new(ids(&numbers)), Err(SourcesError::TooMany(101)));
}

#[test]
fn a_footprint_takes_the_models_that_the_switch_names_and_no_other() {
    let (housing, other) = (model(1, "kg", "1"), model(2, "kg", "1"));
    let (inputs, none): ([Input; 1], [Input; 0]) = ([input(1, "A1", "2")], []);
    let switch = switch("kg").with_sources(Sources::new(vec![id(2), id(1)]).unwrap());
    let of = |first, second| SwitchModels::new(&switch, move |id| if id == housing_id() { first } else { second });
    let found = of(Some((&housing, &inputs[..])), Some((&other, &none[..]))).unwrap();
    assert_eq!(found.models().map(|model| model.id).collect::<Vec<_>>(), [id(2), id(1)]);
    for (first, second, missing) in [
        (None, Some((&other, &none[..])), 1),
        (Some((&housing, &inputs[..])), Some((&housing, &inputs[..])), 2),
        (Some((&housing, &inputs[..])), Some((&other, &inputs[..])), 2),
    ] {
        assert_eq!(of(first, second).err(), Some(id(missing)));
    }
}

fn housing_id() -> ModelId {
    id(1)
}

proptest! {
    #[test]
    fn the_order_of_sources_does_not_matter(amounts in prop::collection::vec((1_u32..1000, any::<i32>()), 1..8)) {
        let parts: Vec<(Model, [Input; 1])> = amounts
            .iter()
            .zip(1..)
            .map(|((amount, emitted), number)| (model(number, "kg", &amount.to_string()), [input(1, "A1", &emitted.to_string())]))
            .collect();
        let mut sources: Vec<(&Model, &[Input])> = parts.iter().map(|(model, inputs)| (model, &inputs[..])).collect();
        let forwards = footprint(&switch("lbs"), &sources);
        sources.reverse();
        prop_assert_eq!(forwards, footprint(&switch("lbs"), &sources));
    }

    #[test]
    fn one_source_in_its_own_unit_is_the_models_total(amount in 1_u32..1000, emitted in any::<i64>()) {
        let model = model(1, "kg", &amount.to_string());
        let inputs = [input(1, "A1", &emitted.to_string()), input(2, "D", "-7")];
        let found = footprint(&switch("kg"), &[(&model, &inputs)]);
        prop_assert_eq!(found.product_carbon_footprint, model.total(&inputs));
        prop_assert_eq!(found.d, model.module_d(&inputs));
    }
}
