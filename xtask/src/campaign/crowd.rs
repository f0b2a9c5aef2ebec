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
use super::watch;
use super::writer::{Activities, table};
use crate::bench::latencies::Latencies;
use crate::bench::process::output;
use crate::bench::store::{Kind, Store};

const WRITERS: u32 = 16;
const IMPORTS: u32 = 3;
/// What the 99th percentile of single writes is to stay under, in milliseconds. It is told and not judged: it hangs on what
/// else the machine does.
const P99_MS: f64 = 500.0;

/// How long, and with how large files.
#[derive(Clone, Copy, Debug)]
pub(super) struct Size {
    /// So many seconds; imports that were begun are ended.
    pub(super) seconds: u32,
    /// Rows of a file: one that ends soon holds up nobody.
    pub(super) rows: u32,
}

/// Writes and imports at once, until the time is over.
pub(super) fn run(ground: &mut Ground, name: &str, size: Size) -> Result<Tally> {
    let Size { seconds, rows } = size;
    watch::doing_for("imports and single writes", Duration::from_mins(30));
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
                    let names: Vec<_> = (0..rows).map(|row| format!("import{import}-{number}-{row}")).collect();
                    let imported = imported(store, &room.join(format!("table-{import}.csv")), &names);
                    let is_well = imported.is_ok();
                    note(imported);
                    if !is_well {
                        break;
                    }
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
    let p99 = times.p99()?;
    let is_under = if p99 < P99_MS { "under" } else { "NOT under" };
    println!("{name}: single writes took {p99:.0} ms at the 99th percentile, {is_under} {P99_MS:.0} ms");
    tally.count("rows imported", files.load(Ordering::Relaxed) * u64::from(rows));
    tally.peak("single p50 ms", times.p50()?);
    tally.peak("single p99 ms", p99);
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
