//! PgBouncer in transaction mode before a server, on a socket in the server's directory.

use std::fs;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};

use super::cluster::Cluster;
use super::debian::Debian;

/// Where it is looked for beside `PATH`, which lacks the second for most users.
const PLACES: [&str; 2] = ["/usr/bin", "/usr/sbin"];
const MISSING: &str = "PgBouncer is not installed: on Debian `apt-get install pgbouncer`";

const PORT: u16 = 6432;
const PATIENCE: Duration = Duration::from_secs(10);

/// The program, if it is installed.
pub(super) fn find() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let places = std::env::split_paths(&path).chain(PLACES.map(PathBuf::from));
    places.map(|place| place.join("pgbouncer")).find(|program| program.is_file())
}

/// The program, installed first where it is not and that is allowed.
pub(super) fn find_or_install() -> Result<PathBuf> {
    if find().is_none() {
        ensure!(Debian::may_install(), MISSING);
        Debian::install("pgbouncer")?;
    }
    find().context(MISSING)
}

/// The pooler of a server, running or not.
pub(super) struct Pooler<'a> {
    cluster: &'a Cluster,
}

impl<'a> Pooler<'a> {
    pub(super) fn of(cluster: &'a Cluster) -> Self {
        Self { cluster }
    }

    /// How the server's superuser reaches its first database through it; other roles and databases go likewise.
    pub(super) fn url(&self) -> String {
        format!("postgres://postgres@localhost:{PORT}/postgres?host={}", self.cluster.directory().display())
    }

    /// Starts it, if it does not run, and waits until it takes connections. The server need not run.
    pub(super) fn start(&self, program: &Path) -> Result<()> {
        if self.answers() {
            return Ok(());
        }
        let file = self.file("pooler.ini");
        fs::write(&file, settings(self.cluster.directory()))
            .with_context(|| format!("cannot write {}", file.display()))?;
        let mut command = self.cluster.call(program);
        command.args(["--daemon", "--quiet"]).arg(&file).stdout(Stdio::null()).stderr(Stdio::null());
        let started = command.status().context("cannot run PgBouncer")?.success();
        if !started || !waited(|| self.answers()) {
            bail!("PgBouncer did not start; {} says why", self.file("pooler.log").display());
        }
        Ok(())
    }

    /// Stops it, if it runs; the connections through it break off.
    pub(super) fn stop(&self) -> Result<()> {
        if !self.answers() {
            return Ok(());
        }
        let console = self.url().replace("/postgres?", "/pgbouncer?");
        // It answers by closing the connection, which the client takes for a failure.
        let mut command = self.cluster.call("psql");
        command.args(["--no-psqlrc", "--command", "SHUTDOWN", &console]).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().context("cannot run `psql`")?;
        let gone = waited(|| !self.answers() && !self.file("pooler.pid").exists());
        ensure!(gone, "PgBouncer does not stop; {} says why", self.file("pooler.log").display());
        Ok(())
    }

    fn answers(&self) -> bool {
        UnixStream::connect(self.file(&format!(".s.PGSQL.{PORT}"))).is_ok()
    }

    fn file(&self, name: &str) -> PathBuf {
        self.cluster.directory().join(name)
    }
}

/// All databases under their names, all roles of the server without a password, all else as it comes.
fn settings(directory: &Path) -> String {
    let directory = directory.display();
    format!(
        "[databases]\n\
         * = host={directory}\n\
         [pgbouncer]\n\
         pool_mode = transaction\n\
         listen_addr =\n\
         listen_port = {PORT}\n\
         unix_socket_dir = {directory}\n\
         logfile = {directory}/pooler.log\n\
         pidfile = {directory}/pooler.pid\n\
         auth_type = trust\n\
         auth_user = postgres\n\
         admin_users = postgres\n\
         max_client_conn = 400\n"
    )
}

/// Whether it came to be true in time.
fn waited(is_so: impl Fn() -> bool) -> bool {
    let start = Instant::now();
    while !is_so() {
        if start.elapsed() > PATIENCE {
            return false;
        }
        thread::sleep(Duration::from_millis(20));
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_settings_pool_transactions_on_a_socket_alone() {
        let text = settings(Path::new("/tmp/a"));
        for line in ["pool_mode = transaction", "listen_addr =", "unix_socket_dir = /tmp/a", "* = host=/tmp/a"] {
            assert!(text.lines().any(|found| found == line), "{line}: {text}");
        }
    }
}
