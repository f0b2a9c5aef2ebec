//! What is exported from and imported into: a store with a directory, empty or filled.

use std::collections::HashSet;
use std::io::Cursor;
use std::sync::Arc;

use domain::{Attribution, Filter};
use memory::{MemoryDirectory, MemoryStore};
use ports::contract::sample;
use ports::directory::{Directory, Tenant};
use ports::id_source::Ids;
use ports::import_batch::ImportBatch;
use ports::inbound::{Activities as _, ReportQuery};
use ports::people::People as _;
use ports::repo::Page;
use ports::store::{Store, WriteTx};
use ports::{Caller, Grant, ImportId, Installation, Maintenance, Permissions, Version};
use sqlite::{Options, SqliteStore};
use tempfile::TempDir;
use tonne::usecase::activity::ActivityService;
use tonne::usecase::checkpoint::Checkpoints;
use tonne::usecase::read_model::ReadModels;
use tonne::usecase::transfer::{Credentials, ImportError, Imported, Incoming, WithPeople, export, import};

use super::super::{Counting, Noon};
use super::NUMBER;
use crate::demo::world::World;

/// A store of one sort with a directory.
pub(super) struct Site {
    pub(super) store: Arc<dyn Store>,
    pub(super) directory: MemoryDirectory,
    pub(super) tenant: Tenant,
    _folder: Option<TempDir>,
}

impl Site {
    pub(super) async fn in_memory() -> Self {
        Self::with(Arc::new(MemoryStore::new(Arc::new(Counting::default()))), None).await
    }

    pub(super) async fn on_disk() -> Self {
        Self::on_disk_with(|_| {}).await
    }

    pub(super) async fn on_disk_with(set: impl FnOnce(&mut Options)) -> Self {
        let folder = TempDir::new().unwrap();
        let mut options = Options::new(Arc::new(Noon), Arc::new(Counting::default()));
        set(&mut options);
        Self::with(Arc::new(SqliteStore::open(folder.path(), options)), Some(folder)).await
    }

    async fn with(store: Arc<dyn Store>, folder: Option<TempDir>) -> Self {
        let (directory, tenant) = (MemoryDirectory::new(Arc::new(Noon)), sample::tenant(NUMBER, "acme"));
        let installation = Grant::for_maintenance(Installation, "test");
        directory.add_tenant(&installation, tenant.clone()).await.unwrap();
        store.prepare(&Grant::for_maintenance(tenant.id, "test")).await.unwrap();
        Self { store, directory, tenant, _folder: folder }
    }

    pub(super) fn with_people(&self) -> WithPeople<'_> {
        WithPeople { directory: &self.directory, people: &self.directory }
    }

    pub(super) fn grant(&self) -> Grant<Maintenance> {
        Grant::for_maintenance(self.tenant.id, "test")
    }

    pub(super) async fn export(&self, credentials: Credentials) -> Vec<u8> {
        let (mut bytes, progress) = (Vec::new(), |_| {});
        let store = self.store.as_ref();
        export(store, self.with_people(), (&self.grant(), &self.tenant), credentials, &mut bytes, &progress)
            .await
            .unwrap();
        bytes
    }

    pub(super) async fn import(&self, bytes: Vec<u8>, credentials: Credentials) -> Result<Imported, ImportError> {
        let incoming = Incoming::open(Box::new(Cursor::new(bytes)))?;
        import(self.store.as_ref(), self.with_people(), &self.grant(), credentials, incoming).await
    }

    /// Whether there is neither a record nor a history nor a credential.
    pub(super) async fn is_empty(&self) -> bool {
        let grant = self.grant().to_read();
        let mut tx = self.store.read(&grant).await.unwrap();
        let grant = self.grant().to_read_credentials();
        let credentials = self.directory.list_clients(&grant, Page::FIRST).await.unwrap().count
            + self.directory.list_keys(&grant, Page::FIRST).await.unwrap().count
            + self.directory.list_users(&grant, Page::FIRST).await.unwrap().count;
        tx.head().await.unwrap().number == 0
            && tx.ledger().series(0).await.unwrap().is_empty()
            && tx.scopes().all().await.unwrap().is_empty()
            && tx.orgs().all().await.unwrap().is_empty()
            && tx.activities().range(&Filter::default(), &HashSet::new(), None, 1).await.unwrap().is_empty()
            && credentials == 0
    }

    fn admin(&self) -> Caller {
        let permissions = Permissions::parse("admin").unwrap();
        Caller { tenant: self.tenant.id, actor: "test".to_owned(), permissions, partner: None }
    }

    fn activities(&self) -> ActivityService {
        ActivityService {
            store: Arc::clone(&self.store),
            read_models: Arc::new(ReadModels::new(1 << 20, Arc::new(Checkpoints::new(Arc::clone(&self.store))))),
            clock: Arc::new(Noon),
            ids: Arc::new(Counting::default()),
            lookups: Arc::default(),
            chooser: super::super::chooser(),
        }
    }

    /// The figures and lists of a report of each sort.
    pub(super) async fn reports(&self) -> Vec<String> {
        let (service, mut reports) = (self.activities(), Vec::new());
        for attribution in [Attribution::Start, Attribution::Daily] {
            let query = ReportQuery { attribution, ..ReportQuery::default() };
            let report = service.report(&self.admin(), query).await.unwrap();
            let counts = (report.count, report.incomplete, report.first, report.last);
            let totals = (report.co2e, report.uncategorized, report.biogenic, report.credits, report.outside);
            let lists = (report.scopes, report.orgs, report.taxonomies);
            reports.push(format!("{counts:?} {totals:?} {lists:?}"));
        }
        reports
    }

    /// Writes the books of the demo company.
    pub(super) async fn fill_with_the_demo(&self) {
        let ids: Arc<dyn Ids> = Arc::new(Counting::default());
        let world = World::on(Arc::clone(&self.store), self.admin(), &ids);
        world.fill().await.unwrap();
    }

    /// One change with what `write` does.
    pub(super) async fn change(&self, write: impl AsyncFnOnce(&mut dyn WriteTx)) {
        let mut tx = self.store.write(&self.grant().to_write(), sample::intent()).await.unwrap();
        write(&mut *tx).await;
        tx.commit().await.unwrap();
    }

    /// Writes records of every kind, changes some and removes some, nodes of series among them.
    pub(super) async fn fill(&self) {
        let (below, gone) = (sample::org(9), sample::org(2));
        self.change(async |tx| {
            tx.scopes_mut().add(sample::scope(1)).await.unwrap();
            tx.orgs_mut().add(sample::org(1)).await.unwrap();
            tx.orgs_mut().add(gone.clone()).await.unwrap();
            tx.taxonomies_mut().add(sample::taxonomy(1, "a")).await.unwrap();
            // A child whose id sorts before that of the node it is put below.
            let child = sample::org(3).with_parent(Some(below.id));
            tx.orgs_mut().add(below.clone()).await.unwrap();
            tx.orgs_mut().add(child).await.unwrap();
            tx.products_mut().add(sample::product(1)).await.unwrap();
            tx.factors_mut().add(sample::factor(1, &sample::product(1), "2025-01-01")).await.unwrap();
        })
        .await;
        let model = sample::filled_model(1);
        self.change(async |tx| {
            tx.models_mut().add(model.clone()).await.unwrap();
            let input = sample::filled_input(
                1,
                &model,
                &sample::product(1),
                &sample::factor(1, &sample::product(1), "2025-01-01"),
            );
            tx.inputs_mut().add(input).await.unwrap();
            tx.switches_mut().add(sample::switch(1, &[model.id])).await.unwrap();
            tx.footprints_mut().add(sample::footprint(1)).await.unwrap();
            tx.footprints_mut().add(sample::footprint(2)).await.unwrap();
        })
        .await;
        self.change(async |tx| {
            tx.activities_mut().add(sample::filled_activity(1)).await.unwrap();
            let elsewhere = sample::activity(2).with_org(Some(gone.id));
            tx.activities_mut().add(elsewhere).await.unwrap();
            let long = sample::activity_in(3, sample::span("2024-12-30", "2025-01-02"), "-3.000000000000000001");
            tx.activities_mut().add(long).await.unwrap();
            tx.activities_mut().add(sample::activity(4)).await.unwrap();
            tx.ledger_mut().note_lines(vec![5, 2, 3, 9]).await.unwrap();
            let import = ImportId::new(sample::id(1));
            let import = ImportBatch::begin(import, "rows.csv".to_owned(), "test".to_owned(), sample::at(1), None);
            tx.imports_mut().put(ImportBatch { changes: Some((3, 3)), ..import }).await.unwrap();
        })
        .await;
        self.change(async |tx| {
            tx.activities_mut().remove(sample::id(2), Version(3)).await.unwrap();
            tx.orgs_mut().remove(gone.id, Version(1)).await.unwrap();
            tx.footprints_mut().remove(sample::id(2), Version(2)).await.unwrap();
            let renamed = sample::product(1).with_name(sample::name("Ünderung"));
            tx.products_mut().update(renamed, Version(1)).await.unwrap();
            let renamed = sample::activity(4).with_name(sample::name("x \u{1f600}"));
            tx.activities_mut().update(renamed.clone(), Version(3)).await.unwrap();
            tx.activities_mut().update(renamed, Version(4)).await.unwrap();
        })
        .await;
        let grant = self.grant().to_write_credentials();
        self.directory.add_client(&grant, sample::client(1, NUMBER)).await.unwrap();
        self.directory.add_key(&grant, sample::key(1, NUMBER)).await.unwrap();
        let password = Some(sample::password(1));
        self.directory.add_user(&grant, sample::user(1, NUMBER), password).await.unwrap();
    }
}

/// A company with records of every kind and a history.
pub(super) async fn filled() -> Site {
    let site = Site::in_memory().await;
    site.fill().await;
    site
}
