//! Connections over TLS: the page's certificates are taken and checked, one that Citus makes itself is refused.

use anyhow::{Context, Result, ensure};

use super::site::{SETTINGS, Site};
use crate::bench::process::output;
use crate::campaign::tally::Tally;
use crate::campaign::watch;
use crate::postgres::Machine;
use crate::program::program;

/// What the page says of a certificate that Citus made.
const REFUSED: &str = "invalid peer certificate: Other(OtherError(UnsupportedCertVersion))";
/// A command on tables that are there.
const LISTS: &[&str] = &["tenant", "list"];
/// One that makes them.
const MIGRATES: &[&str] = &["migrate"];

pub(super) fn run(site: &Site) -> Result<Tally> {
    let mut tally = Tally::default();
    let url = site.store.url.clone().context("no address")?;
    watch::doing("the certificates of the page are tried");
    for mode in ["verify-full", "verify-ca", "require"] {
        connect(site, LISTS, &url.replace("verify-full", mode)).with_context(|| format!("sslmode={mode}"))?;
        tally.count("modes taken", 1);
    }
    // A certificate that did not sign the coordinator's.
    let authority = site.machines.path("certificates");
    let other = url
        .replace(&authority.join("ca.crt").display().to_string(), &authority.join("worker1.crt").display().to_string());
    says(connect(site, LISTS, &other), "invalid peer certificate")?;
    let superuser = format!("postgres://postgres@localhost:{}/tonne?sslmode=require", site.coordinator.port());
    says(connect(site, LISTS, &superuser), "connection requires a valid client certificate")?;
    tally.count("strangers refused", 2);
    let bare = bare(site)?;
    let url = format!("postgres://postgres@localhost:{}/tonne", bare.port());
    for mode in ["?sslmode=require", "?sslmode=prefer", ""] {
        says(connect(site, MIGRATES, &format!("{url}{mode}")), REFUSED).with_context(|| mode.to_owned())?;
        tally.count("modes refused with Citus's own certificate", 1);
    }
    connect(site, MIGRATES, &format!("{url}?sslmode=disable")).context("sslmode=disable")?;
    Ok(tally)
}

/// A server as it is where nobody gave it a certificate.
fn bare(site: &Site) -> Result<Machine> {
    watch::doing("a server without a certificate is started");
    let bare = site.machines.make("bare")?;
    let access = "local all all trust\nhost all all all trust\n";
    bare.configure("listen_addresses = 'localhost'\nshared_preload_libraries = 'citus'\n", access, "")?;
    bare.start()?;
    bare.shell(&site.page.block("The cluster", 0, &[])?)?;
    ensure!(bare.ask("tonne", "SHOW ssl")? == "on", "Citus has not turned `ssl` on");
    Ok(bare)
}

/// Runs a command with that address.
fn connect(site: &Site, words: &[&str], url: &str) -> Result<()> {
    let mut command = program(site.store.program());
    command.args(words).arg("--data-dir").arg(&site.store.folder).args(["--database-url", url]).envs(SETTINGS);
    output(&mut command).map(drop)
}

/// It failed, and said why.
fn says(tried: Result<()>, why: &str) -> Result<()> {
    let said = tried.err().map(|error| format!("{error:#}")).context("it was let in")?;
    ensure!(said.contains(why), "{why:?} is not in {said}");
    Ok(())
}
