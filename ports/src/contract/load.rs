//! Filling an empty tenant with what another one has: the copy reads the same, and what is refused leaves nothing.

use crate::import_batch::ImportBatch;
use crate::ledger::{self, PackedItems, PackedLines, PartPlace, history};
use crate::{ChainHead, Change, RecordKind, Stored, Version};
use domain::{
    Activity, Cell, ClosedPeriod, Day, Digest, Exclusion, Factor, Footprint, Input, Model, Org, PackedCells, Partner,
    Product, Scope, SeriesKey, Sharing, Switch, Taxonomy,
};
use futures_util::future::poll_immediate;

use super::import_batch;
use super::read::{self, SeriesCell};
use super::sample;
use super::tenant::{Tenant, activities};
use crate::load::{AnyRecord, Load, LoadEnd};
use crate::repo::{Page, Query};
use crate::store::{Conflict, HasRepository, ReadTx, Store, StoreError};

/// Everything of a tenant that a load carries, in the order in which it is loaded.
#[derive(Debug, PartialEq)]
struct Everything {
    series: Vec<SeriesKey>,
    records: Vec<AnyRecord>,
    changes: Vec<Change>,
    items: Vec<(PartPlace, PackedItems)>,
    postings: Vec<(PartPlace, PackedCells)>,
    lines: Vec<(PartPlace, PackedLines)>,
    imports: Vec<ImportBatch>,
    end: LoadEnd,
}

async fn of_kind<T: HasRepository>(tx: &mut dyn ReadTx) -> Vec<AnyRecord>
where
    AnyRecord: From<Stored<T>>,
{
    let query = Query::all(Page { number: 1, size: 1000 });
    T::reader(tx).list(&query).await.expect("lists").data.into_iter().map(AnyRecord::from).collect()
}

async fn everything(tx: &mut dyn ReadTx) -> Everything {
    let mut records = Vec::new();
    records.extend(of_kind::<Scope>(tx).await);
    records.extend(of_kind::<Org>(tx).await);
    records.extend(of_kind::<Taxonomy>(tx).await);
    records.extend(of_kind::<Product>(tx).await);
    records.extend(of_kind::<Factor>(tx).await);
    records.extend(of_kind::<Model>(tx).await);
    records.extend(of_kind::<Input>(tx).await);
    records.extend(of_kind::<Switch>(tx).await);
    records.extend(of_kind::<Footprint>(tx).await);
    records.extend(of_kind::<ClosedPeriod>(tx).await);
    records.extend(of_kind::<Exclusion>(tx).await);
    records.extend(of_kind::<Partner>(tx).await);
    records.extend(of_kind::<Sharing>(tx).await);
    records.extend(activities(tx).await.into_iter().map(AnyRecord::Activity));
    let head = tx.head().await.expect("reads the head");
    let footprints = tx.footprints().highest_number().await.expect("reads");
    Everything {
        series: tx.ledger().series(0).await.expect("reads"),
        records,
        changes: tx.ledger().changes_since(0, 1000).await.expect("reads"),
        items: tx.ledger().items_since(PartPlace::behind(0), 1000).await.expect("reads"),
        postings: tx.ledger().postings_since(PartPlace::behind(0), 1000).await.expect("reads"),
        lines: tx.ledger().lines_since(PartPlace::behind(0), 1000).await.expect("reads"),
        imports: tx.imports().list(Page { number: 1, size: 1000 }).await.expect("lists").data,
        end: LoadEnd { number: head.number, digest: head.digest, catalog: head.catalog, footprints },
    }
}

async fn cells(tenant: &Tenant<'_>) -> Vec<SeriesCell> {
    read::cells(&mut *tenant.read().await).await
}

/// A tenant with records of every kind, some of them changed, moved and removed since.
async fn source(store: &dyn Store) -> Tenant<'_> {
    let tenant = Tenant::prepare(store).await;
    for number in 1..=2 {
        tenant.add(sample::scope(number)).await;
        tenant.add(sample::org(number)).await;
        tenant.add(sample::taxonomy(number, &format!("s{number}"))).await;
    }
    let product = tenant.add(sample::product(1)).await;
    let factor = tenant.add(sample::factor(1, &product.value, "2025-01-01")).await;
    tenant.add(sample::correction(2, &product.value, &factor.value)).await;
    let model = tenant.add(sample::filled_model(1)).await;
    tenant.add(sample::filled_input(1, &model.value, &product.value, &factor.value)).await;
    tenant.add(sample::switch(1, &[model.value.id])).await;
    tenant.add(sample::filled_footprint(1)).await;
    tenant.add(sample::exclusion(1)).await;
    tenant.add(sample::partner(1)).await;
    tenant.add(sample::sharing(1)).await;
    let last = tenant.add(sample::footprint(2)).await;
    tenant.remove(&last).await;
    let activity = tenant.add(sample::filled_activity(1)).await;
    let elsewhere = sample::activity(2).with_org(Some(sample::id(sample::ORG + 2)));
    let elsewhere = tenant.add(elsewhere).await;
    tenant.remove(&elsewhere).await;
    let gone = tenant.find::<Org>(sample::id(sample::ORG + 2)).await.expect("is there");
    tenant.remove(&gone).await;
    tenant.add(sample::activity_in(3, sample::span("2024-12-30", "2025-01-02"), "-3")).await;
    let changed = activity.value.with_name(sample::name("Other"));
    tenant.update(changed, activity.version).await;
    tenant.update(product.value.with_name(sample::name("Other")), product.version).await;
    import_batch::import_of(&tenant, 10..13, &[4, 2, 2]).await;
    tenant
}

/// A second tenant of the store, empty.
async fn target(store: &dyn Store) -> Tenant<'_> {
    Tenant::prepare_nth(store, 2).await
}

async fn begin(store: &dyn Store, tenant: &Tenant<'_>) -> Box<dyn Load> {
    store.load(tenant.grant()).await.expect("begins a load")
}

/// Loads it in small steps.
async fn load(store: &dyn Store, tenant: &Tenant<'_>, content: &Everything) -> ChainHead {
    let mut load = begin(store, tenant).await;
    load.series(content.series.clone()).await.expect("loads series");
    for records in content.records.chunks(3) {
        load.records(records.to_vec()).await.expect("loads records");
    }
    for changes in content.changes.chunks(4) {
        load.changes(changes.to_vec()).await.expect("loads changes");
    }
    for items in content.items.chunks(5) {
        load.items(items.to_vec()).await.expect("loads items");
    }
    for postings in content.postings.chunks(2) {
        load.postings(postings.to_vec()).await.expect("loads postings");
    }
    load.lines(content.lines.clone()).await.expect("loads lines");
    load.imports(content.imports.clone()).await.expect("loads imports");
    load.finish(content.end).await.expect("finishes the load")
}

async fn copy(store: &dyn Store) -> (Tenant<'_>, Tenant<'_>) {
    let (source, target) = (source(store).await, target(store).await);
    let content = everything(&mut *source.read().await).await;
    load(store, &target, &content).await;
    (source, target)
}

pub async fn a_loaded_tenant_reads_as_the_one_it_came_from(store: &dyn Store) {
    let (source, target) = copy(store).await;
    let expected = everything(&mut *source.read().await).await;
    assert_eq!(everything(&mut *target.read().await).await, expected);
    assert_eq!(cells(&target).await, cells(&source).await);
    assert_eq!(expected.end.footprints, 2);
    assert_eq!((expected.imports.len(), expected.lines.len()), (1, 1));
}

pub async fn a_loaded_tenant_is_sound(store: &dyn Store) {
    let (source, target) = copy(store).await;
    let (of_source, of_target) = (store.verify(source.grant()).await, store.verify(target.grant()).await);
    let (of_source, of_target) = (of_source.expect("verifies"), of_target.expect("verifies"));
    assert_eq!(of_target.findings, []);
    assert_eq!((of_target.records, of_target.changes), (of_source.records, of_source.changes));
}

pub async fn a_loaded_tenant_has_an_epoch_of_its_own(store: &dyn Store) {
    let (source, target) = (source(store).await, target(store).await);
    let (before, content) = (target.head().await, everything(&mut *source.read().await).await);
    let head = load(store, &target, &content).await;
    assert_eq!(target.head().await, head);
    assert_eq!((head.number, head.digest, head.catalog), {
        let LoadEnd { number, digest, catalog, .. } = content.end;
        (number, digest, catalog)
    });
    assert_ne!(head.epoch, before.epoch);
    assert_ne!(head.epoch, source.head().await.epoch);
}

pub async fn what_a_loaded_tenant_removed_is_known_and_has_its_history(store: &dyn Store) {
    let (source, target) = copy(store).await;
    for (kind, number) in [(RecordKind::Activity, 2), (RecordKind::Org, sample::ORG + 2), (RecordKind::Product, 1)] {
        let id = sample::uuid(number);
        let expected = history(source.read().await.ledger(), kind, id, 10).await.expect("reads");
        assert_eq!(expected.len(), 2);
        assert_eq!(history(target.read().await.ledger(), kind, id, 10).await.expect("reads"), expected);
    }
}

pub async fn a_loaded_tenant_has_the_postings_of_each_change(store: &dyn Store) {
    let (source, target) = copy(store).await;
    let number = target.head().await.number;
    for change in 0..=number {
        let expected = read::postings_since(&mut *source.read().await, change).await;
        assert_eq!(read::postings_since(&mut *target.read().await, change).await, expected);
    }
    let cells = cells(&target).await;
    target.add(sample::product(9)).await;
    assert_eq!(read::cells(&mut *target.read().await).await, cells);
}

pub async fn numbers_and_series_go_on_behind_what_was_loaded(store: &dyn Store) {
    let (source, target) = copy(store).await;
    for tenant in [&source, &target] {
        let activity = sample::activity(9).with_scope(Some(sample::id(sample::SCOPE + 2)));
        tenant.add(activity).await;
        assert_eq!(tenant.add(sample::footprint(9)).await.value.number, 3);
    }
    let expected = everything(&mut *source.read().await).await;
    assert_eq!(everything(&mut *target.read().await).await, expected);
    assert_eq!(store.verify(target.grant()).await.expect("verifies").findings, []);
}

pub async fn loaded_records_can_be_changed_and_removed(store: &dyn Store) {
    let (_, target) = copy(store).await;
    let switch = target.find::<Switch>(sample::id(1)).await.expect("is there");
    target.remove(&switch).await;
    let activity = target.find::<Activity>(sample::id(1)).await.expect("is there");
    target.remove(&activity).await;
    let product = target.find::<Product>(sample::id(1)).await.expect("is there");
    target.update(product.value.with_name(sample::name("Third")), product.version).await;
    assert_eq!(store.verify(target.grant()).await.expect("verifies").findings, []);
}

pub async fn nothing_of_a_load_is_seen_before_it_is_finished(store: &dyn Store) {
    let (source, target) = (source(store).await, target(store).await);
    let (empty, content) = (target.head().await, everything(&mut *source.read().await).await);
    let mut load = begin(store, &target).await;
    load.series(content.series.clone()).await.expect("loads series");
    load.records(content.records.clone()).await.expect("loads records");
    load.changes(content.changes.clone()).await.expect("loads changes");
    load.items(content.items.clone()).await.expect("loads items");
    load.postings(content.postings.clone()).await.expect("loads postings");
    load.lines(content.lines.clone()).await.expect("loads lines");
    load.imports(content.imports.clone()).await.expect("loads imports");
    let mut before = target.read().await;
    assert_eq!(everything(&mut *before).await, nothing());
    load.finish(content.end).await.expect("finishes the load");
    assert_eq!(before.head().await.expect("reads the head"), empty);
    assert_eq!(everything(&mut *before).await, nothing());
    assert_eq!(everything(&mut *target.read().await).await, content);
}

pub async fn a_dropped_load_leaves_nothing_and_can_be_tried_again(store: &dyn Store) {
    let (source, target) = (source(store).await, target(store).await);
    let content = everything(&mut *source.read().await).await;
    let mut first = begin(store, &target).await;
    first.series(content.series.clone()).await.expect("loads series");
    first.records(content.records.clone()).await.expect("loads records");
    drop(first);
    assert_eq!(everything(&mut *target.read().await).await, nothing());
    load(store, &target, &content).await;
    assert_eq!(everything(&mut *target.read().await).await, content);
}

fn nothing() -> Everything {
    let end = LoadEnd { number: 0, digest: Digest::ZERO, catalog: 0, footprints: 0 };
    let (series, records, changes, items, postings, lines, imports) = Default::default();
    Everything { series, records, changes, items, postings, lines, imports, end }
}

pub async fn an_empty_tenant_is_loaded_as_one(store: &dyn Store) {
    let target = target(store).await;
    load(store, &target, &nothing()).await;
    assert_eq!(everything(&mut *target.read().await).await, nothing());
    assert_eq!(target.add(sample::product(1)).await.version, Version(1));
}

pub async fn a_tenant_with_a_history_is_not_loaded(store: &dyn Store) {
    let target = target(store).await;
    let product = target.add(sample::product(1)).await;
    target.remove(&product).await;
    let refused = store.load(target.grant()).await.err();
    assert!(matches!(refused, Some(StoreError::Conflict(Conflict::NotEmpty))), "{refused:?}");
    assert_eq!(target.add(sample::product(2)).await.version, Version(3));
}

pub async fn a_writer_waits_until_the_load_has_ended(store: &dyn Store) {
    let target = target(store).await;
    let mut load = begin(store, &target).await;
    let mut write = store.write(target.writing(), sample::intent());
    assert!(poll_immediate(&mut write).await.is_none());
    load.series(vec![SeriesKey::default()]).await.expect("loads series");
    assert!(poll_immediate(&mut write).await.is_none());
    drop(load);
    assert_eq!(write.await.expect("opens a write transaction").number(), 1);
}

/// Loads those records alone, and gives what stood in the way.
async fn refusal(store: &dyn Store, records: Vec<AnyRecord>) -> Option<StoreError> {
    let target = target(store).await;
    let mut load = begin(store, &target).await;
    let series = vec![SeriesKey::default(), sample::filled_activity(1).series()];
    load.series(series).await.expect("loads series");
    let end = LoadEnd { number: 1, digest: Digest::ZERO, catalog: 1, footprints: 9 };
    let refused = match load.records(records).await {
        Ok(()) => load.finish(end).await.err(),
        Err(error) => {
            drop(load);
            Some(error)
        }
    };
    if refused.is_some() {
        assert_eq!(everything(&mut *target.read().await).await, nothing());
    }
    refused
}

fn stored<T>(value: T) -> Stored<T> {
    Stored { value, created: sample::at(0), updated: sample::at(1), version: Version(1) }
}

pub async fn postings_that_count_beyond_64_bits_are_damage(store: &dyn Store) {
    let (source, target) = (source(store).await, target(store).await);
    let mut content = everything(&mut *source.read().await).await;
    let (last, _) = *content.postings.last().expect("has postings");
    // Three parts of 4,096 cells, each cell with the largest numbers that can be read.
    let most = (1 << 47) - 1;
    let cell = Cell::ZERO.with_starts(most).with_ends(most).with_incomplete_starts(most).with_incomplete_ends(most);
    let days = || std::iter::successors(Some(Day::MIN), |day| Some(day.next())).take(4_096);
    let packed = PackedCells::pack(days().map(|day| (0, day, &cell))).expect("packs");
    content.postings.extend((1..=3).map(|more| (PartPlace { part: last.part + more, ..last }, packed.clone())));
    load(store, &target, &content).await;
    let mut tx = target.read().await;
    let refused = ledger::cells(tx.ledger()).await.map(|_| ());
    assert!(matches!(refused, Err(StoreError::Corrupt { .. })), "{refused:?}");
    drop(tx);
    let found = store.verify(target.grant()).await.expect("verifies").findings;
    assert!(found.iter().any(|finding| finding.detail.contains("more activities than 64 bits count")), "{found:?}");
}

pub async fn a_load_with_a_doubled_id_leaves_nothing(store: &dyn Store) {
    let product = || AnyRecord::Product(stored(sample::product(1)));
    let refused = refusal(store, vec![product(), product()]).await;
    assert!(matches!(refused, Some(StoreError::Conflict(_))), "{refused:?}");
    let on = |day| AnyRecord::Activity(stored(sample::activity_in(1, sample::span(day, day), "1")));
    let refused = refusal(store, vec![on("2025-01-01"), on("2025-01-02")]).await;
    assert!(matches!(refused, Some(StoreError::Conflict(_))), "{refused:?}");
}

pub async fn a_load_with_a_doubled_sync_id_leaves_nothing(store: &dyn Store) {
    let synced = |number| sample::product(number).with_sync_id(Some(sample::sync_id("p")));
    let refused = refusal(store, [1, 2].map(|number| AnyRecord::Product(stored(synced(number)))).to_vec()).await;
    assert!(matches!(refused, Some(StoreError::Conflict(_))), "{refused:?}");
    let synced = |number| sample::activity(number).with_sync_id(Some(sample::sync_id("a")));
    let refused = refusal(store, [1, 2].map(|number| AnyRecord::Activity(stored(synced(number)))).to_vec()).await;
    assert!(matches!(refused, Some(StoreError::Conflict(_))), "{refused:?}");
}

pub async fn a_load_with_a_doubled_slug_or_footprint_number_leaves_nothing(store: &dyn Store) {
    let twins = [sample::taxonomy(1, "a"), sample::taxonomy(2, "a")];
    let refused = refusal(store, twins.map(|node| AnyRecord::Taxonomy(stored(node))).to_vec()).await;
    assert!(matches!(refused, Some(StoreError::Conflict(_))), "{refused:?}");
    let numbered = |number| sample::footprint(number).with_number(7);
    let refused = refusal(store, [1, 2].map(|number| AnyRecord::Footprint(stored(numbered(number)))).to_vec()).await;
    assert!(matches!(refused, Some(StoreError::Conflict(_))), "{refused:?}");
}

pub async fn a_load_with_a_reference_to_what_is_not_loaded_leaves_nothing(store: &dyn Store) {
    let child = sample::taxonomy(1, "a").with_parent(Some(sample::id(77)));
    let (product, model) = (sample::product(1), sample::model(1));
    let alone = [
        AnyRecord::Taxonomy(stored(child)),
        AnyRecord::Factor(stored(sample::factor(1, &product, "2025-01-01"))),
        AnyRecord::Input(stored(sample::input(1, &model, &product, 1))),
        AnyRecord::Switch(stored(sample::switch(1, &[model.id]))),
        AnyRecord::Activity(stored(sample::filled_activity(1))),
    ];
    for record in alone {
        let kind = record.kind();
        let refused = refusal(store, vec![record]).await;
        assert!(matches!(refused, Some(StoreError::Conflict(Conflict::Missing { .. }))), "{kind}: {refused:?}");
    }
}
