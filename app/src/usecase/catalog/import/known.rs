//! Finding records that have no syncId: by their uuid, elsewhere by their place in the tree or, products, by their name.

use std::collections::HashMap;

use domain::{Name, Product, ProductId, SyncId};
use ports::Stored;
use ports::inbound::{KnownAs, NodeDraft, ProductDraft};
use uuid::Uuid;

use super::{Error, Field, Import, Reference};
use crate::usecase::resolve::{Referred, Resolver};
use crate::usecase::tree::IdOf;

/// The nodes of a tree by the node above them and their name.
pub(super) type Places<T> = HashMap<(Option<IdOf<T>>, String), Vec<IdOf<T>>>;

/// The products by their names.
pub(super) type ProductNames = HashMap<Name, Vec<ProductId>>;

/// What was found.
pub(super) enum Known<T> {
    /// The record of that syncId or uuid.
    Itself(Stored<T>),
    /// One at its place, or of its name: it keeps a syncId that it has here.
    Alike(Stored<T>),
    /// None: it is new.
    New,
    /// Several, of which nothing tells which is meant.
    Several(usize),
}

impl<T> Known<T> {
    fn of(found: Option<Stored<T>>) -> Self {
        found.map_or(Self::New, Self::Itself)
    }
}

impl Import {
    /// Takes the record here where a reference is to one that this import knows by its uuid elsewhere.
    pub(super) fn settle(&self, field: &mut Field<Reference>) {
        let id = match field {
            Field::Given(Reference::Shown(shown)) => Some(shown.id),
            Field::Given(Reference::Word(word)) => domain::parse_uuid(word).ok(),
            Field::Given(Reference::Id(_) | Reference::SyncId(_) | Reference::Path(_))
            | Field::Absent
            | Field::Null
            | Field::Faulty => None,
        };
        if let Some(made) = id.and_then(|id| self.made.get(&id)) {
            *field = Field::Given(Reference::Id(*made));
        }
    }

    /// Remembers which record here is the one of that uuid elsewhere.
    pub(super) fn remember(&mut self, known_as: &KnownAs, id: Uuid) {
        self.made.extend(known_as.id.map(|elsewhere| (elsewhere, id)));
    }

    /// The node that a draft is about.
    pub(super) async fn known_node<T: Referred>(
        &mut self,
        sync_id: Option<&SyncId>,
        known_as: &KnownAs,
        draft: &NodeDraft<T::Detail>,
        places: &mut Option<Places<T>>,
    ) -> Result<Known<T>, Error> {
        if let Some(sync_id) = sync_id
            && let Some(found) = T::reader(self.tx.as_mut()).find_by_sync_id(sync_id).await?
        {
            return Ok(Known::Itself(found));
        }
        let Some(id) = known_as.id else { return Ok(Known::New) };
        let found = T::reader(self.tx.as_mut()).find(id.into()).await?;
        let (None, None, Some(name)) = (&found, sync_id, draft.name.given()) else { return Ok(Known::of(found)) };
        let parent = match &draft.parent {
            Field::Given(reference) => match Resolver::default().node::<T>(self.tx.as_mut(), reference).await? {
                Ok(parent) => Some(parent),
                // Building the node says so.
                Err(_) => return Ok(Known::New),
            },
            Field::Absent | Field::Null | Field::Faulty => None,
        };
        let places = match places {
            Some(places) => places,
            none => none.insert(self.places::<T>().await?),
        };
        match places.get(&(parent, name.as_str().to_owned())).map_or(&[][..], Vec::as_slice) {
            [] => Ok(Known::New),
            [one] => Ok(T::reader(self.tx.as_mut()).find(*one).await?.map_or(Known::New, Known::Alike)),
            several => Ok(Known::Several(several.len())),
        }
    }

    async fn places<T: Referred>(&mut self) -> Result<Places<T>, Error> {
        let mut places = Places::<T>::new();
        for node in T::tree(self.tx.as_mut()).all().await? {
            let place = (domain::TreeNode::parent(&node.value), node.value.name().as_str().to_owned());
            places.entry(place).or_default().push(domain::TreeNode::id(&node.value));
        }
        Ok(places)
    }

    /// The product that a draft is about.
    pub(super) async fn known_product(
        &mut self,
        sync_id: Option<&SyncId>,
        known_as: &KnownAs,
        draft: &ProductDraft,
        names: &mut Option<ProductNames>,
    ) -> Result<Known<Product>, Error> {
        if let Some(sync_id) = sync_id
            && let Some(found) = self.tx.products().find_by_sync_id(sync_id).await?
        {
            return Ok(Known::Itself(found));
        }
        let Some(id) = known_as.id else { return Ok(Known::New) };
        let found = self.tx.products().find(id.into()).await?;
        let (None, None, Some(name)) = (&found, sync_id, draft.name.given()) else { return Ok(Known::of(found)) };
        let names = match names {
            Some(names) => names,
            none => {
                let mut all = ProductNames::new();
                for (id, name) in self.tx.products().names().await? {
                    all.entry(name).or_default().push(id);
                }
                none.insert(all)
            }
        };
        let mut alike = Vec::new();
        for id in names.get(name).map_or(&[][..], Vec::as_slice) {
            let found = self.tx.products().find(*id).await?;
            let measures = |found: &Stored<Product>| {
                draft.unit.given().map(|unit| unit.dimension()) == Some(found.value.unit.dimension())
            };
            alike.extend(found.filter(measures));
        }
        match alike.len() {
            0 => Ok(Known::New),
            1 => Ok(alike.pop().map_or(Known::New, Known::Alike)),
            several => Ok(Known::Several(several)),
        }
    }
}
