//! The service killed with SIGKILL while it imports a file that came through its pages: what is told of it afterwards, and that
//! the file goes in once.

use std::sync::Arc;
use std::time::{Duration, Instant};

use domain::Timestamp;
use memory::MemoryDirectory;
use ports::clock::Clock;
use ports::inbound::{Error, RunOptions, StagedImports as _};
use ports::staged_import::{SILENT_MS, StagedImport, StagedState};
use ports::{Caller, StagedId, TenantSlug};
use tonne::clock::SystemClock;
use tonne::usecase::import::{ImportService, UndoTasks};
use tonne::usecase::published::Chooser;
use tonne::usecase::staged::StagedService;
use tonne::{App, Config};

use super::super::run::{Base, Place, Reply, Served};
use crate::web::browser::token;

/// More than are written in one change.
const ROWS: u64 = 24_000;
/// How often an import that had ended before it was killed is tried in another place.
const TRIES: u32 = 20;

/// What browsers send with a form of their own page.
const OWN: [&str; 2] = ["Accept: text/html", "Sec-Fetch-Site: same-origin"];

/// A tab of a browser in which somebody is signed in.
struct Tab {
    pages: Base,
    cookie: String,
}

impl Tab {
    fn pages(served: &Served) -> Base {
        Base::new(served.base.strip_suffix("api").unwrap())
    }

    /// A tab in which the button of a link was pressed.
    fn by_link(served: &Served, link: &str) -> Self {
        let (_, text) = link.split_once("/login/once/").unwrap();
        let form = "Content-Type: application/x-www-form-urlencoded";
        let begun = Self::pages(served).ask("POST", &format!("login/once/{text}"), &[OWN[0], OWN[1], form], "");
        assert_eq!(begun.status, 303, "{begun:?}");
        let cookie = begun.header("set-cookie").unwrap().split(';').next().unwrap();
        Self { pages: Self::pages(served), cookie: format!("Cookie: {cookie}") }
    }

    /// The same at a service that was started again.
    fn at(self, served: &Served) -> Self {
        Self { pages: Self::pages(served), ..self }
    }

    fn get(&self, path: &str) -> Reply {
        self.pages.ask("GET", path, &[OWN[0], &self.cookie], "")
    }

    fn token(&self, path: &str) -> String {
        let page = self.get(path);
        token(&page.body).unwrap_or_else(|| panic!("no form: {page:?}"))
    }

    fn post(&self, path: &str, kind: &str, body: &str) -> Reply {
        self.pages.ask("POST", path, &[OWN[0], OWN[1], &self.cookie, &format!("Content-Type: {kind}")], body)
    }

    /// Sends what a form of that page says beside its token.
    fn send(&self, path: &str, fields: &str) -> Reply {
        let body = format!("form_token={}&{fields}", self.token(path));
        self.post(path, "application/x-www-form-urlencoded", &body)
    }

    /// Sends a file, and gives the path that its steps are below.
    fn stage(&self, rows: &str) -> String {
        let part = |head: &str, content: &str| {
            format!("--edge\r\nContent-Disposition: form-data; name=\"{head}\r\n\r\n{content}\r\n")
        };
        let token = part("form_token\"", &self.token("imports/new"));
        let body = [token, part("file\"; filename=\"rows.csv\"", rows), "--edge--\r\n".to_owned()].concat();
        let sent = self.post("imports/new", "multipart/form-data; boundary=edge", &body);
        let to = sent.header("location").unwrap_or_else(|| panic!("{sent:?}"));
        to.strip_suffix("/table").unwrap().trim_start_matches('/').to_owned()
    }

    /// Checks the file below that path by its own columns, to the end.
    fn check(&self, at: &str) {
        assert_eq!(self.send(&format!("{at}/map"), "do=check&map=").status, 303);
        let since = Instant::now();
        while self.get(&format!("{at}/check")).body.contains("http-equiv=\"refresh\"") {
            assert!(since.elapsed() < Duration::from_mins(2), "the check does not end");
            std::thread::yield_now();
        }
    }
}

/// A file whose run was killed.
struct Killed {
    place: Place,
    tab: Tab,
    /// The path that its steps are below.
    at: String,
}

/// Stages, checks and runs the rows, and kills the service once some of them are written; `None` where all were by then.
fn killed_midway(rows: &str) -> Option<Killed> {
    let place = Place::new();
    let added = place.json(&["user", "add", "ana", "--role", "editor", "--link"]);
    let header = place.bearer("activity:read");
    let served = place.serve();
    let tab = Tab::by_link(&served, added["link"].as_str().unwrap());
    let at = tab.stage(rows);
    tab.check(&at);
    assert_eq!(tab.send(&format!("{at}/check"), "do=good").status, 303);
    let since = Instant::now();
    let written = || served.ask("GET", "/v1/activity?page=1&pageSize=1", &[&header], "").json()["count"] != 0;
    while !written() {
        assert!(since.elapsed() < Duration::from_mins(2), "nothing is written");
        std::thread::yield_now();
    }
    drop(served);
    let left = count(&place);
    (0 < left && left < ROWS).then_some(Killed { place, tab, at })
}

fn count(place: &Place) -> u64 {
    place.json(&["report"])["count"].as_u64().unwrap()
}

/// The clock of a service that is started so late that what was under way before counts as interrupted.
struct Later;

impl Clock for Later {
    fn now(&self) -> Timestamp {
        Timestamp::from_millis(SystemClock.now().millis() + SILENT_MS + 1_000).unwrap()
    }
}

/// Looks at the file as a service that is started later does, runs it again, and gives how that ended.
fn run_later(place: &Place, id: StagedId) -> StagedImport {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let mut config = Config::default();
    config.store.data_dir = place.path().join("tonne-data");
    let (spool, atomic_rows) = (sqlite::FileSpool::new(&config.store.data_dir), config.limits.atomic_rows);
    runtime.block_on(async {
        let app = App::build(config).await.unwrap();
        let tenant = app.tenant(&TenantSlug::parse(tonne::SINGLE_TENANT).unwrap()).await.unwrap();
        let (operator, clock): (Caller, Arc<dyn Clock>) = (app.operator(&tenant), Arc::new(Later));
        let imports = ImportService {
            store: Arc::clone(app.store()),
            clock: Arc::clone(&clock),
            ids: Arc::clone(app.ids()),
            atomic_rows,
            read_models: None,
            undo_tasks: UndoTasks::default(),
            chooser: Arc::new(Chooser::new(Arc::new(MemoryDirectory::new(Arc::clone(&clock))))),
        };
        let service = StagedService {
            spool: Arc::new(spool),
            imports: Arc::new(imports),
            store: Arc::clone(app.store()),
            read_models: Arc::clone(app.read_models()),
            checkpoints: Arc::clone(app.checkpoints()),
            clock,
            ids: Arc::clone(app.ids()),
            atomic_rows,
            batch_rows: 1_000,
            runtime: tokio::runtime::Handle::current(),
        };
        let seen = service.find(&operator, id).await.unwrap();
        assert_eq!((seen.state, seen.failure, seen.outcome), (StagedState::RunFailed, None, None));
        service.run(&operator, id, RunOptions::default()).await.unwrap();
        let mut ticks = tokio::time::interval(Duration::from_millis(20));
        let since = Instant::now();
        let ended = loop {
            let seen = service.find(&operator, id).await.unwrap();
            if seen.state != StagedState::Running {
                break seen;
            }
            assert!(since.elapsed() < Duration::from_mins(5), "it does not end: {seen:?}");
            ticks.tick().await;
        };
        let again = service.run(&operator, id, RunOptions::default()).await;
        assert!(matches!(again, Err(Error::Conflict { .. })), "it is imported: {again:?}");
        app.close().await;
        ended
    })
}

#[test]
fn a_run_of_the_pages_that_was_killed_is_told_as_it_is_and_the_file_goes_in_once() {
    for has_sync_ids in [true, false] {
        let row = |number: u64| {
            let sync_id = if has_sync_ids { format!("row-{number}") } else { String::new() };
            format!("{sync_id},Van {number},2025-{:02}-01,{number}.125\n", number % 12 + 1)
        };
        let rows: String = (0..ROWS).map(row).collect();
        let rows = format!("syncId,name,startDate,UpstreamCO2e\n{rows}");
        let killed = (0..TRIES).find_map(|_| killed_midway(&rows));
        let Some(Killed { place, tab, at }) = killed else {
            panic!("{TRIES} times all was written before it was killed")
        };
        let left = count(&place);

        // Started again it does not take the run for ended, nor begin another beside one that may go on elsewhere.
        let served = place.serve();
        let tab = tab.at(&served);
        let page = tab.get(&format!("{at}/run")).body;
        let is_told = ["rows so far", "The import was interrupted."].iter().any(|words| page.contains(words));
        assert!(is_told && !page.contains("Imported: "), "{page}");
        let files = tab.get("imports").body;
        let is_told = ["is being imported", "the import ended early"].iter().any(|words| files.contains(words));
        assert!(is_told, "{files}");
        drop(served);
        assert_eq!(count(&place), left, "a start writes nothing");

        let id = at.strip_prefix("imports/").unwrap().parse().unwrap();
        let ended = run_later(&place, id);
        assert_eq!(ended.state, StagedState::Done, "{:?}", ended.failure);
        let counts = ended.outcome.unwrap();
        assert_eq!((counts.created + counts.unchanged, counts.updated, counts.rejected), (ROWS, 0, 0));
        assert_eq!(count(&place), ROWS);
        assert!(place.ok(&["verify"]).starts_with("OK"));
    }
}
