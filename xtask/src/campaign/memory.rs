//! How much memory the service takes while fifty connections ask and one of them reads all activities in a stream.

use std::fs;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};

use super::ground::Ground;
use super::service::Service;
use super::tally::Tally;
use super::watch;
use super::writer::{activity, table};
use crate::bench::client::Client;
use crate::bench::process::{Watch, run as run_command};
use crate::bench::store::Kind;

const CONNECTIONS: u32 = 50;
/// The most that the service may take, in MiB.
const SERVICE: u64 = 300;
/// The most that the import of all activities may take, in MiB.
const IMPORT: u64 = 400;
const MIB: u64 = 1 << 20;

/// With so many activities in the store.
pub(super) fn run(ground: &mut Ground, name: &str, kind: Kind, activities: u32) -> Result<Tally> {
    let store = ground.store(name, kind)?;
    let path = store.folder.with_file_name("table.csv");
    let names: Vec<_> = (0..activities).map(|row| format!("row-{row}")).collect();
    fs::write(&path, table(&names)).context("cannot write a table")?;
    drop(names);
    watch::doing_for("an import", Duration::from_mins(30));
    let mut import = store.command(["import", "activities"]);
    let import = run_command(import.arg(&path), Watch::default())?.memory.context("no /proc")?;
    ensure!(import <= IMPORT * MIB, "the import took {} MiB, of {IMPORT}", import / MIB);
    let key = store.key("activity:read,activity:write")?;
    let service = Service::start(&store, &[])?;
    let (is_over, answered) = (AtomicBool::new(false), AtomicU64::new(0));
    let rows = std::thread::scope(|scope| {
        let (service, key, is_over, answered) = (&service, &key, &is_over, &answered);
        let others: Vec<_> = (1..CONNECTIONS)
            .map(|connection| {
                scope.spawn(move || {
                    let asked = ask(service, key, connection, is_over, answered);
                    is_over.fetch_or(asked.is_err(), Ordering::Relaxed);
                    asked
                })
            })
            .collect();
        let rows = stream(service, key);
        is_over.store(true, Ordering::Relaxed);
        for other in others {
            other.join().ok().context("a connection failed")??;
        }
        rows
    })?;
    ensure!(rows >= u64::from(activities), "the stream has {rows} rows of {activities}");
    let memory = service.process().peak_memory().context("no /proc")?;
    let mut tally = Tally::default();
    tally.count("rows streamed", rows);
    tally.count("requests beside the stream", answered.load(Ordering::Relaxed));
    tally.peak("service MiB", mebibytes(memory));
    tally.peak("import MiB", mebibytes(import));
    ensure!(memory <= SERVICE * MIB, "the service took {} MiB, of {SERVICE}", memory / MIB);
    let status = service.terminate()?;
    ensure!(status.success(), "the service ended with {status}");
    ground.clear(name)?;
    Ok(tally)
}

/// Reads all activities and gives how many there are.
fn stream(service: &Service, key: &str) -> Result<u64> {
    let mut request = Vec::new();
    service.credentials(key).get("/v1/activity", "Accept: application/x-ndjson\r\n", &mut request);
    watch::doing("the stream");
    let mut rows = 0;
    let status = service.connect()?.exchange(&request, |bytes| {
        watch::goes_on();
        rows += bytes.split(|byte| *byte == b'\n').count() as u64 - 1;
    })?;
    ensure!(status == 200, "the stream was answered {status}");
    Ok(rows)
}

/// Asks until it is over: pages, totals, single activities and writes.
fn ask(service: &Service, key: &str, connection: u32, is_over: &AtomicBool, answered: &AtomicU64) -> Result<()> {
    let (mut client, credentials): (Client, _) = (service.connect()?, service.credentials(key));
    let mut request = Vec::new();
    for number in 0_u32.. {
        if is_over.load(Ordering::Relaxed) {
            break;
        }
        match number % 4 {
            0 => credentials.get(&format!("/v1/activity?page={}&pageSize=100", number % 50 + 1), "", &mut request),
            1 => credentials.get("/v1/activity?page=1&pageSize=1&date=2025-03", "", &mut request),
            2 => credentials.get(&format!("/v1/activity?syncId=row-{number}&page=1"), "", &mut request),
            _ => {
                let body = activity(&format!("new-{connection}-{number}"));
                credentials.send("POST", "/v1/activity", &body, &mut request);
            }
        }
        let mut body = Vec::new();
        let status = client.exchange(&request, |bytes| body.extend_from_slice(bytes))?;
        if !matches!(status, 200 | 201 | 503) {
            bail!("was answered {status}: {}", String::from_utf8_lossy(&body));
        }
        answered.fetch_add(1, Ordering::Relaxed);
    }
    Ok(())
}

/// So many bytes in MiB.
#[expect(clippy::cast_precision_loss, reason = "a figure to be read")]
pub(super) fn mebibytes(bytes: u64) -> f64 {
    bytes as f64 / MIB as f64
}
