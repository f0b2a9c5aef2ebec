//! Records of a catalog as drafts.

use domain::{Day, FactorBasis, Faults, GwpSet, Intensity, Name, ScopeKind, Slug, Source, SyncId, Unit, parse_uuid};
use ports::inbound::{
    CatalogBundle, ClassDraft, FactorDraft, Field, KnownAs, NodeDraft, Placed, ProductDraft, ProductFactorDraft,
    PublishedDraft, Reference, RegionDraft, SetPrefix, Shown, SlugDraft,
};

use super::CatalogKind;
use crate::factor_rule::factor_rule;
use crate::json::{Json, Members, Reader, Wrong, parse};

/// Reads an object with `read`; where it is none, what `faulty` makes of the faults.
fn object<T>(json: &Json, read: impl FnOnce(Reader<'_>) -> T, faulty: impl FnOnce(Faults) -> T) -> T {
    match Reader::new(json, Members::Given) {
        Ok(reader) => read(reader),
        Err(faults) => faulty(faults),
    }
}

/// Another record, by syncId or else by its one matching name, for a taxonomy by path too. Of a uuid, which another
/// installation does not have, the others are what answers of ours say beside it: syncId, path, name.
fn word(reader: &mut Reader<'_>, member: &'static str, [sync_id, path, name]: [Option<String>; 3]) -> Field<Reference> {
    reader.text(member, |word| {
        let id = match parse_uuid(word) {
            Ok(id) if sync_id.is_some() || path.is_some() || name.is_some() => id,
            Ok(_) | Err(_) => return Ok(Reference::Word(word.to_owned())),
        };
        let sync_id = sync_id.map(|text| SyncId::parse(&text)).transpose().map_err(Wrong::new)?;
        Ok::<_, Wrong>(Reference::Shown(Shown { id, sync_id, path, name }))
    })
}

/// What an answer of ours says of the record: read and left out of its draft.
fn said(reader: &mut Reader<'_>, name: &'static str) -> Option<String> {
    reader.string(name).into_option().map(|text| text.trim().to_owned()).filter(|text| !text.is_empty())
}

/// The path of the node above, by that of the node.
fn path_above(path: &str, name: Option<&str>) -> Option<String> {
    let of_names = name.and_then(|name| path.strip_suffix(name)?.strip_suffix(" / "));
    let above =
        of_names.or_else(|| if path.contains(" / ") { None } else { path.rsplit_once('/').map(|(above, _)| above) });
    above.map(str::to_owned)
}

fn node<D: Default>(json: &Json, detail: impl FnOnce(&mut Reader<'_>) -> D) -> NodeDraft<D> {
    object(
        json,
        |mut reader| {
            let name = reader.text("name", Name::parse);
            let (path, parent_name) = (said(&mut reader, "path"), said(&mut reader, "parentName"));
            let above = said(&mut reader, "parentPath")
                .or_else(|| path.and_then(|path| path_above(&path, name.given().map(Name::as_str))));
            let parent_sync_id = said(&mut reader, "parentSyncId");
            pass_over(&mut reader);
            let mut draft = NodeDraft {
                name,
                sync_id: reader.text("syncId", SyncId::parse),
                parent: word(&mut reader, "parent", [parent_sync_id, above, parent_name]),
                detail: detail(&mut reader),
                faults: Faults::new(),
            };
            draft.faults = reader.finish();
            draft
        },
        |faults| NodeDraft { faults, ..NodeDraft::default() },
    )
}

/// Columns of answers that say nothing to an import: when the record was written.
pub(super) const PASSED_OVER: [&str; 3] = ["uuid", "created", "updated"];
/// Those of answers on factors: what a factor is a copy of is said by `set` and `cell`.
pub(super) const OF_FACTORS: [&str; 2] = ["corrects", "published"];

/// The columns of answers on factors that say why a rule chose one.
pub(super) const CHOICE: &str = "choice";

/// Whether the record is of a factor that a rule chose, as answers of ours have it.
pub(super) fn is_chosen(json: &Json) -> bool {
    let Json::Object(members) = json else { return false };
    let says = |value: &Json| *value != Json::Null && value.as_text().is_none_or(|text| !text.trim().is_empty());
    members.iter().any(|(name, value)| name.starts_with(CHOICE) && says(value))
}

fn pass_over(reader: &mut Reader<'_>) {
    for name in PASSED_OVER {
        said(reader, name);
    }
}

/// What else finds the record.
pub(super) fn known_as(json: &Json) -> KnownAs {
    let text = json.get("uuid").and_then(Json::as_text);
    KnownAs { id: text.and_then(|text| parse_uuid(text.trim()).ok()) }
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

pub(super) fn org(json: &Json) -> NodeDraft<RegionDraft> {
    node(json, |reader| RegionDraft { region: reader.text("region", Name::parse) })
}

pub(super) fn taxonomy(json: &Json) -> NodeDraft<SlugDraft> {
    node(json, |reader| SlugDraft { slug: reader.text("slug", Slug::parse) })
}

/// The object with its rule read, where it is a text of JSON as exports have it.
fn with_rule_read(json: &Json) -> Json {
    let Json::Object(members) = json else { return json.clone() };
    let read = |(name, value): &(String, Json)| {
        let rule = value.as_text().filter(|_| name == RULE).and_then(|text| parse(text.as_bytes(), RULE_DEPTH).ok());
        (name.clone(), rule.unwrap_or_else(|| value.clone()))
    };
    Json::Object(members.iter().map(read).collect())
}

/// The member of a product that is its rule.
pub(super) const RULE: &str = "factorRule";
/// How deep a rule is.
const RULE_DEPTH: usize = 8;

pub(super) fn product(json: &Json) -> ProductDraft {
    object(
        &with_rule_read(json),
        |mut reader| {
            pass_over(&mut reader);
            let mut draft = ProductDraft {
                name: reader.text("name", Name::parse),
                sync_id: reader.text("syncId", SyncId::parse),
                unit: reader.text("unit", Unit::parse),
                rule: factor_rule(&mut reader, RULE),
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
            let others = [said(&mut reader, "productSyncId"), None, said(&mut reader, "productName")];
            let product = word(&mut reader, "product", others);
            for name in OF_FACTORS {
                said(&mut reader, name);
            }
            reader.ignore(&[CHOICE]);
            pass_over(&mut reader);
            let published = published(&mut reader);
            let mut factor = FactorDraft {
                published,
                unit: reader.text("unit", Unit::parse),
                upstream: intensity(&mut reader, "upstream"),
                downstream: intensity(&mut reader, "downstream"),
                valid_from: reader.text("validFrom", Day::parse),
                valid_to: reader.text("validTo", Day::parse),
                source: reader.text("source", Source::parse),
                gwp: reader.text("gwp", GwpSet::parse),
                basis: reader.text("basis", FactorBasis::parse),
                other_days: reader.value("otherDays", flag),
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

/// True or false, also as the text of a cell.
fn flag(json: &Json) -> Result<bool, Wrong> {
    match json {
        Json::Text(text) => text.parse().map_err(|_| Wrong::new("is not true or false")),
        Json::Null | Json::Bool(_) | Json::Number(_) | Json::Array(_) | Json::Object(_) => json.flag(),
    }
}

/// The published factor that `set` and `cell` name, where one of them is given.
fn published(reader: &mut Reader<'_>) -> Field<PublishedDraft> {
    let draft = PublishedDraft { set: reader.text("set", SetPrefix::parse), cell: reader.text("cell", Name::parse) };
    if draft.set.is_missing() && draft.cell.is_missing() { Field::Absent } else { Field::Given(draft) }
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
    let known_as = KnownAs::default();
    let faults = Faults::one("", detail);
    match kind {
        CatalogKind::Scope => {
            bundle.scopes.push(Placed { place, known_as, draft: NodeDraft { faults, ..NodeDraft::default() } });
        }
        CatalogKind::Org => {
            bundle.orgs.push(Placed { place, known_as, draft: NodeDraft { faults, ..NodeDraft::default() } });
        }
        CatalogKind::Taxonomy => {
            bundle.taxonomies.push(Placed { place, known_as, draft: NodeDraft { faults, ..NodeDraft::default() } });
        }
        CatalogKind::Product => {
            bundle.products.push(Placed { place, known_as, draft: ProductDraft { faults, ..ProductDraft::default() } });
        }
        CatalogKind::Factor => {
            let factor = FactorDraft { faults, ..FactorDraft::default() };
            bundle.factors.push(Placed {
                place,
                known_as,
                draft: ProductFactorDraft { factor, ..ProductFactorDraft::default() },
            });
        }
    }
}
