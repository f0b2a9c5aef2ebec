//! Importing files step by step: what a check says is what a run does, whatever ends it midway.

mod left;
mod nodes;
mod pace;
mod preview;
mod room;

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::Duration;

use domain::{Canonical as _, Period, Timestamp};
use memory::MemorySpool;
use ports::clock::Clock;
use ports::inbound::{
    Activities as _, Again, Error, ImportOptions, Imports as _, Outcome, ReportQuery, RunOptions, RunRows,
    StagedImports as _, UndoPatience,
};
use ports::spool::Spool;
use ports::staged_import::{KEPT_MS, MOST_STAGED, SILENT_MS, StagedImport, StagedReading, StagedState};
use ports::store::Store;
use ports::{Caller, StagedId, TenantId, demand, permit};
use tonne::usecase::activity::ActivityService;
use tonne::usecase::checkpoint::Checkpoints;
use tonne::usecase::import::{ImportService, UndoTasks};
use tonne::usecase::read_model::ReadModels;
use tonne::usecase::staged::StagedService;

use super::{Counting, Noon, World, caller, world_of};

/// So many milliseconds after noon.
#[derive(Default)]
struct Later(AtomicI64);

impl Clock for Later {
    fn now(&self) -> Timestamp {
        Timestamp::from_millis(Noon.now().millis() + self.0.load(Ordering::Relaxed)).unwrap()
    }
}

struct Site {
    world: World,
    clock: Arc<Later>,
    spool: Arc<dyn Spool>,
    imports: Arc<ImportService>,
    service: StagedService,
    activities: ActivityService,
}

async fn site() -> Site {
    let store = Arc::new(memory::MemoryStore::new(Arc::new(Counting::default())));
    site_of(store, Arc::new(MemorySpool::default()), Arc::default(), 1).await
}

/// A node of that number on a store and a spool.
async fn site_of(store: Arc<dyn Store>, spool: Arc<dyn Spool>, clock: Arc<Later>, number: u64) -> Site {
    let world = world_of(store).await;
    let store = || Arc::clone(&world.store);
    let ids = Arc::new(Counting(AtomicU64::new(number << 32)));
    let checkpoints = Arc::new(Checkpoints::new(store()));
    let read_models = Arc::new(ReadModels::new(1 << 20, Arc::clone(&checkpoints)));
    let imports = Arc::new(ImportService {
        store: store(),
        clock: clock.clone(),
        ids: ids.clone(),
        atomic_rows: 1_000,
        read_models: Some(Arc::clone(&read_models)),
        undo_tasks: UndoTasks::default(),
        chooser: super::chooser(),
    });
    let service = StagedService {
        spool: Arc::clone(&spool),
        imports: imports.clone(),
        store: store(),
        read_models: Arc::clone(&read_models),
        checkpoints,
        clock: clock.clone(),
        ids: ids.clone(),
        atomic_rows: 1_000,
        batch_rows: 7,
        runtime: tokio::runtime::Handle::current(),
    };
    let activities = ActivityService {
        store: store(),
        read_models,
        clock: clock.clone(),
        ids,
        lookups: Arc::default(),
        chooser: super::chooser(),
    };
    Site { world, clock, spool, imports, service, activities }
}

impl Site {
    fn admin(&self) -> &Caller {
        &self.world.admin
    }

    async fn stage(&self, text: &str) -> StagedId {
        let mut upload = self.service.receive(self.admin(), "rows.csv").await.unwrap();
        for piece in text.as_bytes().chunks(10) {
            upload.put(piece).await.unwrap();
        }
        upload.finish().await.unwrap().id
    }

    /// Waits until nothing is under way.
    async fn ended(&self, id: StagedId) -> StagedImport {
        let mut again = tokio::time::interval(Duration::from_millis(2));
        for _ in 0..30_000 {
            let staged = self.service.find(self.admin(), id).await.unwrap();
            if !matches!(staged.state, StagedState::Checking | StagedState::Running) {
                return staged;
            }
            again.tick().await;
        }
        panic!("it does not end");
    }

    async fn checked(&self, id: StagedId, map: Option<&str>) -> StagedImport {
        let reading = StagedReading { sheet: None, map: map.map(str::to_owned) };
        self.service.read_as(self.admin(), id, reading).await.unwrap();
        self.service.check(self.admin(), id).await.unwrap();
        let staged = self.ended(id).await;
        assert_eq!(staged.state, StagedState::Checked, "{:?}", staged.failure);
        staged
    }

    async fn run(&self, id: StagedId, rows: RunRows, again: Again) -> StagedImport {
        self.service.run(self.admin(), id, RunOptions { rows, again }).await.unwrap();
        self.ended(id).await
    }

    /// How many activities begin in the days, and what they come to.
    async fn total(&self, period: &str) -> (u64, String) {
        self.reported(Period::parse(period).unwrap()).await
    }

    async fn reported(&self, period: Period) -> (u64, String) {
        let query = ReportQuery { period, ..ReportQuery::default() };
        let report = self.activities.report(self.admin(), query).await.unwrap();
        (report.count, report.uncategorized.to_string())
    }
}

const HEADER: &str = "syncId,name,startDate,UpstreamCO2e\n";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_table_with_columns_of_its_own_is_read_by_a_map_that_is_kept() {
    let site = site().await;
    let id = site.stage("Id;What;Day;kg\n1;Van;2025-01-02;1,5\n2;Boiler;2025-01-03;2\n").await;
    let sniffed = site.service.sniff(site.admin(), id, &StagedReading::default()).await.unwrap();
    assert!(sniffed.form.contains("semicolons"), "{}", sniffed.form);
    assert_eq!(sniffed.rows[1], (2, ["1", "Van", "2025-01-02", "1,5"].map(str::to_owned).to_vec()));
    assert!(sniffed.map.is_some());
    let wrong = StagedReading { sheet: None, map: Some("[table]\nwat = 1\n".to_owned()) };
    let refused = site.service.read_as(site.admin(), id, wrong).await;
    assert!(matches!(refused, Err(Error::Invalid(_))), "{refused:?}");
    let refused = site.service.check(site.admin(), id).await;
    assert!(matches!(refused, Err(Error::Conflict { .. })), "not before the map is decided: {refused:?}");
    let map = sniffed.map.unwrap();
    let reading = StagedReading { sheet: None, map: Some(map.clone()) };
    let tried = site.service.try_reading(site.admin(), id, &reading).await.unwrap();
    assert_eq!(tried.rows.len(), 2, "{map}");
}

/// Rows without a syncId, more than one batch.
fn without_sync_ids() -> String {
    let rows: Vec<String> = (0..30).map(|at| format!(",Van {at},2025-03-01,1.5\n")).collect();
    format!("{HEADER}{}", rows.concat())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_that_dies_midway_reads_as_interrupted_and_runs_again_without_a_row_twice() {
    let texts = [without_sync_ids(), without_sync_ids().replace("\n,Van ", "\n=,Van ")];
    for (at, text) in texts.into_iter().enumerate() {
        // The second file has a syncId in each row.
        let mut number = 0;
        let text: String = text
            .split('=')
            .map(|part| {
                number += 1;
                if number == 1 { part.to_owned() } else { format!("id-{number}{part}") }
            })
            .collect();
        let site = site().await;
        let id = site.stage(&text).await;
        let staged = site.checked(id, None).await;
        assert_eq!(staged.checked.as_ref().unwrap().counts.created, 30, "{text}");
        // What a process leaves that dies behind the first rows: the import of these, and that it is running.
        let options = ImportOptions {
            outcome: Outcome::KeepGood,
            name: "rows.csv".to_owned(),
            hash: staged.hash,
            ..ImportOptions::default()
        };
        let mut import = site.imports.begin(site.admin(), options).unwrap();
        let rows = files::CsvRows::new(text.as_bytes(), files::MAX_ROW_BYTES).unwrap();
        let rows: Vec<_> = rows.map(Result::unwrap).collect();
        import.rows(rows[..12].to_vec()).await.unwrap();
        import.rows(rows[12..13].to_vec()).await.unwrap();
        let grant = permit(site.admin(), demand::ACTIVITY_WRITE).unwrap();
        let entry = site.spool.find(&grant.to_read(), id).await.unwrap().unwrap();
        let left = StagedImport { state: StagedState::Running, import: import.id(), ..staged };
        site.spool.update(&grant, id, entry.version, &left.canonical()).await.unwrap();
        std::mem::forget(import);
        let (written, _) = site.total("2025").await;
        assert!(written > 0, "{at}: something was written");
        let refused = site.service.run(site.admin(), id, RunOptions::default()).await;
        assert!(matches!(refused, Err(Error::Conflict { .. })), "it may be running still: {refused:?}");
        site.clock.0.fetch_add(SILENT_MS + 1_000, Ordering::Relaxed);
        assert_eq!(site.service.find(site.admin(), id).await.unwrap().state, StagedState::RunFailed);
        let done = site.run(id, RunRows::Good, Again::No).await;
        assert_eq!(done.state, StagedState::Done, "{at}: {:?}", done.failure);
        assert_eq!(site.total("2025").await, (30, "45".to_owned()), "{at}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn undo_gives_the_totals_back_and_the_same_file_says_what_it_would_do() {
    let site = site().await;
    let first = format!("{HEADER}a,Van,2025-01-01,1\nb,Van,2025-01-01,2\n");
    let id = site.stage(&first).await;
    site.checked(id, None).await;
    site.run(id, RunRows::Good, Again::No).await;
    let before = site.total("2025").await;
    let second = format!("{HEADER}a,Van,2025-01-01,5\nb,Van,2025-01-01,2\nc,Van,2025-02-30,2\nd,Van,2025-01-02,4\n");
    let id = site.stage(&second).await;
    let checked = site.checked(id, None).await.checked.unwrap();
    let counts = checked.counts;
    assert_eq!((counts.created, counts.updated, counts.unchanged, counts.rejected), (1, 1, 1, 1));
    let field = &checked.changed[0].fields[0];
    assert_eq!((field.field.as_str(), field.before.as_str(), field.after.as_str()), ("CO2e", "1", "5"));
    let mut rejected = site.service.rejected(site.admin(), id).await.unwrap();
    let mut copy = Vec::new();
    while let Some(piece) = rejected.next().await.unwrap() {
        copy.extend(piece);
    }
    let copy = String::from_utf8(copy).unwrap();
    assert_eq!(copy.lines().count(), 2, "the header and one row: {copy}");
    assert!(copy.contains("startDate") && copy.contains("2025-02-30"), "{copy}");
    let done = site.run(id, RunRows::Good, Again::No).await;
    assert_ne!(site.total("2025").await, before);
    site.imports.undo(site.admin(), done.import.unwrap(), UndoPatience::Whole).await.unwrap();
    assert_eq!(site.total("2025").await, before);
    let id = site.stage(&first).await;
    let again = site.checked(id, None).await.checked.unwrap();
    assert_eq!((again.counts.unchanged, again.counts.created, again.counts.updated), (2, 0, 0));
    assert_eq!(again.years, []);
    let refused = site.service.run(site.admin(), id, RunOptions::default()).await;
    assert!(matches!(refused, Err(Error::Conflict { .. })), "{refused:?}");
    let done = site.run(id, RunRows::Good, Again::Yes).await;
    assert_eq!((done.state, done.outcome.unwrap().unchanged), (StagedState::Done, 2));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_may_not_write_activities_and_another_company_see_nothing() {
    let site = site().await;
    let id = site.stage(HEADER).await;
    let reader = caller("activity:read catalog:write");
    let stranger = Caller { tenant: TenantId::new(uuid::Uuid::from_u128(2)), ..caller("admin") };
    for (who, is_denied) in [(reader, true), (stranger, false)] {
        let right =
            |error: Error| if is_denied { matches!(error, Error::Denied(_)) } else { matches!(error, Error::NotFound) };
        let (service, reading) = (&site.service, StagedReading::default());
        assert!(right(service.find(&who, id).await.unwrap_err()));
        assert!(right(service.sniff(&who, id, &reading).await.unwrap_err()));
        assert!(right(service.try_reading(&who, id, &reading).await.unwrap_err()));
        assert!(right(service.read_as(&who, id, reading).await.unwrap_err()));
        assert!(right(service.check(&who, id).await.unwrap_err()));
        assert!(right(service.run(&who, id, RunOptions::default()).await.unwrap_err()));
        assert!(right(service.rejected(&who, id).await.err().unwrap()));
        assert!(right(service.discard(&who, id).await.unwrap_err()));
        if is_denied {
            assert!(service.receive(&who, "a.csv").await.is_err());
            assert!(service.list(&who).await.is_err());
        } else {
            assert_eq!(service.list(&who).await.unwrap(), []);
        }
    }
    assert_eq!(site.service.list(site.admin()).await.unwrap().len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_company_has_so_many_files_and_each_goes_a_day_after_its_last_step() {
    let site = site().await;
    for _ in 0..MOST_STAGED {
        site.stage(HEADER).await;
    }
    assert!(matches!(site.service.receive(site.admin(), "one more.csv").await, Err(Error::Conflict { .. })));
    site.clock.0.fetch_add(KEPT_MS + 1, Ordering::Relaxed);
    let grant = ports::Grant::for_maintenance(site.admin().tenant, "test");
    assert_eq!(site.service.sweep(&grant).await.unwrap(), MOST_STAGED as u64);
    let upload = site.service.receive(site.admin(), "empty.csv").await.unwrap();
    let id = upload.id();
    assert!(matches!(upload.finish().await, Err(Error::Invalid(_))), "an empty file is none");
    let mut again = tokio::time::interval(Duration::from_millis(2));
    while site.service.find(site.admin(), id).await.is_ok() {
        again.tick().await;
    }
}
