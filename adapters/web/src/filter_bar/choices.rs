//! What can be chosen in the filter bar: the nodes of the three trees, and the years that there are activities of.

use domain::{Org, Scope, Taxonomy};
use http::edge::Failure;
use ports::inbound::{DraftedNode, Error, Nodes};
use ports::repo::Page;
use ports::{Permission, Revision};
use uuid::Uuid;

use crate::filter::{Dimension, Filter};
use crate::here::Here;
use crate::trees::{Choice, Tree};

/// So many nodes of a tree are offered; of a larger one those at the top.
const MOST: usize = 400;
/// So many nodes of a tree are read, to find names.
const MOST_READ: u64 = 20_000;

/// What can be chosen. Whoever may not read the catalog is offered nothing but what is chosen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choices {
    orgs: Tree,
    scopes: Tree,
    taxonomies: Tree,
}

impl Choices {
    /// Looks up what the viewer can choose.
    pub async fn find(here: &Here) -> Result<Self, Failure> {
        let (catalog, revision) = (here.areas().catalog.as_ref(), revision(here).await?);
        Ok(Self {
            orgs: tree::<Org>(here, catalog, revision, Dimension::Org).await?,
            scopes: tree::<Scope>(here, catalog, revision, Dimension::Scope).await?,
            taxonomies: tree::<Taxonomy>(here, catalog, revision, Dimension::Taxonomy).await?,
        })
    }

    /// Looks up the orgs alone; nothing else is offered.
    pub async fn find_orgs(here: &Here) -> Result<Self, Failure> {
        let (catalog, revision) = (here.areas().catalog.as_ref(), revision(here).await?);
        Ok(Self { orgs: tree::<Org>(here, catalog, revision, Dimension::Org).await?, ..Self::default() })
    }

    /// Every known node of that tree, by path.
    #[must_use]
    pub fn all(&self, dimension: Dimension) -> &[Choice] {
        match dimension {
            Dimension::Org => &self.orgs,
            Dimension::Scope => &self.scopes,
            Dimension::Taxonomy => &self.taxonomies,
        }
    }

    /// The nodes of that tree that are offered: those at the top, and the one that is chosen.
    #[must_use]
    pub fn offered(&self, dimension: Dimension, filter: &Filter) -> Vec<&Choice> {
        let (all, chosen) = (self.all(dimension), filter.node(dimension));
        let mut deepest = all.iter().map(|choice| choice.path.len()).max().unwrap_or(0);
        while deepest > 1 && all.iter().filter(|choice| choice.path.len() <= deepest).count() > MOST {
            deepest -= 1;
        }
        all.iter().filter(|choice| choice.path.len() <= deepest || Some(choice.id) == chosen).collect()
    }

    /// What the node is called, with those above; its identifier where it is not known.
    #[must_use]
    pub fn path(&self, dimension: Dimension, id: Uuid) -> String {
        let known = self.all(dimension).iter().find(|choice| choice.id == id);
        known.map_or_else(|| id.to_string(), |choice| choice.path.join(" / "))
    }

    /// The nodes above it, from the root down; none where it is not known.
    #[must_use]
    pub fn above(&self, dimension: Dimension, id: Uuid) -> &[Uuid] {
        self.all(dimension).iter().find(|choice| choice.id == id).map_or(&[], |choice| choice.above.as_slice())
    }

    /// What the node is called.
    #[must_use]
    pub fn name(&self, dimension: Dimension, id: Uuid) -> String {
        let known = self.all(dimension).iter().find(|choice| choice.id == id);
        known.map_or_else(|| id.to_string(), |choice| choice.name.clone())
    }
}

/// The point of history that trees are known at; `None` where the viewer may not ask for it.
async fn revision(here: &Here) -> Result<Option<Revision>, Failure> {
    match here.areas().activities.revision(here.caller()).await {
        Ok(revision) => Ok(Some(revision)),
        Err(Error::Denied(_)) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// The tree of that dimension, whose nodes are of that kind: as it is known at the revision, else listed.
async fn tree<T: DraftedNode>(
    here: &Here,
    catalog: &(impl Nodes<T> + ?Sized),
    revision: Option<Revision>,
    dimension: Dimension,
) -> Result<Tree, Failure> {
    if here.caller().check(Permission::CatalogRead).is_err() {
        return Ok(Tree::default());
    }
    let list = || nodes::<T>(here, catalog);
    match revision {
        Some(revision) => here.trees().of(here.caller().tenant, revision, dimension, list).await,
        None => Ok(list().await?.into()),
    }
}

async fn nodes<T: DraftedNode>(here: &Here, catalog: &(impl Nodes<T> + ?Sized)) -> Result<Vec<Choice>, Failure> {
    let mut found: Vec<(Uuid, Option<Uuid>, String)> = Vec::new();
    for number in 1.. {
        let page = Page { number, size: 1_000 };
        let listing = catalog.list_nodes(here.caller(), None, page).await?;
        let before = found.len();
        found.extend(listing.data.into_iter().map(|view| {
            let node = view.node.value;
            (node.id().into(), view.parent.map(|parent| parent.id), node.name().as_str().to_owned())
        }));
        if found.len() == before || found.len() as u64 >= listing.count.min(MOST_READ) {
            break;
        }
    }
    Ok(in_order(found))
}

/// The nodes as the tree has them: each behind the one above it, siblings as they were listed.
fn in_order(nodes: Vec<(Uuid, Option<Uuid>, String)>) -> Vec<Choice> {
    let mut below: std::collections::HashMap<Option<Uuid>, Vec<(Uuid, String)>> = std::collections::HashMap::new();
    for (id, parent, name) in nodes {
        below.entry(parent).or_default().push((id, name));
    }
    let mut order: Vec<Choice> = Vec::new();
    let mut open: Vec<Choice> = Vec::new();
    let push = |open: &mut Vec<Choice>, children: Vec<(Uuid, String)>, parent: Option<&Choice>| {
        for (id, name) in children.into_iter().rev() {
            let mut path = parent.map_or_else(Vec::new, |parent| parent.path.clone());
            path.push(name.clone());
            let above =
                parent.map_or_else(Vec::new, |parent| parent.above.iter().copied().chain([parent.id]).collect());
            open.push(Choice { id, name, path, above });
        }
    };
    push(&mut open, below.remove(&None).unwrap_or_default(), None);
    while let Some(choice) = open.pop() {
        let children = below.remove(&Some(choice.id)).unwrap_or_default();
        push(&mut open, children, Some(&choice));
        order.push(choice);
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_stand_behind_the_one_above_them() {
        let id = Uuid::from_u128;
        let node = |number, parent: Option<u128>, name: &str| (id(number), parent.map(id), name.to_owned());
        let order =
            in_order(vec![node(3, Some(1), "c"), node(1, None, "a"), node(2, None, "b"), node(4, Some(3), "d")]);
        let paths: Vec<_> = order.iter().map(|choice| choice.path.join("/")).collect();
        assert_eq!(paths, ["a", "a/c", "a/c/d", "b"]);
        let above: Vec<_> = order.into_iter().map(|choice| choice.above).collect();
        assert_eq!(above, [vec![], vec![id(1)], vec![id(1), id(3)], vec![]]);
    }
}
