//! From references to records: found once, remembered for the rest of a request or an import.

mod known;
mod product;
mod words;

use std::collections::HashMap;
use std::sync::Arc;

use domain::{Factor, FactorId, Org, OrgId, ProductId, Scope, ScopeId, ScopeKind, Taxonomy, TreeNode};
use ports::RecordKind;
use ports::inbound::{Error, Reference};
use ports::store::ReadTx;

use super::tree::{IdOf, NodeKind};
use known::by_id;

pub use known::KnownNodes;
pub(super) use product::{ProductWithFactors, all_factors};

/// A resolver of more references is large: some 20 MB.
const MANY: usize = 100_000;

/// What a reference leads to, or a sentence that says why it leads nowhere.
type Found<T> = Result<T, String>;

/// Remembers what references lead to.
#[derive(Debug, Default)]
pub struct Resolver {
    scopes: KnownNodes<Scope>,
    scope_kinds: HashMap<ScopeId, Option<ScopeKind>>,
    orgs: KnownNodes<Org>,
    taxonomies: KnownNodes<Taxonomy>,
    products: HashMap<Reference, Found<ProductId>>,
    with_factors: HashMap<ProductId, Arc<ProductWithFactors>>,
    product_words: Option<HashMap<String, Vec<ProductId>>>,
    /// Those that were asked for one by one.
    factors: HashMap<FactorId, Option<Arc<Factor>>>,
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
        let Self { scopes, scope_kinds, orgs, taxonomies, products, with_factors, product_words, factors } = self;
        let nodes = factors.len() + scopes.len() + scope_kinds.len() + orgs.len() + taxonomies.len();
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
            Reference::Shown(shown) => known.of_shown(tx, shown).await?,
            Reference::Path(_) => Err(format!("is a path; a {tree} is made on the way by imports only")),
        };
        known.found.insert(reference.clone(), found.clone());
        Ok(found)
    }

    /// An org that is taken for there, though the transaction may not show it.
    pub(super) fn made_org(&self, id: OrgId) -> Option<&Org> {
        self.orgs.made(id)
    }

    /// The factor of that id, if it is there.
    pub(super) async fn factor(&mut self, tx: &mut dyn ReadTx, id: FactorId) -> Result<Option<Arc<Factor>>, Error> {
        if let Some(known) = self.factors.get(&id) {
            return Ok(known.clone());
        }
        let found = tx.factors().find(id).await?.map(|found| Arc::new(found.value));
        self.factors.insert(id, found.clone());
        Ok(found)
    }

    /// The product of that factor with all its factors, if it is there.
    pub(super) async fn product_of_factor(
        &mut self,
        tx: &mut dyn ReadTx,
        id: FactorId,
    ) -> Result<Option<Arc<ProductWithFactors>>, Error> {
        match self.factor(tx, id).await? {
            Some(factor) => self.product_with_factors(tx, factor.product()).await,
            None => Ok(None),
        }
    }

    /// The kind of that scope; `None` without a scope that is there.
    pub(in crate::usecase) async fn scope_kind(
        &mut self,
        tx: &mut dyn ReadTx,
        scope: Option<ScopeId>,
    ) -> Result<Option<ScopeKind>, Error> {
        let Some(id) = scope else { return Ok(None) };
        if let Some(known) = self.scope_kinds.get(&id) {
            return Ok(*known);
        }
        let kind = tx.scopes().find(id).await?.map(|found| found.value.class.kind());
        self.scope_kinds.insert(id, kind);
        Ok(kind)
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
                    // Its path may have two meanings then.
                    Reference::Shown(_) => false,
                    Reference::Id(_) | Reference::SyncId(_) | Reference::Path(_) => true,
                }
        });
        if let Some(words) = known.words.as_mut() {
            words.add(node);
        }
        known.add(node);
    }

    /// Takes a node that was made for absent again. None is below it.
    pub(super) fn forget_made<T: Referred>(&mut self, node: &T) {
        let (known, id) = (T::known(self), TreeNode::id(node));
        // What led to it leads nowhere, and what had two meanings may have one.
        known.found.retain(|_, found| found.as_ref().is_ok_and(|found| *found != id));
        if let Some(words) = known.words.as_mut() {
            words.remove(node);
        }
        known.remove(node);
    }
}

/// The one record that a word means, or why it means none.
fn one_of<Id: Copy>(ids: Option<&Vec<Id>>, kind: RecordKind, word: &str) -> Found<Id> {
    match ids.map_or(&[][..], Vec::as_slice) {
        [one] => Ok(*one),
        [] => {
            let ways = if kind == RecordKind::Taxonomy { "syncId, name or path" } else { "syncId or name" };
            // Files name the standard's scopes before anybody added them.
            let is_standard = kind == RecordKind::Scope && word.to_lowercase().starts_with("scope");
            let way =
                if is_standard { "; `tonne import catalog --standard ghg-protocol` adds the usual ones" } else { "" };
            Err(format!("there is no {kind} with the {ways} {word:?}{way}"))
        }
        many => Err(format!("{} {kind} records are called {word:?}; give the syncId of one", many.len())),
    }
}
