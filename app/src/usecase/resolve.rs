//! From references to records: found once, remembered for the rest of a request or an import.

use std::collections::HashMap;
use std::sync::Arc;

use domain::{Factor, Node, NodeId, Product, ProductId, SyncId, TaxonomyId, Tree};
use ports::RecordKind;
use ports::inbound::{Error, Reference};
use ports::repo::{Page, Query};
use ports::store::ReadTx;

/// The most factors of a product that are looked at; a product has one per edition of its source.
const FACTORS: u32 = 1_000;
const PRODUCTS: u32 = 1_000;

/// What a reference leads to, or a sentence that says why it leads nowhere.
type Found<T> = Result<T, String>;

/// A product with its factors.
#[derive(Clone, Debug)]
pub(super) struct Priced {
    pub(super) product: Product,
    pub(super) factors: Vec<Factor>,
}

/// Remembers what references lead to.
#[derive(Debug, Default)]
pub(super) struct Resolver {
    nodes: HashMap<(Tree, Reference), Found<NodeId>>,
    products: HashMap<Reference, Found<ProductId>>,
    priced: HashMap<ProductId, Arc<Priced>>,
    words: Option<Words>,
    made: Made,
}

/// Nodes that are taken for there, though the transaction may not show them.
#[derive(Debug, Default)]
struct Made {
    /// In the order they were made, parents first.
    nodes: Vec<Node>,
    trees: HashMap<NodeId, Tree>,
    by_sync_id: HashMap<(Tree, SyncId), NodeId>,
}

impl Made {
    fn add(&mut self, node: Node) {
        self.trees.insert(node.id, node.tree());
        if let Some(sync_id) = &node.sync_id {
            self.by_sync_id.insert((node.tree(), sync_id.clone()), node.id);
        }
        self.nodes.push(node);
    }
}

/// What the words of a table may mean.
#[derive(Debug, Default)]
struct Words {
    nodes: HashMap<(Tree, String), Vec<NodeId>>,
    /// The paths of taxonomies.
    paths: HashMap<NodeId, String>,
    products: HashMap<String, Vec<ProductId>>,
}

impl Words {
    /// Adds what a node is called: its name, and for a taxonomy its path. Its parent was added before.
    fn add(&mut self, node: &Node) {
        let mut meanings = vec![node.name.as_str().to_owned()];
        if let Some(slug) = node.slug() {
            let above = node.parent.and_then(|parent| self.paths.get(&parent));
            let path = above.map_or_else(|| slug.to_string(), |above| format!("{above}/{slug}"));
            self.paths.insert(node.id, path.clone());
            meanings.push(path);
            meanings.dedup();
        }
        for meaning in meanings {
            let ids = self.nodes.entry((node.tree(), meaning)).or_default();
            if !ids.contains(&node.id) {
                ids.push(node.id);
            }
        }
    }
}

impl Resolver {
    /// A resolver that takes those nodes for there, though they are not stored.
    pub(super) fn knowing(nodes: &[Node]) -> Self {
        let mut resolver = Self::default();
        for node in nodes {
            resolver.made.add(node.clone());
        }
        resolver
    }

    /// The node of the tree that the reference names.
    pub(super) async fn node(
        &mut self,
        tx: &mut dyn ReadTx,
        tree: Tree,
        reference: &Reference,
    ) -> Result<Found<NodeId>, Error> {
        let key = (tree, reference.clone());
        if let Some(found) = self.nodes.get(&key) {
            return Ok(found.clone());
        }
        let of_tree = |node: Option<ports::Stored<Node>>| node.filter(|node| node.value.tree() == tree);
        let missing = |what: String| format!("there is no {tree} with {what}; GET /v1/{tree} lists those there are");
        let found = match reference {
            Reference::Id(id) if self.made.trees.get(&NodeId::from(*id)) == Some(&tree) => Ok(NodeId::from(*id)),
            Reference::Id(id) => {
                let node = of_tree(tx.nodes().find(NodeId::from(*id)).await?);
                node.map(|node| node.value.id).ok_or_else(|| missing(format!("the uuid {id}")))
            }
            Reference::SyncId(sync_id) => {
                let node = self.node_of_sync_id(tx, tree, sync_id).await?;
                node.ok_or_else(|| missing(format!("the syncId {sync_id}")))
            }
            Reference::Word(word) => self.node_of_word(tx, tree, word).await?,
            Reference::Path(_) => Err(format!("is a path; a {tree} is made on the way by imports only")),
        };
        self.nodes.insert(key, found.clone());
        Ok(found)
    }

    async fn node_of_sync_id(
        &self,
        tx: &mut dyn ReadTx,
        tree: Tree,
        sync_id: &SyncId,
    ) -> Result<Option<NodeId>, Error> {
        if let Some(id) = self.made.by_sync_id.get(&(tree, sync_id.clone())) {
            return Ok(Some(*id));
        }
        let found = tx.nodes().find_by_sync_id(RecordKind::from(tree), sync_id).await?;
        Ok(found.filter(|node| node.value.tree() == tree).map(|node| node.value.id))
    }

    async fn node_of_word(&mut self, tx: &mut dyn ReadTx, tree: Tree, word: &str) -> Result<Found<NodeId>, Error> {
        if let Ok(id) = domain::parse_uuid(word)
            && let Some(node) = tx.nodes().find(NodeId::from(id)).await?.filter(|node| node.value.tree() == tree)
        {
            return Ok(Ok(node.value.id));
        }
        if let Ok(sync_id) = SyncId::parse(word)
            && let Some(id) = self.node_of_sync_id(tx, tree, &sync_id).await?
        {
            return Ok(Ok(id));
        }
        let words = self.words(tx).await?;
        Ok(one_of(words.nodes.get(&(tree, word.to_owned())), RecordKind::from(tree), word))
    }

    /// The product that the reference names.
    pub(super) async fn product(
        &mut self,
        tx: &mut dyn ReadTx,
        reference: &Reference,
    ) -> Result<Found<Arc<Priced>>, Error> {
        let found = if let Some(found) = self.products.get(reference) {
            found.clone()
        } else {
            let found = self.find_product(tx, reference).await?;
            self.products.insert(reference.clone(), found.clone());
            found
        };
        match found {
            Ok(id) => Ok(self.priced(tx, id).await?.ok_or_else(|| format!("the product {id} was removed"))),
            Err(detail) => Ok(Err(detail)),
        }
    }

    async fn find_product(&mut self, tx: &mut dyn ReadTx, reference: &Reference) -> Result<Found<ProductId>, Error> {
        let missing = |what: String| format!("there is no product with {what}; GET /v1/product lists those there are");
        Ok(match reference {
            Reference::Id(id) => {
                let product = tx.products().find(ProductId::new(*id)).await?;
                product.map(|product| product.value.id).ok_or_else(|| missing(format!("the uuid {id}")))
            }
            Reference::SyncId(sync_id) => {
                let product = tx.products().find_by_sync_id(RecordKind::Product, sync_id).await?;
                product.map(|product| product.value.id).ok_or_else(|| missing(format!("the syncId {sync_id}")))
            }
            Reference::Word(word) => {
                if let Ok(id) = domain::parse_uuid(word)
                    && let Some(product) = tx.products().find(ProductId::new(id)).await?
                {
                    return Ok(Ok(product.value.id));
                }
                if let Ok(sync_id) = SyncId::parse(word)
                    && let Some(product) = tx.products().find_by_sync_id(RecordKind::Product, &sync_id).await?
                {
                    return Ok(Ok(product.value.id));
                }
                let words = self.words(tx).await?;
                one_of(words.products.get(word), RecordKind::Product, word)
            }
            Reference::Path(_) => Err("is a path; products are not made on the way".to_owned()),
        })
    }

    /// A product with its factors; `None` when it is not there.
    pub(super) async fn priced(&mut self, tx: &mut dyn ReadTx, id: ProductId) -> Result<Option<Arc<Priced>>, Error> {
        if let Some(priced) = self.priced.get(&id) {
            return Ok(Some(Arc::clone(priced)));
        }
        let Some(product) = tx.products().find(id).await? else { return Ok(None) };
        let priced = Arc::new(Priced { product: product.value, factors: all_factors(tx, id).await? });
        self.priced.insert(id, Arc::clone(&priced));
        Ok(Some(priced))
    }

    /// Takes a node that was made for there.
    pub(super) fn note_made(&mut self, node: &Node) {
        let tree = node.tree();
        // What was not found before may be found now, and what its name meant may have two meanings.
        self.nodes.retain(|(of, reference), found| {
            *of != tree || (found.is_ok() && !matches!(reference, Reference::Word(word) if word == node.name.as_str()))
        });
        if let Some(words) = self.words.as_mut() {
            words.add(node);
        }
        self.made.add(node.clone());
    }

    async fn words(&mut self, tx: &mut dyn ReadTx) -> Result<&Words, Error> {
        if self.words.is_none() {
            self.words = Some(read_words(tx, &self.made.nodes).await?);
        }
        Ok(self.words.get_or_insert_default())
    }
}

/// All factors of a product, by the day they are valid from.
pub(super) async fn all_factors(tx: &mut dyn ReadTx, product: ProductId) -> Result<Vec<Factor>, Error> {
    let mut factors = Vec::new();
    for number in 1.. {
        let page = Page { number, size: FACTORS };
        let query = Query { kind: RecordKind::Factor, parent: Some(product.uuid()), sync_id: None, page };
        let listing = tx.factors().list(&query).await?;
        factors.extend(listing.data.into_iter().map(|factor| factor.value));
        if factors.len() as u64 >= listing.count {
            break;
        }
    }
    Ok(factors)
}

async fn read_words(tx: &mut dyn ReadTx, made: &[Node]) -> Result<Words, Error> {
    let mut words = Words::default();
    let mut nodes: Vec<Node> = tx.ledger().all_nodes().await?.into_iter().map(|node| node.value).collect();
    let catalog = domain::Catalog::new(nodes.clone(), []);
    // Parents first, as a path is made of the one above.
    nodes.sort_by_cached_key(|node| match node.tree() {
        Tree::Taxonomy => catalog.path(TaxonomyId::from(node.id)).matches('/').count(),
        Tree::Org | Tree::Scope => 0,
    });
    nodes.iter().chain(made).for_each(|node| words.add(node));
    for number in 1.. {
        let page = Page { number, size: PRODUCTS };
        let query = Query { kind: RecordKind::Product, parent: None, sync_id: None, page };
        let listing = tx.products().list(&query).await?;
        for product in &listing.data {
            words.products.entry(product.value.name.as_str().to_owned()).or_default().push(product.value.id);
        }
        if page.offset() + u64::from(page.size) >= listing.count {
            break;
        }
    }
    Ok(words)
}

fn one_of<Id: Copy>(ids: Option<&Vec<Id>>, kind: RecordKind, word: &str) -> Found<Id> {
    match ids.map_or(&[][..], Vec::as_slice) {
        [one] => Ok(*one),
        [] => {
            let ways = if kind == RecordKind::Taxonomy { "syncId, name or path" } else { "syncId or name" };
            Err(format!("there is no {kind} with the {ways} {word:?}"))
        }
        many => Err(format!("{} {kind} records are called {word:?}; give the syncId of one", many.len())),
    }
}
