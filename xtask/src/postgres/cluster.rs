//! A server and its data in a directory: `data`, `log` and the socket.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};

use super::account::Account;
use super::directory;
use super::programs::Programs;

const SETTINGS: [&str; 2] = ["listen_addresses=''", "max_connections=400"];
/// Nothing need survive a power cut. What was acknowledged survives the death of the server, so `synchronous_commit`
/// stays on: without it an immediate stop loses the last commits.
pub(super) const THROW_AWAY: [&str; 2] = ["fsync=off", "full_page_writes=off"];
/// So many lines of the log explain why a server did not start.
const LINES_SHOWN: usize = 12;

/// How a server ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shutdown {
    /// Transactions are undone, all is written.
    Fast,
    /// At once, as if killed.
    Immediate,
}

/// What a server's data survives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Safety {
    /// The death of the server.
    ThrowAway,
    /// The death of the machine, as with a server's usual settings.
    Durable,
}

/// A server of this program's own making, running or not.
pub(super) struct Cluster {
    directory: PathBuf,
    account: Option<Account>,
    programs: Programs,
}

impl Cluster {
    /// The server of the directory, made where there is none. It does not run yet if it did not before.
    pub(super) fn prepare(directory: &Path, programs: Programs) -> Result<Self> {
        if is_server(directory) {
            return Self::existing(directory, programs);
        }
        let account = Account::for_servers()?;
        let directory = directory::make(directory, account.as_ref())?;
        let cluster = Self { directory, account, programs };
        cluster.initialize()?;
        Ok(cluster)
    }

    /// The server that was made in the directory before.
    pub(super) fn existing(directory: &Path, programs: Programs) -> Result<Self> {
        let shown = directory.display();
        ensure!(is_server(directory), "{shown} holds no server: `cargo xtask postgres start {shown}` makes one");
        let directory = fs::canonicalize(directory).with_context(|| format!("cannot use {shown}"))?;
        let data = fs::metadata(directory.join("data")).with_context(|| format!("cannot read {shown}"))?;
        Ok(Self { directory, account: Account::owner_of(&data), programs })
    }

    /// Where the server's files and its socket are.
    pub(super) fn directory(&self) -> &Path {
        &self.directory
    }

    /// How its superuser reaches its first database.
    pub(super) fn url(&self) -> String {
        format!("postgres://postgres@localhost/postgres?host={}", self.directory.display())
    }

    /// A call of one of the server's programs, or of another by its path, as the user that the server runs as.
    pub(super) fn call(&self, program: impl AsRef<Path>) -> Command {
        let mut command = Command::new(self.programs.path(program));
        command.env_clear().env("PATH", "/usr/bin:/bin").env("HOME", &self.directory).env("LC_ALL", "C.UTF-8");
        command.current_dir(&self.directory).stdin(Stdio::null());
        if let Some(account) = &self.account {
            account.take_on(&mut command);
        }
        command
    }

    /// Where a shell finds the server's programs, and its own.
    pub(super) fn search_path(&self) -> String {
        format!("{}:/usr/bin:/bin", self.programs.folder().display())
    }

    fn initialize(&self) -> Result<()> {
        let arguments = "-U postgres -A trust -E UTF8 --locale=C.UTF-8 --no-sync --no-instructions";
        let mut initdb = self.call("initdb");
        let output = initdb.args(arguments.split(' ')).arg("-D").arg(self.data()).output();
        let output = output.context("cannot run `initdb`")?;
        let said = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success(), "`initdb` made no server in {}: {}", self.directory.display(), said.trim());
        Ok(())
    }

    /// Starts it, if it does not run, and waits until it takes connections.
    pub(super) fn start(&self, safety: Safety) -> Result<()> {
        let more: &[&str] = if safety == Safety::ThrowAway { &THROW_AWAY } else { &[] };
        self.start_with(&SETTINGS.iter().chain(more).copied().collect::<Vec<_>>())
    }

    /// The same with these settings in place of the usual ones, each a plain `name=value`.
    pub(super) fn start_with(&self, settings: &[&str]) -> Result<()> {
        if self.runs()? {
            return Ok(());
        }
        let mut options = format!("-c unix_socket_directories={}", self.directory.display());
        for setting in settings {
            options.push_str(" -c ");
            options.push_str(setting);
        }
        let mut start = self.control("start");
        start.args(["-w", "-t", "60"]).arg("-l").arg(self.log()).arg("-o").arg(options);
        if !start.status().context("cannot run `pg_ctl`")?.success() {
            let log = fs::read_to_string(self.log()).unwrap_or_default();
            let lines: Vec<_> = log.lines().collect();
            let last = &lines[lines.len().saturating_sub(LINES_SHOWN)..];
            bail!("the server of {} did not start; its log ends with\n{}", self.directory.display(), last.join("\n"));
        }
        Ok(())
    }

    /// Stops it, if it runs, and waits until it has ended.
    pub(super) fn stop(&self, shutdown: Shutdown) -> Result<()> {
        if !self.runs()? {
            return Ok(());
        }
        let mode = match shutdown {
            Shutdown::Fast => "fast",
            Shutdown::Immediate => "immediate",
        };
        let stopped = self.control("stop").args(["-w", "-t", "60", "-m", mode]).status();
        // It may have ended by itself since it was asked.
        let gone = stopped.context("cannot run `pg_ctl`")?.success() || !self.runs()?;
        ensure!(gone, "the server of {} does not stop; {} says why", self.directory.display(), self.log().display());
        Ok(())
    }

    fn runs(&self) -> Result<bool> {
        Ok(self.control("status").status().context("cannot run `pg_ctl`")?.success())
    }

    /// A silent call of `pg_ctl`: the server would hold on to any output it was given.
    fn control(&self, what: &str) -> Command {
        let mut command = self.call("pg_ctl");
        command.arg(what).arg("-D").arg(self.data()).stdout(Stdio::null()).stderr(Stdio::null());
        command
    }

    /// Where the server keeps its data and its settings.
    pub(super) fn data(&self) -> PathBuf {
        self.directory.join("data")
    }

    fn log(&self) -> PathBuf {
        self.directory.join("log")
    }
}

fn is_server(directory: &Path) -> bool {
    directory.join("data/PG_VERSION").is_file()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::postgres::directory::Scratch;

    impl Cluster {
        /// What the server answers to a statement.
        fn ask(&self, statement: &str) -> Option<String> {
            let mut psql = self.call("psql");
            let output = psql.args([&self.url(), "-XAtqc", statement]).output().unwrap();
            output.status.success().then(|| String::from_utf8(output.stdout).unwrap().trim().to_owned())
        }
    }

    #[test]
    fn what_was_acknowledged_is_there_after_every_kind_of_stop() {
        let scratch = Scratch::new().unwrap();
        let cluster = Cluster::prepare(scratch.path(), Programs::find().unwrap()).unwrap();
        for (count, shutdown) in [(1, Shutdown::Fast), (2, Shutdown::Immediate)] {
            cluster.start(Safety::ThrowAway).unwrap();
            cluster.start(Safety::ThrowAway).unwrap();
            cluster.ask("create table if not exists kept (n int)").unwrap();
            cluster.ask("insert into kept values (1)").unwrap();
            cluster.stop(shutdown).unwrap();
            cluster.stop(shutdown).unwrap();
            assert_eq!(cluster.ask("select 1"), None, "{shutdown:?}");

            let again = Cluster::existing(scratch.path(), Programs::find().unwrap()).unwrap();
            again.start(Safety::ThrowAway).unwrap();
            assert_eq!(again.ask("select count(*) from kept"), Some(count.to_string()), "{shutdown:?}");
            again.stop(Shutdown::Immediate).unwrap();
        }
    }

    #[test]
    fn a_directory_without_a_server_is_named_with_the_remedy() {
        let scratch = Scratch::new().unwrap();
        let error = Cluster::existing(scratch.path(), Programs::find().unwrap()).err().unwrap().to_string();
        assert!(error.contains("holds no server: `cargo xtask postgres start "), "{error}");
    }

    #[test]
    fn a_server_that_does_not_start_says_why() {
        let scratch = Scratch::new().unwrap();
        let cluster = Cluster::prepare(scratch.path(), Programs::find().unwrap()).unwrap();
        fs::write(cluster.data().join("postgresql.conf"), "no_such_setting = 1\n").unwrap();
        let error = cluster.start(Safety::ThrowAway).unwrap_err().to_string();
        assert!(error.contains("did not start") && error.contains("no_such_setting"), "{error}");
    }
}
