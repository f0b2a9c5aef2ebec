//! A running service. It ends with its owner.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use rustix::process::Signal;
use serde_json::Value;

use super::client::{Client, Credentials, host_of};
use super::figure::number;
use super::load::Load;
use super::process::{Process, signal};
use super::store::Store;

pub(super) struct Service {
    child: Child,
    base: String,
    /// From the start of the process to the line that says that it answers.
    pub(super) ready_after: Duration,
    /// Of a key that may do everything.
    pub(super) all: Credentials,
    /// Of a key that may read reports without their activities.
    pub(super) report: Credentials,
}

impl Service {
    /// Starts the service on a store.
    pub(super) fn start(store: &Store) -> Result<Self> {
        let keys = (store.key("admin")?, store.key("activity:report")?);
        let begin = Instant::now();
        let mut child = store.command(["serve", "--listen", "127.0.0.1:0"]);
        let mut child = child.stdout(Stdio::piped()).spawn().context("cannot run the program")?;
        let output = child.stdout.take().context("the service has no standard output")?;
        let mut line = String::new();
        let read = BufReader::new(output).read_line(&mut line);
        let ready_after = begin.elapsed();
        let base = line.trim().rsplit(' ').next().unwrap_or_default().to_owned();
        let (all, report) = (Credentials::of(&base, &keys.0), Credentials::of(&base, &keys.1));
        let service = Self { child, base, ready_after, all, report };
        read.context("cannot read from the service")?;
        ensure!(!service.base.is_empty(), "the service did not start; see above");
        Ok(service)
    }

    /// Of that key or token.
    pub(super) fn with_key(&self, key: &str) -> Credentials {
        Credentials::of(&self.base, key)
    }

    /// Its host and port.
    pub(super) fn host(&self) -> &str {
        host_of(&self.base)
    }

    /// A new connection to it.
    pub(super) fn connect(&self) -> Result<Client> {
        Client::connect(self.host())
    }

    /// Its process.
    pub(super) fn process(&self) -> Process {
        Process::of(&self.child)
    }

    /// Puts a load on it and gives the processor time that it took for each request, in milliseconds.
    pub(super) fn under(&self, load: impl FnOnce() -> Result<Load>) -> Result<(Load, Result<f64>)> {
        let before = self.process().processor();
        let load = load()?;
        let time = before.and_then(|before| Ok(self.process().processor()?.saturating_sub(before)));
        let each = time.map(|time| time.as_secs_f64() * 1e3 / number(load.answered));
        Ok((load, each))
    }

    /// What it answers to a path, as JSON.
    pub(super) fn get(&self, path: &str) -> Result<Value> {
        let mut request = Vec::new();
        self.all.get(path, "", &mut request);
        Ok(serde_json::from_slice(&self.connect()?.body_of(&request)?)?)
    }

    /// Ends it as operators do, and waits until it has.
    pub(super) fn stop(mut self) -> Result<()> {
        signal(&self.child, Signal::TERM).context("the service cannot be stopped")?;
        let status = self.child.wait().context("cannot wait for the service")?;
        ensure!(status.success(), "the service ended with {status}");
        Ok(())
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        // After `stop` there is nothing to kill; else a figure failed, and its error is the one to be shown.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
