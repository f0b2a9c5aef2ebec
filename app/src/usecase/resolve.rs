//! From references to records: found once, remembered for the rest of a request or an import.

mod words;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use domain::{Factor, NodeTree, Org, Product, ProductId, Scope, SyncId, Taxonomy, TreeNode};
use ports::inbound::{Error, Reference};
use ports::repo::{Page, Query};
use ports::store::ReadTx;
use ports::{RecordKind, Stored};
use uuid::Uuid;

use super::tree::{IdOf, NodeKind};
use words::Words;

/// The most factors of a product that are looked at; a product has one per edition of its source.
const FACTORS: u32 = 1_000;

/// A resolver of more references is large: some 20 MB.
const MANY: usize = 100_000;

/// What a reference leads to, or a sentence that says why it leads nowhere.
type Found<T> = Result<T, String>;

/// A product with its factors.
#[derive(Clone, Debug)]
pub(super) struct ProductWithFactors {
    pub(super) product: Product,
    pub(super) factors: Vec<Factor>,
}

/// Remembers what references lead to.
#[derive(Debug, Default)]
pub struct Resolver {
    scopes: KnownNodes<Scope>,
    orgs: KnownNodes<Org>,
    taxonomies: KnownNodes<Taxonomy>,
    products: HashMap<Reference, Found<ProductId>>,
    with_factors: HashMap<ProductId, Arc<ProductWithFactors>>,
    product_words: Option<HashMap<String, Vec<ProductId>>>,
}

/// A kind of node that references lead to.
pub trait Referred: NodeKind {
    /// What a resolver remembers of the tree.
    fn known(resolver: &mut Resolver) -> &mut KnownNodes<Self>;
}

impl Referred for Scope {
    fn known(resolver: &mut Resolver) -> &mut KnownNodes<Self> {
        &mut resolver.scopes
    }
}

impl Referred for Org {
    fn known(resolver: &mut Resolver) -> &mut KnownNodes<Self> {
        &mut resolver.orgs
    }
}

impl Referred for Taxonomy {
    fn known(resolver: &mut Resolver) -> &mut KnownNodes<Self> {
        &mut resolver.taxonomies
    }
}

/// What references lead to in one tree.
#[derive(Debug)]
pub struct KnownNodes<T: TreeNode> {
    found: HashMap<Reference, Found<IdOf<T>>>,
    words: Option<Words<T>>,
    /// Nodes that are taken for there, though the transaction may not show them: in the order they were made, parents
    /// first.
    made: Vec<T>,
    made_ids: HashSet<IdOf<T>>,
    made_by_sync_id: HashMap<SyncId, IdOf<T>>,
}

impl<T: TreeNode> Default for KnownNodes<T> {
    fn default() -> Self {
        let (found, made_by_sync_id) = (HashMap::new(), HashMap::new());
        Self { found, words: None, made: Vec::new(), made_ids: HashSet::new(), made_by_sync_id }
    }
}

impl Resolver {
    /// A resolver that takes those nodes for there, though they are not stored.
    pub(super) fn knowing(orgs: &[Org], taxonomies: &[Taxonomy]) -> Self {
        let mut resolver = Self::default();
        for org in orgs {
            resolver.orgs.add(org);
        }
        for taxonomy in taxonomies {
            resolver.taxonomies.add(taxonomy);
        }
        resolver
    }

    /// Whether it remembers so much that it is better begun anew.
    pub(super) fn is_large(&self) -> bool {
        self.len() > MANY
    }

    /// How many references, words and products it remembers.
    pub(super) fn len(&self) -> usize {
        let Self { scopes, orgs, taxonomies, products, with_factors, product_words } = self;
        let nodes = scopes.len() + orgs.len() + taxonomies.len();
        let words = product_words.as_ref().map_or(0, HashMap::len);
        nodes + products.len() + with_factors.values().map(|known| 1 + known.factors.len()).sum::<usize>() + words
    }

    /// The node of the tree that the reference names.
    pub(super) async fn node<T: Referred>(
        &mut self,
        tx: &mut dyn ReadTx,
        reference: &Reference,
    ) -> Result<Found<IdOf<T>>, Error> {
        let known = T::known(self);
        if let Some(found) = known.found.get(reference) {
            return Ok(found.clone());
        }
        let tree = T::TREE;
        let missing = |what: String| format!("there is no {tree} with {what}; GET /v1/{tree} lists those there are");
        let found = match reference {
            Reference::Id(id) if known.made_ids.contains(&IdOf::<T>::from(*id)) => Ok((*id).into()),
            Reference::Id(id) => by_id::<T>(tx, *id).await?.ok_or_else(|| missing(format!("the uuid {id}"))),
            Reference::SyncId(sync_id) => {
                known.of_sync_id(tx, sync_id).await?.ok_or_else(|| missing(format!("the syncId {sync_id}")))
            }
            Reference::Word(word) => known.of_word(tx, word).await?,
            Reference::Words(words) => known.of_words(tx, words).await?,
            Reference::Path(_) => Err(format!("is a path; a {tree} is made on the way by imports only")),
        };
        known.found.insert(reference.clone(), found.clone());
        Ok(found)
    }

    /// The product that the reference names.
    pub(super) async fn product(
        &mut self,
        tx: &mut dyn ReadTx,
        reference: &Reference,
    ) -> Result<Found<Arc<ProductWithFactors>>, Error> {
        let found = if let Some(found) = self.products.get(reference) {
            found.clone()
        } else {
            let found = self.find_product(tx, reference).await?;
            self.products.insert(reference.clone(), found.clone());
            found
        };
        match found {
            Ok(id) => {
                Ok(self.product_with_factors(tx, id).await?.ok_or_else(|| format!("the product {id} was removed")))
            }
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
                let product = tx.products().find_by_sync_id(sync_id).await?;
                product.map(|product| product.value.id).ok_or_else(|| missing(format!("the syncId {sync_id}")))
            }
            Reference::Word(word) => self.product_of_word(tx, word).await?,
            Reference::Words(words) => {
                let mut found = Err("names no product".to_owned());
                for word in words {
                    found = self.product_of_word(tx, word).await?;
                    let meanings = self.product_words.as_ref().and_then(|known| known.get(word));
                    if found.is_ok() || meanings.is_some() {
                        break;
                    }
                }
                found
            }
            Reference::Path(_) => Err("is a path; products are not made on the way".to_owned()),
        })
    }

    async fn product_of_word(&mut self, tx: &mut dyn ReadTx, word: &str) -> Result<Found<ProductId>, Error> {
        if let Ok(id) = domain::parse_uuid(word)
            && let Some(product) = tx.products().find(ProductId::new(id)).await?
        {
            return Ok(Ok(product.value.id));
        }
        if let Ok(sync_id) = SyncId::parse(word)
            && let Some(product) = tx.products().find_by_sync_id(&sync_id).await?
        {
            return Ok(Ok(product.value.id));
        }
        if self.product_words.is_none() {
            self.product_words = Some(read_product_words(tx).await?);
        }
        Ok(one_of(self.product_words.as_ref().and_then(|words| words.get(word)), RecordKind::Product, word))
    }

    /// A product with its factors; `None` when it is not there.
    pub(super) async fn product_with_factors(
        &mut self,
        tx: &mut dyn ReadTx,
        id: ProductId,
    ) -> Result<Option<Arc<ProductWithFactors>>, Error> {
        if let Some(known) = self.with_factors.get(&id) {
            return Ok(Some(Arc::clone(known)));
        }
        let Some(product) = tx.products().find(id).await? else { return Ok(None) };
        let found = Arc::new(ProductWithFactors { product: product.value, factors: all_factors(tx, id).await? });
        self.with_factors.insert(id, Arc::clone(&found));
        Ok(Some(found))
    }

    /// Takes a node that was made for there.
    pub(super) fn note_made<T: Referred>(&mut self, node: &T) {
        let known = T::known(self);
        // What was not found before may be found now, and what its name meant may have two meanings.
        known.found.retain(|reference, found| {
            let is_it = |word: &String| word == node.name().as_str();
            found.is_ok()
                && match reference {
                    Reference::Word(word) => !is_it(word),
                    Reference::Words(words) => !words.iter().any(is_it),
                    Reference::Id(_) | Reference::SyncId(_) | Reference::Path(_) => true,
                }
        });
        if let Some(words) = known.words.as_mut() {
            words.add(node);
        }
        known.add(node);
    }
}

impl<T: NodeKind> KnownNodes<T> {
    fn len(&self) -> usize {
        self.found.len() + self.words.as_ref().map_or(0, |words| words.meanings.len())
    }

    fn add(&mut self, node: &T) {
        let id = TreeNode::id(node);
        self.made_ids.insert(id);
        if let Some(sync_id) = node.sync_id() {
            self.made_by_sync_id.insert(sync_id.clone(), id);
        }
        self.made.push(node.clone());
    }

    async fn of_sync_id(&self, tx: &mut dyn ReadTx, sync_id: &SyncId) -> Result<Option<IdOf<T>>, Error> {
        match self.made_by_sync_id.get(sync_id) {
            Some(id) => Ok(Some(*id)),
            None => Ok(T::reader(tx).find_by_sync_id(sync_id).await?.as_ref().map(id_of)),
        }
    }

    async fn of_word(&mut self, tx: &mut dyn ReadTx, word: &str) -> Result<Found<IdOf<T>>, Error> {
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
    async fn of_words(&mut self, tx: &mut dyn ReadTx, words: &[String]) -> Result<Found<IdOf<T>>, Error> {
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

async fn by_id<T: NodeKind>(tx: &mut dyn ReadTx, id: Uuid) -> Result<Option<IdOf<T>>, Error> {
    Ok(T::reader(tx).find(id.into()).await?.as_ref().map(id_of))
}

fn id_of<T: NodeKind>(node: &Stored<T>) -> IdOf<T> {
    TreeNode::id(&node.value)
}

/// All factors of a product, by the day they are valid from.
pub(super) async fn all_factors(tx: &mut dyn ReadTx, product: ProductId) -> Result<Vec<Factor>, Error> {
    let mut factors = Vec::new();
    for number in 1.. {
        let page = Page { number, size: FACTORS };
        let listing = tx.factors().list(&Query::of(product, page)).await?;
        factors.extend(listing.data.into_iter().map(|factor| factor.value));
        if factors.len() as u64 >= listing.count {
            break;
        }
    }
    Ok(factors)
}

async fn read_words<T: NodeKind>(tx: &mut dyn ReadTx, made: &[T]) -> Result<Words<T>, Error> {
    let nodes = NodeTree::new(T::tree(tx).all().await?.into_iter().map(|node| node.value).collect());
    let mut sorted: Vec<&T> = nodes.iter().collect();
    // Parents first, as a path is made of the one above.
    sorted.sort_by_cached_key(|node| nodes.forest().depth(TreeNode::id(*node)));
    Ok(Words::new(sorted.into_iter().chain(made)))
}

async fn read_product_words(tx: &mut dyn ReadTx) -> Result<HashMap<String, Vec<ProductId>>, Error> {
    let mut words: HashMap<String, Vec<ProductId>> = HashMap::new();
    for (id, name) in tx.products().names().await? {
        words.entry(name.as_str().to_owned()).or_default().push(id);
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
