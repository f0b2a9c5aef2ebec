//! A throw-away server that ends with whoever asked for it, even if that is killed.
//!
//! A process of its own keeps the server. It holds one end of a pipe: when the borrower ends, for whatever reason, so
//! does the pipe, and the keeper stops the server and removes it.

use std::io::{BufRead, BufReader, Write};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result, ensure};

use super::cluster::{Cluster, Safety, Shutdown};
use super::directory::Scratch;
use super::pooler::Pooler;
use super::programs::Programs;

/// A server borrowed from its keeper.
pub(crate) struct TemporaryServer {
    keeper: Child,
    url: String,
}

impl TemporaryServer {
    /// Has this program, found at the path, keep a new server; its programs must have been installed.
    pub(crate) fn borrow(program: &Path) -> Result<Self> {
        let mut command = Command::new(program);
        command.args(["postgres", "temporary"]).stdin(Stdio::piped()).stdout(Stdio::piped());
        // Ctrl-C reaches every process of the terminal's group: not the keeper, which has to clean up.
        let mut keeper = command.process_group(0).spawn().context("cannot run the keeper of a Postgres")?;
        let mut url = String::new();
        let output = keeper.stdout.take().context("the keeper of a Postgres has no standard output")?;
        let read = BufReader::new(output).read_line(&mut url);
        let server = Self { keeper, url: url.trim().to_owned() };
        read.context("cannot read from the keeper of a Postgres")?;
        ensure!(!server.url.is_empty(), "no Postgres for the tests; see above");
        Ok(server)
    }

    /// How its superuser reaches its first database.
    pub(crate) fn url(&self) -> &str {
        &self.url
    }
}

impl Drop for TemporaryServer {
    fn drop(&mut self) {
        drop(self.keeper.stdin.take());
        match self.keeper.wait() {
            Ok(status) if status.success() => {}
            Ok(status) => eprintln!("the keeper of the tests' Postgres ended with {status}"),
            Err(error) => eprintln!("cannot wait for the keeper of the tests' Postgres: {error}"),
        }
    }
}

/// Keeps a throw-away server until standard input ends; its URL is the one line printed.
pub(super) fn serve() -> Result<()> {
    let scratch = Scratch::new()?;
    let kept = Kept(Cluster::prepare(scratch.path(), Programs::find()?)?);
    kept.0.start(Safety::ThrowAway)?;
    let mut output = std::io::stdout();
    // Nobody there to read it any more: then there is nobody to wait for either.
    if writeln!(output, "{}", kept.0.url()).and_then(|()| output.flush()).is_ok() {
        std::io::copy(&mut std::io::stdin(), &mut std::io::sink()).context("cannot read standard input")?;
    }
    Ok(())
}

/// Stopped when it is dropped, which must be before its directory is.
struct Kept(Cluster);

impl Drop for Kept {
    fn drop(&mut self) {
        if let Err(error) = Pooler::of(&self.0).stop().and_then(|()| self.0.stop(Shutdown::Immediate)) {
            eprintln!("{error:#}");
        }
    }
}
