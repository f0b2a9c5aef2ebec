//! A report is one snapshot, whatever is written meanwhile.

use std::sync::Arc;

use domain::{Org, Total};
use ports::inbound::{
    Activities, ActivityDraft, BreakdownBy, BreakdownQuery, Breakdowns as _, Error, Label, NodeDraft, Nodes,
    ReportQuery, ReportRows,
};
use ports::store::Store;
use ports::{Grant, Read, demand, permit};
use sqlite::{Options, SqliteStore};
use tonne::usecase::activity::ActivityService;
use tonne::usecase::breakdown::BreakdownService;
use tonne::usecase::checkpoint::Checkpoints;
use tonne::usecase::read_model::ReadModels;

use super::{Counting, Noon, World, by_id, caller, co2e, given, name, world};

const BUDGET: usize = 1 << 20;

fn activities(store: &Arc<dyn Store>) -> ActivityService {
    let (clock, ids) = (Arc::new(Noon), Arc::new(Counting::default()));
    ActivityService {
        store: Arc::clone(store),
        read_models: Arc::new(read_models(store, BUDGET)),
        clock,
        ids,
        lookups: Arc::default(),
        chooser: super::chooser(),
    }
}

fn read_models(store: &Arc<dyn Store>, budget: usize) -> ReadModels {
    ReadModels::new(budget, Arc::new(Checkpoints::new(Arc::clone(store))))
}

fn draft(amount: &str) -> ActivityDraft {
    ActivityDraft {
        name: given(name("Diesel")),
        start: given(domain::Moment::parse_start("2025-03-01").unwrap()),
        upstream: given(co2e(amount)),
        ..ActivityDraft::default()
    }
}

fn grant(world: &World) -> Grant<Read> {
    permit(&world.admin, demand::ACTIVITY_READ).unwrap()
}

fn counted(read_model: &ports::ReadModel) -> i64 {
    let sums = read_model.cube().sums(domain::Period::ALL, domain::Attribution::Start, &|_| false);
    sums.iter().map(|sums| sums.count).sum()
}

#[tokio::test]
async fn a_snapshot_gets_the_read_model_of_its_own_number_while_a_writer_goes_on() {
    let world = world().await;
    let (service, read_models) = (activities(&world.store), self::read_models(&world.store, BUDGET));
    service.add(&world.admin, draft("1")).await.unwrap();
    let (mut first, mut second) =
        (world.store.read(&grant(&world)).await.unwrap(), world.store.read(&grant(&world)).await.unwrap());
    service.add(&world.admin, draft("2")).await.unwrap();
    let tenant = world.admin.tenant;
    let early = read_models.of(tenant, first.as_mut()).await.unwrap().unwrap();
    let same = read_models.of(tenant, second.as_mut()).await.unwrap().unwrap();
    assert!(Arc::ptr_eq(&early, &same));
    assert_eq!(counted(&early), 1);
    let mut third = world.store.read(&grant(&world)).await.unwrap();
    let late = read_models.of(tenant, third.as_mut()).await.unwrap().unwrap();
    assert_eq!((counted(&late), counted(&early)), (2, 1));
}

#[tokio::test]
async fn a_snapshot_older_than_the_read_model_kept_is_told_so_and_leaves_it_in_place() {
    let world = world().await;
    let (service, read_models) = (activities(&world.store), self::read_models(&world.store, BUDGET));
    let mut old = world.store.read(&grant(&world)).await.unwrap();
    service.add(&world.admin, draft("1")).await.unwrap();
    let tenant = world.admin.tenant;
    let mut new = world.store.read(&grant(&world)).await.unwrap();
    let kept = read_models.of(tenant, new.as_mut()).await.unwrap().unwrap();
    assert!(read_models.of(tenant, old.as_mut()).await.unwrap().is_none());
    let again = read_models.of(tenant, new.as_mut()).await.unwrap().unwrap();
    assert!(Arc::ptr_eq(&kept, &again));
}

#[tokio::test]
async fn without_memory_for_two_read_models_the_one_not_used_for_longest_goes() {
    let world = world().await;
    let (service, read_models) = (activities(&world.store), self::read_models(&world.store, 0));
    service.add(&world.admin, draft("1")).await.unwrap();
    let mut tx = world.store.read(&grant(&world)).await.unwrap();
    let first = read_models.of(world.admin.tenant, tx.as_mut()).await.unwrap().unwrap();
    let kept = read_models.of(world.admin.tenant, tx.as_mut()).await.unwrap().unwrap();
    assert!(Arc::ptr_eq(&first, &kept), "the newest stays whatever the budget");
    let other = ports::Caller { tenant: ports::TenantId::new(uuid::Uuid::from_u128(2)), ..world.admin.clone() };
    world.store.prepare(&Grant::for_maintenance(other.tenant, "test")).await.unwrap();
    service.add(&other, draft("1")).await.unwrap();
    let mut theirs = world.store.read(&permit(&other, demand::ACTIVITY_READ).unwrap()).await.unwrap();
    read_models.of(other.tenant, theirs.as_mut()).await.unwrap().unwrap();
    let rebuilt = read_models.of(world.admin.tenant, tx.as_mut()).await.unwrap().unwrap();
    assert!(!Arc::ptr_eq(&first, &rebuilt));
}

/// Adds, changes and removes, in a pattern that leaves two of three.
async fn write(service: Arc<ActivityService>) {
    let admin = caller("admin");
    for number in 0..30 {
        let added = service.add(&admin, draft(&format!("{number}.25"))).await.unwrap();
        let id = added.activity.value.id;
        match number % 3 {
            0 => service.remove(&admin, id, None).await.unwrap(),
            1 => {
                let change = ActivityDraft { upstream: given(co2e("-7.125")), ..ActivityDraft::default() };
                service.update(&admin, id, None, change).await.unwrap();
            }
            _ => {}
        }
    }
}

/// Reports with all rows: totals and count are those of the rows.
async fn read(service: Arc<ActivityService>) {
    let admin = caller("admin");
    for _ in 0..30 {
        let query = ReportQuery { rows: ReportRows::All, ..ReportQuery::default() };
        let mut report = service.report(&admin, query).await.unwrap();
        let (mut count, mut total) = (0, Total::ZERO);
        loop {
            let rows = report.rows.next().await.unwrap();
            if rows.is_empty() {
                break;
            }
            count += rows.len() as u64;
            total += rows.iter().filter_map(|(view, _)| view.activity.value.co2e()).map(Total::from).sum();
        }
        assert_eq!((report.count, report.uncategorized), (count, total));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn totals_and_rows_agree_while_four_writers_write() {
    let folder = tempfile::TempDir::new().unwrap();
    let options = Options::new(Arc::new(Noon), Arc::new(Counting::default()));
    let store: Arc<dyn Store> = Arc::new(SqliteStore::open(folder.path(), options));
    store.prepare(&Grant::for_maintenance(caller("admin").tenant, "test")).await.unwrap();
    let service = Arc::new(activities(&store));
    let mut tasks = tokio::task::JoinSet::new();
    for _ in 0..4 {
        tasks.spawn(write(Arc::clone(&service)));
        tasks.spawn(read(Arc::clone(&service)));
    }
    while let Some(ended) = tasks.join_next().await {
        ended.unwrap();
    }
    let report = service.report(&caller("admin"), ReportQuery::default()).await.unwrap();
    assert_eq!(report.count, 80);
}

#[tokio::test]
async fn a_report_asked_again_is_of_what_was_written_meanwhile_and_names_nodes_as_they_are_called_now() {
    let world = world().await;
    let service = activities(&world.store);
    let node = NodeDraft { name: given(name("Works")), ..NodeDraft::default() };
    let org = Nodes::<Org>::add_node(&world.catalog, &world.admin, node).await.unwrap().node.value.id;
    let asked = async || {
        let query = ReportQuery { org: Some(org.uuid()), ..ReportQuery::default() };
        let report = service.report(&world.admin, query).await.unwrap();
        (report.count, report.uncategorized.to_string(), report.orgs.first().map(|org| org.name.to_string()))
    };
    assert_eq!(asked().await, (0, "0".to_owned(), None));
    let there = ActivityDraft { org: given(by_id(org)), ..draft("1.5") };
    let id = service.add(&world.admin, there).await.unwrap().activity.value.id;
    for _ in 0..2 {
        assert_eq!(asked().await, (1, "1.5".to_owned(), Some("Works".to_owned())));
    }
    let renamed = NodeDraft { name: given(name("North works")), ..NodeDraft::default() };
    Nodes::<Org>::update_node(&world.catalog, &world.admin, org, None, renamed).await.unwrap();
    assert_eq!(asked().await, (1, "1.5".to_owned(), Some("North works".to_owned())));
    service.remove(&world.admin, id, None).await.unwrap();
    assert_eq!(asked().await, (0, "0".to_owned(), None));
}

#[tokio::test]
async fn a_report_asked_again_still_needs_the_permission() {
    let world = world().await;
    let service = activities(&world.store);
    service.report(&world.admin, ReportQuery::default()).await.unwrap();
    let denied = service.report(&caller("switch:read"), ReportQuery::default()).await;
    assert!(matches!(denied, Err(Error::Denied(_))));
}

#[tokio::test]
async fn a_breakdown_asked_again_is_of_what_was_written_meanwhile_and_still_needs_the_permission() {
    let world = world().await;
    let service = activities(&world.store);
    let reports =
        BreakdownService { store: Arc::clone(&world.store), read_models: Arc::new(read_models(&world.store, BUDGET)) };
    let query = || BreakdownQuery { by: vec![BreakdownBy::Org], ..BreakdownQuery::default() };
    for count in 1..=3 {
        service.add(&world.admin, draft("1.5")).await.unwrap();
        let first = reports.breakdown(&world.admin, query()).await.unwrap();
        assert_eq!(first.whole.totals.count, count);
        assert_eq!(reports.breakdown(&world.admin, query()).await.unwrap(), first);
    }
    let denied = reports.breakdown(&caller("switch:read"), query()).await;
    assert!(matches!(denied, Err(Error::Denied(_))), "{denied:?}");
}

#[tokio::test]
async fn a_breakdown_needs_its_permission_and_its_rows_add_up() {
    let world = world().await;
    let service = activities(&world.store);
    service.add(&world.admin, draft("1.5")).await.unwrap();
    service.add(&world.admin, draft("2")).await.unwrap();
    let reports =
        BreakdownService { store: Arc::clone(&world.store), read_models: Arc::new(read_models(&world.store, BUDGET)) };
    let query = |scope: Option<&str>| BreakdownQuery {
        scope: scope.map(str::to_owned),
        by: vec![BreakdownBy::Time(domain::Stretch::Month)],
        ..BreakdownQuery::default()
    };
    let denied = reports.breakdown(&caller("switch:read"), query(None)).await;
    assert!(matches!(denied, Err(Error::Denied(_))), "{denied:?}");
    let found = reports.breakdown(&caller("activity:report"), query(None)).await.unwrap();
    assert_eq!((found.whole.totals.count, found.rows.len()), (2, 1));
    assert_eq!(found.rows[0].totals, found.whole.totals);
    assert_eq!(found.rows[0].labels, [Label::Time("2025-03".to_owned())]);
    let unknown = reports.breakdown(&world.admin, query(Some("scope9"))).await;
    let Err(Error::Parameters(faults)) = unknown else { panic!("{unknown:?}") };
    assert_eq!(faults.as_slice()[0].pointer, "scope");
}
