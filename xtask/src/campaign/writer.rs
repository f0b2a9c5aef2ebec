//! Clients that add activities one after the other, and what is true of these afterwards.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use super::service::Service;
use super::watch;
use crate::bench::client::{Client, Credentials};
use crate::bench::process::output;
use crate::bench::store::Store;

const CREATED: u16 = 201;
/// The status of a service that is busy, or does not know whether it has written.
const UNAVAILABLE: u16 = 503;
const PAUSE: Duration = Duration::from_millis(5);
/// How long a service may be busy.
const PATIENCE: Duration = Duration::from_mins(1);

/// The activities of a round, by their syncIds.
#[derive(Default)]
pub(super) struct Activities {
    /// Those that the service said it has.
    acknowledged: Mutex<BTreeSet<String>>,
    /// Those whose request was not answered: they may be there or not.
    unanswered: Mutex<Vec<String>>,
    /// How many answers came in part.
    cut: AtomicU64,
    /// How often the service was busy or in doubt.
    refused: AtomicU64,
    /// How long each took to be acknowledged.
    times: Mutex<Vec<Duration>>,
}

impl Activities {
    /// How many the service said it has.
    pub(super) fn acknowledged(&self) -> u64 {
        self.acknowledged.lock().map_or(0, |all| all.len() as u64)
    }

    /// Their syncIds, in ascending order.
    pub(super) fn all_acknowledged(&self) -> Vec<String> {
        self.acknowledged.lock().map(|all| all.iter().cloned().collect()).unwrap_or_default()
    }

    pub(super) fn refused(&self) -> u64 {
        self.refused.load(Ordering::Relaxed)
    }

    /// How many answers were cut, of which some bytes came and not all.
    pub(super) fn cut(&self) -> u64 {
        self.cut.load(Ordering::Relaxed)
    }

    /// Those that were not answered and are there all the same.
    pub(super) fn unanswered_and_there(&self, service: &Service, key: &str) -> Result<Vec<String>> {
        let there: BTreeSet<_> = sync_ids(service, key)?.into_iter().collect();
        let unanswered = self.unanswered.lock().map(|all| all.clone()).unwrap_or_default();
        Ok(unanswered.into_iter().filter(|one| there.contains(one)).collect())
    }

    /// How many requests were not answered and not sent again.
    pub(super) fn unanswered(&self) -> usize {
        self.unanswered.lock().map_or(0, |all| all.len())
    }

    /// How long each took to be acknowledged.
    pub(super) fn times(&self) -> Vec<Duration> {
        self.times.lock().map(|times| times.clone()).unwrap_or_default()
    }

    /// Notes those that another process was told are there.
    pub(super) fn acknowledge_all(&self, sync_ids: Vec<String>) {
        watch::goes_on();
        if let Ok(mut all) = self.acknowledged.lock() {
            all.extend(sync_ids);
        }
    }

    fn acknowledge(&self, sync_id: String) {
        self.acknowledge_all(vec![sync_id]);
    }

    /// Adds activities until the connection breaks or `is_over`. What is not answered is noted, each other answer but the
    /// documented ones is an error.
    pub(super) fn write_on(
        &self,
        service: &Service,
        key: &str,
        prefix: &str,
        is_over: &(dyn Fn() -> bool + Sync),
    ) -> Result<()> {
        let Ok(mut client) = service.connect() else { return Ok(()) };
        for number in 0.. {
            if is_over() {
                break;
            }
            let sync_id = format!("{prefix}-{number}");
            if let Ok(status) = self.add(&mut client, service, key, &sync_id)? {
                ensure!(status == CREATED, "an activity was answered {status}");
                self.acknowledge(sync_id);
            } else {
                self.cut.fetch_add(u64::from(client.is_cut()), Ordering::Relaxed);
                if let Ok(mut all) = self.unanswered.lock() {
                    all.push(sync_id);
                }
                break;
            }
        }
        Ok(())
    }

    /// Adds one, again and again while the service is busy, each time with the same `Idempotency-Key`. The inner error is
    /// of the connection.
    fn add(&self, client: &mut Client, service: &Service, key: &str, sync_id: &str) -> Result<Result<u16>> {
        let credentials = service.credentials(key).with(&format!("Idempotency-Key: {sync_id}"));
        let mut request = Vec::new();
        credentials.send("POST", "/v1/activity", &activity(sync_id), &mut request);
        let begin = Instant::now();
        loop {
            let mut body = Vec::new();
            let status = match client.exchange(&request, |bytes| body.extend_from_slice(bytes)) {
                Ok(status) => status,
                Err(error) => return Ok(Err(error)),
            };
            match status {
                CREATED => {
                    if let Ok(mut times) = self.times.lock() {
                        times.push(begin.elapsed());
                    }
                    return Ok(Ok(status));
                }
                UNAVAILABLE if begin.elapsed() < PATIENCE => {
                    self.refused.fetch_add(1, Ordering::Relaxed);
                    std::thread::sleep(PAUSE);
                    if client.header("connection").is_some_and(|value| value.eq_ignore_ascii_case("close")) {
                        *client = match service.connect() {
                            Ok(client) => client,
                            Err(error) => return Ok(Err(error)),
                        };
                    }
                }
                _ => bail!("{sync_id} was answered {status}: {}", String::from_utf8_lossy(&body)),
            }
        }
    }

    /// Sends again what was not answered, as clients do: whether the first one was written or not, there is one afterwards.
    pub(super) fn settle(&self, service: &Service, key: &str) -> Result<u64> {
        let unanswered = self.unanswered.lock().map(|mut all| std::mem::take(&mut *all)).unwrap_or_default();
        let mut client = service.connect()?;
        let count = unanswered.len() as u64;
        for sync_id in unanswered {
            self.add(&mut client, service, key, &sync_id)?.with_context(|| format!("{sync_id} was sent again"))?;
            self.acknowledge(sync_id);
        }
        Ok(count)
    }

    /// Each of them is there once and nothing else is; the service ends well, and the store holds what it should.
    pub(super) fn check(&self, store: &Store, service: Service, key: &str) -> Result<()> {
        let found = sync_ids(&service, key)?;
        let expected = self.acknowledged.lock().map(|all| all.clone()).unwrap_or_default();
        let once: BTreeSet<_> = found.iter().cloned().collect();
        ensure!(once.len() == found.len(), "{} activities are there twice", found.len() - once.len());
        let lost: Vec<_> = expected.difference(&once).take(5).collect();
        ensure!(lost.is_empty(), "acknowledged and lost, such as {lost:?}");
        let strange: Vec<_> = once.difference(&expected).take(5).collect();
        ensure!(strange.is_empty(), "never acknowledged and there, such as {strange:?}");
        let status = service.terminate()?;
        ensure!(status.success(), "the service ended with {status}");
        verified(store)
    }
}

/// The syncIds of all activities that the service shows.
pub(super) fn sync_ids(service: &Service, key: &str) -> Result<Vec<String>> {
    watch::doing("all activities are read");
    sync_ids_of(&mut service.connect()?, &service.credentials(key))
}

/// The same over a connection that is there.
pub(super) fn sync_ids_of(client: &mut Client, credentials: &Credentials) -> Result<Vec<String>> {
    let mut request = Vec::new();
    credentials.get("/v1/activity", "Accept: application/x-ndjson\r\n", &mut request);
    let rows = String::from_utf8(client.body_of(&request)?).context("rows that are not UTF-8")?;
    let rows = rows.lines().map(|line| serde_json::from_str::<Value>(line).context("a row is no JSON"));
    let sync_ids = rows.map(|row| Ok(row?["syncId"].as_str().unwrap_or_default().to_owned()));
    sync_ids.collect()
}

/// `tonne verify` finds nothing.
pub(super) fn verified(store: &Store) -> Result<()> {
    watch::doing("`tonne verify`");
    let printed = output(&mut store.command(["verify"]))?;
    ensure!(printed.starts_with("OK"), "verify says: {printed}");
    Ok(())
}

/// An activity whose amount hangs on the number in its syncId.
pub(super) fn activity(sync_id: &str) -> String {
    let number: u64 = sync_id.rsplit('-').next().and_then(|number| number.parse().ok()).unwrap_or_default();
    format!(
        r#"{{"name":"Diesel","syncId":"{sync_id}","startDate":"2025-03-{:02}","UpstreamCO2e":"{number}.125"}}"#,
        number % 28 + 1
    )
}

/// A table of such activities.
pub(super) fn table(sync_ids: &[String]) -> String {
    let mut text = String::from("syncId,name,startDate,UpstreamCO2e\n");
    for (row, sync_id) in sync_ids.iter().enumerate() {
        // Writing to a text does not fail.
        let _ = writeln!(text, "{sync_id},Diesel,2025-03-{:02},{row}.125", row % 28 + 1);
    }
    text
}
