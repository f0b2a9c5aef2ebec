//! Records of a catalog as drafts.

use domain::{Day, Faults, GwpSet, Intensity, Name, ScopeKind, Slug, Source, SyncId, Unit};
use ports::inbound::{
    CatalogBundle, ClassDraft, FactorDraft, Field, NodeDraft, Placed, ProductDraft, ProductFactorDraft, Reference,
    SlugDraft,
};

use super::CatalogKind;
use crate::json::{Json, Members, Reader, Wrong};

/// Reads an object with `read`; where it is none, what `faulty` makes of the faults.
fn object<T>(json: &Json, read: impl FnOnce(Reader<'_>) -> T, faulty: impl FnOnce(Faults) -> T) -> T {
    match Reader::new(json, Members::Given) {
        Ok(reader) => read(reader),
        Err(faults) => faulty(faults),
    }
}

/// Another record, by syncId or else by its one matching name, for a taxonomy by path too.
fn word(reader: &mut Reader<'_>, name: &'static str) -> Field<Reference> {
    reader.text(name, |word| Ok::<_, Wrong>(Reference::Word(word.to_owned())))
}

fn node<D: Default>(json: &Json, detail: impl FnOnce(&mut Reader<'_>) -> D) -> NodeDraft<D> {
    object(
        json,
        |mut reader| {
            let mut draft = NodeDraft {
                name: reader.text("name", Name::parse),
                sync_id: reader.text("syncId", SyncId::parse),
                parent: word(&mut reader, "parent"),
                detail: detail(&mut reader),
                faults: Faults::new(),
            };
            draft.faults = reader.finish();
            draft
        },
        |faults| NodeDraft { faults, ..NodeDraft::default() },
    )
}

pub(super) fn scope(json: &Json) -> NodeDraft<ClassDraft> {
    node(json, |reader| {
        let kind = reader.text("kind", ScopeKind::parse);
        // An empty cell leaves it as it is, or means that of the node above: no scope is without one.
        let kind = if kind == Field::Null { Field::Absent } else { kind };
        let mut category = reader.amount("category", category);
        // An empty cell means the category of the node above; it clears one where the kind has none.
        let has_none = kind.given().is_some_and(|kind| *kind != ScopeKind::Scope3);
        if category == Field::Null && !has_none {
            category = Field::Absent;
        }
        ClassDraft { kind, category }
    })
}

fn category(digits: &str) -> Result<u8, &'static str> {
    digits.parse().ok().filter(|number| (1..=15).contains(number)).ok_or("must be a whole number from 1 to 15")
}

pub(super) fn org(json: &Json) -> NodeDraft<()> {
    node(json, |_| ())
}

pub(super) fn taxonomy(json: &Json) -> NodeDraft<SlugDraft> {
    node(json, |reader| SlugDraft { slug: reader.text("slug", Slug::parse) })
}

pub(super) fn product(json: &Json) -> ProductDraft {
    object(
        json,
        |mut reader| {
            let mut draft = ProductDraft {
                name: reader.text("name", Name::parse),
                sync_id: reader.text("syncId", SyncId::parse),
                unit: reader.text("unit", Unit::parse),
                faults: Faults::new(),
            };
            draft.faults = reader.finish();
            draft
        },
        |faults| ProductDraft { faults, ..ProductDraft::default() },
    )
}

pub(super) fn factor(json: &Json) -> ProductFactorDraft {
    object(
        json,
        |mut reader| {
            let product = word(&mut reader, "product");
            let mut factor = FactorDraft {
                unit: reader.text("unit", Unit::parse),
                upstream: intensity(&mut reader, "upstream"),
                downstream: intensity(&mut reader, "downstream"),
                valid_from: reader.text("validFrom", Day::parse),
                valid_to: reader.text("validTo", Day::parse),
                source: reader.text("source", Source::parse),
                gwp: reader.text("gwp", GwpSet::parse),
                faults: Faults::new(),
            };
            factor.faults = reader.finish();
            ProductFactorDraft { product, factor }
        },
        |faults| ProductFactorDraft {
            factor: FactorDraft { faults, ..FactorDraft::default() },
            ..ProductFactorDraft::default()
        },
    )
}

/// kg CO2e per unit, in quotes: a bare number of a TOML file would lose digits.
fn intensity(reader: &mut Reader<'_>, name: &'static str) -> Field<Intensity> {
    reader.value(name, |json| match json {
        Json::Text(digits) => Intensity::parse(digits).map_err(Wrong::new),
        Json::Null | Json::Bool(_) | Json::Number(_) | Json::Array(_) | Json::Object(_) => {
            Err(Wrong::kind("a text such as \"0.202\", which keeps every digit", json))
        }
    })
}

/// Adds a record that cannot be read.
pub(super) fn add_faulty(kind: CatalogKind, place: String, detail: String, bundle: &mut CatalogBundle) {
    let faults = Faults::one("", detail);
    match kind {
        CatalogKind::Scope => {
            bundle.scopes.push(Placed { place, draft: NodeDraft { faults, ..NodeDraft::default() } });
        }
        CatalogKind::Org => bundle.orgs.push(Placed { place, draft: NodeDraft { faults, ..NodeDraft::default() } }),
        CatalogKind::Taxonomy => {
            bundle.taxonomies.push(Placed { place, draft: NodeDraft { faults, ..NodeDraft::default() } });
        }
        CatalogKind::Product => {
            bundle.products.push(Placed { place, draft: ProductDraft { faults, ..ProductDraft::default() } });
        }
        CatalogKind::Factor => {
            let factor = FactorDraft { faults, ..FactorDraft::default() };
            bundle
                .factors
                .push(Placed { place, draft: ProductFactorDraft { factor, ..ProductFactorDraft::default() } });
        }
    }
}
