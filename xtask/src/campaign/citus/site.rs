//! The cluster of `docs/citus.md` and its first companies: a coordinator and two workers on this machine.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::company::Company;
use super::page::{Page, about};
use super::setup::{Shell, cluster, distribute};
use crate::bench::process::output;
use crate::bench::store::Store;
use crate::campaign::ground::Ground;
use crate::campaign::service::Service;
use crate::campaign::watch;
use crate::campaign::writer::table;
use crate::postgres::{Machine, Machines};

/// Has the service answer for each company below its slug. A busy machine may take longer than usual to connect over TLS.
pub(super) const SETTINGS: [(&str, &str); 2] = [("TONNE_TENANCY__MODE", "path"), ("TONNE_DATABASE__WAIT_MS", "5000")];
/// What the page says of moves that take long.
const FOR_MOVES: [(&str, &str); 2] = [("TONNE_DATABASE__TURN_MS", "60000"), ("TONNE_DATABASE__HOLD_MS", "60000")];
/// The most companies that are made until each worker has some.
const MOST: u32 = 40;
/// Companies that each worker has at least.
const EACH: usize = 2;
/// Rows of the company that is there before the tables are distributed.
pub(super) const EARLIER: u32 = 500;
/// Rows that the first company imports once they are.
pub(super) const IMPORTED: u32 = 1_000;

/// The cluster, and Tonne on it.
pub(crate) struct Site {
    // Ends before the machines do.
    pub(super) service: Service,
    pub(super) companies: Vec<Company>,
    pub(super) page: Page,
    pub(super) store: Store,
    pub(super) coordinator: Machine,
    pub(super) workers: [Machine; 2],
    /// Bytes that tables of companies had on the coordinator before they were distributed.
    pub(super) bytes_before: u64,
    /// What the script printed last.
    pub(super) script_said: String,
    pub(super) room: PathBuf,
    // Goes last: the machines are in it.
    pub(super) machines: Machines,
}

impl Site {
    /// Sets everything up.
    pub(crate) fn new(ground: &Ground) -> Result<Self> {
        let room = ground.room("citus")?;
        let (page, machines) = (Page::read()?, Machines::new()?);
        let coordinator = machines.make("coordinator")?;
        let workers = [machines.make("worker1")?, machines.make("worker2")?];
        cluster(&page, &machines, &coordinator, &workers)?;
        watch::doing("Tonne is set up on the cluster");
        let shell = Shell::new(&room, ground.program())?;
        let address = shell.migrate(&page, &machines, &coordinator)?;
        let store = Store::in_database(ground.program(), room.join("data"), address)?;
        earlier(&store, &room)?;
        let bytes_before = local_bytes(&coordinator)?;
        let script_said = distribute(&page, &machines, &coordinator)?;
        shell
            .run(&page.block("Tonne", 2, &[])?, &[("TONNE_DATABASE__URL", store.url.as_deref().unwrap_or_default())])?;
        import(&store, &room, "acme", IMPORTED)?;
        let service = start(&store, &[])?;
        let companies = Vec::new();
        let mut site =
            Self { service, companies, page, store, coordinator, workers, bytes_before, script_said, room, machines };
        site.settle()?;
        Ok(site)
    }

    /// Makes companies until each worker has some.
    fn settle(&mut self) -> Result<()> {
        for number in 0..MOST {
            let places = self.places()?;
            let count = |worker: &Machine| places.iter().filter(|(_, port)| *port == worker.port()).count();
            if self.workers.iter().all(|worker| count(worker) >= EACH) {
                let slugs = places.into_iter().map(|(slug, _)| slug);
                self.companies = slugs.map(|slug| self.company(&slug)).collect::<Result<_>>()?;
                return Ok(());
            }
            self.create(&format!("company-{number}"))?;
        }
        bail!("{MOST} companies were made, and one of the workers has less than {EACH}")
    }

    /// A command of the program on the cluster.
    pub(super) fn command<const N: usize>(&self, words: [&str; N]) -> Command {
        command(&self.store, words)
    }

    /// Makes a company.
    pub(super) fn create(&self, slug: &str) -> Result<()> {
        watch::doing(format!("the company {slug} is made"));
        output(self.command(["tenant", "create", "--name=A company"]).arg(slug)).map(drop)
    }

    /// The slugs and identifiers of all companies.
    pub(super) fn listed(&self) -> Result<Vec<(String, String)>> {
        let listed: Value = serde_json::from_str(&output(&mut self.command(["tenant", "list", "--json"]))?)?;
        let all = listed.as_array().context("a list that is none")?.iter();
        let text = |company: &Value, name: &str| company[name].as_str().unwrap_or_default().to_owned();
        Ok(all.map(|company| (text(company, "slug"), text(company, "uuid"))).collect())
    }

    fn company(&self, slug: &str) -> Result<Company> {
        let (_, id) =
            self.listed()?.into_iter().find(|(listed, _)| listed == slug).context("a company is not listed")?;
        let key = output(&mut self.command(["--tenant", slug, "key", "create", "--name=all", "--permissions=admin"]))?;
        Ok(Company { slug: slug.to_owned(), id, key })
    }

    /// The page's statements about where companies are.
    pub(super) fn moving(&self, number: usize) -> Result<String> {
        self.page.statements("Moving companies", 0)?.into_iter().nth(number).context("a statement less on the page")
    }

    /// The port of the worker that has each company, by the page's own statement; here all have one name.
    fn places(&self) -> Result<Vec<(String, u16)>> {
        let statement = about(&self.moving(3)?, "", &[])?.replace("nodename", "nodeport");
        let rows = self.coordinator.ask("tonne", &statement)?;
        let place =
            |row: &str| row.split_once('|').and_then(|(slug, port)| Some((slug.to_owned(), port.parse().ok()?)));
        rows.lines().map(|row| place(row).with_context(|| format!("no place: {row}"))).collect()
    }

    /// The number of the worker that has a company.
    pub(super) fn place_of(&self, company: &Company) -> Result<usize> {
        let port = self.places()?.into_iter().find(|(slug, _)| *slug == company.slug).map(|(_, port)| port);
        self.workers.iter().position(|worker| Some(worker.port()) == port).context("a company without a worker")
    }

    /// A company on that worker.
    pub(super) fn on(&self, worker: usize) -> Result<&Company> {
        for company in &self.companies {
            if self.place_of(company)? == worker {
                return Ok(company);
            }
        }
        bail!("no company is on worker {}", worker + 1)
    }

    /// Another node, whose writers wait as long as a move may take.
    pub(super) fn node_for_moves(&self) -> Result<Service> {
        start(&self.store, &FOR_MOVES)
    }

    /// Runs the script again.
    pub(super) fn distribute_again(&mut self) -> Result<()> {
        self.script_said = distribute(&self.page, &self.machines, &self.coordinator)?;
        Ok(())
    }
}

/// A command of the program on the store, which has several companies.
fn command<const N: usize>(store: &Store, words: [&str; N]) -> Command {
    let mut command = store.command(words);
    command.envs(SETTINGS);
    command
}

/// A service with further settings.
fn start(store: &Store, more: &[(&str, &str)]) -> Result<Service> {
    let settings: Vec<_> = SETTINGS.iter().chain(more).map(|(name, value)| (*name, Path::new(*value))).collect();
    Service::start(store, &settings)
}

/// A company that is there before the tables are distributed.
fn earlier(store: &Store, room: &Path) -> Result<()> {
    output(&mut command(store, ["tenant", "create", "earlier", "--name=Earlier"]))?;
    import(store, room, "earlier", EARLIER)
}

fn import(store: &Store, room: &Path, slug: &str, rows: u32) -> Result<()> {
    watch::doing(format!("{slug} imports rows"));
    let file = room.join(format!("{slug}.csv"));
    let names: Vec<_> = (0..rows).map(|row| format!("row-{row}")).collect();
    fs::write(&file, table(&names)).context("cannot write a table")?;
    output(command(store, ["--tenant", slug, "import", "activities"]).arg(&file)).map(drop)
}

/// Bytes of the tables of companies that are on the coordinator itself.
pub(super) fn local_bytes(coordinator: &Machine) -> Result<u64> {
    let text = "SELECT coalesce(sum(pg_relation_size(oid)), 0) FROM pg_class \
                WHERE relnamespace = 'tonne'::regnamespace AND relkind = 'r'";
    coordinator.ask("tonne", text)?.parse().context("no number of bytes")
}
