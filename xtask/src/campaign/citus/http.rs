//! The tests over HTTP, on databases of the cluster that they take in turns.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, ensure};

use super::site::Site;
use crate::bench::process::output;
use crate::campaign::tally::Tally;
use crate::campaign::watch;
use crate::cargo::root;
use crate::program::program;

/// As many tests run at a time.
const DATABASES: u32 = 4;
/// Shards of each table: some for each worker.
const SHARDS: u32 = 4;
/// How long they take at most.
const LONG: Duration = Duration::from_hours(2);

/// Runs them from the program that was built for it.
pub(super) fn run(site: &Site, tests: &Path) -> Result<Tally> {
    let names: Vec<_> = (1..=DATABASES).map(|number| format!("suite_{number}")).collect();
    let urls = names.iter().map(|name| database(site, name)).collect::<Result<Vec<_>>>()?;
    watch::doing_for("the tests over HTTP run", LONG);
    let mut command = Command::new(tests);
    command.args(["http::", &format!("--test-threads={DATABASES}")]).current_dir(root().join("app"));
    command.env("TONNE_TEST_VARIANT", "postgres-path").env("TONNE_TEST_DATABASES", urls.join(" "));
    command.env("TONNE_TEST_POSTGRES", url(site, "postgres"));
    let ended = command.stdin(Stdio::null()).output().context("cannot run the tests")?;
    let said = String::from_utf8_lossy(&ended.stdout) + String::from_utf8_lossy(&ended.stderr);
    let log = site.room.join("http.log");
    fs::write(&log, said.as_bytes()).context("cannot write what the tests said")?;
    let failed: Vec<_> = said.lines().filter_map(|line| line.strip_suffix(" ... FAILED")).collect();
    ensure!(ended.status.success(), "{} tests failed, see {}: {}", failed.len(), log.display(), failed.join(", "));
    let passed = said.lines().filter(|line| line.ends_with(" ... ok")).count() as u64;
    ensure!(passed > 0, "no test has run, see {}", log.display());
    let mut tally = Tally::default();
    tally.count("tests over HTTP passed", passed);
    Ok(tally)
}

/// A database of the cluster, distributed and empty; gives its address for a superuser.
fn database(site: &Site, name: &str) -> Result<String> {
    watch::doing(format!("the database {name} is made"));
    for machine in [&site.coordinator].into_iter().chain(&site.workers) {
        machine.shell(&site.page.block("The cluster", 0, &[("tonne", name)])?)?;
    }
    // Each test empties every shard.
    let few = format!("ALTER DATABASE {name} SET citus.shard_count = {SHARDS};\n");
    let coordinator = format!("SELECT citus_set_coordinator_host('localhost', {});\n", site.coordinator.port());
    let workers = site.workers.iter().map(|worker| format!("SELECT citus_add_node('localhost', {});\n", worker.port()));
    site.coordinator.ask(name, &[few, coordinator].into_iter().chain(workers).collect::<String>())?;
    let url = url(site, name);
    let mut migrate = program(site.store.program());
    migrate.args(["migrate", "--database-url", &url]).arg("--data-dir").arg(&site.store.folder);
    output(&mut migrate)?;
    site.coordinator.shell(&site.page.block("Tonne", 1, &[("sql tonne", &format!("sql {name}"))])?)?;
    Ok(url)
}

fn url(site: &Site, database: &str) -> String {
    let folder = site.machines.path("coordinator");
    format!("postgres://postgres@localhost:{}/{database}?host={}", site.coordinator.port(), folder.display())
}
