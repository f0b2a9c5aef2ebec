//! Catalogs in: TOML with records of all kinds, or CSV with those of one.

mod draft;
mod table;
mod write;

pub use table::{read_catalog_csv, read_catalog_sheet};
pub use write::{CatalogRecord, catalog_csv, catalog_toml};

use ports::inbound::{CatalogBundle, Placed};

use crate::error::FileError;
use crate::json::{Json, Members, Reader};
use crate::map::{read_toml, with_paths};

/// A kind of record of a catalog.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CatalogKind {
    /// Scopes.
    Scope,
    /// Organisation units.
    Org,
    /// Categories of activity.
    Taxonomy,
    /// What activities consume.
    Product,
    /// What a unit of a product emits.
    Factor,
}

impl CatalogKind {
    /// All of them, in the order in which they refer to each other.
    pub const ALL: [Self; 5] = [Self::Scope, Self::Org, Self::Taxonomy, Self::Product, Self::Factor];

    /// What a record of the kind is called.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Scope => "scope",
            Self::Org => "org",
            Self::Taxonomy => "taxonomy",
            Self::Product => "product",
            Self::Factor => "factor",
        }
    }

    /// What several such records are called, as the file of them is.
    #[must_use]
    pub const fn plural(self) -> &'static str {
        match self {
            Self::Scope => "scopes",
            Self::Org => "orgs",
            Self::Taxonomy => "taxonomies",
            Self::Product => "products",
            Self::Factor => "factors",
        }
    }

    /// The kind that a file of records is named after, such as `product` or `products`.
    #[must_use]
    pub fn named(stem: &str) -> Option<Self> {
        let stem = stem.to_lowercase();
        Self::ALL.into_iter().find(|kind| stem == kind.as_str() || stem == kind.plural())
    }

    /// The members of such a record.
    const fn members(self) -> &'static [&'static str] {
        match self {
            Self::Scope => &["syncId", "name", "parent", "kind", "category"],
            Self::Org => &["syncId", "name", "parent", "region"],
            Self::Taxonomy => &["syncId", "name", "parent", "slug"],
            Self::Product => &["syncId", "name", "unit", "factorRule"],
            Self::Factor => &[
                "product",
                "unit",
                "upstream",
                "downstream",
                "validFrom",
                "validTo",
                "source",
                "gwp",
                "basis",
                "set",
                "cell",
                "otherDays",
            ],
        }
    }

    /// Whether a table of such records may have the column: a member, or what answers of ours say beside them.
    fn knows(self, column: &str) -> bool {
        let beside: &[&str] = match self {
            Self::Scope | Self::Org | Self::Taxonomy => &["path", "parentName", "parentPath", "parentSyncId"],
            Self::Product => &[draft::RULE],
            Self::Factor => &["productSyncId", "productName"],
        };
        let of_factors = self == Self::Factor && draft::OF_FACTORS.contains(&column);
        self.members().contains(&column)
            || beside.contains(&column)
            || draft::PASSED_OVER.contains(&column)
            || of_factors
            || self.leaves_alone(column)
            || self.is_part_of_rule(column)
    }

    /// Whether the column is a part of a product's rule, as tables of answers have it: in lists its words run together.
    fn is_part_of_rule(self, column: &str) -> bool {
        self == Self::Product && column.len() > draft::RULE.len() && column.starts_with(draft::RULE)
    }

    /// Whether the column is one of an answer on factors that an import leaves alone.
    fn leaves_alone(self, column: &str) -> bool {
        let left = ["origin", "published", draft::CHOICE];
        self == Self::Factor && left.iter().any(|begin| column.starts_with(begin))
    }

    /// Adds the record of an object to the bundle. A factor that a rule chose is left alone: the product's rule makes it where an
    /// activity asks for it.
    fn add(self, json: &Json, place: String, bundle: &mut CatalogBundle) {
        if self == Self::Factor && draft::is_chosen(json) {
            return;
        }
        let known_as = draft::known_as(json);
        match self {
            Self::Scope => bundle.scopes.push(Placed { place, known_as, draft: draft::scope(json) }),
            Self::Org => bundle.orgs.push(Placed { place, known_as, draft: draft::org(json) }),
            Self::Taxonomy => bundle.taxonomies.push(Placed { place, known_as, draft: draft::taxonomy(json) }),
            Self::Product => bundle.products.push(Placed { place, known_as, draft: draft::product(json) }),
            Self::Factor => bundle.factors.push(Placed { place, known_as, draft: draft::factor(json) }),
        }
    }
}

/// Adds the records of a TOML text to the bundle: `[[scope]]`, `[[org]]`, `[[taxonomy]]`, `[[product]]` and `[[factor]]`. What is
/// wrong with single records is in their drafts, whose places begin with `file`.
pub fn read_catalog_toml(text: &str, file: &str, bundle: &mut CatalogBundle) -> Result<(), FileError> {
    let json = read_toml(text).map_err(FileError::Catalog)?;
    let mut reader = Reader::new(&json, Members::Given).map_err(FileError::Catalog)?;
    for kind in CatalogKind::ALL {
        let name = kind.as_str();
        let mut index = 0;
        let _ = reader.items(name, usize::MAX, |json, _, _| {
            kind.add(json, format!("{file} {name}[{index}]{}", called(json)), bundle);
            index += 1;
            Some(())
        });
    }
    reader.finish().into_result().map_err(|faults| FileError::Catalog(with_paths(faults)))
}

/// What a record calls itself, to be found by.
fn called(json: &Json) -> String {
    let Json::Object(members) = json else { return String::new() };
    let text = |wanted: &str| members.iter().find(|(name, _)| name == wanted).map(|(_, json)| json);
    match text("syncId").or_else(|| text("product")) {
        Some(Json::Text(text)) => format!(" ({text})"),
        Some(_) | None => String::new(),
    }
}
