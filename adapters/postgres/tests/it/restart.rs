//! A server that is stopped and started under load: callers get an error soon, and everything goes on by itself.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use domain::Filter;
use futures_util::future::join_all;
use ports::contract::sample;
use ports::store::{Store as _, StoreError};
use sqlx::{Connection as _, PgConnection, Row as _};
use tokio::sync::mpsc;
use tokio::task::spawn_blocking;
use tonne_postgres::{Database, PostgresStore};

use crate::harness::{grant, options, reading, writing};
use crate::temporary_server::xtask;

const TENANTS: u64 = 4;
const ROUNDS: usize = 10;
/// Connections of eight or more that are left for the directory.
const RESERVED: u32 = 2;
/// How long a node takes at most to say that its server is away: far below the minutes that the network itself gives a
/// lost peer, far above what a loaded machine needs.
const TOLD: Duration = Duration::from_secs(20);
/// How long is waited for the node to be at work again once the server is there.
const READY: Duration = Duration::from_mins(1);

/// A server of this test's own that can be stopped and started.
#[derive(Clone)]
struct Server(PathBuf);

impl Server {
    fn chore(&self, arguments: &[&str]) -> String {
        let output = Command::new(xtask()).arg("postgres").args(arguments).arg(&self.0).output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }
}

/// The server until the end of the test.
struct Kept(Server);

impl Drop for Kept {
    fn drop(&mut self) {
        let Server(directory) = &self.0;
        let _ = Command::new(xtask()).args(["postgres", "stop", "--immediate"]).arg(directory).status();
        let _ = std::fs::remove_dir_all(directory);
    }
}

/// What became of an operation.
struct Event {
    worker: usize,
    begun: Instant,
    ended: Instant,
    done: Done,
}

enum Done {
    /// The server answered; a writer has committed the change of that number.
    Well(Option<(u64, u64)>),
    /// It is away for the moment.
    Away,
}

/// Operates without a pause until it is asked to stop.
async fn work(worker: usize, store: PostgresStore, events: mpsc::Sender<Event>, is_over: Arc<AtomicBool>) {
    let number = worker as u64 / 2 + 1;
    while !is_over.load(Ordering::Relaxed) {
        let begun = Instant::now();
        let done = if worker.is_multiple_of(2) { write(&store, number).await } else { read(&store, number).await };
        let done = match done {
            Ok(committed) => Done::Well(committed.map(|change| (number, change))),
            // Of a commit whose answer is lost nothing was acknowledged either.
            Err(StoreError::Busy(_) | StoreError::Unknown(_)) => Done::Away,
            Err(error) => unreachable!("{error:?}"),
        };
        let event = Event { worker, begun, ended: Instant::now(), done };
        if events.send(event).await.is_err() {
            return;
        }
    }
}

async fn write(store: &PostgresStore, number: u64) -> Result<Option<u64>, StoreError> {
    let mut write = store.write(&writing(number), sample::intent()).await?;
    let change = write.number();
    write.activities_mut().add(sample::activity(change)).await?;
    write.products_mut().add(sample::product(change)).await?;
    write.commit().await.map(|head| Some(head.number))
}

async fn read(store: &PostgresStore, number: u64) -> Result<Option<u64>, StoreError> {
    let mut read = store.read(&reading(number)).await?;
    let head = read.head().await?.number;
    let cells = ports::ledger::cells(read.ledger()).await?.cube();
    assert_eq!(cells.cells().map(|(_, _, cell)| cell.starts).sum::<i64>(), i64::try_from(head).unwrap());
    read.activities().range(&Filter::default(), &HashSet::new(), None, 20).await?;
    Ok(None)
}

/// What was seen of all operations so far.
struct Watch {
    events: mpsc::Receiver<Event>,
    /// The changes that were acknowledged to each tenant.
    acknowledged: HashMap<u64, HashSet<u64>>,
    /// The longest that a caller waited for the error that the server is away.
    longest: Duration,
}

impl Watch {
    async fn next(&mut self) -> Event {
        let event = self.events.recv().await.unwrap();
        match event.done {
            Done::Away => self.longest = self.longest.max(event.ended - event.begun),
            Done::Well(Some((tenant, change))) => {
                assert!(self.acknowledged.entry(tenant).or_default().insert(change), "{change} was given twice");
            }
            Done::Well(None) => {}
        }
        event
    }

    /// Waits until each worker has begun and ended an operation after `since` that went so.
    async fn until_all(&mut self, since: Instant, went: fn(&Done) -> bool) {
        let mut seen = HashSet::new();
        while seen.len() < 2 * usize::try_from(TENANTS).unwrap() {
            let event = self.next().await;
            if event.begun >= since && went(&event.done) {
                seen.insert(event.worker);
            }
        }
    }

    /// Does something with the server while the load goes on.
    async fn meanwhile(&mut self, server: &Server, arguments: &'static [&'static str]) {
        let server = server.clone();
        let mut chore = spawn_blocking(move || server.chore(arguments));
        loop {
            tokio::select! {
                ended = &mut chore => return drop(ended.unwrap()),
                _ = self.next() => {}
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_comes_and_goes_ten_times_loses_nothing() {
    let server = Server(PathBuf::from(format!("/tmp/tonne-restart-{}", std::process::id())));
    let kept = Kept(server.clone());
    let url = server.chore(&["start"]);
    let mut options = options(url.clone());
    // As a node has it.
    options.wait = Duration::from_millis(800);
    let connections = options.connections;
    let store = PostgresStore::new(Arc::new(Database::open(options).await.unwrap()));
    for number in 1..=TENANTS {
        store.prepare(&grant(number)).await.unwrap();
    }
    let (sender, events) = mpsc::channel(16);
    let is_over = Arc::new(AtomicBool::new(false));
    let workers: Vec<_> = (0..2 * usize::try_from(TENANTS).unwrap())
        .map(|worker| tokio::spawn(work(worker, store.clone(), sender.clone(), Arc::clone(&is_over))))
        .collect();
    drop(sender);
    let mut watch = Watch { events, acknowledged: HashMap::new(), longest: Duration::ZERO };
    for round in 0..ROUNDS {
        watch.until_all(Instant::now(), |done| matches!(done, Done::Well(_))).await;
        let stop: &[&str] = if round % 2 == 0 { &["stop"] } else { &["stop", "--immediate"] };
        watch.meanwhile(&server, stop).await;
        watch.until_all(Instant::now(), |done| matches!(done, Done::Away)).await;
        watch.meanwhile(&server, &["start"]).await;
        let started = Instant::now();
        watch.until_all(started, |done| matches!(done, Done::Well(_))).await;
        assert!(started.elapsed() < READY, "round {round}: ready after {:?}", started.elapsed());
    }
    is_over.store(true, Ordering::Relaxed);
    watch.events.close();
    while watch.events.recv().await.is_some() {}
    for worker in workers {
        worker.await.unwrap();
    }
    assert!(watch.longest < TOLD, "a caller got its error after {:?}", watch.longest);

    // Every connection that tenants may have can be used again, and there are no others.
    let theirs = connections - RESERVED;
    let opening = (0..u64::from(theirs)).map(|place| {
        let (store, grant) = (store.clone(), reading(place % TENANTS + 1));
        async move { store.read(&grant).await.unwrap() }
    });
    let snapshots = join_all(opening).await;
    let mut superuser = PgConnection::connect(&url).await.unwrap();
    let text = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'tonne'";
    let there: i64 = sqlx::query(text).fetch_one(&mut superuser).await.unwrap().get(0);
    assert!((i64::from(theirs)..=i64::from(connections)).contains(&there), "{there} connections");
    drop(snapshots);

    for number in 1..=TENANTS {
        assert_eq!(store.verify(&grant(number)).await.unwrap().findings, []);
        let mut read = store.read(&reading(number)).await.unwrap();
        let head = read.head().await.unwrap().number;
        let acknowledged = watch.acknowledged.remove(&number).unwrap();
        assert!(acknowledged.iter().all(|change| *change <= head), "tenant {number} lost changes behind {head}");
        let products: HashSet<_> = read.products().names().await.unwrap().into_iter().map(|(id, _)| id).collect();
        assert!(acknowledged.iter().all(|change| products.contains(&sample::id(*change))), "tenant {number}");
        assert!(acknowledged.len() >= ROUNDS, "tenant {number} has written {} times", acknowledged.len());
    }
    drop(kept);
}
