//! The trees of companies, kept for as long as nothing is written: most pages offer all of them, and each would list them anew.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ports::{Revision, TenantId};
use uuid::Uuid;

use crate::filter::Dimension;

/// When the trees of all companies together take more bytes than these (32 MiB), those of other companies are dropped.
const MOST_BYTES: usize = 32 << 20;

/// A node that can be chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The node.
    pub id: Uuid,
    /// What it is called.
    pub name: String,
    /// The names from the root down to it.
    pub path: Vec<String>,
    /// The nodes above it, from the root down.
    pub above: Vec<Uuid>,
}

impl Choice {
    /// The bytes that it takes, with its name, its path and the nodes above it.
    fn bytes(&self) -> usize {
        let path: usize = self.path.iter().map(|name| size_of::<String>() + name.len()).sum();
        size_of::<Self>() + self.name.len() + path + size_of_val(self.above.as_slice())
    }
}

/// The nodes of a tree, by path.
pub(crate) type Tree = Arc<[Choice]>;

/// The trees of each company at the newest revision that a page asked for.
#[derive(Debug, Default)]
pub(crate) struct KnownTrees(Mutex<HashMap<TenantId, OfRevision>>);

#[derive(Debug)]
struct OfRevision {
    revision: Revision,
    /// Each with the bytes that it takes.
    trees: HashMap<Dimension, (Tree, usize)>,
}

impl KnownTrees {
    /// The company's tree at that revision, which is listed where it is not known. Whether whoever asks may have it is
    /// checked before.
    pub(crate) async fn of<F, E>(
        &self,
        tenant: TenantId,
        revision: Revision,
        dimension: Dimension,
        list: impl FnOnce() -> F,
    ) -> Result<Tree, E>
    where
        F: Future<Output = Result<Vec<Choice>, E>>,
    {
        if let Some(known) = self.find(tenant, revision, dimension) {
            return Ok(known);
        }
        let tree: Tree = list().await?.into();
        self.put(tenant, revision, dimension, Arc::clone(&tree));
        Ok(tree)
    }

    fn find(&self, tenant: TenantId, revision: Revision, dimension: Dimension) -> Option<Tree> {
        let known = self.lock();
        let of = known.get(&tenant).filter(|of| of.revision == revision)?;
        of.trees.get(&dimension).map(|(tree, _)| Arc::clone(tree))
    }

    fn put(&self, tenant: TenantId, revision: Revision, dimension: Dimension, tree: Tree) {
        let bytes = tree.iter().map(Choice::bytes).sum();
        let mut known = self.lock();
        match known.get(&tenant).map(|of| of.revision) {
            // What is older displaces nothing.
            Some(newer) if newer.epoch == revision.epoch && newer.number > revision.number => return,
            Some(other) if other != revision => drop(known.remove(&tenant)),
            Some(_) | None => {}
        }
        let of = known.entry(tenant).or_insert_with(|| OfRevision { revision, trees: HashMap::new() });
        of.trees.insert(dimension, (tree, bytes));
        let taken = |of: &OfRevision| of.trees.values().map(|(_, bytes)| bytes).sum::<usize>();
        if known.values().map(taken).sum::<usize>() > MOST_BYTES {
            known.retain(|id, _| *id == tenant);
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<TenantId, OfRevision>> {
        // Nothing that holds the lock can fail half-way.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;
    use std::future::ready;

    use futures_util::FutureExt as _;

    use super::*;

    fn tenant(number: u128) -> TenantId {
        TenantId::new(Uuid::from_u128(number))
    }

    fn revision(number: u64) -> Revision {
        Revision { epoch: Uuid::nil(), number }
    }

    /// What the orgs are called that a page is given where a list has that one.
    fn ask(known: &KnownTrees, tenant: TenantId, revision: Revision, listed: &str) -> String {
        let choice =
            Choice { id: Uuid::nil(), name: listed.to_owned(), path: vec![listed.to_owned()], above: Vec::new() };
        let list = || ready(Ok::<_, Infallible>(vec![choice]));
        let found = known.of(tenant, revision, Dimension::Org, list).now_or_never().unwrap().unwrap();
        found.iter().map(|choice| choice.name.as_str()).collect()
    }

    #[test]
    fn a_tree_is_listed_once_for_each_company_and_revision() {
        let known = KnownTrees::default();
        assert_eq!(ask(&known, tenant(1), revision(7), "first"), "first");
        assert_eq!(ask(&known, tenant(1), revision(7), "second"), "first");
        assert_eq!(ask(&known, tenant(2), revision(7), "theirs"), "theirs");
        assert_eq!(ask(&known, tenant(1), revision(8), "later"), "later");
        assert_eq!(ask(&known, tenant(2), revision(7), "other"), "theirs");
    }

    #[test]
    fn trees_of_another_dimension_are_listed_for_themselves() {
        let known = KnownTrees::default();
        ask(&known, tenant(1), revision(7), "org");
        let none = || ready(Ok::<_, Infallible>(Vec::new()));
        let scopes = known.of(tenant(1), revision(7), Dimension::Scope, none).now_or_never().unwrap().unwrap();
        assert!(scopes.is_empty());
        assert_eq!(ask(&known, tenant(1), revision(7), "other"), "org");
    }

    #[test]
    fn a_page_of_an_older_revision_displaces_nothing_and_one_of_another_epoch_does() {
        let known = KnownTrees::default();
        ask(&known, tenant(1), revision(7), "newer");
        assert_eq!(ask(&known, tenant(1), revision(6), "older"), "older");
        assert_eq!(ask(&known, tenant(1), revision(7), "again"), "newer");
        let restored = Revision { epoch: Uuid::from_u128(1), number: 3 };
        assert_eq!(ask(&known, tenant(1), restored, "restored"), "restored");
        assert_eq!(ask(&known, tenant(1), restored, "again"), "restored");
    }

    #[test]
    fn a_few_nodes_with_long_paths_displace_the_trees_of_other_companies_and_short_ones_do_not() {
        let known = KnownTrees::default();
        ask(&known, tenant(1), revision(7), "first");
        let list = |number, names: usize| {
            let path = vec!["n".repeat(1_000); names];
            let choice = Choice { id: Uuid::nil(), name: "n".to_owned(), path, above: vec![Uuid::nil(); names] };
            let deep = || ready(Ok::<_, Infallible>(vec![choice; 100]));
            known.of(tenant(number), revision(7), Dimension::Org, deep).now_or_never().unwrap().unwrap();
        };
        list(2, 30);
        assert_eq!(ask(&known, tenant(1), revision(7), "again"), "first");
        list(3, 320);
        assert_eq!(ask(&known, tenant(1), revision(7), "displaced"), "displaced");
    }
}
