//! An import beside a service on the same store: with one writer, with 32, and with a slow reader of all activities.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context, Result, bail};

use super::writes::{CLIENTS, write};
use super::{Figures, goal};
use crate::bench::figure::{Figure, Goal, Unit, number};
use crate::bench::load::Until;
use crate::bench::process::Usage;
use crate::bench::service::Service;
use crate::bench::subject::Subject;

/// How many activities are imported beside others, at most.
const ROWS: u32 = 500_000;
/// The slow reader takes so many bytes ten times a second: 32 kB/s.
const SIP: usize = 3_200;
const PAUSE: Duration = Duration::from_millis(100);

pub(super) fn writers(subject: &Subject, figures: &mut Figures) -> Result<()> {
    for (clients, name, who) in [(1, "one", "one writer"), (CLIENTS, "all", "32 writers")] {
        let (service, _) = subject.warm_service()?;
        let (usage, load) = import_beside(subject, name, |ended| write(subject, &service, clients, name, ended))?;
        let alone = clients == 1;
        // Half of what the import alone must reach on ascending days.
        let rate = if alone { Goal::Open } else { goal(subject, (Goal::AtLeast(45_000.0), Goal::AtLeast(35_000.0))) };
        add_import(subject, &usage, who, rate, figures);
        let p99 =
            Figure::new(format!("single writes of {who} beside an import: p99"), Unit::Millis, load.latencies.p99());
        figures.add(p99.goal(if alone { Goal::AtMost(300.0) } else { Goal::Open }));
        // A few that wait very long are no part of a 99th percentile.
        let longest = format!("single writes of {who} beside an import: longest");
        figures.add(Figure::new(longest, Unit::Millis, load.latencies.max()));
        figures.add(Figure::new(format!("single writes of {who} beside an import"), Unit::PerSecond, Ok(load.rate())));
        if load.refused > 0 {
            let refused = format!("single writes of {who} beside an import: answered 503");
            figures.add(Figure::new(refused, Unit::Times, Ok(number(load.refused))));
        }
        service.stop()?;
    }
    Ok(())
}

pub(super) fn slow_reader(subject: &Subject, figures: &mut Figures) -> Result<()> {
    let (service, _) = subject.warm_service()?;
    let (usage, read) = import_beside(subject, "slow", |until| {
        let Until::Ended(ended) = until else { bail!("a slow reader ends with the import") };
        read_slowly(&service, ended)
    })?;
    add_import(subject, &usage, "a slow reader", Goal::Open, figures);
    // One that was cut reads no more; so it is said.
    figures.add(Figure::new("what the slow reader got", Unit::Megabytes, Ok(number(read) / 1e6)));
    service.stop()
}

fn add_import(subject: &Subject, usage: &Usage, who: &str, goal: Goal, figures: &mut Figures) {
    let rate = f64::from(rows(subject)) / usage.took.as_secs_f64();
    figures.add(Figure::new(format!("import beside {who}"), Unit::RowsPerSecond, Ok(rate)).goal(goal));
    if usage.log > 0 {
        let log = number(usage.log) / f64::from(1 << 20);
        let log = Figure::new(format!("import beside {who}: WAL at most"), Unit::Mebibytes, Ok(log));
        figures.add(log.goal(Goal::AtMost(256.0)));
    }
}

fn rows(subject: &Subject) -> u32 {
    subject.activities.min(ROWS)
}

/// Imports a table that is new to the store and does the other work until it has ended.
fn import_beside<T>(subject: &Subject, name: &str, work: impl FnOnce(Until<'_>) -> Result<T>) -> Result<(Usage, T)> {
    let (store, table) = (subject.store()?, subject.new_table(rows(subject), name)?);
    let ended = AtomicBool::new(false);
    let done = std::thread::scope(|scope| {
        let import = scope.spawn(|| {
            let usage = store.import(&table);
            ended.store(true, Ordering::Relaxed);
            usage
        });
        let done = work(Until::Ended(&|| ended.load(Ordering::Relaxed)));
        let usage = import.join().unwrap_or_else(|_| bail!("the import was not watched to its end"))?;
        Ok((usage, done?))
    });
    std::fs::remove_file(&table).context("cannot remove a table")?;
    done
}

/// Reads the stream of all activities slowly until the import has ended, or the service has cut it.
fn read_slowly(service: &Service, ended: &(dyn Fn() -> bool + Sync)) -> Result<u64> {
    let mut stream = TcpStream::connect(service.host()).context("cannot connect")?;
    let mut request = Vec::new();
    service.all.get("/v1/activity", "", &mut request);
    stream.write_all(&request)?;
    let (mut sip, mut read) = ([0; SIP], 0);
    while !ended() {
        match stream.read(&mut sip) {
            Ok(0) | Err(_) => break,
            Ok(count) => read += count as u64,
        }
        std::thread::sleep(PAUSE);
    }
    Ok(read)
}
