//! Importing rows: each adds an activity, changes one, leaves one as it is, or is rejected.

use std::collections::HashMap;

use domain::{Activity, ActivityId, Faults, MAX_LEVELS, Name, Node, NodeDetail, NodeId, Slug, SyncId, Timestamp, Tree};
use ports::inbound::{ActivityDraft, BatchOutcome, Error, Field, NodeStep, Outcome, Reference, RowDraft};
use ports::repo::ActivityWrite;
use ports::store::WriteTx;
use ports::world::Ids;
use ports::{Stored, Version};

use super::activity::build;
use super::resolve::Resolver;

/// What a row is about, at this point of the import.
struct Present {
    activity: Activity,
    /// The version in the store; `None` for one that this import adds.
    version: Option<Version>,
    /// Its place among the writes, once a row changed it.
    put: Option<usize>,
}

impl Present {
    fn of(stored: Stored<Activity>) -> Self {
        Self { activity: stored.value, version: Some(stored.version), put: None }
    }
}

/// What finds the activity that a row is about.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Key {
    /// Its syncId.
    SyncId(SyncId),
    /// Without a syncId, the activity that the row was read from.
    Id(ActivityId),
}

impl Key {
    fn of(draft: &ActivityDraft) -> Option<Self> {
        draft.sync_id.given().cloned().map(Self::SyncId).or_else(|| draft.read_back.id.map(Self::Id))
    }
}

/// Writes the rows into the transaction and says what became of each. Committing is the caller's.
pub(super) async fn run(
    tx: &mut dyn WriteTx,
    ids: &dyn Ids,
    now: Timestamp,
    rows: Vec<RowDraft>,
    may_make: bool,
) -> Result<BatchOutcome, Error> {
    let mut resolver = Resolver::default();
    let mut maker = Maker { made: HashMap::new(), siblings: None, may_make };
    let mut outcome = BatchOutcome::default();
    let mut puts: Vec<ActivityWrite> = Vec::new();
    let mut present = present(tx, &rows).await?;
    for RowDraft { line, mut draft } in rows {
        maker.make(tx, ids, now, &mut resolver, &mut draft).await?;
        let sync_id = draft.sync_id.given().cloned();
        let key = Key::of(&draft).filter(|key| matches!(key, Key::SyncId(_)) || present.contains_key(key));
        let before = key.as_ref().and_then(|key| present.get(key));
        let id = before.map_or_else(|| ActivityId::new(ids.next(now)), |before| before.activity.id);
        let known = before.map(|before| before.activity.clone());
        let activity = match build(tx, &mut resolver, id, known.as_ref(), draft).await? {
            Ok(activity) => activity,
            Err(faults) => {
                outcome.rejected += 1;
                outcome.faults.push((line, faults));
                continue;
            }
        };
        if known.as_ref() == Some(&activity) {
            outcome.unchanged += 1;
            continue;
        }
        outcome.incomplete += u64::from(activity.co2e().is_none());
        outcome.without_sync_id += u64::from(sync_id.is_none() && known.is_none());
        let Some(key) = key else {
            outcome.created += 1;
            puts.push(ActivityWrite::Add(activity));
            continue;
        };
        let (version, put) = present.get(&key).map_or((None, None), |before| (before.version, before.put));
        if known.is_some() {
            outcome.updated += 1;
        } else {
            outcome.created += 1;
        }
        let write = match version {
            Some(version) => ActivityWrite::Update(activity.clone(), version),
            None => ActivityWrite::Add(activity.clone()),
        };
        // A later row about the same activity takes the place of the earlier one.
        let place = put.unwrap_or(puts.len());
        if put.is_some() {
            puts[place] = write;
        } else {
            puts.push(write);
        }
        present.insert(key, Present { activity, version, put: Some(place) });
    }
    if !puts.is_empty() {
        tx.activities_mut().put_all(puts).await?;
    }
    Ok(outcome)
}

/// Whether what was written may stay.
pub(super) trait Keeps {
    fn keeps(self, outcome: &BatchOutcome) -> bool;
}

impl Keeps for Outcome {
    fn keeps(self, outcome: &BatchOutcome) -> bool {
        match self {
            Self::KeepGood => true,
            Self::AllOrNothing => outcome.rejected == 0,
            Self::Nothing => false,
        }
    }
}

/// The activities that the rows are about, as far as they are there.
async fn present(tx: &mut dyn WriteTx, rows: &[RowDraft]) -> Result<HashMap<Key, Present>, Error> {
    let (mut sync_ids, mut ids) = (Vec::new(), Vec::new());
    for key in rows.iter().filter_map(|row| Key::of(&row.draft)) {
        match key {
            Key::SyncId(sync_id) => sync_ids.push(sync_id),
            Key::Id(id) => ids.push(id),
        }
    }
    let mut present = HashMap::new();
    for stored in tx.activities().with_sync_ids(&sync_ids).await? {
        if let Some(sync_id) = stored.value.sync_id.clone() {
            present.insert(Key::SyncId(sync_id), Present::of(stored));
        }
    }
    for stored in tx.activities().find_all(&ids).await? {
        present.insert(Key::Id(stored.value.id), Present::of(stored));
    }
    Ok(present)
}

/// Makes the orgs and taxonomies that rows name by their place.
struct Maker {
    made: HashMap<(Tree, Vec<NodeStep>), NodeId>,
    siblings: Option<Siblings>,
    may_make: bool,
}

#[derive(Default)]
struct Siblings {
    by_sync_id: HashMap<(Tree, SyncId), NodeId>,
    by_name: HashMap<(Tree, Option<NodeId>, Name), NodeId>,
    slugs: HashMap<(Option<NodeId>, Slug), NodeId>,
    parents: HashMap<NodeId, Option<NodeId>>,
}

impl Siblings {
    fn note(&mut self, node: &Node) {
        self.parents.insert(node.id, node.parent);
        if let Some(sync_id) = &node.sync_id {
            self.by_sync_id.insert((node.tree(), sync_id.clone()), node.id);
        }
        self.by_name.entry((node.tree(), node.parent, node.name.clone())).or_insert(node.id);
        if let Some(slug) = node.slug() {
            self.slugs.insert((node.parent, slug.clone()), node.id);
        }
    }

    /// The node that a step leads to from a parent, if it is there.
    fn find(&self, tree: Tree, parent: Option<NodeId>, step: &NodeStep) -> Option<NodeId> {
        let found = match &step.sync_id {
            Some(sync_id) => self.by_sync_id.get(&(tree, sync_id.clone())),
            None => self.by_name.get(&(tree, parent, step.name.clone())),
        };
        found.copied()
    }

    /// The deepest level on which the steps would make a node; 0 when they make none.
    fn deepest(&self, tree: Tree, steps: &[NodeStep]) -> usize {
        let up = |id: &NodeId| self.parents.get(id).copied().flatten();
        let (mut parent, mut level, mut deepest) = (None, 0, 0);
        for (at, step) in steps.iter().enumerate() {
            let made_above = at > 0 && parent.is_none();
            // What has no syncId and stands below a node that is still to be made is to be made too.
            let known = if made_above && step.sync_id.is_none() { None } else { self.find(tree, parent, step) };
            parent = known;
            if let Some(id) = known {
                // Whatever was stored, this ends.
                level = std::iter::successors(Some(id), up).take(self.parents.len()).count();
            } else {
                level += 1;
                deepest = deepest.max(level);
            }
        }
        deepest
    }
}

impl Maker {
    /// Replaces each path of the draft by the id of the node at its end.
    async fn make(
        &mut self,
        tx: &mut dyn WriteTx,
        ids: &dyn Ids,
        now: Timestamp,
        resolver: &mut Resolver,
        draft: &mut ActivityDraft,
    ) -> Result<(), Error> {
        let ActivityDraft { org, taxonomy, faults, .. } = draft;
        for (tree, field) in [(Tree::Org, org), (Tree::Taxonomy, taxonomy)] {
            let Field::Given(Reference::Path(steps)) = field else { continue };
            let key = (tree, std::mem::take(steps));
            let id = match self.made.get(&key) {
                Some(id) => *id,
                None => match self.walk(tx, ids, now, resolver, tree, &key.1).await? {
                    Ok(id) => id,
                    Err(detail) => {
                        faults.extend(Faults::one(format!("/{tree}"), detail));
                        *field = Field::Faulty;
                        continue;
                    }
                },
            };
            self.made.insert(key, id);
            *field = Field::Given(Reference::Id(id.uuid()));
        }
        Ok(())
    }

    async fn walk(
        &mut self,
        tx: &mut dyn WriteTx,
        ids: &dyn Ids,
        now: Timestamp,
        resolver: &mut Resolver,
        tree: Tree,
        steps: &[NodeStep],
    ) -> Result<Result<NodeId, String>, Error> {
        if self.siblings.is_none() {
            let mut siblings = Siblings::default();
            for node in tx.ledger().all_nodes().await? {
                siblings.note(&node.value);
            }
            self.siblings = Some(siblings);
        }
        let siblings = self.siblings.get_or_insert_default();
        let deepest = siblings.deepest(tree, steps);
        if deepest > MAX_LEVELS {
            return Ok(Err(format!("would make {deepest} levels; a tree has at most {MAX_LEVELS}")));
        }
        let mut parent = None;
        for step in steps {
            if let Some(id) = siblings.find(tree, parent, step) {
                parent = Some(id);
                continue;
            }
            if !self.may_make {
                return Ok(Err(format!(
                    "there is no {tree} {:?}, and making it needs catalog:write",
                    step.name.as_str()
                )));
            }
            let detail = match tree {
                Tree::Taxonomy => NodeDetail::Taxonomy(free_slug(siblings, parent, &step.name)),
                Tree::Org | Tree::Scope => NodeDetail::Org,
            };
            let id = NodeId::from(ids.next(now));
            let node = Node { id, sync_id: step.sync_id.clone(), name: step.name.clone(), parent, detail };
            siblings.note(&node);
            resolver.made(tree, &node.name, id);
            tx.nodes_mut().add(node).await?;
            parent = Some(id);
        }
        Ok(parent.ok_or_else(|| format!("the path of the {tree} is empty")))
    }
}

/// The slug made from a name, with a number where a sibling has it.
fn free_slug(siblings: &Siblings, parent: Option<NodeId>, name: &Name) -> Slug {
    let slug = Slug::from_name(name);
    let free = |slug: &Slug| !siblings.slugs.contains_key(&(parent, slug.clone()));
    if free(&slug) {
        return slug;
    }
    // One more candidate than there are slugs, so one of them is free.
    let last = u32::try_from(siblings.slugs.len()).unwrap_or(u32::MAX - 2) + 2;
    (2..=last).map(|number| slug.numbered(number)).find(free).unwrap_or(slug)
}
