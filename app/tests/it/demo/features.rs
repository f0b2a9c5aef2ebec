//! Features that are no figures have something to show in the demo.

use domain::footprint::publish::Counted;
use domain::{SharedWith, Total};
use ports::import_batch::ImportState;
use ports::inbound::{Cause, Exclusions as _, Footprints as _, Imports as _, Models as _, Partners as _, Periods as _};

use super::world::{ALL, filled};

#[tokio::test]
async fn a_month_was_closed_and_opened_again_and_the_base_year_stands() {
    let world = filled().await;
    let periods = world.periods.list(&world.admin, ALL).await.unwrap().data;
    let [month, year] = &periods[..] else { panic!("{periods:?}") };
    assert!(month.period.value.reopened.is_some() && year.period.value.is_closed());
    let restated = world.periods.restatement(&world.admin, month.period.value.id).await.unwrap();
    let causes: Vec<_> = restated.causes.iter().map(|cause| cause.cause).collect();
    assert_eq!(causes, [Cause::Data], "the bills that came late");
    assert_ne!(restated.now.co2e, restated.period.frozen.co2e);
    let base = world.periods.base_year(&world.admin).await.unwrap();
    assert_eq!(base.restatement.period.period.value.id, year.period.value.id);
}

#[tokio::test]
async fn an_import_of_a_file_has_its_digest_a_rejected_row_and_a_warning() {
    let world = filled().await;
    let imports = world.imports.list(&world.admin, ALL).await.unwrap().data;
    let bills = imports.iter().find(|batch| batch.name == "late-bills-2023.csv").unwrap();
    assert_eq!(bills.state, ImportState::Done);
    assert_eq!((bills.counts.created, bills.counts.rejected, bills.counts.warnings), (3, 1, 1));
    assert!(bills.hash.is_some());
}

#[tokio::test]
async fn footprints_are_shared_with_a_partner_and_with_all() {
    let world = filled().await;
    assert_eq!(world.partners.list(&world.admin, ALL).await.unwrap().count, 2);
    let (mut by_name, mut with_all) = (0, 0);
    for view in world.footprints.list(&world.admin, ALL).await.unwrap().data {
        match world.partners.sharing(&world.admin, view.footprint.value.id).await.unwrap().with {
            Some(SharedWith::Partners(_)) => by_name += 1,
            Some(SharedWith::All) => with_all += 1,
            None => {}
        }
    }
    assert_eq!((by_name, with_all), (2, 1));
}

#[tokio::test]
async fn one_footprint_is_made_of_the_e_bikes_model_and_comes_to_what_its_inputs_do() {
    let world = filled().await;
    let footprints = world.footprints.list(&world.admin, ALL).await.unwrap().data;
    let made = footprints.iter().filter_map(|view| Some((view, view.footprint.value.from_model.as_deref()?)));
    let [(view, from)] = made.collect::<Vec<_>>()[..] else { panic!("not one of a model") };
    let models = world.models.list(&world.admin, None, ALL).await.unwrap().data;
    let model = models.iter().find(|view| view.model.value.id == from.model).unwrap();
    assert_eq!(model.model.value.name.as_str(), "Swift e-bike");
    let inputs = world.models.list_inputs(&world.admin, from.model, None, ALL).await.unwrap().data;
    let counted =
        inputs.iter().map(|view| &view.input.value).filter(|input| Counted::of(input.stage) == Counted::Footprint);
    let sum: Total = counted.map(|input| Total::from(input.calculation.co2e().unwrap())).sum();
    let pcf = view.footprint.value.fields.object("pcf").unwrap();
    assert_eq!(pcf.number("pcfExcludingBiogenicUptake").unwrap().to_string(), sum.to_string());
    assert!(view.violations.is_empty(), "{:?}", view.violations);
}

#[tokio::test]
async fn what_is_left_out_is_said() {
    let world = filled().await;
    assert_eq!(world.exclusions.list(&world.admin, ALL).await.unwrap().count, 2);
}

#[tokio::test]
async fn every_tier_of_quality_and_what_stands_outside_the_scopes_have_figures() {
    let world = filled().await;
    let report = world.report("2025").await;
    for tier in [report.quality.measured, report.quality.estimated, report.quality.proxy, report.outside] {
        assert_ne!(tier.to_string(), "0", "{:?}", report.quality);
    }
}
