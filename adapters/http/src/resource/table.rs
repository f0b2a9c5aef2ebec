//! Collections as tables: a column for each member, and of records that one refers to their uuid, name and path; of several the
//! uuids, and the names with `; ` between them.

use actix_web::HttpResponse;
use files::{ByteOrderMark, Cell, Cells, Json, Table, table_csv, table_xlsx};

use super::{Labels, Lists, listed};
use crate::answer_value::REFERENCE;
use crate::media::{self, Accepted};
use crate::problem::Problem;
use crate::schema::{Components, Kind, Named as _, Side};

/// Answers with the records as a table.
pub(super) fn answer<R: Lists>(
    records: &[Json],
    accepted: Accepted,
    cells: Cells,
    mark: ByteOrderMark,
) -> Result<HttpResponse, Problem> {
    let Labels { many, .. } = R::LABELS;
    let mut columns = R::columns();
    if listed::lacks_path::<R>() {
        columns.push(("path", Kind::Text(1, 100_000)));
    }
    tabled(&table(many, &columns, records), accepted, cells, mark)
}

/// Answers with a table, as a file.
pub(crate) fn tabled(
    table: &Table,
    accepted: Accepted,
    cells: Cells,
    mark: ByteOrderMark,
) -> Result<HttpResponse, Problem> {
    let (mut answer, name) = (HttpResponse::Ok(), table.title.replace(' ', "-"));
    if accepted.0 == media::XLSX {
        media::named_file(&mut answer, &name, "xlsx");
        answer.content_type(media::XLSX);
    } else {
        media::named_file(&mut answer, &name, "csv");
        answer.content_type("text/csv; charset=utf-8");
    }
    Ok(answer.body(file(table, accepted, cells, mark)?))
}

/// A table as the bytes of a file of that media type: a workbook, else CSV.
pub(crate) fn file(table: &Table, accepted: Accepted, cells: Cells, mark: ByteOrderMark) -> Result<Vec<u8>, Problem> {
    if accepted.0 == media::XLSX {
        return Ok(table_xlsx(table)?);
    }
    table_csv(table, cells, mark).map_err(Problem::internal)
}

/// The records as a table.
pub(crate) fn table(title: &str, members: &[(&'static str, Kind)], records: &[Json]) -> Table {
    let columns: Vec<(&str, Kind, Option<String>)> = members
        .iter()
        .flat_map(|(name, kind)| {
            let mut inner = inner(*kind);
            // Only of the node above is said what finds it elsewhere.
            inner.retain(|part| *name == "parent" || !is_reference(*kind) || matches!(part.as_str(), "uuid" | "name"));
            let own = inner.is_empty().then_some((*name, *kind, None));
            own.into_iter().chain(inner.into_iter().map(|part| (*name, *kind, Some(part)))).collect::<Vec<_>>()
        })
        .collect();
    let row = |record: &Json| {
        let cell = |(name, kind, part): &(&str, Kind, Option<String>)| match (record.get(name), part) {
            (Some(Json::Array(names)), None) if *name == "path" => Cell::text(joined(names, " / ")),
            (Some(Json::Array(records)), Some(part)) => Cell::text(of_each(records, part)),
            (value, Some(part)) => cell(value.and_then(|value| value.get(part)), *kind),
            (value, None) => cell(value, *kind),
        };
        columns.iter().map(cell).collect()
    };
    Table {
        title: title.to_owned(),
        rows: records.iter().map(row).collect(),
        columns: columns.iter().map(|(name, _, part)| heading(name, part.as_deref())).collect(),
        ..Table::default()
    }
}

/// The name of a column: that of a member, or of a part of it.
fn heading(name: &str, part: Option<&str>) -> String {
    match part {
        None | Some("uuid") => name.to_owned(),
        Some(part) => {
            let mut letters = part.chars();
            let first = letters.next().map(|letter| letter.to_ascii_uppercase());
            first.into_iter().fold(name.to_owned(), |text, letter| format!("{text}{letter}")) + letters.as_str()
        }
    }
}

/// What a list is of, else the kind itself.
const fn item(kind: Kind) -> Kind {
    if let Kind::List(items, _) = kind { *items } else { kind }
}

/// Whether that is another record, or a list of others.
fn is_reference(kind: Kind) -> bool {
    matches!(item(kind), Kind::Object(named) if named.name(Side::Answer) == REFERENCE.name(Side::Answer))
}

/// The parts of a member that is an object or a list of other records, uuid and name first; none of another.
fn inner(kind: Kind) -> Vec<String> {
    let of = if is_reference(kind) { item(kind) } else { kind };
    let Kind::Object(named) = of else { return Vec::new() };
    let schema = named.describe(Side::Answer, &mut Components::new());
    let parts = schema["properties"].as_object().map(|parts| parts.keys().cloned().collect());
    let mut parts: Vec<String> = parts.unwrap_or_default();
    parts.sort_by_key(|part| match part.as_str() {
        "uuid" => 0,
        "name" => 1,
        _ => 2,
    });
    parts
}

/// What stands in a cell for a value of that kind.
pub(crate) fn cell(value: Option<&Json>, kind: Kind) -> Cell {
    match value {
        None | Some(Json::Null) => Cell::Empty,
        Some(Json::Number(digits)) => Cell::Number(digits.clone()),
        Some(Json::Text(text)) if matches!(kind, Kind::Amount | Kind::Number) => Cell::Number(text.clone()),
        Some(Json::Text(text)) => Cell::Text(text.clone()),
        Some(Json::Bool(flag)) => Cell::text(flag),
        Some(Json::Array(items)) if items.iter().all(|item| matches!(item, Json::Text(_))) => {
            Cell::text(joined(items, " "))
        }
        Some(value @ (Json::Array(_) | Json::Object(_))) => Cell::text(value),
    }
}

/// That part of each of the records: uuids as other lists are written, names apart from each other.
fn of_each(records: &[Json], part: &str) -> String {
    let parts = records.iter().filter_map(|record| record.get(part)).filter_map(Json::as_text);
    parts.collect::<Vec<_>>().join(if part == "uuid" { " " } else { "; " })
}

/// The texts among the items, one after the other.
fn joined(items: &[Json], separator: &str) -> String {
    items.iter().filter_map(Json::as_text).collect::<Vec<_>>().join(separator)
}
