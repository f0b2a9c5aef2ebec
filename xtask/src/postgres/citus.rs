//! Servers with Citus on this machine, for a cluster of them: each has a directory, a port and a name as `docs/citus.md` has
//! machines. They listen on loopback.

use std::fs;
use std::io::Write as _;
use std::net::TcpListener;
use std::os::unix::fs::chown;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU16, Ordering};

use anyhow::{Context, Result, ensure};

use super::account::Account;
use super::cluster::{Cluster, Shutdown, THROW_AWAY};
use super::directory::{self, Scratch};
use super::programs::Programs;

/// Ports of machines are looked for from here on, below those that a system gives to connections.
const FIRST_PORT: u16 = 25_432;

/// Says how to come by what is missing.
const MISSING: &str = "Citus is not installed for the PostgreSQL in use. Build it from its public source:\n\
    \x20   apt-get install postgresql-15 postgresql-server-dev-15 libcurl4-openssl-dev libzstd-dev liblz4-dev \\\n\
    \x20       libssl-dev libkrb5-dev flex bison gcc make git\n\
    \x20   git clone --depth 1 --branch v13.2.2 https://github.com/citusdata/citus && cd citus\n\
    \x20   ./configure && make with_llvm=no && make install with_llvm=no\n\
    Where `make` ends with \"static declaration of 'have_createdb_privilege' follows non-static declaration\" (PostgreSQL \
    15.20), the server has that function itself; then, before `make` again:\n\
    \x20   sed -i 's/^have_createdb_privilege(void)/citus_&/' src/include/pg_version_compat.h\n\
    Elsewhere name the directory of the server's programs in PG_BIN.";

/// It is an error, which says how to build it, where the PostgreSQL in use has no Citus.
pub(crate) fn check_citus() -> Result<()> {
    let programs = Programs::find_or_install()?;
    let asked = Command::new(programs.path("pg_config")).arg("--sharedir").stdin(Stdio::null()).output();
    // Of Debian's packages the server's has no `pg_config` of its own version; its folder is known.
    let folder = match asked {
        Ok(output) if output.status.success() => PathBuf::from(String::from_utf8(output.stdout)?.trim()),
        Ok(_) | Err(_) => share_of(programs.folder()),
    };
    ensure!(folder.join("extension/citus.control").is_file(), MISSING);
    Ok(())
}

/// `/usr/share/postgresql/15` of `/usr/lib/postgresql/15/bin`.
fn share_of(programs: &Path) -> PathBuf {
    let version = programs.parent().and_then(Path::file_name).unwrap_or_default();
    Path::new("/usr/share/postgresql").join(version)
}

/// A directory for machines, which is removed with all it holds.
pub(crate) struct Machines {
    scratch: Scratch,
    account: Option<Account>,
    next_port: AtomicU16,
}

impl Machines {
    /// A new one, without machines. Without Citus it is an error that says how to build it.
    pub(crate) fn new() -> Result<Self> {
        check_citus()?;
        let account = Account::for_servers()?;
        let scratch = Scratch::new()?;
        directory::make(scratch.path(), account.as_ref())?;
        Ok(Self { scratch, account, next_port: AtomicU16::new(FIRST_PORT) })
    }

    /// The directory of a machine of that name, and what is to be on each of them.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.scratch.path().join(name)
    }

    /// Makes a machine: its server has no settings yet and does not run.
    pub(crate) fn make(&self, name: &str) -> Result<Machine> {
        let cluster = Cluster::prepare(&self.path(name), Programs::find()?)?;
        Ok(Machine { cluster, port: self.free_port()? })
    }

    /// Makes a directory for the user that the servers run as.
    pub(crate) fn folder(&self, path: &Path) -> Result<()> {
        fs::create_dir_all(path).with_context(|| format!("cannot make {}", path.display()))?;
        let Some(account) = &self.account else { return Ok(()) };
        chown(path, Some(account.uid), Some(account.gid)).with_context(|| format!("cannot give {}", path.display()))
    }

    fn free_port(&self) -> Result<u16> {
        let is_free = |port: &u16| TcpListener::bind(("127.0.0.1", *port)).is_ok();
        let port =
            (self.next_port.load(Ordering::Relaxed)..32_000).find(is_free).context("no port is free below 32,000")?;
        self.next_port.store(port + 1, Ordering::Relaxed);
        Ok(port)
    }
}

/// A server of the cluster. It ends with its owner.
pub(crate) struct Machine {
    cluster: Cluster,
    port: u16,
}

impl Machine {
    /// The port that it listens on.
    pub(crate) const fn port(&self) -> u16 {
        self.port
    }

    /// Adds lines to its settings, and replaces who may connect (`pg_hba.conf`) and who is whom (`pg_ident.conf`).
    pub(crate) fn configure(&self, settings: &str, access: &str, names: &str) -> Result<()> {
        let data = self.cluster.data();
        let file = data.join("postgresql.conf");
        let usual = fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
        let written = [("postgresql.conf", &*format!("{usual}{settings}")), ("pg_hba.conf", access)];
        for (name, text) in written.into_iter().chain([("pg_ident.conf", names)]) {
            fs::write(data.join(name), text).with_context(|| format!("cannot write {name}"))?;
        }
        Ok(())
    }

    /// Starts it, if it does not run.
    pub(crate) fn start(&self) -> Result<()> {
        let port = format!("port={}", self.port);
        self.cluster.start_with(&[&[&*port], &THROW_AWAY[..]].concat())
    }

    /// Ends it as if it was killed.
    pub(crate) fn kill(&self) -> Result<()> {
        self.cluster.stop(Shutdown::Immediate)
    }

    /// The number of its first process, whose children are all others.
    pub(crate) fn process(&self) -> Result<u32> {
        let file = fs::read_to_string(self.cluster.data().join("postmaster.pid")).context("the server does not run")?;
        file.lines().next().and_then(|line| line.trim().parse().ok()).context("a server without a number")
    }

    /// Runs commands of a shell as the user that the server runs as, in its directory; the server's programs reach it as its
    /// superuser. Gives what they print.
    pub(crate) fn shell(&self, commands: &str) -> Result<String> {
        let mut shell = self.cluster.call("/bin/bash");
        shell.args(["-euo", "pipefail", "-c", commands]).env("PGPORT", self.port.to_string()).env("PGUSER", "postgres");
        shell.env("PGHOST", self.cluster.directory()).env("PATH", self.cluster.search_path());
        let output = shell.output().context("cannot run a shell")?;
        let said = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success(), "{commands}\nended with {}: {}", output.status, said.trim());
        Ok(String::from_utf8(output.stdout)?.trim().to_owned())
    }

    /// What statements answer in a database, to its superuser: values alone. They are sent one by one, as a setting is carried
    /// to the workers with the whole message that it is in.
    pub(crate) fn ask(&self, database: &str, statements: &str) -> Result<String> {
        let mut psql = self.cluster.call("psql");
        let place = format!("host={} port={} user=postgres", self.cluster.directory().display(), self.port);
        psql.args(["-XAtq", "-v", "ON_ERROR_STOP=1", "-f", "-", &format!("{place} dbname={database}")]);
        psql.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = psql.spawn().context("cannot run `psql`")?;
        let written = child.stdin.take().map(|mut input| input.write_all(statements.as_bytes()));
        let output = child.wait_with_output().context("cannot run `psql`")?;
        written.transpose().context("cannot write to `psql`")?;
        let said = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success(), "{statements}\n`psql` failed: {}", said.trim());
        Ok(String::from_utf8(output.stdout)?.trim().to_owned())
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        if let Err(error) = self.kill() {
            eprintln!("{error:#}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_said_with_the_packages_and_the_tag() {
        for part in ["v13.2.2", "postgresql-server-dev-15", "libcurl4-openssl-dev", "make install", "PG_BIN"] {
            assert!(MISSING.contains(part), "{part}");
        }
    }

    #[test]
    fn the_shared_files_of_debians_programs_are_known() {
        assert_eq!(share_of(Path::new("/usr/lib/postgresql/15/bin")), Path::new("/usr/share/postgresql/15"));
    }
}
