//! The steps of `docs/citus.md` from empty machines to distributed tables.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::page::{PASSWORD, Page, Places};
use super::site::SETTINGS;
use crate::bench::process::output;
use crate::campaign::watch;
use crate::cargo::root;
use crate::postgres::{Machine, Machines};
use crate::program::program;

/// The parts "Certificates", "Settings" and "The cluster" of the page.
pub(super) fn cluster(page: &Page, machines: &Machines, coordinator: &Machine, workers: &[Machine; 2]) -> Result<()> {
    watch::doing("the cluster is set up");
    let certificates = machines.path("certificates");
    machines.folder(&certificates)?;
    let made = page.block("Certificates", 0, &[("DNS:%s.internal", "DNS:localhost")])?;
    coordinator.shell(&format!("cd {}\n{made}", certificates.display()))?;
    let all = [("coordinator", coordinator), ("worker1", &workers[0]), ("worker2", &workers[1])];
    for (name, machine) in all {
        let tls = machines.path(name).join("tls");
        let (tls, from) = (tls.display().to_string(), certificates.display());
        machine.shell(&format!(
            "mkdir {tls}\ninstall -m 600 {from}/{name}.key {tls}/node.key\n\
             install -m 644 {from}/{name}.crt {tls}/node.crt\ninstall -m 644 {from}/ca.crt {tls}/ca.crt"
        ))?;
        let here: Places<'_> =
            &[("'*'", "'localhost'"), ("/etc/postgresql/tls", &tls), ("worker1.internal", "localhost")];
        let settings = page.block("Settings", 0, here)?;
        // Whoever runs the campaign need not be called like the superuser.
        let access = page.block("Settings", if name == "coordinator" { 1 } else { 2 }, &[("peer", "trust")])?;
        machine.configure(&format!("{settings}\n"), &format!("{access}\n"), &page.block("Settings", 3, &[])?)?;
        machine.start()?;
        machine.shell(&page.block("The cluster", 0, &[])?)?;
    }
    let named =
        all.map(|(name, machine)| (format!("'{name}.internal', 5432"), format!("'localhost', {}", machine.port())));
    let mut here: Vec<_> = named.iter().map(|(there, here)| (there.as_str(), here.as_str())).collect();
    let password = format!("'{PASSWORD}'");
    here.push(("'...'", &password));
    coordinator.shell(&page.block("The cluster", 1, &here)?).map(drop)
}

/// Where the page's commands of Tonne are run.
pub(super) struct Shell {
    room: PathBuf,
}

impl Shell {
    /// With the program as `tonne`.
    pub(super) fn new(room: &Path, tonne: &Path) -> Result<Self> {
        let programs = room.join("programs");
        fs::create_dir_all(&programs).context("cannot make a folder")?;
        symlink(tonne, programs.join("tonne")).context("cannot link the program")?;
        Ok(Self { room: room.to_owned() })
    }

    pub(super) fn run(&self, commands: &str, variables: &[(&str, &str)]) -> Result<String> {
        let mut shell = program("/bin/bash");
        let path = std::env::var("PATH").unwrap_or_default();
        shell.env("PATH", format!("{}:{path}", self.room.join("programs").display())).current_dir(&self.room);
        shell.env("TONNE_STORE__DATA_DIR", self.room.join("data")).envs(variables.iter().copied()).envs(SETTINGS);
        output(shell.args(["-euo", "pipefail", "-c", commands]))
    }

    /// Makes the tables as the page does, and gives the address of the service that it did it with.
    pub(super) fn migrate(&self, page: &Page, machines: &Machines, coordinator: &Machine) -> Result<String> {
        let host = format!("localhost:{}/tonne", coordinator.port());
        let authority = machines.path("certificates").join("ca.crt").display().to_string();
        let password = format!(":{PASSWORD}@");
        let here: Places<'_> =
            &[("coordinator.internal/tonne", &host), ("/etc/tonne/ca.crt", &authority), (":...@", &password)];
        let block = page.block("Tonne", 0, here)?;
        let address = |name: &str| block.split_once(&format!("{name}='"))?.1.split('\'').next().map(str::to_owned);
        let service = address("TONNE_DATABASE__URL").context("the page sets no TONNE_DATABASE__URL")?;
        self.run(&block, &[])?;
        Ok(service)
    }
}

/// Runs `deploy/citus.sql` as the page does, and gives what it prints.
pub(super) fn distribute(page: &Page, machines: &Machines, coordinator: &Machine) -> Result<String> {
    watch::doing("the tables are distributed");
    let copy = machines.path("coordinator").join("citus.sql");
    fs::copy(root().join("deploy/citus.sql"), &copy).context("cannot copy deploy/citus.sql")?;
    coordinator.shell(&page.block("Tonne", 1, &[])?)
}
