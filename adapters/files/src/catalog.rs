//! Catalogs in: TOML with records of all kinds, or CSV with those of one.

mod draft;

use std::io::BufRead;

use domain::Faults;
use ports::inbound::{CatalogBundle, Placed};

use crate::activity::MAX_ROW_BYTES;
use crate::delimited::{check_names, header_fault, ragged};
use crate::encoding::TextEncoding;
use crate::error::FileError;
use crate::json::{Json, Members, Reader};
use crate::map::{read_toml, with_paths};
use crate::suggest::did_you_mean;
use crate::table_records::TableRecords;

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

    /// The kind that a file of records is named after, such as `product` or `products`.
    #[must_use]
    pub fn named(stem: &str) -> Option<Self> {
        let stem = stem.to_lowercase();
        let plural =
            |kind: Self| if kind == Self::Taxonomy { "taxonomies".to_owned() } else { format!("{}s", kind.as_str()) };
        Self::ALL.into_iter().find(|kind| stem == kind.as_str() || stem == plural(*kind))
    }

    /// The members of such a record.
    const fn members(self) -> &'static [&'static str] {
        match self {
            Self::Scope => &["syncId", "name", "parent", "kind", "category"],
            Self::Org => &["syncId", "name", "parent"],
            Self::Taxonomy => &["syncId", "name", "parent", "slug"],
            Self::Product => &["syncId", "name", "unit"],
            Self::Factor => &["product", "unit", "upstream", "downstream", "validFrom", "validTo", "source", "gwp"],
        }
    }

    /// Adds the record of an object to the bundle.
    fn add(self, json: &Json, place: String, bundle: &mut CatalogBundle) {
        match self {
            Self::Scope => bundle.scopes.push(Placed { place, draft: draft::scope(json) }),
            Self::Org => bundle.orgs.push(Placed { place, draft: draft::org(json) }),
            Self::Taxonomy => bundle.taxonomies.push(Placed { place, draft: draft::taxonomy(json) }),
            Self::Product => bundle.products.push(Placed { place, draft: draft::product(json) }),
            Self::Factor => bundle.factors.push(Placed { place, draft: draft::factor(json) }),
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

/// Adds the records of a table to the bundle, whose columns are the members of that kind.
pub fn read_catalog_csv<R: BufRead>(
    source: R,
    kind: CatalogKind,
    file: &str,
    bundle: &mut CatalogBundle,
) -> Result<(), FileError> {
    let said = TextEncoding::default();
    let mut records = TableRecords::of_text(source, said, b',', MAX_ROW_BYTES).map_err(FileError::Read)?;
    let header = records.next_record().map_err(FileError::Read)?;
    let header = header.ok_or_else(|| header_fault("is missing: the first row must name the columns"))?;
    let names = header.cells.map_err(|detail| header_fault(&detail))?;
    let columns = check_names(&names).map_err(FileError::Header)?;
    let known = kind.members();
    let mut faults = Faults::new();
    for name in columns.names().filter(|name| !known.contains(name)) {
        faults.add("", format!("column {name:?} is not known{}", did_you_mean(name, known.iter().copied())));
    }
    faults.into_result().map_err(FileError::Header)?;
    let names: Vec<&str> = names.iter().map(str::trim).collect();
    while let Some(record) = records.next_record().map_err(FileError::Read)? {
        let place = format!("{file} line {}", record.line);
        let cells = match record.cells {
            Ok(cells) if cells.is_blank() => continue,
            Ok(cells) if cells.len() == names.len() => cells,
            Ok(cells) => {
                draft::add_faulty(kind, place, ragged(cells.len(), names.len()), bundle);
                continue;
            }
            Err(detail) => {
                draft::add_faulty(kind, place, detail, bundle);
                continue;
            }
        };
        let member = |(name, cell): (&&str, &str)| {
            let cell = cell.trim();
            let value = if cell.is_empty() { Json::Null } else { Json::Text(cell.to_owned()) };
            ((*name).to_owned(), value)
        };
        kind.add(&Json::Object(names.iter().zip(cells.iter()).map(member).collect()), place, bundle);
    }
    Ok(())
}
