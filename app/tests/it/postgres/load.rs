//! Companies that read and write without a pause, whatever becomes of their database.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use postgres::testing::ask;
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use super::node::{Company, Node};
use super::wire::Speaker;

const COMPANIES: usize = 3;
/// Of each company: two that write and one that reads.
const WORKERS: usize = 3;
/// How long is waited for the service to be at work again once the server is there.
const READY: Duration = Duration::from_mins(1);
/// How long connections take at most to come to rest.
const SETTLED: Duration = Duration::from_secs(30);

/// A service and the companies at work in it.
pub(super) struct Load {
    node: Node,
    companies: Vec<Company>,
    events: mpsc::Receiver<Event>,
    workers: Vec<JoinHandle<()>>,
    is_over: Arc<AtomicBool>,
    /// What was acknowledged to each company.
    acknowledged: Vec<HashSet<String>>,
    /// How long each waited for the error that the database is away, and when it had asked.
    pub(super) told: Vec<(Instant, Duration)>,
}

/// What became of a request.
pub(super) struct Event {
    worker: usize,
    begun: Instant,
    ended: Instant,
    pub(super) done: Done,
}

pub(super) enum Done {
    /// It was answered; a writer's activity of that name is there.
    Well(Option<String>),
    /// The service is busy.
    Busy,
    /// The connection was cut while the database committed.
    Unknown,
}

impl Done {
    pub(super) const fn is_well(&self) -> bool {
        matches!(self, Self::Well(_))
    }

    pub(super) const fn is_busy(&self) -> bool {
        matches!(self, Self::Busy)
    }
}

/// Asks without a pause until it is asked to stop.
async fn work(worker: usize, speaker: Speaker, events: mpsc::Sender<Event>, is_over: Arc<AtomicBool>) {
    let reads = worker.is_multiple_of(WORKERS);
    for n in 0_u32.. {
        if is_over.load(Ordering::Relaxed) {
            return;
        }
        let sync_id = format!("w{worker}-{n}");
        let begun = Instant::now();
        let answer = if reads {
            speaker.get("/v1/activity?pageSize=5").await
        } else {
            let body = json!({
                "name": "Work", "syncId": sync_id, "startDate": "2025-01-01", "DownstreamCO2e": "1",
            });
            speaker.post("/v1/activity", &body).await
        };
        let done = if answer.is_busy() {
            Done::Busy
        } else if answer.is_unknown() {
            // Nothing is asked for again under the same name: whether it is there does not matter here.
            Done::Unknown
        } else {
            assert_eq!(answer.status, if reads { 200 } else { 201 }, "{answer:?}");
            Done::Well((!reads).then_some(sync_id))
        };
        if events.send(Event { worker, begun, ended: Instant::now(), done }).await.is_err() {
            return;
        }
    }
}

impl Load {
    /// The companies of that service go to work.
    pub(super) async fn begin(node: Node) -> Self {
        let (sender, events) = mpsc::channel(16);
        let is_over = Arc::new(AtomicBool::new(false));
        let (mut companies, mut workers) = (Vec::new(), Vec::new());
        for number in 0..COMPANIES {
            let company = node.company(&format!("company{number}")).await;
            for one in 0..WORKERS {
                let worker = work(number * WORKERS + one, company.admin.clone(), sender.clone(), Arc::clone(&is_over));
                workers.push(tokio::spawn(worker));
            }
            companies.push(company);
        }
        let acknowledged = vec![HashSet::new(); COMPANIES];
        Self { node, companies, events, workers, is_over, acknowledged, told: Vec::new() }
    }

    async fn next(&mut self) -> Event {
        let event = self.events.recv().await.unwrap();
        self.note(&event);
        event
    }

    fn note(&mut self, event: &Event) {
        match &event.done {
            Done::Busy => self.told.push((event.begun, event.ended - event.begun)),
            Done::Well(Some(name)) => {
                let is_new = self.acknowledged[event.worker / WORKERS].insert(name.clone());
                assert!(is_new, "{name} was added twice");
            }
            Done::Well(None) | Done::Unknown => {}
        }
    }

    /// Waits until each worker has asked after `since` and was answered so.
    pub(super) async fn until_all(&mut self, since: Instant, went: fn(&Done) -> bool) {
        let mut seen = HashSet::new();
        while seen.len() < COMPANIES * WORKERS {
            let event = self.next().await;
            if event.begun >= since && went(&event.done) {
                seen.insert(event.worker);
            }
        }
    }

    /// Waits for something while the work goes on.
    pub(super) async fn during<T>(&mut self, chore: impl Future<Output = T>) -> T {
        let mut chore = std::pin::pin!(chore);
        loop {
            tokio::select! {
                ended = &mut chore => return ended,
                _ = self.next() => {}
            }
        }
    }

    /// The service lives and is not ready, and says so within `bound`.
    pub(super) async fn is_not_ready(&mut self, bound: Duration) {
        let watcher = self.node.watcher();
        let asked = Instant::now();
        let answer = self.during(watcher.get("/health/ready")).await;
        assert!(answer.is_busy() && asked.elapsed() < bound, "{answer:?} after {:?}", asked.elapsed());
        let answer = self.during(watcher.get("/health/live")).await;
        assert_eq!(answer.status, 200, "{answer:?}");
    }

    /// The service is ready, and every worker at work, soon after `since`. Gives how soon.
    pub(super) async fn recovers(&mut self, since: Instant) -> Duration {
        let watcher = self.node.watcher();
        while self.during(watcher.get("/health/ready")).await.status != 200 {
            assert!(since.elapsed() < READY, "not ready");
        }
        self.until_all(since, Done::is_well).await;
        assert!(since.elapsed() < READY, "at work after {:?}", since.elapsed());
        since.elapsed()
    }

    /// The companies stop. Nothing that was acknowledged is gone, all is sound, and every connection can be used.
    pub(super) async fn end(mut self, url: &str) {
        self.is_over.store(true, Ordering::Relaxed);
        self.events.close();
        while let Some(event) = self.events.recv().await {
            self.note(&event);
        }
        for worker in std::mem::take(&mut self.workers) {
            worker.await.unwrap();
        }
        for (company, acknowledged) in self.companies.iter().zip(&self.acknowledged) {
            self.check(company, acknowledged).await;
        }
        // All connections but those that are kept for the directory.
        let connections = self.node.app.config().database.connections as usize - 2;
        let mut snapshots = Vec::new();
        for place in 0..connections {
            snapshots
                .push(self.node.app.store().read(&self.companies[place % COMPANIES].grant().to_read()).await.unwrap());
        }
        until_in_transactions(url, connections).await;
        drop(snapshots);
        until_in_transactions(url, 0).await;
        self.node.end().await;
    }

    async fn check(&self, company: &Company, acknowledged: &HashSet<String>) {
        assert_eq!(self.node.app.store().verify(&company.grant()).await.unwrap().findings, []);
        let rows = company.admin.request("GET", "/v1/activity", "application/x-ndjson", &Value::Null).send().await;
        let rows: Vec<Value> = rows.body.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let found: HashSet<_> = rows.iter().map(|row| row["syncId"].as_str().unwrap()).collect();
        assert_eq!(found.len(), rows.len());
        let lost: Vec<_> = acknowledged.iter().filter(|name| !found.contains(name.as_str())).collect();
        assert!(lost.is_empty(), "{lost:?}");
        assert!(acknowledged.len() > 10, "{}", acknowledged.len());
        let report = company.admin.get("/v1/activity?page=1").await.json();
        assert_eq!(report["uncategorizedCO2e"], rows.len().to_string());
        println!("{} activities were acknowledged, {} are there", acknowledged.len(), rows.len());
    }
}

/// Waits until that many of the service's connections, and no more, are within a transaction.
pub(super) async fn until_in_transactions(url: &str, count: usize) {
    let text = "SELECT count(*)::text FROM pg_stat_activity WHERE application_name = 'tonne' AND state <> 'idle' \
                AND datname = current_database()";
    let since = Instant::now();
    loop {
        let found = ask(url, text).await;
        if found == [count.to_string()] {
            return;
        }
        assert!(since.elapsed() < SETTLED, "{found:?} connections are in transactions, not {count}");
    }
}
