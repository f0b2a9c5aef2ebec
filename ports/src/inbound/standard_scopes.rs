//! The scopes of a standard, as a catalog to import.

use domain::{Category, Name, ScopeKind, SyncId, TextError};

use super::catalog::{ClassDraft, NodeDraft};
use super::catalog_import::{CatalogBundle, Existing, KnownAs, Placed};
use super::draft::{Field, Reference};

/// The roots of the tree, by syncId.
const ROOTS: [(&str, &str, ScopeKind); 6] = [
    ("scope1", "Scope 1", ScopeKind::Scope1),
    ("scope2", "Scope 2", ScopeKind::Scope2),
    ("scope3", "Scope 3", ScopeKind::Scope3),
    ("biogenic", "Biogenic CO2", ScopeKind::Biogenic),
    ("credit", "Credits and avoided emissions", ScopeKind::Credit),
    ("outside", "Outside the scopes", ScopeKind::Outside),
];

impl CatalogBundle {
    /// The scopes of the GHG Protocol, which stay as they are where they are there: scopes 1 to 3, the 15 categories of scope 3, and
    /// nodes for what is reported apart from them. Their syncIds are `scope1`, `scope2`, `scope3`, `scope3.1` to `scope3.15`,
    /// `biogenic`, `credit` and `outside`.
    pub fn ghg_protocol() -> Result<Self, TextError> {
        let mut bundle = Self { existing: Existing::Keep, ..Self::default() };
        for (sync_id, name, kind) in ROOTS {
            let detail = ClassDraft { kind: Field::Given(kind), ..ClassDraft::default() };
            bundle.scopes.push(scope(sync_id, name, detail)?);
        }
        for (number, name) in Category::all().map(|category| (category.number(), category.title())) {
            let detail = ClassDraft { kind: Field::Given(ScopeKind::Scope3), category: Field::Given(number) };
            let mut placed = scope(&format!("scope3.{number}"), &format!("3.{number} {name}"), detail)?;
            placed.draft.parent = Field::Given(Reference::SyncId(SyncId::parse("scope3")?));
            bundle.scopes.push(placed);
        }
        Ok(bundle)
    }
}

fn scope(sync_id: &str, name: &str, detail: ClassDraft) -> Result<Placed<NodeDraft<ClassDraft>>, TextError> {
    let (name, sync_id_of_it) = (Field::Given(Name::parse(name)?), Field::Given(SyncId::parse(sync_id)?));
    let draft = NodeDraft { name, sync_id: sync_id_of_it, detail, ..NodeDraft::default() };
    Ok(Placed { place: format!("the standard's {sync_id}"), known_as: KnownAs::default(), draft })
}
