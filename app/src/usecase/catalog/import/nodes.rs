//! The nodes of a tree, those above before those below.

use std::collections::HashMap;

use domain::SyncId;
use ports::inbound::{Existing, KnownAs, NodeDraft, Placed};
use uuid::Uuid;

use super::super::node;
use super::known::{Known, Places};
use super::{Error, Faults, Field, Import, Put, Reference, conflict, own_sync_id};
use crate::usecase::draft::refused;
use crate::usecase::resolve::Referred;
use crate::usecase::tree::{Built, IdOf};

impl Import {
    pub(super) async fn nodes<T: Referred>(&mut self, drafts: Vec<Placed<NodeDraft<T::Detail>>>) -> Result<(), Error> {
        let order = parents_first(&drafts);
        let mut drafts: Vec<Option<_>> = drafts.into_iter().map(Some).collect();
        let mut places = None;
        for index in order {
            let Some(Placed { place, known_as, mut draft }) = drafts[index].take() else { continue };
            let is_known_otherwise = known_as.id.is_some() && draft.sync_id.is_missing();
            let sync_id =
                if is_known_otherwise { None } else { self.sync_id_of(T::KIND, &draft.sync_id, &mut draft.faults) };
            self.settle(&mut draft.parent);
            let put = self.node::<T>((sync_id.as_ref(), &known_as), draft, &mut places).await?;
            self.note(T::KIND, sync_id.as_ref(), place, put);
        }
        Ok(())
    }

    async fn node<T: Referred>(
        &mut self,
        (sync_id, known_as): (Option<&SyncId>, &KnownAs),
        mut draft: NodeDraft<T::Detail>,
        places: &mut Option<Places<T>>,
    ) -> Result<Result<Put, Faults>, Error> {
        if self.is_to_a_faulty_one(T::KIND, &draft.parent) {
            // What it is depends on the one above, which is wrong itself.
            return Ok(Err(draft.faults));
        }
        let before = match self.known_node::<T>(sync_id, known_as, &draft, places).await? {
            Known::New => None,
            Known::Itself(found) => Some(found),
            Known::Alike(found) => {
                draft.sync_id = Field::Absent;
                Some(found)
            }
            Known::Several(count) => {
                let detail = format!("is that of {count} nodes at its place; give the one that is meant a syncId");
                draft.faults.add("/name", detail);
                return Ok(Err(draft.faults));
            }
        };
        if let Some(before) = &before
            && self.existing == Existing::Keep
        {
            self.remember(known_as, domain::TreeNode::id(&before.value).into());
            return Ok(Ok(Put::Unchanged));
        }
        let id: IdOf<T> = before
            .as_ref()
            .map_or_else(|| self.ids.next(self.now).into(), |before| domain::TreeNode::id(&before.value));
        if before.is_none() && draft.parent == Field::Null {
            draft.parent = Field::Absent;
        }
        let faulty = !draft.faults.is_empty();
        let built = node::build::<T>(self.tx.as_mut(), id, before.as_ref().map(|before| &before.value), draft).await?;
        let Built { node, below } = match built {
            Ok(_) if faulty => return Err(refused(built)),
            Ok(built) => built,
            Err(faults) => return Ok(Err(faults)),
        };
        self.remember(known_as, id.into());
        let Some(before) = before else {
            let place = (domain::TreeNode::parent(&node), node.name().as_str().to_owned());
            return Ok(match T::writer(self.tx.as_mut()).add(node).await {
                Ok(_) => {
                    if let Some(places) = places {
                        places.entry(place).or_default().push(id);
                    }
                    Ok(Put::Created)
                }
                Err(error) => Err(conflict(error)?),
            });
        };
        if node == before.value {
            return Ok(Ok(Put::Unchanged));
        }
        if let Err(error) = T::writer(self.tx.as_mut()).update(node, before.version).await {
            return Ok(Err(conflict(error)?));
        }
        for node in below {
            T::writer(self.tx.as_mut()).update(node.value, node.version).await?;
        }
        Ok(Ok(Put::Updated))
    }
}

/// The order in which nodes can be put: each behind the one above it, where that is among them. Nodes in a circle come last, and
/// are refused for a parent that is not there.
fn parents_first<D>(drafts: &[Placed<NodeDraft<D>>]) -> Vec<usize> {
    let mut by_sync_id: HashMap<&SyncId, usize> = HashMap::new();
    let mut by_name: HashMap<&str, usize> = HashMap::new();
    let by_id: HashMap<Uuid, usize> =
        drafts.iter().enumerate().filter_map(|(index, placed)| Some((placed.known_as.id?, index))).collect();
    for (index, Placed { draft, .. }) in drafts.iter().enumerate() {
        if let Some(sync_id) = draft.sync_id.given() {
            by_sync_id.entry(sync_id).or_insert(index);
        }
        if let Some(name) = draft.name.given() {
            by_name.entry(name.as_str()).or_insert(index);
        }
    }
    let mut below: Vec<Vec<usize>> = vec![Vec::new(); drafts.len()];
    let mut order = Vec::with_capacity(drafts.len());
    for (index, Placed { draft, .. }) in drafts.iter().enumerate() {
        let word = draft.parent.given().and_then(own_sync_id);
        let id = match draft.parent.given() {
            Some(Reference::Shown(shown)) => Some(shown.id),
            Some(_) | None => word.as_ref().and_then(|word| domain::parse_uuid(word.as_str()).ok()),
        };
        let above = word.as_ref().and_then(|word| by_sync_id.get(word).or_else(|| by_name.get(word.as_str())));
        let above = above.or_else(|| by_id.get(&id?));
        match above {
            Some(above) if *above != index => below[*above].push(index),
            Some(_) | None => order.push(index),
        }
    }
    let mut next = 0;
    while let Some(index) = order.get(next).copied() {
        order.append(&mut below[index]);
        next += 1;
    }
    order.extend(below.into_iter().flatten());
    order
}
