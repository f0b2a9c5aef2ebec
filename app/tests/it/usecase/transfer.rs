//! A whole tenant from store to store: the same bytes come out again, and what is refused leaves nothing.

use std::io::Cursor;
use std::sync::Arc;

use domain::{Activity, Attribution, Digest, Node, Product};
use memory::{MemoryDirectory, MemoryStore};
use ports::contract::sample;
use ports::directory::{Directory, Tenant};
use ports::inbound::{Activities as _, ReportQuery};
use ports::repo::Page;
use ports::store::{Store, WriteTx};
use ports::{Caller, Grant, Permissions, Stored, Version};
use sqlite::{Options, SqliteStore};
use tempfile::TempDir;
use tonne::demo::{Books, fill};
use tonne::usecase::activity::ActivityService;
use tonne::usecase::catalog::CatalogService;
use tonne::usecase::footprint::FootprintService;
use tonne::usecase::import::ImportService;
use tonne::usecase::model::ModelService;
use tonne::usecase::read_model::ReadModels;
use tonne::usecase::switch::SwitchService;
use tonne::usecase::transfer::{Credentials, ImportError, Imported, Incoming, export, import};

use super::{Counting, Noon};

/// The tenant that is exported.
const NUMBER: u64 = 7;

/// A store of one sort with a directory.
struct Site {
    store: Arc<dyn Store>,
    directory: MemoryDirectory,
    tenant: Tenant,
    _folder: Option<TempDir>,
}

impl Site {
    async fn in_memory() -> Self {
        Self::with(Arc::new(MemoryStore::new(Arc::new(Counting::default()))), None).await
    }

    async fn on_disk() -> Self {
        let folder = TempDir::new().unwrap();
        let options = Options::new(Arc::new(Noon), Arc::new(Counting::default()));
        Self::with(Arc::new(SqliteStore::open(folder.path(), options)), Some(folder)).await
    }

    async fn with(store: Arc<dyn Store>, folder: Option<TempDir>) -> Self {
        let (directory, tenant) = (MemoryDirectory::new(), sample::tenant(NUMBER, "acme"));
        directory.add_tenant(tenant.clone()).await.unwrap();
        store.prepare(tenant.id).await.unwrap();
        Self { store, directory, tenant, _folder: folder }
    }

    fn grant(&self) -> Grant {
        Grant::for_maintenance(self.tenant.id, "test")
    }

    async fn export(&self, credentials: Credentials) -> Vec<u8> {
        let (mut bytes, progress) = (Vec::new(), |_| {});
        let (store, directory) = (self.store.as_ref(), &self.directory);
        export(store, directory, &self.tenant, credentials, &mut bytes, &progress).await.unwrap();
        bytes
    }

    async fn import(&self, bytes: Vec<u8>, credentials: Credentials) -> Result<Imported, ImportError> {
        let incoming = Incoming::open(Box::new(Cursor::new(bytes)))?;
        import(self.store.as_ref(), &self.directory, &self.tenant, credentials, incoming).await
    }

    /// Whether there is neither a record nor a history nor a credential.
    async fn is_empty(&self) -> bool {
        let mut tx = self.store.read(&self.grant()).await.unwrap();
        let credentials = self.directory.list_clients(self.tenant.id, Page::FIRST).await.unwrap().count
            + self.directory.list_keys(self.tenant.id, Page::FIRST).await.unwrap().count;
        tx.head().await.unwrap().number == 0
            && tx.ledger().series(0).await.unwrap().is_empty()
            && tx.ledger().all_nodes().await.unwrap().is_empty()
            && tx.activities().range(&ports::repo::Selection::default(), None, 1).await.unwrap().is_empty()
            && credentials == 0
    }

    fn admin(&self) -> Caller {
        let permissions = Permissions::parse("admin").unwrap();
        Caller { tenant: self.tenant.id, actor: "test".to_owned(), permissions }
    }

    fn activities(&self) -> ActivityService {
        ActivityService {
            store: Arc::clone(&self.store),
            read_models: Arc::new(ReadModels::new(1 << 20)),
            clock: Arc::new(Noon),
            ids: Arc::new(Counting::default()),
        }
    }

    /// The figures and lists of a report of each sort.
    async fn reports(&self) -> Vec<String> {
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
    async fn fill_with_the_demo(&self) {
        macro_rules! service {
            ($name:ident) => {
                $name { store: Arc::clone(&self.store), clock: Arc::new(Noon), ids: Arc::new(Counting::default()) }
            };
        }
        let books = Books {
            catalog: &service!(CatalogService),
            activities: &self.activities(),
            imports: &service!(ImportService),
            models: &service!(ModelService),
            switches: &service!(SwitchService),
            footprints: &service!(FootprintService),
        };
        fill(books, &self.admin()).await.unwrap();
    }

    /// One change with what `write` does.
    async fn change(&self, write: impl AsyncFnOnce(&mut dyn WriteTx)) {
        let mut tx = self.store.write(&self.grant(), sample::intent()).await.unwrap();
        write(&mut *tx).await;
        tx.commit().await.unwrap();
    }

    /// Writes records of every kind, changes some and removes some, nodes of series among them.
    async fn fill(&self) {
        let (below, gone) = (sample::org(9), sample::org(2));
        self.change(async |tx| {
            for node in [sample::scope(1), sample::org(1), gone.clone(), sample::taxonomy(1, "a")] {
                tx.nodes_mut().add(node).await.unwrap();
            }
            // A child whose id sorts before that of the node it is put below.
            let child = Node { parent: Some(below.id), ..sample::org(3) };
            tx.nodes_mut().add(below.clone()).await.unwrap();
            tx.nodes_mut().add(child).await.unwrap();
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
            let elsewhere = Activity { org: Some(gone.id.into()), ..sample::activity(2) };
            tx.activities_mut().add(elsewhere).await.unwrap();
            let long = sample::activity_in(3, sample::span("2024-12-30", "2025-01-02"), "-3.000000000000000001");
            tx.activities_mut().add(long).await.unwrap();
            tx.activities_mut().add(sample::activity(4)).await.unwrap();
        })
        .await;
        self.change(async |tx| {
            tx.activities_mut().remove(sample::id(2), Version(3)).await.unwrap();
            tx.nodes_mut().remove(gone.id, Version(1)).await.unwrap();
            tx.footprints_mut().remove(sample::id(2), Version(2)).await.unwrap();
            let renamed = Product { name: sample::name("Ünderung"), ..sample::product(1) };
            tx.products_mut().update(renamed, Version(1)).await.unwrap();
            let renamed = Activity { name: sample::name("x \u{1f600}"), ..sample::activity(4) };
            tx.activities_mut().update(renamed.clone(), Version(3)).await.unwrap();
            tx.activities_mut().update(renamed, Version(4)).await.unwrap();
        })
        .await;
        self.directory.put_client(sample::client(1, NUMBER), "test").await.unwrap();
        self.directory.put_key(sample::key(1, NUMBER), "test").await.unwrap();
    }
}

async fn filled() -> Site {
    let site = Site::in_memory().await;
    site.fill().await;
    site
}

/// The file with another piece in a line's place, and the digest that it then has.
fn forged(file: &[u8], piece: &str, other: &str) -> Vec<u8> {
    let text = String::from_utf8(file.to_vec()).unwrap();
    assert!(text.contains(piece), "{piece}");
    sealed(&text.replacen(piece, other, 1))
}

fn sealed(text: &str) -> Vec<u8> {
    let (body, _) = text.rsplit_once("{\"sha256\"").unwrap();
    format!("{body}{{\"sha256\":\"{}\"}}\n", Digest::of(body.as_bytes())).into_bytes()
}

#[tokio::test]
async fn a_tenant_goes_through_every_store_and_comes_out_in_the_same_bytes() {
    let source = filled().await;
    let bytes = source.export(Credentials::Carried).await;
    assert_eq!(source.export(Credentials::Carried).await, bytes);
    let (on_disk, in_memory) = (Site::on_disk().await, Site::in_memory().await);
    let imported = on_disk.import(bytes.clone(), Credentials::Carried).await.unwrap();
    assert_eq!((imported.counts.changes, imported.credentials), (4, 2));
    let from_disk = on_disk.export(Credentials::Carried).await;
    assert_eq!(from_disk, bytes);
    in_memory.import(from_disk, Credentials::Carried).await.unwrap();
    assert_eq!(in_memory.export(Credentials::Carried).await, bytes);
    for site in [&source, &on_disk, &in_memory] {
        let found = site.store.verify(&site.grant()).await.unwrap();
        assert_eq!((found.findings, found.changes), (Vec::new(), 4));
    }
}

#[tokio::test]
async fn the_demo_company_reports_the_same_wherever_it_goes() {
    let (source, on_disk) = (Site::in_memory().await, Site::on_disk().await);
    source.fill_with_the_demo().await;
    let bytes = source.export(Credentials::LeftOut).await;
    on_disk.import(bytes.clone(), Credentials::LeftOut).await.unwrap();
    assert_eq!(on_disk.export(Credentials::LeftOut).await, bytes);
    assert_eq!(on_disk.reports().await, source.reports().await);
    assert_eq!(on_disk.store.verify(&on_disk.grant()).await.unwrap().findings, []);
}

#[tokio::test]
async fn an_empty_tenant_goes_too() {
    let bytes = Site::in_memory().await.export(Credentials::LeftOut).await;
    let target = Site::on_disk().await;
    target.import(bytes.clone(), Credentials::LeftOut).await.unwrap();
    assert_eq!(target.export(Credentials::LeftOut).await, bytes);
}

#[tokio::test]
async fn credentials_go_only_where_both_ends_say_so() {
    let source = filled().await;
    let (with, without) = (source.export(Credentials::Carried).await, source.export(Credentials::LeftOut).await);
    let hash = sample::key(1, NUMBER).hash.to_string();
    assert!(String::from_utf8(with.clone()).unwrap().contains(&hash));
    assert!(!String::from_utf8(without.clone()).unwrap().contains(&hash));
    let target = Site::in_memory().await;
    let refused = target.import(without, Credentials::Carried).await.unwrap_err();
    assert!(matches!(refused, ImportError::NoCredentials), "{refused}");
    assert!(target.is_empty().await);
    assert_eq!(target.import(with, Credentials::LeftOut).await.unwrap().credentials, 0);
    assert_eq!(target.directory.find_key_by_hash(sample::key(1, NUMBER).hash).await.unwrap(), None);
}

#[tokio::test]
async fn credentials_of_another_tenant_are_not_taken_away() {
    let bytes = filled().await.export(Credentials::Carried).await;
    for taken in 0..3 {
        let target = Site::in_memory().await;
        let other = sample::tenant(8, "other");
        target.directory.add_tenant(other).await.unwrap();
        match taken {
            0 => target.directory.put_client(sample::client(1, 8), "test").await.unwrap(),
            1 => target.directory.put_key(sample::key(1, 8), "test").await.unwrap(),
            _ => {
                let same_hash = ports::directory::Key { id: sample::id(99), ..sample::key(1, 8) };
                target.directory.put_key(same_hash, "test").await.unwrap();
            }
        }
        let refused = target.import(bytes.clone(), Credentials::Carried).await.unwrap_err();
        assert!(matches!(refused, ImportError::Taken(_)), "{refused}");
        assert!(target.is_empty().await);
    }
}

#[tokio::test]
async fn a_tenant_with_a_history_is_not_filled() {
    let bytes = filled().await.export(Credentials::LeftOut).await;
    let target = filled().await;
    let before = target.export(Credentials::Carried).await;
    let refused = target.import(bytes, Credentials::LeftOut).await.unwrap_err();
    assert!(matches!(refused, ImportError::NotEmpty), "{refused}");
    assert_eq!(target.export(Credentials::Carried).await, before);
}

#[tokio::test]
async fn a_file_cut_off_behind_any_line_leaves_nothing() {
    let bytes = filled().await.export(Credentials::Carried).await;
    let target = Site::on_disk().await;
    let ends = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1);
    for (end, line) in ends.filter(|end| *end < bytes.len()).zip(2..) {
        let refused = target.import(bytes[..end].to_vec(), Credentials::Carried).await.unwrap_err();
        let expected = format!("is refused at line {line}, which is missing: the file is cut off");
        assert_eq!(refused.to_string(), expected);
        assert!(target.is_empty().await);
    }
    target.import(bytes, Credentials::Carried).await.unwrap();
}

#[tokio::test]
async fn a_changed_byte_leaves_nothing() {
    let bytes = filled().await.export(Credentials::Carried).await;
    let target = Site::in_memory().await;
    for at in (0..bytes.len()).step_by(11) {
        let mut changed = bytes.clone();
        changed[at] ^= 1;
        let refused = target.import(changed, Credentials::Carried).await.unwrap_err();
        assert!(matches!(refused, ImportError::File(_)), "byte {at}: {refused}");
        assert!(target.is_empty().await, "byte {at}");
    }
}

#[tokio::test]
async fn an_edited_file_with_a_digest_of_its_own_is_refused_by_what_does_not_fit() {
    let bytes = filled().await.export(Credentials::LeftOut).await;
    let text = String::from_utf8(bytes.clone()).unwrap();
    let line = |start: &str| format!("{}\n", text.lines().find(|line| line.starts_with(start)).unwrap());
    let (activity, footprint, change) = (line("{\"activity\""), line("{\"footprint\""), line("{\"change\""));
    let (item, series) = (line("{\"item\""), line("{\"series\":{\"index\":\"1\""));
    let number = |text: &str| format!("\"number\":\"{text}\"");
    let cases = [
        (
            forged(&bytes, "\"name\":\"Switch 1\"", "\"name\":\"Switch 2\""),
            "ends records that are not those that the changes left",
        ),
        (forged(&bytes, &activity, ""), "counts other lines than there are"),
        (forged(&bytes, &footprint, &format!("{footprint}{footprint}")), "counts other lines than there are"),
        (
            forged(&bytes, &activity, &format!("{activity}{footprint}")),
            "does not stand in its place: lines of another sort go before it",
        ),
        (forged(&bytes, &series, ""), "is series 2 where series 1 belongs"),
        (
            forged(&bytes, &change, &change.replace("\"cause\":\"contract\"", "\"cause\":\"contrast\"")),
            "ends change 1, whose digest is not that of its items and the changes before",
        ),
        (forged(&bytes, &change, &change.replace(&number("1"), &number("2"))), "is change 2 where change 1 belongs"),
        (forged(&bytes, &item, ""), "stands where 1 more items of change 1 belong"),
        (
            forged(&bytes, &item, &format!("{item}{item}")),
            "ends change 1, whose digest is not that of its items and the changes before",
        ),
        (
            forged(&bytes, "\"footprintMark\":\"2\"", "\"footprintMark\":\"1\""),
            "counts 1 footprints ever; there was number 2",
        ),
        (forged(&bytes, "\"catalog\":\"4\"", "\"catalog\":\"3\""), "names change 3 the last of the catalog; 4 was"),
        (
            forged(
                &bytes,
                "\"replaced\":\"{\\\"kind\\\":\\\"activity\\\"",
                "\"replaced\":\"{\\\"Kind\\\":\\\"activity\\\"",
            ),
            "says removed, which does not go with what it replaced",
        ),
    ];
    for (forged, detail) in cases {
        let target = Site::in_memory().await;
        let refused = target.import(forged, Credentials::LeftOut).await.unwrap_err().to_string();
        assert!(refused.ends_with(&format!(", which {detail}")), "{refused}\nis not: {detail}");
        assert!(target.is_empty().await, "{detail}");
    }
}

#[tokio::test]
async fn what_the_store_refuses_leaves_nothing() {
    // Two scopes in one another's place: each refers to one that comes later.
    let source = filled().await;
    let bytes = source.export(Credentials::LeftOut).await;
    let text = String::from_utf8(bytes).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let parent = lines.iter().position(|line| line.contains(&sample::org(9).id.to_string())).unwrap();
    let mut swapped = lines.clone();
    swapped.swap(parent, parent + 1);
    let target = Site::on_disk().await;
    let refused = target.import(sealed(&(swapped.join("\n") + "\n")), Credentials::LeftOut).await.unwrap_err();
    assert!(matches!(refused, ImportError::Refused(ports::store::Conflict::Missing { .. })), "{refused}");
    assert!(target.is_empty().await);
}

#[tokio::test]
async fn nodes_stand_behind_those_above_them() {
    let bytes = filled().await.export(Credentials::LeftOut).await;
    let text = String::from_utf8(bytes).unwrap();
    let place = |node: &Node| text.find(&format!("\"id\":\"{}\"", node.id)).unwrap();
    assert!(place(&sample::org(1)) < place(&sample::org(9)));
    assert!(place(&sample::org(9)) < place(&sample::org(3)));
}

#[tokio::test]
async fn more_than_a_batch_of_everything_goes_whole() {
    let source = Site::on_disk().await;
    source
        .change(async |tx| {
            let puts = (1..=4_500).map(|number| ports::repo::ActivityWrite::Add(sample::activity(number))).collect();
            tx.activities_mut().put_all(puts).await.unwrap();
            for number in 1..=1_001 {
                tx.products_mut().add(sample::product(number)).await.unwrap();
            }
        })
        .await;
    for number in 5_000..5_040 {
        source.change(async |tx| drop(tx.activities_mut().add(sample::activity(number)).await.unwrap())).await;
    }
    let bytes = source.export(Credentials::LeftOut).await;
    let target = Site::in_memory().await;
    let imported = target.import(bytes.clone(), Credentials::LeftOut).await.unwrap();
    assert_eq!((imported.counts.all_records(), imported.counts.changes), (5_541, 41));
    assert_eq!(target.export(Credentials::LeftOut).await, bytes);
    let found: Option<Stored<Product>> =
        target.store.read(&target.grant()).await.unwrap().products().find(sample::id(1_001)).await.unwrap();
    assert_eq!(found.unwrap().version, Version(1));
}
