//! What references lead to in one tree.

use std::collections::{HashMap, HashSet};

use domain::{NodeTree, SyncId, TreeNode};
use ports::Stored;
use ports::inbound::{Error, Reference};
use ports::store::ReadTx;
use uuid::Uuid;

use super::words::Words;
use super::{Found, one_of};
use crate::usecase::tree::{IdOf, NodeKind};

/// What references lead to in one tree.
#[derive(Debug)]
pub struct KnownNodes<T: TreeNode> {
    pub(super) found: HashMap<Reference, Found<IdOf<T>>>,
    pub(super) words: Option<Words<T>>,
    /// Nodes that are taken for there, though the transaction may not show them: in the order they were made, parents
    /// first.
    made: Vec<T>,
    pub(super) made_ids: HashSet<IdOf<T>>,
    made_by_sync_id: HashMap<SyncId, IdOf<T>>,
}

impl<T: TreeNode> Default for KnownNodes<T> {
    fn default() -> Self {
        let (found, made_by_sync_id) = (HashMap::new(), HashMap::new());
        Self { found, words: None, made: Vec::new(), made_ids: HashSet::new(), made_by_sync_id }
    }
}

impl<T: NodeKind> KnownNodes<T> {
    pub(super) fn len(&self) -> usize {
        self.found.len() + self.words.as_ref().map_or(0, |words| words.meanings.len())
    }

    pub(super) fn add(&mut self, node: &T) {
        let id = TreeNode::id(node);
        self.made_ids.insert(id);
        if let Some(sync_id) = node.sync_id() {
            self.made_by_sync_id.insert(sync_id.clone(), id);
        }
        self.made.push(node.clone());
    }

    pub(super) fn remove(&mut self, node: &T) {
        let id = TreeNode::id(node);
        self.made_ids.remove(&id);
        if let Some(sync_id) = node.sync_id() {
            self.made_by_sync_id.remove(sync_id);
        }
        self.made.retain(|made| TreeNode::id(made) != id);
    }

    pub(super) async fn of_sync_id(&self, tx: &mut dyn ReadTx, sync_id: &SyncId) -> Result<Option<IdOf<T>>, Error> {
        match self.made_by_sync_id.get(sync_id) {
            Some(id) => Ok(Some(*id)),
            None => Ok(T::reader(tx).find_by_sync_id(sync_id).await?.as_ref().map(id_of)),
        }
    }

    pub(super) async fn of_word(&mut self, tx: &mut dyn ReadTx, word: &str) -> Result<Found<IdOf<T>>, Error> {
        if let Ok(id) = domain::parse_uuid(word)
            && let Some(id) = by_id::<T>(tx, id).await?
        {
            return Ok(Ok(id));
        }
        if let Ok(sync_id) = SyncId::parse(word)
            && let Some(id) = self.of_sync_id(tx, &sync_id).await?
        {
            return Ok(Ok(id));
        }
        let words = match &mut self.words {
            Some(words) => words,
            none => none.insert(read_words(tx, &self.made).await?),
        };
        Ok(one_of(words.meanings.get(word), T::KIND, word))
    }
}

impl<T: NodeKind> KnownNodes<T> {
    /// What the first word leads to that means anything.
    pub(super) async fn of_words(&mut self, tx: &mut dyn ReadTx, words: &[String]) -> Result<Found<IdOf<T>>, Error> {
        let mut found = Err("names nothing".to_owned());
        for word in words {
            found = self.of_word(tx, word).await?;
            let meanings = self.words.as_ref().and_then(|known| known.meanings.get(word));
            if found.is_ok() || meanings.is_some() {
                break;
            }
        }
        Ok(found)
    }
}

pub(super) async fn by_id<T: NodeKind>(tx: &mut dyn ReadTx, id: Uuid) -> Result<Option<IdOf<T>>, Error> {
    Ok(T::reader(tx).find(id.into()).await?.as_ref().map(id_of))
}

fn id_of<T: NodeKind>(node: &Stored<T>) -> IdOf<T> {
    TreeNode::id(&node.value)
}

async fn read_words<T: NodeKind>(tx: &mut dyn ReadTx, made: &[T]) -> Result<Words<T>, Error> {
    let nodes = NodeTree::new(T::tree(tx).all().await?.into_iter().map(|node| node.value).collect());
    let mut sorted: Vec<&T> = nodes.iter().collect();
    // Parents first, as a path is made of the one above.
    sorted.sort_by_cached_key(|node| nodes.forest().depth(TreeNode::id(*node)));
    Ok(Words::new(sorted.into_iter().chain(made)))
}
