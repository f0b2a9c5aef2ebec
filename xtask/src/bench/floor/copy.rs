//! The floor of an import into PostgreSQL: `COPY` of the same rows into the same table.

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result, ensure};

use super::rows::{Row, batches, reference, uuid};
use crate::bench::activities::{Order, date};
use crate::bench::subject::Subject;
use crate::hex::hex;

const BATCH: usize = 20_000;
const COLUMNS: &str = "tenant_id, id, day, last, series, sync_id, name, quantity, unit, product, start_at, upstream, \
                       downstream, factor, created, updated, version, digest";

/// How many rows a second it takes.
pub(in crate::bench) fn rows_per_second(subject: &Subject, order: Order) -> Result<f64> {
    let server = subject.server.as_ref().context("no server")?;
    let database = subject.floor_database()?;
    let tenant = server.ask(&database, "SELECT tenant_id FROM tonne.head LIMIT 1")?;
    server.ask(&database, "TRUNCATE tonne.activity")?;
    let table = subject.folder.join("floor.copy");
    write(&table, subject.activities, order, &tenant)?;
    let begin = Instant::now();
    let mut psql = server.psql(&database);
    let statement = format!("COPY tonne.activity ({COLUMNS}) FROM STDIN");
    let output = psql.args(["-c", &statement]).stdin(File::open(&table)?).output().context("cannot run `psql`")?;
    let took = begin.elapsed();
    std::fs::remove_file(&table).context("cannot remove a table")?;
    ensure!(output.status.success(), "`psql` failed: {}", String::from_utf8_lossy(&output.stderr).trim());
    Ok(f64::from(subject.activities) / took.as_secs_f64())
}

/// Writes the rows in the form that `COPY` reads.
fn write(path: &Path, count: u32, order: Order, tenant: &str) -> Result<()> {
    let mut file = BufWriter::with_capacity(1 << 20, File::create(path).context("cannot write a table")?);
    for row in batches(count, order, BATCH).flatten() {
        let Row { series, sync_id, name, quantity, start_at, upstream, downstream, .. } = &row;
        let (id, day, digest) = (uuid(row.id), date(row.day), hex(&row.digest));
        let (product, factor) = (uuid(reference(4, row.activity.product)), uuid(reference(5, row.activity.product)));
        writeln!(
            file,
            "{tenant}\t{id}\t{day}\t{day}\t{series}\t{sync_id}\t{name}\t{quantity}\tkWh\t{product}\t{start_at}\t{upstream}\t\
             {downstream}\t{factor}\t2026-01-01 00:00:00Z\t2026-01-01 00:00:00Z\t1\t\\\\x{digest}"
        )?;
    }
    file.flush().context("cannot write a table")
}
