//! Pages of a report and the walk over all of them: both give each selected activity once, in the order of the days.

use std::sync::Arc;

use domain::{Attribution, Moment, Period};
use ports::Caller;
use ports::inbound::{Activities, ActivityDraft, NodeDraft, Nodes, ReportQuery, ReportRows, Step};
use ports::repo::{Page, Place, Side};
use tonne::usecase::activity::ActivityService;
use tonne::usecase::checkpoint::Checkpoints;
use tonne::usecase::read_model::ReadModels;
use uuid::Uuid;

use super::{Counting, Noon, World, by_id, co2e, given, name, world};

/// What a query gives: the ids, and where there are more before and behind them.
struct Found {
    ids: Vec<Uuid>,
    previous: Option<Place>,
    next: Option<Place>,
}

async fn find(service: &ActivityService, caller: &Caller, query: ReportQuery) -> Found {
    let mut view = service.report(caller, query).await.unwrap();
    let mut ids = Vec::new();
    loop {
        let batch = view.rows.next().await.unwrap();
        if batch.is_empty() {
            return Found { ids, previous: view.previous, next: view.next };
        }
        ids.extend(batch.into_iter().map(|(one, _)| one.activity.value.id.uuid()));
    }
}

async fn ids(service: &ActivityService, caller: &Caller, query: ReportQuery) -> Vec<Uuid> {
    find(service, caller, query).await.ids
}

/// The steps from the first on, each by the place that the one before says.
async fn walk(service: &ActivityService, caller: &Caller, query: &ReportQuery, size: u32) -> Vec<Found> {
    let (mut steps, mut side): (Vec<Found>, _) = (Vec::new(), Side::After(None));
    loop {
        let rows = ReportRows::Step(Step { side, limit: size });
        let step = find(service, caller, ReportQuery { rows, ..query.clone() }).await;
        assert!(step.ids.len() <= size as usize);
        let next = step.next;
        steps.push(step);
        let Some(next) = next else { return steps };
        side = Side::After(Some(next));
    }
}

/// The activities of steps together.
fn together(steps: &[Found]) -> Vec<Uuid> {
    steps.iter().flat_map(|step| step.ids.clone()).collect()
}

fn service(world: &World) -> ActivityService {
    let read_models = Arc::new(ReadModels::new(1 << 20, Arc::new(Checkpoints::new(Arc::clone(&world.store)))));
    let (store, ids) = (Arc::clone(&world.store), Counting(std::sync::atomic::AtomicU64::new(1 << 32)));
    ActivityService {
        store,
        read_models,
        clock: Arc::new(Noon),
        ids: Arc::new(ids),
        lookups: Arc::default(),
        chooser: super::chooser(),
    }
}

fn asked(rows: ReportRows) -> ReportQuery {
    ReportQuery { rows, ..ReportQuery::default() }
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
                let all = find(&service, admin, asked(ReportRows::All)).await;
                assert_eq!((all.previous, all.next), (None, None));
                let all = all.ids;
                for size in [1, 7, 60, 1000] {
                    let mut pages = Vec::new();
                    for number in 1..=u32::try_from(all.len()).unwrap() / size + 2 {
                        let page = find(&service, admin, asked(ReportRows::Page(Page { number, size }))).await;
                        let is_behind_others = number > 1 && !page.ids.is_empty();
                        pages.extend(page.ids);
                        assert_eq!(page.next.is_some(), pages.len() < all.len(), "page {number} of {size}");
                        assert_eq!(page.previous.is_some(), is_behind_others, "page {number} of {size}");
                    }
                    assert_eq!(pages, all, "{period} {attribution:?} in pages of {size}");
                    let steps = walk(&service, admin, &asked(ReportRows::None), size).await;
                    assert_eq!(together(&steps), all, "{period} {attribution:?} in steps of {size}");
                }
            }
        }
    }
}

#[tokio::test]
async fn steps_back_from_the_last_give_those_that_led_there() {
    let (world, service, org) = filled().await;
    let admin = &world.admin;
    let day = domain::Day::parse("2025-03-09").ok();
    let open = [Period::ALL, Period::new(day, None).unwrap(), Period::new(None, day).unwrap()];
    for period in ["2025-03-04", "2025-03", "2024"].map(|text| Period::parse(text).unwrap()).into_iter().chain(open) {
        for attribution in [Attribution::Start, Attribution::Daily] {
            for org in [None, Some(org)] {
                let query = ReportQuery { period, attribution, org, ..ReportQuery::default() };
                for size in [1, 7, 1000] {
                    let steps = walk(&service, admin, &query, size).await;
                    let mut before = steps.last().unwrap().previous;
                    for (at, expected) in steps.iter().enumerate().rev().skip(1) {
                        let side = Side::Before(before.unwrap());
                        let rows = ReportRows::Step(Step { side, limit: size });
                        let step = find(&service, admin, ReportQuery { rows, ..query.clone() }).await;
                        let what = format!("step {at} of {size}, {period} {attribution:?} {org:?}");
                        assert_eq!((&step.ids, step.next), (&expected.ids, expected.next), "{what}");
                        assert_eq!(step.previous, expected.previous, "{what}");
                        before = step.previous;
                    }
                    assert_eq!(before, None);
                }
            }
        }
    }
}

#[tokio::test]
async fn a_step_before_a_place_has_those_nearest_to_it_and_says_on_which_sides_there_are_more() {
    let (world, service, _) = filled().await;
    let all = ids(&service, &world.admin, asked(ReportRows::All)).await;
    let step = async |place: Place, limit| {
        find(&service, &world.admin, asked(ReportRows::Step(Step { side: Side::Before(place), limit }))).await
    };
    let end = Place { day: domain::Day::MAX, id: Uuid::nil().into() };
    let last = step(end, 4).await;
    assert_eq!((last.ids, last.next), (all[56..].to_vec(), None));
    assert_eq!(last.previous.unwrap().id.uuid(), all[56]);
    let whole = step(end, 60).await;
    assert_eq!((whole.ids, whole.previous, whole.next), (all.clone(), None, None));
    let start = step(Place { day: domain::Day::MIN, id: Uuid::nil().into() }, 4).await;
    assert_eq!((start.ids, start.previous, start.next), (vec![], None, None));
    let nobody = Place { id: Uuid::nil().into(), ..last.previous.unwrap() };
    let found = step(nobody, 3).await;
    let at = all.iter().position(|id| Some(id) == found.ids.last()).unwrap();
    assert_eq!(found.ids, all[at - 2..=at]);
    assert_eq!(found.next.unwrap().id.uuid(), all[at]);
}

#[tokio::test]
async fn a_step_goes_on_beside_an_activity_that_was_removed() {
    let (world, service, _) = filled().await;
    let all = ids(&service, &world.admin, asked(ReportRows::All)).await;
    let step = |side, limit| find(&service, &world.admin, asked(ReportRows::Step(Step { side, limit })));
    let place = step(Side::After(None), 10).await.next.unwrap();
    assert_eq!(place.id.uuid(), all[9]);
    service.remove(&world.admin, place.id, None).await.unwrap();
    assert_eq!(step(Side::After(Some(place)), 1000).await.ids, all[10..]);
    assert_eq!(step(Side::Before(place), 1000).await.ids, all[..9]);
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
    let all = ids(&service, &world.admin, asked(ReportRows::All)).await;
    let around: Vec<_> = all.iter().filter(|id| expected.contains(id)).copied().collect();
    assert_eq!(around, expected);
    for size in [1, 2, 64, 65] {
        let steps = walk(&service, &world.admin, &ReportQuery::default(), size).await;
        assert_eq!(together(&steps), all, "in steps of {size}");
        let mut paged = Vec::new();
        for number in 1..=65 / size + 1 {
            paged.extend(ids(&service, &world.admin, asked(ReportRows::Page(Page { number, size }))).await);
        }
        assert_eq!(paged, all, "in pages of {size}");
    }
}

#[tokio::test]
async fn a_sync_id_is_found_on_the_side_of_a_place_that_it_is_on() {
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
        let place = Place { day: domain::Day::parse(day).unwrap(), id: one.id };
        for (side, found) in [(Side::After(Some(place)), found), (Side::Before(place), 1 - found)] {
            let rows = ReportRows::Step(Step { side, limit: 5 });
            let query = ReportQuery { rows, sync_id: one.sync_id.clone(), ..ReportQuery::default() };
            assert_eq!(ids(&service, &world.admin, query).await.len(), found, "{side:?}");
        }
    }
}
