//! What is measured: the program on one kind of store, with the company's tables and stores in a folder.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use anyhow::{Context, Result, anyhow, ensure};

use super::activities::{Order, write_file};
use super::company::Company;
use super::peer::duckdb::{self, DuckDb};
use super::process::{self, Usage};
use super::service::Service;
use super::store::{Kind, Store};
use crate::postgres::Durable;

/// Databases, tables and figures of one kind of store.
pub(super) struct Subject {
    pub(super) kind: Kind,
    pub(super) activities: u32,
    pub(super) folder: PathBuf,
    /// What no earlier run in the folder was called.
    pub(super) run: String,
    pub(super) server: Option<Durable>,
    program: PathBuf,
    duckdb: OnceLock<Result<DuckDb, String>>,
}

impl Subject {
    pub(super) fn new(kind: Kind, activities: u32, folder: &Path, kept: bool, program: &Path) -> Result<Self> {
        let server = match kind {
            Kind::Sqlite => None,
            Kind::Postgres if kept => Some(Durable::kept(&folder.join("postgres"))?),
            Kind::Postgres => Some(Durable::start()?),
        };
        let run = super::machine::said("date", &["-u", "+%y%m%d%H%M%S"])?;
        let (folder, program) = (folder.to_owned(), program.to_owned());
        Ok(Self { kind, activities, folder, run, server, program, duckdb: OnceLock::new() })
    }

    /// The table of so many activities in an order.
    pub(super) fn table(&self, count: u32, order: Order) -> Result<PathBuf> {
        let path = self.folder.join(format!("{}-{count}.csv", order.word()));
        write_file(&path, count, order, "a")?;
        Ok(path)
    }

    /// A table of activities that no store has yet, in ascending order.
    pub(super) fn new_table(&self, count: u32, name: &str) -> Result<PathBuf> {
        let path = self.folder.join(format!("{name}-{}.csv", self.run));
        write_file(&path, count, Order::Ascending, &format!("{name}-{}-", self.run))?;
        Ok(path)
    }

    /// The store that most rows are measured on: all activities on random days. It is made where there is none.
    pub(super) fn store(&self) -> Result<Store> {
        if !self.mark().is_file() {
            eprintln!("making the store of {} activities", self.activities);
            self.make_store()?;
        }
        self.store_called("random")
    }

    /// Makes that store anew and says what the import took.
    pub(super) fn make_store(&self) -> Result<Usage> {
        if self.mark().is_file() {
            fs::remove_file(self.mark()).context("cannot remove the mark of a store")?;
        }
        let usage = self.new_store("random")?.import(&self.table(self.activities, Order::RandomDays)?)?;
        fs::write(self.mark(), "").context("cannot mark a store as made")?;
        Ok(usage)
    }

    /// A new store with the company but its activities, in place of one of that name.
    pub(super) fn new_store(&self, name: &str) -> Result<Store> {
        self.founded(name, true)
    }

    /// The same without factors of its products.
    pub(super) fn new_store_without_factors(&self, name: &str) -> Result<Store> {
        self.founded(name, false)
    }

    fn founded(&self, name: &str, factors: bool) -> Result<Store> {
        self.remove_store(name)?;
        if let Some(server) = &self.server {
            server.ask("postgres", &format!("CREATE DATABASE {}", self.name_of(name)))?;
        }
        let store = self.store_called(name)?;
        process::output(&mut store.command(["import", "catalog", "--standard", "ghg-protocol"]))?;
        let service = Service::start(&store)?;
        Company::found(&service, factors)?;
        service.stop()?;
        if factors && self.kind == Kind::Sqlite {
            fs::copy(store.file(), self.empty_file()).context("cannot copy a store")?;
        }
        Ok(store)
    }

    /// Removes a store, if there is one of that name.
    pub(super) fn remove_store(&self, name: &str) -> Result<()> {
        let folder = self.folder.join(self.name_of(name));
        if folder.exists() {
            fs::remove_dir_all(&folder).with_context(|| format!("cannot remove {}", folder.display()))?;
        }
        if let Some(server) = &self.server {
            server.ask("postgres", &format!("DROP DATABASE IF EXISTS {} WITH (FORCE)", self.name_of(name)))?;
        }
        Ok(())
    }

    /// The file of a store without activities.
    pub(super) fn empty_file(&self) -> PathBuf {
        self.folder.join("sqlite-empty.db")
    }

    /// The name of a database with the company but its activities, for floor programs to write into.
    pub(super) fn floor_database(&self) -> Result<String> {
        let store = self.store_called("floor")?;
        let name = store.database();
        let server = self.server.as_ref().context("no server")?;
        let found = server.ask("postgres", &format!("SELECT count(*) FROM pg_database WHERE datname = '{name}'"))?;
        if found == "0" {
            self.new_store("floor")?;
        }
        Ok(name)
    }

    /// What `DuckDB` takes; it is measured once.
    pub(super) fn duckdb(&self) -> Result<DuckDb> {
        let measured = self.duckdb.get_or_init(|| duckdb::measure(self).map_err(|error| format!("{error:#}")));
        measured.clone().map_err(|reason| anyhow!("{reason}"))
    }

    /// How many bytes a store takes, without what is not copied from its log yet.
    pub(super) fn size(&self, store: &Store) -> Result<u64> {
        if let Some(server) = &self.server {
            return Ok(server.ask(&store.database(), "SELECT pg_database_size(current_database())")?.parse()?);
        }
        Ok(fs::metadata(store.file()).context("no file of a store")?.len())
    }

    fn store_called(&self, name: &str) -> Result<Store> {
        let folder = self.folder.join(self.name_of(name));
        match &self.server {
            None => Store::in_folder(&self.program, folder),
            Some(server) => Store::in_database(&self.program, folder, server.url_of(&self.name_of(name))),
        }
    }

    fn name_of(&self, store: &str) -> String {
        format!("{}_{store}_{}", self.kind.pick("sqlite", "postgres"), self.activities)
    }

    fn mark(&self) -> PathBuf {
        self.folder.join(self.name_of("random") + ".made")
    }

    /// A service on the store that most rows are measured on, with the company's records; a first report was asked.
    pub(super) fn warm_service(&self) -> Result<(Service, Company)> {
        let service = Service::start(&self.store()?)?;
        let company = Company::find(&service)?;
        let report = service.get("/v1/activity?page=1&pageSize=1")?;
        let count = report["count"].as_u64().context("a report has no count")?;
        ensure!(count >= u64::from(self.activities), "the store has {count} activities: make it anew with `import`");
        Ok((service, company))
    }
}
