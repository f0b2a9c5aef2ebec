//! A server with the usual settings, for measuring.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};

use super::cluster::{Cluster, Safety, Shutdown};
use super::directory::Scratch;
use super::programs::Programs;

/// A server that writes to the disk what it acknowledges. It ends when it is dropped, and is removed unless it is kept.
pub(crate) struct Durable {
    cluster: Cluster,
    // Removed when the server has ended; absent where the directory is kept.
    scratch: Option<Scratch>,
}

impl Durable {
    /// Starts a new one; what is missing is installed where that is allowed.
    pub(crate) fn start() -> Result<Self> {
        let scratch = Scratch::new()?;
        let cluster = Cluster::prepare(scratch.path(), Programs::find_or_install()?)?;
        cluster.start(Safety::Durable)?;
        Ok(Self { cluster, scratch: Some(scratch) })
    }

    /// Starts the server of a directory, with the data that it has; one that is absent or empty gets a new server.
    pub(crate) fn kept(directory: &Path) -> Result<Self> {
        let cluster = Cluster::prepare(directory, Programs::find_or_install()?)?;
        cluster.start(Safety::Durable)?;
        Ok(Self { cluster, scratch: None })
    }

    /// How its superuser reaches a database.
    pub(crate) fn url_of(&self, database: &str) -> String {
        self.cluster.url().replace("/postgres?", &format!("/{database}?"))
    }

    /// A call of `psql` on a database that prints values alone.
    pub(crate) fn psql(&self, database: &str) -> Command {
        let mut psql = self.cluster.call("psql");
        psql.args([&self.url_of(database), "-XAtq", "-v", "ON_ERROR_STOP=1"]);
        psql
    }

    /// What `pgbench` says of so many clients that each run a script again and again.
    pub(crate) fn pgbench(&self, database: &str, script: &str, clients: usize, seconds: &str) -> Result<String> {
        let clients = clients.to_string();
        let mut pgbench = self.cluster.call("pgbench");
        pgbench.args(["-n", "-M", "prepared", "-j", "2", "-c", &clients, "-T", seconds, "-f", "-"]);
        pgbench.arg(self.url_of(database)).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = pgbench.spawn().context("`pgbench` is not found")?;
        if let Some(mut input) = child.stdin.take() {
            input.write_all(script.as_bytes()).context("cannot write to `pgbench`")?;
        }
        let output = child.wait_with_output().context("cannot run `pgbench`")?;
        let said = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success(), "`pgbench` failed: {}", said.trim());
        Ok(String::from_utf8(output.stdout)?)
    }

    /// What a statement answers.
    pub(crate) fn ask(&self, database: &str, statement: &str) -> Result<String> {
        let mut psql = self.psql(database);
        let output = psql.args(["-c", statement]).stdin(Stdio::null()).output().context("cannot run `psql`")?;
        let said = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success(), "`psql` failed: {}", said.trim());
        Ok(String::from_utf8(output.stdout)?.trim().to_owned())
    }
}

impl Drop for Durable {
    fn drop(&mut self) {
        if let Err(error) = self.cluster.stop(if self.scratch.is_some() { Shutdown::Immediate } else { Shutdown::Fast })
        {
            eprintln!("{error:#}");
        }
    }
}
