//! Five processes on one file: a service with sixteen clients that write one by one, three imports of file after file, and
//! commands that read and write. All of them end, and nothing is lost.

use std::fs;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};

use super::ground::Ground;
use super::service::Service;
use super::tally::Tally;
use super::writer::{Activities, table};
use crate::bench::latencies::Latencies;
use crate::bench::process::output;
use crate::bench::store::{Kind, Store};

const WRITERS: u32 = 16;
const IMPORTS: u32 = 3;
/// Rows of a file.
const ROWS: u32 = 5_000;

/// For so many seconds.
pub(super) fn run(ground: &mut Ground, name: &str, seconds: u32) -> Result<Tally> {
    let store = ground.store(name, Kind::Sqlite)?;
    let room = store.folder.parent().context("a store without a folder")?.to_owned();
    let key = store.key("activity:read,activity:write")?;
    let (service, activities) = (Service::start(&store, &[])?, Activities::default());
    let (files, commands) = (AtomicU64::new(0), AtomicU64::new(0));
    let begin = Instant::now();
    let is_over = move || begin.elapsed() > Duration::from_secs(u64::from(seconds));
    let failures = Mutex::new(Vec::new());
    let note = |done: Result<()>| {
        if let (Err(error), Ok(mut all)) = (done, failures.lock()) {
            all.push(error);
        }
    };
    std::thread::scope(|scope| {
        let (service, activities, key, store, room) = (&service, &activities, &key, &store, &room);
        let (files, commands, note, is_over) = (&files, &commands, &note, &is_over);
        for writer in 0..WRITERS {
            scope.spawn(move || note(activities.write_on(service, key, &format!("single-{writer}"), is_over)));
        }
        for import in 0..IMPORTS {
            scope.spawn(move || {
                let mut number = 0;
                while !is_over() {
                    let names: Vec<_> = (0..ROWS).map(|row| format!("import{import}-{number}-{row}")).collect();
                    note(imported(store, &room.join(format!("table-{import}.csv")), &names));
                    activities.acknowledge_all(names);
                    files.fetch_add(1, Ordering::Relaxed);
                    number += 1;
                }
            });
        }
        scope.spawn(move || {
            while !is_over() {
                note(output(&mut store.command(["report"])).map(drop).context("`tonne report`"));
                note(store.key("activity:read").map(drop));
                commands.fetch_add(2, Ordering::Relaxed);
            }
        });
    });
    let failures = failures.into_inner().unwrap_or_default();
    if let Some(first) = failures.into_iter().next() {
        return Err(first);
    }
    ensure!(activities.unanswered() == 0, "{} requests were not answered", activities.unanswered());
    let mut tally = Tally::default();
    let times = Latencies::of(activities.times());
    tally.count("single writes", times.count() as u64);
    tally.count("files imported", files.load(Ordering::Relaxed));
    tally.count("commands", commands.load(Ordering::Relaxed));
    tally.count("refused", activities.refused());
    tally.peak("single p50 ms", times.p50()?);
    tally.peak("single p99 ms", times.p99()?);
    tally.peak("single longest ms", times.max()?);
    activities.check(&store, service, &key)?;
    ground.clear(name)?;
    Ok(tally)
}

fn imported(store: &Store, path: &Path, names: &[String]) -> Result<()> {
    fs::write(path, table(names)).context("cannot write a table")?;
    let mut command = store.command(["import", "activities"]);
    output(command.arg(path)).map(drop).context("an import beside others")
}
