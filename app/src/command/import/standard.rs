//! The scopes of a standard, as a catalog to import.

use anyhow::Result;
use clap::ValueEnum;
use domain::{Name, SCOPE3_CATEGORIES, ScopeKind, SyncId};
use ports::inbound::{CatalogBundle, ClassDraft, Existing, Field, KnownAs, NodeDraft, Placed, Reference};

/// The roots of the tree, by syncId.
const ROOTS: [(&str, &str, ScopeKind); 6] = [
    ("scope1", "Scope 1", ScopeKind::Scope1),
    ("scope2", "Scope 2", ScopeKind::Scope2),
    ("scope3", "Scope 3", ScopeKind::Scope3),
    ("biogenic", "Biogenic CO2", ScopeKind::Biogenic),
    ("credit", "Credits and avoided emissions", ScopeKind::Credit),
    ("outside", "Outside the scopes", ScopeKind::Outside),
];

/// A standard whose scopes can be imported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Standard {
    /// The GHG Protocol: scopes 1 to 3, the 15 categories of scope 3, and nodes for what is reported apart from them.
    GhgProtocol,
}

impl Standard {
    /// Its scopes, which stay as they are where they are there, whose syncIds are `scope1`, `scope2`, `scope3`, `scope3.1` to `scope3.15`, `biogenic`, `credit`, `outside`.
    pub(super) fn bundle(self) -> Result<CatalogBundle> {
        let Self::GhgProtocol = self;
        let mut bundle = CatalogBundle { existing: Existing::Keep, ..CatalogBundle::default() };
        for (sync_id, name, kind) in ROOTS {
            let detail = ClassDraft { kind: Field::Given(kind), ..ClassDraft::default() };
            bundle.scopes.push(scope(sync_id, name, detail)?);
        }
        for (number, name) in (1u8..).zip(SCOPE3_CATEGORIES) {
            let detail = ClassDraft { kind: Field::Given(ScopeKind::Scope3), category: Field::Given(number) };
            let mut placed = scope(&format!("scope3.{number}"), &format!("3.{number} {name}"), detail)?;
            placed.draft.parent = Field::Given(Reference::SyncId(SyncId::parse("scope3")?));
            bundle.scopes.push(placed);
        }
        Ok(bundle)
    }
}

fn scope(sync_id: &str, name: &str, detail: ClassDraft) -> Result<Placed<NodeDraft<ClassDraft>>> {
    let (name, sync_id_of_it) = (Field::Given(Name::parse(name)?), Field::Given(SyncId::parse(sync_id)?));
    let draft = NodeDraft { name, sync_id: sync_id_of_it, detail, ..NodeDraft::default() };
    Ok(Placed { place: format!("the standard's {sync_id}"), known_as: KnownAs::default(), draft })
}
