//! Writing a tenant to a file: one snapshot, some thousands of records in memory at a time.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::io::{self, Write};

use domain::{Factor, Input, Model, Node, NodeId, Product, Switch, Tree};
use files::{TenantCounts, TenantHeader, TenantWriter};
use ports::directory::{Client, Directory, Key, Tenant};
use ports::load::LoadEnd;
use ports::repo::{Page, Place, Query, Reader, Selection};
use ports::store::{ReadTx, Store, StoreError};
use ports::{Entity, Grant, RecordKind, Stored};

use super::Credentials;

/// How many records are read at a time.
const BATCH: u32 = 2_000;
/// How many records a page of a list has.
const PAGE: u32 = 1_000;
/// How many changes are read at a time, where they are small.
const CHANGES: u32 = 32;
/// A change of more items is not small.
const SMALL: usize = 128;

/// What was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exported {
    /// How much of what.
    pub counts: TenantCounts,
    /// How many bytes.
    pub bytes: u64,
}

/// Why an export is not whole.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The store could not be read.
    #[error("the records cannot be read")]
    Store(#[from] StoreError),
    /// What was read could not be written.
    #[error("the export cannot be written")]
    Write(#[from] io::Error),
}

/// Writes everything of the tenant, as it is in one snapshot, and tells `progress` now and then how many bytes there
/// are.
pub async fn export(
    store: &dyn Store,
    directory: &dyn Directory,
    tenant: &Tenant,
    credentials: Credentials,
    to: &mut (impl Write + Send),
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Exported, ExportError> {
    let mut tx = store.read(&Grant::for_maintenance(tenant.id, "command")).await?;
    let header = TenantHeader { tenant: tenant.clone(), credentials: credentials == Credentials::Carried };
    let mut export = Export { out: TenantWriter::new(to, &header)?, progress };
    export.series(&mut *tx).await?;
    export.nodes(&mut *tx).await?;
    export.list::<Product>(tx.products(), RecordKind::Product).await?;
    export.factors(&mut *tx).await?;
    export.list::<Model>(tx.models(), RecordKind::Model).await?;
    export.list::<Input>(tx.inputs(), RecordKind::Input).await?;
    export.list::<Switch>(tx.switches(), RecordKind::Switch).await?;
    export.footprints(&mut *tx).await?;
    export.activities(&mut *tx).await?;
    export.changes(&mut *tx).await?;
    if credentials == Credentials::Carried {
        export.credentials(directory, tenant).await?;
    }
    let head = tx.head().await?;
    let footprints = tx.ledger().footprint_mark().await?;
    let end = LoadEnd { number: head.number, digest: head.digest, catalog: head.catalog, footprints };
    let (counts, bytes) = export.out.finish(end)?;
    Ok(Exported { counts, bytes })
}

struct Export<'a, W> {
    out: TenantWriter<W>,
    progress: &'a (dyn Fn(u64) + Sync),
}

impl<W: Write + Send> Export<'_, W> {
    fn records<T: Entity>(&mut self, records: &[Stored<T>]) -> Result<(), ExportError> {
        records.iter().try_for_each(|stored| self.out.record(stored))?;
        (self.progress)(self.out.bytes());
        Ok(())
    }

    async fn series(&mut self, tx: &mut dyn ReadTx) -> Result<(), ExportError> {
        let series = tx.ledger().series(0).await?;
        Ok(series.into_iter().try_for_each(|key| self.out.series(key))?)
    }

    async fn nodes(&mut self, tx: &mut dyn ReadTx) -> Result<(), ExportError> {
        let nodes = tx.ledger().all_nodes().await?;
        self.records(&in_tree_order(nodes)?)
    }

    async fn list<T: Entity>(&mut self, reader: &mut dyn Reader<T>, kind: RecordKind) -> Result<(), ExportError> {
        for number in 1.. {
            let query = Query { kind, parent: None, sync_id: None, page: Page { number, size: PAGE } };
            let listed = reader.list(&query).await?;
            self.records(&listed.data)?;
            if query.page.offset() + u64::from(PAGE) >= listed.count {
                break;
            }
        }
        Ok(())
    }

    /// Factors, a correction behind the one that it corrects.
    async fn factors(&mut self, tx: &mut dyn ReadTx) -> Result<(), ExportError> {
        let (mut written, mut waiting) = (HashSet::new(), Vec::new());
        for number in 1.. {
            let page = Page { number, size: PAGE };
            let query = Query { kind: RecordKind::Factor, parent: None, sync_id: None, page };
            let listed = tx.factors().list(&query).await?;
            waiting.extend(listed.data);
            loop {
                let may_go = |factor: &Stored<Factor>| factor.value.corrects().is_none_or(|id| written.contains(&id));
                let ready: Vec<_> = waiting.extract_if(.., |factor| may_go(factor)).collect();
                if ready.is_empty() {
                    break;
                }
                written.extend(ready.iter().map(|factor| factor.value.id()));
                self.records(&ready)?;
            }
            if page.offset() + u64::from(PAGE) >= listed.count {
                break;
            }
        }
        // What corrects a factor that is not there says so where it is read.
        self.records(&waiting)
    }

    async fn footprints(&mut self, tx: &mut dyn ReadTx) -> Result<(), ExportError> {
        let mut above = 0;
        loop {
            let batch = tx.footprints().above(above, BATCH).await?;
            self.records(&batch)?;
            match batch.last() {
                Some(last) if batch.len() >= BATCH as usize => above = last.value.number,
                Some(_) | None => return Ok(()),
            }
        }
    }

    async fn activities(&mut self, tx: &mut dyn ReadTx) -> Result<(), ExportError> {
        let (everything, mut after) = (Selection::default(), None);
        loop {
            let batch = tx.activities().range(&everything, after, BATCH).await?;
            self.records(&batch)?;
            match batch.last() {
                Some(last) if batch.len() >= BATCH as usize => after = Some(Place::of(&last.value)),
                Some(_) | None => return Ok(()),
            }
        }
    }

    /// One change may have very many items, so several are read at once only behind small ones.
    async fn changes(&mut self, tx: &mut dyn ReadTx) -> Result<(), ExportError> {
        let (mut after, mut limit) = (0, 1);
        loop {
            let changes = tx.ledger().changes_since(after, limit).await?;
            for (change, items) in &changes {
                self.out.change(change, items)?;
            }
            (self.progress)(self.out.bytes());
            match changes.last() {
                Some((last, _)) if changes.len() >= limit as usize => after = last.number,
                Some(_) | None => return Ok(()),
            }
            let small = changes.iter().all(|(_, items)| items.len() <= SMALL);
            limit = if small { CHANGES } else { 1 };
        }
    }

    async fn credentials(&mut self, directory: &dyn Directory, tenant: &Tenant) -> Result<(), ExportError> {
        for number in 1.. {
            let page = Page { number, size: PAGE };
            let clients = directory.list_clients(tenant.id, page).await?;
            clients.data.iter().try_for_each(|client: &Client| self.out.client(client))?;
            if page.offset() + u64::from(PAGE) >= clients.count {
                break;
            }
        }
        for number in 1.. {
            let page = Page { number, size: PAGE };
            let keys = directory.list_keys(tenant.id, page).await?;
            keys.data.iter().try_for_each(|key: &Key| self.out.key(key))?;
            if page.offset() + u64::from(PAGE) >= keys.count {
                break;
            }
        }
        Ok(())
    }
}

/// The nodes of the three trees one after the other: each before those below it, siblings by id.
fn in_tree_order(nodes: Vec<Stored<Node>>) -> Result<Vec<Stored<Node>>, StoreError> {
    let count = nodes.len();
    let mut below: HashMap<(Tree, Option<NodeId>), Vec<Stored<Node>>> = HashMap::new();
    for node in nodes {
        below.entry((node.value.tree(), node.value.parent)).or_default().push(node);
    }
    // The next one stands last.
    for siblings in below.values_mut() {
        siblings.sort_unstable_by_key(|node| Reverse(node.value.id));
    }
    let mut ordered = Vec::with_capacity(count);
    for tree in [Tree::Scope, Tree::Org, Tree::Taxonomy] {
        let mut next = below.remove(&(tree, None)).unwrap_or_default();
        while let Some(node) = next.pop() {
            next.extend(below.remove(&(tree, Some(node.value.id))).unwrap_or_default());
            ordered.push(node);
        }
    }
    match below.into_values().flatten().next() {
        None => Ok(ordered),
        Some(lost) => Err(StoreError::Corrupt {
            subject: format!("{} {}", lost.value.tree(), lost.value.id),
            detail: "the nodes above it lead to no root of its tree; `tonne verify` tells more".to_owned(),
        }),
    }
}
