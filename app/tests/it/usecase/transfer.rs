//! A whole tenant from store to store: the same bytes come out again, and what is refused leaves nothing.

use std::collections::HashSet;
use std::io::Cursor;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use domain::{Attribution, Canonical as _, Cell, Day, Digest, Filter, Org, PackedCells, Postings, Product, Total};
use files::{TenantHeader, TenantWriter};
use memory::{MemoryDirectory, MemoryStore};
use ports::contract::sample;
use ports::directory::{Client, Directory, Key, Tenant};
use ports::inbound::{Activities as _, ReportQuery};
use ports::ledger::{PackedItems, PartPlace};
use ports::repo::Page;
use ports::store::{Store, WriteTx};
use ports::{
    Action, Caller, Change, ChangeDigest, ChangeItem, Grant, Installation, Maintenance, Permissions, RecordKind,
    Replaced, Stored, Version,
};
use sqlite::{Options, SqliteStore};
use tempfile::TempDir;
use tonne::demo::{Books, fill};
use tonne::usecase::activity::ActivityService;
use tonne::usecase::catalog::CatalogService;
use tonne::usecase::checkpoint::Checkpoints;
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
        let (directory, tenant) = (MemoryDirectory::new(Arc::new(Noon)), sample::tenant(NUMBER, "acme"));
        let installation = Grant::for_maintenance(Installation, "test");
        directory.add_tenant(&installation, tenant.clone()).await.unwrap();
        store.prepare(&Grant::for_maintenance(tenant.id, "test")).await.unwrap();
        Self { store, directory, tenant, _folder: folder }
    }

    fn grant(&self) -> Grant<Maintenance> {
        Grant::for_maintenance(self.tenant.id, "test")
    }

    async fn export(&self, credentials: Credentials) -> Vec<u8> {
        let (mut bytes, progress) = (Vec::new(), |_| {});
        let (store, directory) = (self.store.as_ref(), &self.directory);
        export(store, directory, (&self.grant(), &self.tenant), credentials, &mut bytes, &progress).await.unwrap();
        bytes
    }

    async fn import(&self, bytes: Vec<u8>, credentials: Credentials) -> Result<Imported, ImportError> {
        let incoming = Incoming::open(Box::new(Cursor::new(bytes)))?;
        import(self.store.as_ref(), &self.directory, &self.grant(), credentials, incoming).await
    }

    /// Whether there is neither a record nor a history nor a credential.
    async fn is_empty(&self) -> bool {
        let grant = self.grant().to_read();
        let mut tx = self.store.read(&grant).await.unwrap();
        let grant = self.grant().to_read_credentials();
        let credentials = self.directory.list_clients(&grant, Page::FIRST).await.unwrap().count
            + self.directory.list_keys(&grant, Page::FIRST).await.unwrap().count;
        tx.head().await.unwrap().number == 0
            && tx.ledger().series(0).await.unwrap().is_empty()
            && tx.scopes().all().await.unwrap().is_empty()
            && tx.orgs().all().await.unwrap().is_empty()
            && tx.activities().range(&Filter::default(), &HashSet::new(), None, 1).await.unwrap().is_empty()
            && credentials == 0
    }

    fn admin(&self) -> Caller {
        let permissions = Permissions::parse("admin").unwrap();
        Caller { tenant: self.tenant.id, actor: "test".to_owned(), permissions }
    }

    fn activities(&self) -> ActivityService {
        ActivityService {
            store: Arc::clone(&self.store),
            read_models: Arc::new(ReadModels::new(1 << 20, Arc::new(Checkpoints::new(Arc::clone(&self.store))))),
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
        let mut tx = self.store.write(&self.grant().to_write(), sample::intent()).await.unwrap();
        write(&mut *tx).await;
        tx.commit().await.unwrap();
    }

    /// Writes records of every kind, changes some and removes some, nodes of series among them.
    async fn fill(&self) {
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
    let (body, _) = text.rsplit_once("{\"form\":1,\"kind\":\"seal\"").unwrap();
    format!("{body}{{\"form\":1,\"kind\":\"seal\",\"sha256\":\"{}\"}}\n", Digest::of(body.as_bytes())).into_bytes()
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
        let grant = Grant::for_maintenance(other.id, "test").to_write_credentials();
        target.directory.add_tenant(&Grant::for_maintenance(Installation, "test"), other).await.unwrap();
        match taken {
            0 => target.directory.add_client(&grant, sample::client(1, 8)).await.unwrap(),
            1 => target.directory.add_key(&grant, sample::key(1, 8)).await.unwrap(),
            _ => {
                let same_hash = Key { id: sample::id(99), ..sample::key(1, 8) };
                target.directory.add_key(&grant, same_hash).await.unwrap()
            }
        };
        let refused = target.import(bytes.clone(), Credentials::Carried).await.unwrap_err();
        assert!(matches!(refused, ImportError::Taken(_)), "{refused}");
        assert!(target.is_empty().await);
    }
}

#[tokio::test]
async fn credentials_that_are_here_already_are_kept_as_they_are_or_refused() {
    let bytes = filled().await.export(Credentials::Carried).await;
    let target = Site::in_memory().await;
    let (grant, key) = (target.grant().to_write_credentials(), sample::key(1, NUMBER));
    let lowered = Client { permissions: Permissions::NONE, ..sample::client(1, NUMBER) };
    let version = target.directory.add_client(&grant, lowered.clone()).await.unwrap();
    let kept = target.directory.add_key(&grant, key.clone()).await.unwrap();
    let refused = target.import(bytes.clone(), Credentials::Carried).await.unwrap_err();
    assert!(matches!(refused, ImportError::Differs(_)), "{refused}");
    let here = target.directory.find_client(&grant.to_read(), lowered.id).await.unwrap().unwrap();
    assert_eq!((here.version, here.value.permissions), (version, Permissions::NONE));

    target.directory.remove_client(&grant, lowered.id, None).await.unwrap();
    assert_eq!(target.import(bytes, Credentials::Carried).await.unwrap().credentials, 2);
    let here = target.directory.find_key(&grant.to_read(), key.id).await.unwrap().unwrap();
    assert_eq!(here.version, kept);
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
    let line = |start: &str| {
        let start = format!("{{\"form\":1,\"kind\":\"{start}");
        format!("{}\n", text.lines().find(|line| line.starts_with(&start)).unwrap())
    };
    let (activity, footprint, change) = (line("activity"), line("footprint"), line("change"));
    let (items, series) = (line("items"), line("series\",\"index\":1"));
    let second = line("change\",\"number\":2");
    let broken = "shows that the history is broken";
    let cases = [
        (
            forged(&bytes, "\"name\":\"Switch 1\"", "\"name\":\"Switch 2\""),
            "ends records that are not those that the changes left".to_owned(),
        ),
        (forged(&bytes, &activity, ""), "counts other lines than there are".to_owned()),
        (
            forged(&bytes, &footprint, &format!("{footprint}{footprint}")),
            "counts other lines than there are".to_owned(),
        ),
        (
            forged(&bytes, &activity, &format!("{activity}{footprint}")),
            "does not stand in its place: lines of another kind go before it".to_owned(),
        ),
        (forged(&bytes, &series, ""), "is series 2 where series 1 belongs".to_owned()),
        (
            forged(&bytes, &change, &change.replace("\"cause\":\"contract\"", "\"cause\":\"contrast\"")),
            format!("{broken}: change 1: does not have the digest that stands beside it"),
        ),
        (
            forged(&bytes, &change, &change.replace("\"number\":1", "\"number\":2")),
            format!("{broken}: change 2: stands where change 1 is expected"),
        ),
        (forged(&bytes, &items, ""), format!("{broken}: change 1: has no items")),
        (
            forged(&bytes, &items, &format!("{items}{items}")),
            "does not stand where part 1 of the items of change 1 belongs".to_owned(),
        ),
        (
            forged(&bytes, &items, &format!("{items}{}", items.replace("\"part\":0", "\"part\":1"))),
            format!("{broken}: change 1: does not have the digest that stands beside it"),
        ),
        (forged(&bytes, &second, ""), "does not stand where part 1 of the items of change 1 belongs".to_owned()),
        (
            forged(&bytes, "\"footprints\":2", "\"footprints\":1"),
            "counts 1 footprints ever; there was number 2".to_owned(),
        ),
        (
            forged(&bytes, "\"catalog\":4", "\"catalog\":3"),
            format!("{broken}: head: says that change 3 was the last of the catalog, but 4 was"),
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
async fn postings_that_are_not_those_of_the_activities_are_refused() {
    let bytes = filled().await.export(Credentials::LeftOut).await;
    let text = String::from_utf8(bytes.clone()).unwrap();
    let lines: Vec<String> = text.lines().filter(|line| line.contains("\"postings\",")).map(str::to_owned).collect();
    let [third, fourth] = lines.try_into().unwrap();
    let start = "{\"form\":1,\"kind\":\"postings\",\"change\":3,\"part\":0,\"postings\":\"";
    let packed = STANDARD.decode(third.strip_prefix(start).unwrap().trim_end_matches("\"}")).unwrap();
    let cells: Vec<_> = PackedCells::from_stored(packed).cells().collect::<Result<_, _>>().unwrap();
    let with = |change: &dyn Fn(&mut (u32, Day, Cell))| {
        let mut cells = cells.clone();
        change(cells.last_mut().unwrap());
        let packed = PackedCells::pack(cells.iter().map(|(series, day, cell)| (*series, *day, cell))).unwrap();
        forged(&bytes, &third, &format!("{start}{}\"}}", STANDARD.encode(packed.as_bytes())))
    };
    let (series, day, _) = cells.last().unwrap().clone();
    let wrong =
        format!("ends postings that do not add up to the activities: first on {day}, and first in series {series}");
    let without = forged(&bytes, &format!("{fourth}\n"), "");
    let cases = [
        (with(&|(.., cell)| cell.starts += 1), wrong.clone()),
        (with(&|(.., cell)| cell.co2e.step += Total::parse("0.000000000000000001").unwrap()), wrong),
        (with(&|(series, ..)| *series = 77), "has postings of series 77, which is not there".to_owned()),
        (without.clone(), "counts other lines than there are".to_owned()),
        (
            forged(&without, "\"postings\":2", "\"postings\":1"),
            "ends postings that do not add up to the activities: first on 2025-03-01, and first in series 1".to_owned(),
        ),
        (
            forged(&bytes, &third, &format!("{third}\n{third}")),
            "does not stand where part 1 of the postings of change 3 belongs".to_owned(),
        ),
        (forged(&bytes, &third, &format!("{start}AQA=\"}}")), "has no postings".to_owned()),
        (
            forged(&bytes, &third, &format!("{start}AgA=\"}}")),
            "has postings that do not read: the packed cells have the form 2, which is unknown".to_owned(),
        ),
    ];
    for (forged, detail) in cases {
        let target = Site::in_memory().await;
        let refused = target.import(forged, Credentials::LeftOut).await.unwrap_err().to_string();
        assert!(refused.ends_with(&format!(", which {detail}")), "{refused}\nis not: {detail}");
        assert!(target.is_empty().await, "{detail}");
    }
}

/// The line of postings with those cells more in it.
fn with_cells(line: &str, more: &Postings) -> String {
    let (start, packed) = line.trim_end_matches("\"}").rsplit_once('"').unwrap();
    let mut cells = more.clone();
    for cell in PackedCells::from_stored(STANDARD.decode(packed).unwrap()).cells() {
        let (series, day, cell) = cell.unwrap();
        cells.add_cell(series, day, cell).unwrap();
    }
    let [packed] = <[PackedCells; 1]>::try_from(cells.pack().unwrap()).unwrap();
    format!("{start}\"{}\"}}", STANDARD.encode(packed.as_bytes()))
}

#[tokio::test]
async fn postings_that_were_moved_from_one_change_to_another_are_refused() {
    let bytes = filled().await.export(Credentials::LeftOut).await;
    let text = String::from_utf8(bytes.clone()).unwrap();
    let lines: Vec<&str> = text.lines().filter(|line| line.contains("\"postings\",")).collect();
    let [third, fourth] = lines.try_into().unwrap();
    let (mut here, mut there) = (Postings::new(), Postings::new());
    here.add(1, &sample::activity(5).posting());
    there.take(1, &sample::activity(5).posting());
    let moved = forged(&forged(&bytes, third, &with_cells(third, &here)), fourth, &with_cells(fourth, &there));
    let target = Site::in_memory().await;
    let refused = target.import(moved, Credentials::LeftOut).await.unwrap_err().to_string();
    let detail = "which ends postings that are not, change by change, those of what the changes wrote";
    assert!(refused.ends_with(detail), "{refused}");
    assert!(target.is_empty().await);
}

#[tokio::test]
async fn postings_of_more_activities_than_64_bits_count_are_refused_with_their_line() {
    let bytes = filled().await.export(Credentials::LeftOut).await;
    let text = String::from_utf8(bytes.clone()).unwrap();
    let (at, third) = text.lines().enumerate().find(|(_, line)| line.contains("\"postings\",")).unwrap();
    let most = (1 << 47) - 1;
    let cell = Cell::ZERO.with_starts(most).with_ends(most).with_incomplete_starts(most).with_incomplete_ends(most);
    let days = std::iter::successors(Some(Day::MIN), |day| Some(day.next())).take(4_096);
    let packed = STANDARD.encode(PackedCells::pack(days.map(|day| (0, day, &cell))).unwrap().as_bytes());
    let start = "{\"form\":1,\"kind\":\"postings\",\"change\":3,\"part\"";
    let more: Vec<String> = (1..=3).map(|part| format!("\n{start}:{part},\"postings\":\"{packed}\"}}")).collect();
    let forged = forged(&bytes, third, &format!("{third}{}", more.concat()));
    let target = Site::in_memory().await;
    let refused = target.import(forged, Credentials::LeftOut).await.unwrap_err().to_string();
    let line = at + 4;
    assert_eq!(refused, format!("is refused at line {line}, which has postings of more activities than 64 bits count"));
    assert!(target.is_empty().await);
}

#[tokio::test]
async fn an_activity_whose_version_was_blanked_goes_along() {
    let bytes = filled().await.export(Credentials::LeftOut).await;
    let text = String::from_utf8(bytes.clone()).unwrap();
    let line = text.lines().find(|line| line.contains("\"items\",\"change\":4,")).unwrap();
    let (start, packed) = line.trim_end_matches("\"}").rsplit_once('"').unwrap();
    let blanked: Vec<ChangeItem> = PackedItems::from_stored(STANDARD.decode(packed).unwrap())
        .items()
        .map(|item| match item.unwrap() {
            ChangeItem { kind: RecordKind::Activity, id, action: Action::Removed(replaced) } => {
                ChangeItem { kind: RecordKind::Activity, id, action: Action::Removed(replaced.blanked()) }
            }
            other => other,
        })
        .collect();
    let [packed] = <[PackedItems; 1]>::try_from(PackedItems::pack(&blanked)).unwrap();
    let file = forged(&bytes, line, &format!("{start}\"{}\"}}", STANDARD.encode(packed.as_bytes())));
    assert_ne!(file, bytes);
    let target = Site::in_memory().await;
    target.import(file.clone(), Credentials::LeftOut).await.unwrap();
    assert_eq!(target.export(Credentials::LeftOut).await, file);
}

/// A file of one product and the change that added it, then of more changes, each of one item, whose digests are right.
async fn with_items(items: &[ChangeItem]) -> Vec<u8> {
    let source = Site::in_memory().await;
    let product = sample::product(1);
    source.change(async |tx| drop(tx.products_mut().add(product).await.unwrap())).await;
    let text = String::from_utf8(source.export(Credentials::LeftOut).await).unwrap();
    let (mut tx, mut more) = (source.store.read(&source.grant().to_read()).await.unwrap(), String::new());
    let Change { mut number, mut digest, at, .. } = tx.ledger().changes_since(0, 1).await.unwrap().remove(0);
    let end = format!("\"number\":{number},\"digest\":\"{digest}\",\"catalog\":{number}");
    for item in items {
        number += 1;
        let mut next = ChangeDigest::new(digest, number, at, "test", "test");
        next.item(item);
        digest = next.finish();
        let change = Change { number, at, actor: "test".to_owned(), cause: "test".to_owned(), digest };
        let mut file = Vec::new();
        let header = TenantHeader { tenant: source.tenant.clone(), credentials: false };
        let mut writer = TenantWriter::new(&mut file, &header).unwrap();
        writer.change(&change).unwrap();
        for packed in PackedItems::pack([item]) {
            writer.items(PartPlace { change: number, part: 0 }, &packed).unwrap();
        }
        drop(writer);
        more.extend(String::from_utf8(file).unwrap().split_inclusive('\n').skip(1));
    }
    let at_end = "{\"form\":1,\"kind\":\"end\"";
    let text = text.replace(at_end, &format!("{more}{at_end}"));
    let text = text.replace(&end, &format!("\"number\":{number},\"digest\":\"{digest}\",\"catalog\":{number}"));
    let lines = items.len() + 1;
    sealed(&text.replace("\"change\":1,\"items\":1}", &format!("\"change\":{lines},\"items\":{lines}}}")))
}

#[tokio::test]
async fn what_changes_say_that_they_replaced_is_compared_with_what_was_there() {
    let (product, at) = (sample::product(1), sample::at(0));
    let first = Stored { value: product.clone(), created: at, updated: at, version: Version(1) };
    let second = Stored { version: Version(2), ..first.clone() };
    let (there, back) = (ChangeItem::updated(&second, &first), ChangeItem::updated(&first, &second));
    let replaced = Replaced::new(&first);
    let change = |replaced: Replaced| ChangeItem {
        kind: RecordKind::Product,
        id: product.id.uuid(),
        action: Action::Updated { digest: second.digest(), replaced },
    };
    let with_text = |text: &str| {
        change(Replaced { text: Some(text.to_owned()), digest: Digest::of(text.as_bytes()), ..replaced.clone() })
    };
    let other = Stored { value: sample::product(2), ..first.clone() }.canonical();
    let id = product.id;
    let cases = [
        (vec![there, back], "ends records that are not those that the changes left".to_owned()),
        (vec![change(replaced.clone().blanked())], "ends records that are not those that the changes left".to_owned()),
        (
            vec![change(Replaced { version: Version(3), ..replaced.clone() })],
            format!("has an item that replaced version 3 of product {id}, which came later"),
        ),
        (
            vec![change(Replaced { text: Some(other.clone()), ..replaced.clone() })],
            format!(
                "has an item that replaced what is no product {id}: product {} of version 1",
                sample::product(2).id
            ),
        ),
        (
            vec![with_text(&first.canonical().replace("\"kg\"", "\"kilogram\""))],
            format!(
                "has an item that replaced what is no product {id}: /content/unit is not written in the canonical form, which is \"kg\""
            ),
        ),
        (
            vec![change(Replaced { digest: Digest::of(b"other"), ..replaced.clone() })],
            format!(
                "shows that the history is broken: change 2: what it replaced of product {id} is not what stood there"
            ),
        ),
    ];
    for (items, detail) in cases {
        let target = Site::in_memory().await;
        let refused = target.import(with_items(&items).await, Credentials::LeftOut).await.unwrap_err().to_string();
        assert!(refused.ends_with(&format!(", which {detail}")), "{refused}\nis not: {detail}");
        assert!(target.is_empty().await, "{detail}");
    }
}

#[tokio::test]
async fn a_version_that_was_blanked_goes_along() {
    let (at, product) = (sample::at(0), sample::product(1));
    let first = Stored { value: product, created: at, updated: at, version: Version(1) };
    let removed = ChangeItem::removed(&first);
    let ChangeItem { kind, id, action: Action::Removed(replaced) } = removed.clone() else { panic!("{removed:?}") };
    let blanked = ChangeItem { kind, id, action: Action::Removed(replaced.blanked()) };
    let second = Stored { version: Version(3), ..first };
    let file = with_items(&[blanked, ChangeItem::added(&second)]).await;
    let text = String::from_utf8(file).unwrap().replace("\"version\":1,\"content\"", "\"version\":3,\"content\"");
    let target = Site::in_memory().await;
    let bytes = sealed(&text);
    target.import(bytes.clone(), Credentials::LeftOut).await.unwrap();
    assert_eq!(target.export(Credentials::LeftOut).await, bytes);
    assert_eq!(target.store.verify(&target.grant()).await.unwrap().findings, []);
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
    let place = |node: &Org| text.find(&format!("\"id\":\"{}\"", node.id)).unwrap();
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
        target.store.read(&target.grant().to_read()).await.unwrap().products().find(sample::id(1_001)).await.unwrap();
    assert_eq!(found.unwrap().version, Version(1));
}
