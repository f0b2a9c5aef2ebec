//! What a write of each kind of record may alter of closed periods.

use std::collections::HashSet;

use async_trait::async_trait;
use domain::{Activity, Attribution, ClosedPeriod, ClosedSpan, Filter, Forest, Org, Scope, Taxonomy, TreeNode};
use ports::RecordKind;
use ports::repo::Reader;
use ports::store::{Conflict, HasRepository, PeriodClosed, StoreError, WriteTx};

use super::closed::refuse;
use super::guarded_tx::GuardedTx;
use crate::usecase::tree::{IdOf, NodeKind};

/// A kind of record whose writes may alter figures of closed periods.
#[async_trait]
pub(super) trait GuardedKind: HasRepository {
    /// Refuses the write that leaves the record of that id so, or removes it, where it alters a figure of a closed period.
    async fn check(tx: &mut GuardedTx, id: Self::Id, after: Option<&Self>) -> Result<(), StoreError>;

    /// Notes that one was written.
    fn written(_: &mut GuardedTx) {}
}

#[async_trait]
impl GuardedKind for Activity {
    async fn check(tx: &mut GuardedTx, id: Self::Id, after: Option<&Self>) -> Result<(), StoreError> {
        let closed = tx.closed().await?;
        if closed.is_empty() {
            return Ok(());
        }
        refuse(&closed, after)?;
        let before = tx.tx.activities().find(id).await?;
        refuse(&closed, before.iter().map(|stored| &stored.value))
    }
}

/// A closed period is written by the use case that closes and opens them; it alters no figure.
#[async_trait]
impl GuardedKind for ClosedPeriod {
    async fn check(_: &mut GuardedTx, _: Self::Id, _: Option<&Self>) -> Result<(), StoreError> {
        Ok(())
    }

    fn written(tx: &mut GuardedTx) {
        tx.forget();
    }
}

#[async_trait]
impl GuardedKind for Scope {
    /// Where it is, and what kind and category it is of, decide in which total activities count and how they are spread.
    async fn check(tx: &mut GuardedTx, id: Self::Id, after: Option<&Self>) -> Result<(), StoreError> {
        let Some((before, after)) = both(tx, id, after).await? else { return Ok(()) };
        let altered = altered([
            ("/parent", before.parent == after.parent),
            ("/kind", before.class.kind() == after.class.kind()),
            ("/category", before.class.category() == after.class.category()),
        ]);
        if altered.is_empty() {
            return Ok(());
        }
        let Some(carried) = carried_below::<Self>(tx, id).await? else { return Ok(()) };
        refuse_carried(tx, &Filter::default().with_scopes(Some(carried)), altered).await
    }
}

#[async_trait]
impl GuardedKind for Taxonomy {
    async fn check(tx: &mut GuardedTx, id: Self::Id, after: Option<&Self>) -> Result<(), StoreError> {
        let Some((before, after)) = both(tx, id, after).await? else { return Ok(()) };
        let altered = altered([("/parent", before.parent == after.parent)]);
        if altered.is_empty() {
            return Ok(());
        }
        let Some(carried) = carried_below::<Self>(tx, id).await? else { return Ok(()) };
        refuse_carried(tx, &Filter::default().with_taxonomies(Some(carried)), altered).await
    }
}

#[async_trait]
impl GuardedKind for Org {
    async fn check(tx: &mut GuardedTx, id: Self::Id, after: Option<&Self>) -> Result<(), StoreError> {
        let Some((before, after)) = both(tx, id, after).await? else { return Ok(()) };
        let altered = altered([("/parent", before.parent == after.parent)]);
        if altered.is_empty() {
            return Ok(());
        }
        let Some(carried) = carried_below::<Self>(tx, id).await? else { return Ok(()) };
        let closed = tx.closed().await?;
        let filter = Filter::default().with_orgs(Some(carried));
        refuse_touched(tx.tx.as_mut(), closed.moved_org(id, after.parent), |_| filter.clone(), altered).await
    }

    /// Which orgs a period is closed for hangs on the tree.
    fn written(tx: &mut GuardedTx) {
        tx.forget();
    }
}

/// The node as it is and as it becomes, where it is one that is there and stays, and a period is closed.
async fn both<'a, T: GuardedKind>(
    tx: &mut GuardedTx,
    id: T::Id,
    after: Option<&'a T>,
) -> Result<Option<(T, &'a T)>, StoreError> {
    // What activities carry cannot be removed, and what is new is carried by none.
    let Some(after) = after else { return Ok(None) };
    if tx.closed().await?.is_empty() {
        return Ok(None);
    }
    Ok(T::writer(tx.tx.as_mut()).find(id).await?.map(|before| (before.value, after)))
}

/// The members that are not the same, by what is.
fn altered<const N: usize>(same: [(&'static str, bool); N]) -> Vec<&'static str> {
    same.into_iter().filter(|(_, is_same)| !is_same).map(|(pointer, _)| pointer).collect()
}

/// The node and those below it, where activities carry one of them.
async fn carried_below<T: GuardedKind + NodeKind>(
    tx: &mut GuardedTx,
    id: IdOf<T>,
) -> Result<Option<HashSet<IdOf<T>>>, StoreError> {
    let nodes = T::tree(tx.tx.as_mut()).all().await?;
    let forest = Forest::new(nodes.iter().map(|node| (TreeNode::id(&node.value), TreeNode::parent(&node.value))));
    let mut carried = HashSet::new();
    for node in forest.subtree(id) {
        let uses = Reader::<T>::uses(T::writer(tx.tx.as_mut()), node).await?;
        if uses.iter().any(|uses| uses.kind == RecordKind::Activity) {
            carried.insert(node);
        }
    }
    Ok(Some(carried).filter(|carried| !carried.is_empty()))
}

/// Refuses where an activity of that filter, of an org that a period is closed for, has a day in it.
async fn refuse_carried(tx: &mut GuardedTx, filter: &Filter, altered: Vec<&'static str>) -> Result<(), StoreError> {
    let closed = tx.closed().await?;
    let of_span = |span: &ClosedSpan| filter.clone().with_orgs(span.orgs.clone());
    refuse_touched(tx.tx.as_mut(), closed.iter(), of_span, altered).await
}

/// Refuses where an activity that the filter of a closed period selects has a day in it.
async fn refuse_touched(
    tx: &mut dyn WriteTx,
    closed: impl Iterator<Item = &ClosedSpan> + Send,
    filter: impl Fn(&ClosedSpan) -> Filter + Send,
    altered: Vec<&'static str>,
) -> Result<(), StoreError> {
    for span in closed {
        let filter = filter(span).with_period(span.days()).with_attribution(Attribution::Daily);
        if !tx.activities().range(&filter, &HashSet::new(), None, 1).await?.is_empty() {
            return Err(StoreError::Conflict(Conflict::Closed(PeriodClosed::of(span).altered_by(altered))));
        }
    }
    Ok(())
}
