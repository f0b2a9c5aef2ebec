//! What references lead to in one tree.

use std::collections::{HashMap, HashSet};

use domain::{NodeTree, SyncId, TreeNode};
use ports::Stored;
use ports::inbound::{Error, Reference, Shown};
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

    /// The node of that id, where it is taken for there.
    pub(super) fn made(&self, id: IdOf<T>) -> Option<&T> {
        self.made_ids.contains(&id).then(|| self.made.iter().find(|made| TreeNode::id(*made) == id))?
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
        Ok(one_of(self.words(tx).await?.meanings.get(word), T::KIND, word))
    }

    async fn words(&mut self, tx: &mut dyn ReadTx) -> Result<&Words<T>, Error> {
        Ok(match &mut self.words {
            Some(words) => words,
            none => none.insert(read_words(tx, &self.made).await?),
        })
    }

    /// What an answer shows: by its uuid, else its syncId, else its path; by its name where it shows nothing else.
    pub(super) async fn of_shown(&mut self, tx: &mut dyn ReadTx, shown: &Shown) -> Result<Found<IdOf<T>>, Error> {
        let Shown { id, sync_id, path, name } = shown;
        if let Some(id) = by_id::<T>(tx, *id).await? {
            return Ok(Ok(id));
        }
        if let Some(sync_id) = sync_id
            && let Some(id) = self.of_sync_id(tx, sync_id).await?
        {
            return Ok(Ok(id));
        }
        let tree = T::TREE;
        match (path, sync_id, name) {
            (Some(path), _, _) => {
                let there = self.words(tx).await?.at(path);
                if there.is_empty() {
                    let detail = format!(
                        "there is no {tree} with the path {path:?}; one of the same name elsewhere is not taken for it"
                    );
                    return Ok(Err(detail));
                }
                Ok(one_of(Some(&there), T::KIND, path))
            }
            (None, Some(sync_id), _) => {
                Ok(Err(format!("there is no {tree} with the syncId {sync_id}; GET /v1/{tree} lists those there are")))
            }
            (None, None, Some(name)) => self.of_word(tx, name).await,
            (None, None, None) => Ok(Err(format!("there is no {tree} with the uuid {id}"))),
        }
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
