//! Writing a tenant to a file: one snapshot, some thousands of records in memory at a time.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet, VecDeque};
use std::io::{self, Write};

use async_trait::async_trait;
use domain::{
    ClosedPeriod, Exclusion, Factor, Filter, Input, Model, PackedCells, Partner, Product, Sharing, Switch, TreeNode,
};
use files::{TenantCounts, TenantHeader, TenantWriter};
use ports::directory::{Directory, Tenant};
use ports::ledger::{PackedItems, PackedLines, PartPlace};
use ports::load::LoadEnd;
use ports::people::People;
use ports::repo::{ImportReader, LedgerReader, Page, Place, Query};
use ports::store::{HasRepository, ReadTx, Store, StoreError};
use ports::{Entity, Grant, Maintenance, Read, Stored, TenantCredentials};

use super::{Credentials, WithPeople};

/// How many records are read at a time.
const BATCH: u32 = 2_000;
/// How many records a page of a list has.
const PAGE: u32 = 1_000;
/// How many changes are read at a time.
const CHANGES: u32 = 1_000;
/// How many parts of items, or of postings, are read at a time; each has some hundred kilobytes at most, unless a record
/// has more.
const PARTS: u32 = 16;

/// The size of a finished export.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exported {
    /// How much of what.
    pub counts: TenantCounts,
    /// The size of the file, in bytes.
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
    /// What was read could not be kept in a temporary file, from which it was to be written.
    #[error("the export cannot be kept in a temporary file")]
    Keep(#[source] io::Error),
}

/// Writes everything of the tenant that the grant is for, as it is in one snapshot, and calls `progress` now and then with how many bytes there
/// are.
pub async fn export(
    store: &dyn Store,
    of: WithPeople<'_>,
    (grant, tenant): (&Grant<Maintenance>, &Tenant),
    credentials: Credentials,
    to: &mut (impl Write + Send),
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Exported, ExportError> {
    let mut tx = store.read(&grant.to_read()).await?;
    let header = TenantHeader { tenant: tenant.into(), credentials: credentials != Credentials::LeftOut };
    let mut export = Export { out: TenantWriter::new(to, &header)?, progress };
    export.series(&mut *tx).await?;
    export.tree(tx.scopes().all().await?)?;
    export.tree(tx.orgs().all().await?)?;
    export.tree(tx.taxonomies().all().await?)?;
    export.list::<Product>(&mut *tx).await?;
    export.factors(&mut *tx).await?;
    export.list::<Model>(&mut *tx).await?;
    export.list::<Input>(&mut *tx).await?;
    export.list::<Switch>(&mut *tx).await?;
    export.footprints(&mut *tx).await?;
    export.list::<ClosedPeriod>(&mut *tx).await?;
    export.list::<Exclusion>(&mut *tx).await?;
    export.list::<Partner>(&mut *tx).await?;
    export.list::<Sharing>(&mut *tx).await?;
    export.activities(&mut *tx).await?;
    export.changes(tx.ledger()).await?;
    export.imports(tx.imports()).await?;
    if credentials != Credentials::LeftOut {
        export.credentials(of.directory, &grant.to_read_credentials()).await?;
        export.users(of.people, &grant.to_read_credentials()).await?;
    }
    let head = tx.head().await?;
    let footprints = tx.footprints().highest_number().await?;
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

    fn tree<T: Entity + TreeNode>(&mut self, nodes: Vec<Stored<T>>) -> Result<(), ExportError> {
        self.records(&in_tree_order(nodes)?)
    }

    async fn list<T: HasRepository>(&mut self, tx: &mut dyn ReadTx) -> Result<(), ExportError> {
        for number in 1.. {
            let query = Query::all(Page { number, size: PAGE });
            let listed = T::reader(tx).list(&query).await?;
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
            let query = Query::all(page);
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
        let (everything, not_spread, mut after) = (Filter::default(), HashSet::new(), None);
        loop {
            let batch = tx.activities().range(&everything, &not_spread, after, BATCH).await?;
            self.records(&batch)?;
            match batch.last() {
                Some(last) if batch.len() >= BATCH as usize => after = Some(Place::of(&last.value)),
                Some(_) | None => return Ok(()),
            }
        }
    }

    /// Each change, and behind it the parts of its items, postings and lines.
    async fn changes(&mut self, ledger: &mut dyn LedgerReader) -> Result<(), ExportError> {
        let (mut after, mut items, mut postings) = (0, Parts::<PackedItems>::new(), Parts::<PackedCells>::new());
        let mut lines = Parts::<PackedLines>::new();
        loop {
            let changes = ledger.changes_since(after, CHANGES).await?;
            for change in &changes {
                self.out.change(change)?;
                while let Some((place, part)) = items.next_of(change.number, ledger).await? {
                    self.out.items(place, &part)?;
                }
                while let Some((place, part)) = postings.next_of(change.number, ledger).await? {
                    self.out.postings(place, &part)?;
                }
                while let Some((place, part)) = lines.next_of(change.number, ledger).await? {
                    self.out.lines(place, &part)?;
                }
                (self.progress)(self.out.bytes());
            }
            match changes.last() {
                Some(last) if changes.len() >= CHANGES as usize => after = last.number,
                Some(_) | None => return Ok(()),
            }
        }
    }

    /// The imports, the oldest first.
    async fn imports(&mut self, imports: &mut dyn ImportReader) -> Result<(), ExportError> {
        let count = imports.list(Page { number: 1, size: 1 }).await?.count;
        let pages = u32::try_from(count.div_ceil(u64::from(PAGE))).unwrap_or(u32::MAX);
        for number in (1..=pages).rev() {
            let listed = imports.list(Page { number, size: PAGE }).await?;
            listed.data.iter().rev().try_for_each(|import| self.out.import(import))?;
        }
        Ok(())
    }

    async fn credentials(
        &mut self,
        directory: &dyn Directory,
        grant: &Grant<Read, TenantCredentials>,
    ) -> Result<(), ExportError> {
        for number in 1.. {
            let page = Page { number, size: PAGE };
            let clients = directory.list_clients(grant, page).await?;
            clients.data.iter().try_for_each(|client| self.out.client(&client.value))?;
            if page.offset() + u64::from(PAGE) >= clients.count {
                break;
            }
        }
        for number in 1.. {
            let page = Page { number, size: PAGE };
            let keys = directory.list_keys(grant, page).await?;
            keys.data.iter().try_for_each(|key| self.out.key(&key.value))?;
            if page.offset() + u64::from(PAGE) >= keys.count {
                break;
            }
        }
        Ok(())
    }
}

impl<W: Write + Send> Export<'_, W> {
    async fn users(&mut self, people: &dyn People, grant: &Grant<Read, TenantCredentials>) -> Result<(), ExportError> {
        for number in 1.. {
            let page = Page { number, size: PAGE };
            let users = people.list_users(grant, page).await?;
            for user in &users.data {
                let password = match user.value.password {
                    Some(_) => people.find_password(user.value.id).await?,
                    None => None,
                };
                self.out.user(&user.value, password.as_ref())?;
            }
            if page.offset() + u64::from(PAGE) >= users.count {
                break;
            }
        }
        Ok(())
    }
}

/// The parts of all changes, read in order, some at a time.
struct Parts<P> {
    read: VecDeque<(PartPlace, P)>,
    after: PartPlace,
    are_more: bool,
}

/// What changes have in parts.
#[async_trait]
trait Part: Sized {
    /// Some parts behind that place, in order.
    async fn since(ledger: &mut dyn LedgerReader, after: PartPlace) -> Result<Vec<(PartPlace, Self)>, StoreError>;
}

#[async_trait]
impl Part for PackedItems {
    async fn since(ledger: &mut dyn LedgerReader, after: PartPlace) -> Result<Vec<(PartPlace, Self)>, StoreError> {
        ledger.items_since(after, PARTS).await
    }
}

#[async_trait]
impl Part for PackedLines {
    async fn since(ledger: &mut dyn LedgerReader, after: PartPlace) -> Result<Vec<(PartPlace, Self)>, StoreError> {
        ledger.lines_since(after, PARTS).await
    }
}

#[async_trait]
impl Part for PackedCells {
    async fn since(ledger: &mut dyn LedgerReader, after: PartPlace) -> Result<Vec<(PartPlace, Self)>, StoreError> {
        ledger.postings_since(after, PARTS).await
    }
}

impl<P: Part> Parts<P> {
    const fn new() -> Self {
        Self { read: VecDeque::new(), after: PartPlace::behind(0), are_more: true }
    }

    /// The next part, if it is of that change.
    async fn next_of(
        &mut self,
        change: u64,
        ledger: &mut dyn LedgerReader,
    ) -> Result<Option<(PartPlace, P)>, StoreError> {
        if self.read.is_empty() && self.are_more {
            self.read = P::since(ledger, self.after).await?.into();
            self.are_more = self.read.len() >= PARTS as usize;
            self.after = self.read.back().map_or(self.after, |(place, _)| *place);
        }
        Ok(self.read.pop_front_if(|(place, _)| place.change == change))
    }
}

/// The nodes of a tree: each before those below it, siblings by id.
fn in_tree_order<T: TreeNode>(nodes: Vec<Stored<T>>) -> Result<Vec<Stored<T>>, StoreError> {
    let count = nodes.len();
    let mut below: HashMap<Option<T::Id>, Vec<Stored<T>>> = HashMap::new();
    for node in nodes {
        below.entry(node.value.parent()).or_default().push(node);
    }
    // The next one is last.
    for siblings in below.values_mut() {
        siblings.sort_unstable_by_key(|node| Reverse(node.value.id()));
    }
    let mut ordered = Vec::with_capacity(count);
    let mut next = below.remove(&None).unwrap_or_default();
    while let Some(node) = next.pop() {
        next.extend(below.remove(&Some(node.value.id())).unwrap_or_default());
        ordered.push(node);
    }
    match below.into_values().flatten().next() {
        None => Ok(ordered),
        Some(lost) => Err(StoreError::Corrupt {
            subject: format!("{} {}", T::TREE, lost.value.id()),
            detail: "the nodes above it lead to no root of its tree; `tonne verify` shows more".to_owned(),
        }),
    }
}
