//! Catalogs in: tables with the records of one kind.

use std::io::BufRead;

use domain::Faults;
use ports::inbound::CatalogBundle;

use super::{CatalogKind, draft};
use crate::activity::MAX_ROW_BYTES;
use crate::delimited::{check_names, header_fault, ragged};
use crate::encoding::TextEncoding;
use crate::error::FileError;
use crate::json::Json;
use crate::suggest::did_you_mean;
use crate::table_records::TableRecords;
use crate::workbook::Workbook;

/// Why a row with a rule in parts is refused.
const RULE_IN_PARTS: &str = "has a rule for factors, which a table of answers does not hold whole: `tonne export catalog` writes it so \
                             that it can be imported";

/// The columns that say which product a factor is of.
const OF_PRODUCT: [&str; 3] = ["product", "productSyncId", "productName"];
/// Why a table of factors without one of them is refused.
const NO_PRODUCT: &str = "column \"product\" is missing: the syncId or name of the product that each factor is of, which a list of \
                          one product's factors does not say";

/// Adds the records of a table to the bundle, whose columns are the members of that kind, and those of our own answers.
pub fn read_catalog_csv<R: BufRead>(
    source: R,
    kind: CatalogKind,
    file: &str,
    bundle: &mut CatalogBundle,
) -> Result<(), FileError> {
    let said = TextEncoding::default();
    read_table(TableRecords::of_text(source, said, b',', MAX_ROW_BYTES).map_err(FileError::Read)?, kind, file, bundle)
}

/// The same of the only sheet of a workbook that is shown.
pub fn read_catalog_sheet(
    workbook: Workbook,
    kind: CatalogKind,
    file: &str,
    bundle: &mut CatalogBundle,
) -> Result<(), FileError> {
    read_table::<std::io::Empty>(TableRecords::Sheet(workbook.into_rows(None, MAX_ROW_BYTES)?), kind, file, bundle)
}

fn read_table<R: BufRead>(
    mut records: TableRecords<R>,
    kind: CatalogKind,
    file: &str,
    bundle: &mut CatalogBundle,
) -> Result<(), FileError> {
    let header = records.next_record().map_err(FileError::Read)?;
    let header = header.ok_or_else(|| header_fault("is missing: the first row must name the columns"))?;
    let names = header.cells.map_err(|detail| header_fault(&detail))?;
    let columns = check_names(&names).map_err(FileError::Header)?;
    let mut faults = Faults::new();
    for name in columns.names().filter(|name| !kind.knows(name)) {
        faults.add("", format!("column {name:?} is not known{}", did_you_mean(name, kind.members().iter().copied())));
    }
    if kind == CatalogKind::Factor && !columns.names().any(|name| OF_PRODUCT.contains(&name)) {
        faults.add("", NO_PRODUCT);
    }
    faults.into_result().map_err(FileError::Header)?;
    records.fit(names.len());
    let names: Vec<&str> = names.iter().map(str::trim).collect();
    while let Some(record) = records.next_record().map_err(FileError::Read)? {
        let place = format!("{file} line {}", record.line);
        let cells = match record.cells {
            Ok(cells) if cells.is_blank() => continue,
            Ok(cells) if cells.has_errors() => {
                draft::add_faulty(
                    kind,
                    place,
                    "has a formula that failed, or whose result was not saved".to_owned(),
                    bundle,
                );
                continue;
            }
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
        let parts = |(name, cell): &(&&str, &str)| kind.is_part_of_rule(name) && !cell.trim().is_empty();
        if names.iter().zip(cells.iter()).any(|pair| parts(&pair)) {
            draft::add_faulty(kind, place, RULE_IN_PARTS.to_owned(), bundle);
            continue;
        }
        let says_chosen = |(name, cell): (&&str, &str)| name.starts_with(draft::CHOICE) && !cell.trim().is_empty();
        if kind == CatalogKind::Factor && names.iter().zip(cells.iter()).any(says_chosen) {
            continue;
        }
        let members = names
            .iter()
            .zip(cells.iter())
            .filter(|(name, _)| !kind.leaves_alone(name) && !kind.is_part_of_rule(name))
            .map(member);
        kind.add(&Json::Object(members.collect()), place, bundle);
    }
    Ok(())
}
