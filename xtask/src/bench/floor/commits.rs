//! The floor of single writes: a row's insert and its commit, on the disk each time.

use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use super::rows::{Row, batches};
use super::sqlite::{add, open};
use crate::bench::activities::Order;
use crate::bench::figure::number;
use crate::bench::latencies::Latencies;
use crate::bench::store::Kind;
use crate::bench::subject::Subject;

const MEASURED: Duration = Duration::from_secs(3);
const SECONDS: &str = "3";
/// More rows than are written in that time.
const ROWS: u32 = 2_000_000;

/// What commits took.
pub(in crate::bench) struct Commits {
    /// Rows in a second.
    pub(in crate::bench) rate: f64,
    /// The median of a commit in milliseconds.
    pub(in crate::bench) p50: f64,
}

/// Commits of rows by so many clients: on SQLite one transaction writes the rows of all that wait, on PostgreSQL each
/// client has its own.
pub(in crate::bench) fn commits(subject: &Subject, clients: usize) -> Result<Commits> {
    match subject.kind {
        Kind::Sqlite => in_file(subject, clients),
        Kind::Postgres => in_database(subject, clients),
    }
}

fn in_file(subject: &Subject, clients: usize) -> Result<Commits> {
    let file = subject.folder.join("commits.db");
    std::fs::copy(subject.empty_file(), &file).context("no empty store")?;
    let mut conn = open(&file)?;
    let mut times = Vec::new();
    let (begin, mut rows) = (Instant::now(), 0);
    for batch in batches(ROWS, Order::RandomDays, clients) {
        let started = Instant::now();
        let tx = conn.transaction()?;
        batch.iter().try_for_each(|row: &Row| add(&tx, row, 1))?;
        tx.commit()?;
        times.push(started.elapsed());
        rows += batch.len() as u64;
        if begin.elapsed() > MEASURED {
            break;
        }
    }
    let rate = number(rows) / begin.elapsed().as_secs_f64();
    drop(conn);
    for end in ["", "-wal", "-shm"] {
        let _ = std::fs::remove_file(subject.folder.join(format!("commits.db{end}")));
    }
    Ok(Commits { rate, p50: Latencies::of(times).p50()? })
}

/// By `pgbench`, which comes with the server.
fn in_database(subject: &Subject, clients: usize) -> Result<Commits> {
    let server = subject.server.as_ref().context("no server")?;
    let store = subject.floor_database()?;
    let tenant = server.ask(&store, "SELECT tenant_id FROM tonne.head LIMIT 1")?;
    let script = format!(
        "INSERT INTO tonne.activity (tenant_id, id, day, last, series, name, start_at, created, updated, version, digest)
         VALUES ('{tenant}', gen_random_uuid(), '2023-01-01', '2023-01-01', 0, 'Meter reading', '2023-01-01T00:00:00Z',
                 now(), now(), 1, sha256('a'));"
    );
    let said = server.pgbench(&store, &script, clients, SECONDS)?;
    let value = |name: &str| -> Result<f64> {
        let rest = said.split_once(name).with_context(|| format!("`pgbench` did not say {name}"))?.1;
        Ok(rest.trim_start().split(' ').next().unwrap_or_default().parse()?)
    };
    Ok(Commits { rate: value("tps =")?, p50: value("latency average =")? })
}
