//! Pages of a report and the walk over all of them: both give each selected activity once, in the order of the days.

use std::sync::Arc;

use domain::{Attribution, Moment, Period};
use ports::Caller;
use ports::inbound::{Activities, ActivityDraft, NodeDraft, Nodes, ReportQuery, ReportRows, Step};
use ports::repo::{Page, Place};
use tonne::usecase::activity::ActivityService;
use tonne::usecase::checkpoint::Checkpoints;
use tonne::usecase::read_model::ReadModels;
use uuid::Uuid;

use super::{Counting, Noon, World, by_id, co2e, given, name, world};

/// What a query gives: the ids, and where the next activities are.
async fn ids(service: &ActivityService, caller: &Caller, query: ReportQuery) -> (Vec<Uuid>, Option<Place>) {
    let mut view = service.report(caller, query).await.unwrap();
    let mut ids = Vec::new();
    loop {
        let batch = view.rows.next().await.unwrap();
        if batch.is_empty() {
            return (ids, view.next);
        }
        ids.extend(batch.into_iter().map(|(one, _)| one.activity.value.id.uuid()));
    }
}

/// 60 activities of two orgs on few days, some of several days, added in no order.
async fn filled() -> (World, ActivityService, Uuid) {
    let world = world().await;
    let draft = NodeDraft { name: given(name("North")), ..NodeDraft::default() };
    let org = Nodes::<domain::Org>::add_node(&world.catalog, &world.admin, draft).await.unwrap().node.value.id;
    let read_models = Arc::new(ReadModels::new(1 << 20, Arc::new(Checkpoints::new(Arc::clone(&world.store)))));
    let (store, ids) = (Arc::clone(&world.store), Counting(std::sync::atomic::AtomicU64::new(1 << 32)));
    let service =
        ActivityService { store, read_models, clock: Arc::new(Noon), ids: Arc::new(ids), lookups: Arc::default() };
    for at in 0..60_u32 {
        let day = |day: u32| given(Moment::parse_start(&format!("2025-03-{day:02}")).unwrap());
        let first = 1 + at * 7 % 13;
        let draft = ActivityDraft {
            name: given(name("Diesel")),
            start: day(first),
            end: if at % 3 == 0 { day(first + at % 11) } else { ports::inbound::Field::Absent },
            org: if at % 4 == 0 { given(by_id(org)) } else { ports::inbound::Field::Absent },
            upstream: given(co2e("1")),
            ..ActivityDraft::default()
        };
        service.add(&world.admin, draft).await.unwrap();
    }
    (world, service, org.uuid())
}

#[tokio::test]
async fn pages_and_steps_give_what_all_activities_are() {
    let (world, service, org) = filled().await;
    let admin = &world.admin;
    let periods = ["2025-03-04", "2025-03", "2024"].map(|text| Period::parse(text).unwrap());
    for period in periods.into_iter().chain([Period::ALL]) {
        for attribution in [Attribution::Start, Attribution::Daily] {
            for org in [None, Some(org)] {
                let asked = |rows| ReportQuery { period, attribution, org, rows, ..ReportQuery::default() };
                let (all, next) = ids(&service, admin, asked(ReportRows::All)).await;
                assert_eq!(next, None);
                for size in [1, 7, 60, 1000] {
                    let mut pages = Vec::new();
                    for number in 1..=u32::try_from(all.len()).unwrap() / size + 2 {
                        let (page, next) = ids(&service, admin, asked(ReportRows::Page(Page { number, size }))).await;
                        pages.extend(page);
                        assert_eq!(next.is_some(), pages.len() < all.len(), "page {number} of {size}");
                    }
                    assert_eq!(pages, all, "{period} {attribution:?} in pages of {size}");
                    let (mut walked, mut after) = (Vec::new(), None);
                    loop {
                        let step = Step { after, limit: size };
                        let (found, next) = ids(&service, admin, asked(ReportRows::Step(step))).await;
                        assert!(found.len() <= size as usize);
                        walked.extend(found);
                        match next {
                            Some(next) => after = Some(next),
                            None => break,
                        }
                    }
                    assert_eq!(walked, all, "{period} {attribution:?} in steps of {size}");
                }
            }
        }
    }
}

#[tokio::test]
async fn a_step_goes_on_behind_an_activity_that_was_removed() {
    let (world, service, _) = filled().await;
    let asked = |after, limit| ReportQuery { rows: ReportRows::Step(Step { after, limit }), ..ReportQuery::default() };
    let (all, _) = ids(&service, &world.admin, asked(None, 1000)).await;
    let (_, next) = ids(&service, &world.admin, asked(None, 10)).await;
    let place = next.unwrap();
    assert_eq!(place.id.uuid(), all[9]);
    service.remove(&world.admin, place.id, None).await.unwrap();
    assert_eq!(ids(&service, &world.admin, asked(next, 1000)).await.0, all[10..]);
}
