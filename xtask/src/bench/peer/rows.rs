//! All activities as JSON by the shell of the store's own database: `sqlite3` and `psql`.

use std::io::Read as _;
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, ensure};

use crate::bench::figure::number;
use crate::bench::store::Store;
use crate::bench::subject::Subject;

/// The columns that the service streams, with the names of what they refer to.
const SQLITE: &str = "\
    SELECT lower(hex(a.id)) AS uuid, a.name, a.created, a.updated, a.sync_id AS syncId, a.description, a.quantity, a.unit,
           a.upstream AS UpstreamCO2e, a.downstream AS DownstreamCO2e,
           lower(hex(p.id)) AS product, p.name AS productName, lower(hex(s.scope)) AS scope, c.name AS scopeName,
           lower(hex(s.taxonomy)) AS taxonomy, t.name AS taxonomyName, lower(hex(s.org)) AS org, o.name AS orgName,
           a.start_at AS startDate, a.end_at AS endDate, a.incomplete
    FROM activity a JOIN series s ON s.key = a.series LEFT JOIN product p ON p.key = a.product
         LEFT JOIN scope c ON c.id = s.scope LEFT JOIN taxonomy t ON t.id = s.taxonomy LEFT JOIN org o ON o.id = s.org
    ORDER BY a.day, a.id";

const POSTGRES: &str = "\
    COPY (SELECT row_to_json(r) FROM (
        SELECT a.id AS uuid, a.name, a.created, a.updated, a.sync_id AS \"syncId\", a.description, a.quantity, a.unit,
               a.upstream AS \"UpstreamCO2e\", a.downstream AS \"DownstreamCO2e\",
               a.product, p.name AS \"productName\", s.scope, c.name AS \"scopeName\", s.taxonomy,
               t.name AS \"taxonomyName\", s.org, o.name AS \"orgName\", a.start_at AS \"startDate\",
               a.end_at AS \"endDate\", a.incomplete
        FROM tonne.activity a JOIN tonne.series s ON s.tenant_id = a.tenant_id AND s.key = a.series
             LEFT JOIN tonne.product p ON p.tenant_id = a.tenant_id AND p.id = a.product
             LEFT JOIN tonne.scope c ON c.tenant_id = a.tenant_id AND c.id = s.scope
             LEFT JOIN tonne.taxonomy t ON t.tenant_id = a.tenant_id AND t.id = s.taxonomy
             LEFT JOIN tonne.org o ON o.tenant_id = a.tenant_id AND o.id = s.org
        ORDER BY a.day, a.id) r) TO STDOUT";

/// The peer's name, and how many millions of bytes it prints in a second.
pub(in crate::bench) fn as_json(subject: &Subject, store: &Store) -> (&'static str, Result<f64>) {
    if let Some(server) = &subject.server {
        let mut psql = server.psql(&store.database());
        psql.args(["-c", POSTGRES]);
        return ("psql", megabytes_per_second(psql));
    }
    let mut sqlite3 = Command::new("sqlite3");
    sqlite3.args(["-readonly", "-json"]).arg(store.file()).arg(SQLITE);
    ("sqlite3 -json", megabytes_per_second(sqlite3))
}

fn megabytes_per_second(mut command: Command) -> Result<f64> {
    let begin = Instant::now();
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().context("not found")?;
    let mut output = child.stdout.take().context("no output")?;
    let (mut buffer, mut bytes) = (vec![0; 256 * 1024], 0);
    loop {
        let count = output.read(&mut buffer)?;
        if count == 0 {
            break;
        }
        bytes += count as u64;
    }
    let ended = child.wait_with_output()?;
    let said = String::from_utf8_lossy(&ended.stderr);
    ensure!(ended.status.success(), "failed: {}", said.trim());
    Ok(number(bytes) / 1e6 / begin.elapsed().as_secs_f64())
}
