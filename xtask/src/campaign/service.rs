//! A running service that is attacked. It ends with its owner.

use std::fs::OpenOptions;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use rustix::process::Signal;

use crate::bench::client::{Client, Credentials, host_of};
use crate::bench::process::{self, Process};
use crate::bench::store::Store;
use crate::campaign::watch;

/// How long a service may take to end.
const END: Duration = Duration::from_mins(1);
/// How long a client waits for a byte.
const PATIENCE: Duration = Duration::from_mins(1);
const PAUSE: Duration = Duration::from_millis(5);

pub(super) struct Service {
    child: Child,
    base: String,
}

impl Service {
    /// Starts it on a store, with further variables; what it logs goes to `service.log` beside the data.
    pub(super) fn start(store: &Store, variables: &[(&str, &Path)]) -> Result<Self> {
        let log = store.folder.parent().context("a store without a folder")?.join("service.log");
        let log = OpenOptions::new().create(true).append(true).open(log).context("cannot open the log")?;
        let mut command = store.command(["serve", "--listen", "127.0.0.1:0"]);
        command.envs(variables.iter().copied()).stdout(Stdio::piped()).stderr(log);
        let mut child = command.spawn().context("cannot run the program")?;
        let output = child.stdout.take().context("the service has no standard output")?;
        let mut line = String::new();
        let read = BufReader::new(output).read_line(&mut line);
        let base = line.trim().rsplit(' ').next().unwrap_or_default().to_owned();
        let service = Self { child, base };
        read.context("cannot read from the service")?;
        watch::doing("a service has started");
        ensure!(service.base.starts_with("http"), "the service did not start: its log says why");
        Ok(service)
    }

    /// Its base address.
    pub(super) fn base(&self) -> &str {
        &self.base
    }

    /// Its host and port.
    pub(super) fn host(&self) -> &str {
        host_of(&self.base)
    }

    /// What requests with a key begin with.
    pub(super) fn credentials(&self, key: &str) -> Credentials {
        Credentials::of(&self.base, key)
    }

    /// A new connection to it, which does not wait for ever.
    pub(super) fn connect(&self) -> Result<Client> {
        Client::patient(self.host(), PATIENCE)
    }

    /// Its process.
    pub(super) fn process(&self) -> Process {
        Process::of(&self.child)
    }

    /// Sends it a signal.
    pub(super) fn signal(&self, signal: Signal) -> Result<()> {
        process::signal(&self.child, signal).context("the service had ended before it was asked to")
    }

    /// Waits until it has ended, as it was asked to, and gives how it did.
    pub(super) fn ended(mut self) -> Result<ExitStatus> {
        self.wait()
    }

    /// The same, for an owner who starts another one in its place.
    pub(super) fn wait(&mut self) -> Result<ExitStatus> {
        let begin = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().context("cannot wait for the service")? {
                return Ok(status);
            }
            if begin.elapsed() > END {
                bail!("the service did not end within {} s of being asked to", END.as_secs());
            }
            std::thread::sleep(PAUSE);
        }
    }

    /// Asks it to end as operators do, and gives how it did.
    pub(super) fn terminate(self) -> Result<ExitStatus> {
        self.signal(Signal::TERM)?;
        self.ended()
    }

    /// Whether it has ended by itself.
    pub(super) fn has_ended(&mut self) -> Result<bool> {
        Ok(self.child.try_wait().context("cannot look at the service")?.is_some())
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        // After it has ended there is nothing to kill; else a claim failed, and that is the error to be shown.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
