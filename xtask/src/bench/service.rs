//! The program on a store: commands, and a service that ends with its owner.

use std::ffi::OsString;
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result, ensure};

use super::client::Client;

/// A store, by the flags that choose it.
pub(super) struct Store {
    /// What the table calls it.
    pub(super) name: &'static str,
    pub(super) arguments: Vec<OsString>,
}

impl Store {
    /// A command on the store.
    pub(super) fn command(&self, program: &Path) -> Call {
        let mut command = Command::new(program);
        command.args(&self.arguments).stdin(Stdio::null()).stdout(Stdio::piped());
        Call(command)
    }
}

/// A command to be given its words.
pub(super) struct Call(Command);

impl Call {
    pub(super) fn args<const N: usize>(mut self, words: [&str; N]) -> Self {
        self.0.args(words);
        self
    }

    pub(super) fn arg(mut self, path: &Path) -> Self {
        self.0.arg(path);
        self
    }

    /// Runs it and gives what it printed.
    pub(super) fn run(mut self) -> Result<String> {
        let output = self.0.output().context("cannot run the program")?;
        let said = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success(), "{:?} failed: {}", self.0, said.trim());
        Ok(String::from_utf8(output.stdout)?.trim().to_owned())
    }
}

/// A running service. It ends when it is dropped.
pub(super) struct Service {
    child: Child,
    base: String,
    key: String,
}

impl Service {
    /// Starts the service on a store that has the usual scopes.
    pub(super) fn start(program: &Path, store: &Store) -> Result<Self> {
        store.command(program).args(["import", "catalog", "--standard", "ghg-protocol"]).run()?;
        let key = store.command(program).args(["key", "create", "--name", "bench", "--permissions", "admin"]).run()?;
        let Call(mut serve) = store.command(program).args(["serve", "--listen", "127.0.0.1:0"]);
        let mut child = serve.spawn().context("cannot run the program")?;
        let output = child.stdout.take().context("the service has no standard output")?;
        let mut line = String::new();
        let read = BufReader::new(output).read_line(&mut line);
        let base = line.trim().rsplit(' ').next().unwrap_or_default().to_owned();
        let service = Self { child, base, key };
        read.context("cannot read from the service")?;
        ensure!(!service.base.is_empty(), "the service did not start; see above");
        Ok(service)
    }

    /// A client of its own connection.
    pub(super) fn client(&self) -> Result<Client> {
        Client::connect(&self.base, &self.key)
    }

    /// How much memory it has, in millions of bytes; on Linux alone.
    pub(super) fn resident_megabytes(&self) -> Result<u64> {
        let file = PathBuf::from(format!("/proc/{}/status", self.child.id()));
        let status = fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).context("no VmRSS")?;
        let kibibytes: u64 = line.trim().trim_end_matches(" kB").parse()?;
        Ok(kibibytes * 1024 / 1_000_000)
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        // It keeps nothing that a kill could lose.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
