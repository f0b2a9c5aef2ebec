//! Importing a catalog: records of all its kinds at once, found again by their syncIds.

use async_trait::async_trait;
use domain::Faults;
use uuid::Uuid;

use super::catalog::{ClassDraft, FactorDraft, NodeDraft, ProductDraft, RegionDraft, SlugDraft};
use super::draft::{Field, Reference};
use super::{Error, Outcome};
use crate::{Caller, RecordKind};

/// Importing catalogs; needs `catalog:write`.
#[async_trait]
pub trait CatalogImports: Send + Sync {
    /// Adds the records that are new and changes those that are there, by their syncIds, else by what they are
    /// [known as](KnownAs); a factor by its product and first day.
    /// Everything is written in one change, or, where any record is faulty or with [`Outcome::Nothing`], nothing. Members that are
    /// absent stay as they are. Records of a bundle may refer to those of its own and of earlier ones, and change what earlier ones
    /// said.
    async fn import_catalog(
        &self,
        caller: &Caller,
        bundles: Vec<CatalogBundle>,
        options: CatalogOptions,
    ) -> Result<CatalogOutcome, Error>;
}

/// How a catalog is imported.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CatalogOptions {
    /// Whether anything is written; [`Outcome::KeepGood`] is as [`Outcome::AllOrNothing`].
    pub outcome: Outcome,
    /// What the change chain says it was for, such as `import catalog products.csv`.
    pub cause: String,
}

/// What becomes of records that are there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Existing {
    /// They are changed to what the import says.
    #[default]
    Change,
    /// The same, and a factor with other figures is put in the place of the one of its days, which it corrects.
    Correct,
    /// They stay as they are.
    Keep,
}

/// The records of a catalog, kind by kind. They may refer to each other, in any order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CatalogBundle {
    /// What becomes of records that are there.
    pub existing: Existing,
    /// The scopes.
    pub scopes: Vec<Placed<NodeDraft<ClassDraft>>>,
    /// The organisation units.
    pub orgs: Vec<Placed<NodeDraft<RegionDraft>>>,
    /// The taxonomies.
    pub taxonomies: Vec<Placed<NodeDraft<SlugDraft>>>,
    /// The products.
    pub products: Vec<Placed<ProductDraft>>,
    /// The factors of products.
    pub factors: Vec<Placed<ProductFactorDraft>>,
}

/// A draft and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placed<T> {
    /// Where its source has it, such as `products.csv line 5`.
    pub place: String,
    /// What else finds its record: of an answer of ours, or of an export.
    pub known_as: KnownAs,
    /// What it says.
    pub draft: T,
}

/// What an answer of ours says of a record beside its members. A record without a syncId is found by it: by its uuid in the
/// installation that it is of, elsewhere by its place in the tree or, a product, by its name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KnownAs {
    /// Its uuid where it comes from.
    pub id: Option<Uuid>,
}

/// A factor and whose it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProductFactorDraft {
    /// The product; required.
    pub product: Field<Reference>,
    /// The factor.
    pub factor: FactorDraft,
}

impl CatalogBundle {
    /// How many records there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.scopes.len() + self.orgs.len() + self.taxonomies.len() + self.products.len() + self.factors.len()
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// What became of a catalog.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CatalogOutcome {
    /// What became of the records of each kind that the import has.
    pub kinds: Vec<(RecordKind, KindOutcome)>,
    /// What is wrong, with the place of each record. Nothing is written where anything is.
    pub faults: Vec<(String, Faults)>,
    /// How many activities without CO2e the new factors could complete: those of their products with their first day among the
    /// days of one. `None` where anything is wrong, and where they could not be counted once the catalog was written.
    pub fills: Option<u64>,
}

/// What became of the records of one kind; what would have, where nothing is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KindOutcome {
    /// How many were added.
    pub created: u64,
    /// How many were changed.
    pub updated: u64,
    /// How many were the same already, or were to stay.
    pub unchanged: u64,
}

impl CatalogOutcome {
    /// What became of all records.
    #[must_use]
    pub fn all(&self) -> KindOutcome {
        self.kinds.iter().fold(KindOutcome::default(), |sum, (_, kind)| KindOutcome {
            created: sum.created + kind.created,
            updated: sum.updated + kind.updated,
            unchanged: sum.unchanged + kind.unchanged,
        })
    }
}
