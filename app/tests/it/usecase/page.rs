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

fn service(world: &World) -> ActivityService {
    let read_models = Arc::new(ReadModels::new(1 << 20, Arc::new(Checkpoints::new(Arc::clone(&world.store)))));
    let (store, ids) = (Arc::clone(&world.store), Counting(std::sync::atomic::AtomicU64::new(1 << 32)));
    ActivityService { store, read_models, clock: Arc::new(Noon), ids: Arc::new(ids), lookups: Arc::default() }
}

/// 60 activities of two orgs on few days, some of several days, added in no order.
async fn filled() -> (World, ActivityService, Uuid) {
    let world = world().await;
    let draft = NodeDraft { name: given(name("North")), ..NodeDraft::default() };
    let org = Nodes::<domain::Org>::add_node(&world.catalog, &world.admin, draft).await.unwrap().node.value.id;
    let service = service(&world);
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
    let closed = ["2025-03-04", "2025-03", "2024"].map(|text| Period::parse(text).unwrap());
    let day = domain::Day::parse("2025-03-09").ok();
    let open = [Period::ALL, Period::new(day, None).unwrap(), Period::new(None, day).unwrap()];
    for period in closed.into_iter().chain(open) {
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

#[tokio::test]
async fn activities_that_are_years_apart_are_found_page_by_page_and_step_by_step() {
    let (world, service, _) = filled().await;
    let mut expected = Vec::new();
    for year in [1990, 2001, 2024, 2026, 2040] {
        let draft = ActivityDraft {
            name: given(name("Sparse")),
            start: given(Moment::parse_start(&format!("{year}-07-01")).unwrap()),
            upstream: given(co2e("1")),
            ..ActivityDraft::default()
        };
        expected.push(service.add(&world.admin, draft).await.unwrap().activity.value.id.uuid());
    }
    let asked = |rows| ReportQuery { rows, ..ReportQuery::default() };
    let (all, _) = ids(&service, &world.admin, asked(ReportRows::All)).await;
    let around: Vec<_> = all.iter().filter(|id| expected.contains(id)).copied().collect();
    assert_eq!(around, expected);
    for size in [1, 2, 64, 65] {
        let (mut walked, mut after) = (Vec::new(), None);
        loop {
            let (found, next) = ids(&service, &world.admin, asked(ReportRows::Step(Step { after, limit: size }))).await;
            walked.extend(found);
            match next {
                Some(next) => after = Some(next),
                None => break,
            }
        }
        assert_eq!(walked, all, "in steps of {size}");
        let mut paged = Vec::new();
        for number in 1..=65 / size + 1 {
            paged.extend(ids(&service, &world.admin, asked(ReportRows::Page(Page { number, size }))).await.0);
        }
        assert_eq!(paged, all, "in pages of {size}");
    }
}

#[tokio::test]
async fn a_sync_id_is_found_behind_a_place_before_it_alone() {
    let world = world().await;
    let service = self::service(&world);
    let draft = ActivityDraft {
        name: given(name("Diesel")),
        sync_id: given(super::sync_id("one")),
        start: given(Moment::parse_start("2025-03-01").unwrap()),
        ..ActivityDraft::default()
    };
    let one = service.add(&world.admin, draft).await.unwrap().activity.value;
    for (day, found) in [("2025-02-28", 1), ("2025-03-02", 0)] {
        let after = Some(Place { day: domain::Day::parse(day).unwrap(), id: one.id });
        let rows = ReportRows::Step(Step { after, limit: 5 });
        let query = ReportQuery { rows, sync_id: one.sync_id.clone(), ..ReportQuery::default() };
        assert_eq!(ids(&service, &world.admin, query).await.0.len(), found);
    }
}
