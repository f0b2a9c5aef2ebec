//! What is missing: which activities are read for the reasons, and that nothing is told of an earlier state.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use domain::{Activity, ActivityId, IncompleteToday, Moment, Org, Period};
use ports::inbound::{
    Activities, ActivityDraft, Completeness as _, CompletenessQuery, CompletenessView, EXAMPLES, Field, NodeDraft,
    Nodes, ReportQuery, ReportRows, ReportView,
};
use ports::store::Store;
use tonne::usecase::activity::ActivityService;
use tonne::usecase::checkpoint::Checkpoints;
use tonne::usecase::completeness::CompletenessService;
use tonne::usecase::read_model::ReadModels;
use uuid::Uuid;

use super::watched::Watched;
use super::{Counting, Noon, World, by_id, caller, co2e, given, name, quantity, unit, world};

pub(super) fn read_models(store: &Arc<dyn Store>) -> Arc<ReadModels> {
    Arc::new(ReadModels::new(1 << 20, Arc::new(Checkpoints::new(Arc::clone(store)))))
}

pub(super) fn activities(store: &Arc<dyn Store>) -> ActivityService {
    ActivityService {
        store: Arc::clone(store),
        read_models: read_models(store),
        clock: Arc::new(Noon),
        ids: Arc::new(Counting(AtomicU64::new(1 << 32))),
        lookups: Arc::default(),
        chooser: super::chooser(),
    }
}

fn completeness(store: Arc<dyn Store>) -> CompletenessService {
    let read_models = read_models(&store);
    CompletenessService { store, read_models, clock: Arc::new(Noon) }
}

/// The question of a year.
fn year(year: &str, org: Option<Uuid>) -> CompletenessQuery {
    let period = Period::parse(year).unwrap();
    CompletenessQuery { first: period.first(), last: period.last(), org, ..CompletenessQuery::default() }
}

/// 60 activities of two years, in two orgs or none: of three one has a CO2e, one a product without factors, and one nothing.
pub(super) async fn filled() -> (World, ActivityService, Uuid) {
    let world = world().await;
    let draft = NodeDraft { name: given(name("North")), ..NodeDraft::default() };
    let org = Nodes::<Org>::add_node(&world.catalog, &world.admin, draft).await.unwrap().node.value.id;
    let product = world.product("kg").await;
    let service = activities(&world.store);
    for at in 0..60_u32 {
        let start = format!("{}-{:02}-{:02}", 2023 + at / 30, 1 + at * 5 % 12, 1 + at * 7 % 28);
        let mut draft = ActivityDraft {
            name: given(name(&format!("Bill {at}"))),
            start: given(Moment::parse_start(&start).unwrap()),
            org: if at % 4 == 0 { given(by_id(org)) } else { Field::Absent },
            ..ActivityDraft::default()
        };
        match at % 3 {
            0 => draft.upstream = given(co2e("1")),
            1 => {
                draft.product = given(by_id(product));
                draft.quantity = given(quantity("2"));
                draft.unit = given(unit("kg"));
            }
            _ => {}
        }
        service.add(&world.admin, draft).await.unwrap();
    }
    (world, service, org.uuid())
}

/// Every activity of the year and the org.
pub(super) async fn scanned(service: &ActivityService, world: &World, of: &str, org: Option<Uuid>) -> Vec<Activity> {
    let period = Period::parse(of).unwrap();
    let query = ReportQuery { period, org, rows: ReportRows::All, ..ReportQuery::default() };
    given_by(&mut service.report(&world.admin, query).await.unwrap()).await
}

/// The activities of a report's rows.
pub(super) async fn given_by(report: &mut ReportView) -> Vec<Activity> {
    let mut all = Vec::new();
    loop {
        let batch = report.rows.next().await.unwrap();
        if batch.is_empty() {
            return all;
        }
        all.extend(batch.into_iter().map(|(view, _)| view.activity.value));
    }
}

/// Each reason with its count and the first activities.
type Reasons = BTreeMap<IncompleteToday, (u64, Vec<ActivityId>)>;

fn told(view: &CompletenessView) -> Reasons {
    let examples = |one: &ports::inbound::IncompleteReason| one.examples.iter().map(|example| example.id).collect();
    view.reasons.iter().map(|one| (one.reason, (one.count, examples(one)))).collect()
}

#[tokio::test]
async fn the_reasons_are_those_that_reading_every_activity_gives() {
    let (world, service, org) = filled().await;
    let missing = completeness(Arc::clone(&world.store));
    for of in ["2022", "2023", "2024"] {
        for org in [None, Some(org)] {
            let mut expected = Reasons::new();
            for activity in scanned(&service, &world, of, org).await {
                // Its product has no factors.
                let Some(reason) = activity.incomplete(None, &[]) else { continue };
                let (count, examples) = expected.entry(reason).or_default();
                *count += 1;
                examples.extend(Some(activity.id).filter(|_| *count <= EXAMPLES as u64));
            }
            let found = missing.completeness(&world.admin, year(of, org)).await.unwrap();
            assert_eq!(told(&found), expected, "{of} {org:?}");
            let sum = found.reasons.iter().map(|one| one.count).sum::<u64>();
            assert_eq!((sum, expected.is_empty()), (found.incomplete, of == "2022"), "{of} {org:?}");
        }
    }
}

#[tokio::test]
async fn activities_without_co2e_alone_are_read_and_none_where_reasons_are_left_out() {
    let (world, service, org) = filled().await;
    let watched = Watched::store(Arc::clone(&world.store));
    let missing = completeness(Arc::clone(&watched) as Arc<dyn Store>);
    let without = CompletenessQuery { without_reasons: true, ..year("2024", None) };
    let found = missing.completeness(&world.admin, without).await.unwrap();
    assert_eq!((found.reasons.len(), watched.change.read.lock().unwrap().len()), (0, 0));
    assert!(found.incomplete > 0);
    let found = missing.completeness(&world.admin, year("2024", None)).await.unwrap();
    let read = std::mem::take(&mut *watched.change.read.lock().unwrap());
    assert!(read.iter().all(|one| one.co2e().is_none()), "{read:?}");
    assert_eq!(read.len() as u64, found.incomplete);
    missing.completeness(&world.admin, year("2024", Some(org))).await.unwrap();
    let read = std::mem::take(&mut *watched.change.read.lock().unwrap());
    let mut of_org = scanned(&service, &world, "2024", Some(org)).await;
    of_org.retain(|one| one.co2e().is_none());
    assert_eq!(read, of_org, "others of the company are not read");
}

#[tokio::test]
async fn what_is_missing_is_told_of_what_was_written_meanwhile_and_to_each_caller_as_permitted() {
    let (world, service, _) = filled().await;
    let missing = completeness(Arc::clone(&world.store));
    let before = missing.completeness(&world.admin, year("2024", None)).await.unwrap();
    assert_eq!(missing.completeness(&world.admin, year("2024", None)).await.unwrap(), before);
    let reporter = missing.completeness(&caller("activity:report"), year("2024", None)).await.unwrap();
    assert_eq!(reporter.incomplete, before.incomplete);
    assert!(reporter.reasons.iter().all(|one| one.examples.is_empty()), "names no single activity");
    let draft = ActivityDraft {
        name: given(name("Late bill")),
        start: given(Moment::parse_start("2024-06-30").unwrap()),
        ..ActivityDraft::default()
    };
    service.add(&world.admin, draft).await.unwrap();
    let after = missing.completeness(&world.admin, year("2024", None)).await.unwrap();
    assert_eq!((after.count, after.incomplete), (before.count + 1, before.incomplete + 1));
    let denied = missing.completeness(&caller("switch:read"), year("2024", None)).await;
    assert!(matches!(denied, Err(ports::inbound::Error::Denied(_))), "{denied:?}");
}
