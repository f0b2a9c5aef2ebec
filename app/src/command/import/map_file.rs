//! The file of a map.

use std::path::Path;

use anyhow::{Context as _, Result};
use files::{MAX_ROW_BYTES, Map};

use super::input::{Content, Input};
use super::source::refused;

/// Whether both paths lead to one file that is there.
pub(super) fn is_same(one: &Path, other: &Path) -> bool {
    matches!((one.canonicalize(), other.canonicalize()), (Ok(one), Ok(other)) if one == other)
}

/// The map in that file with its text; else all that is wrong with it, for that table.
pub(super) fn read_map(path: &Path, input: &Input) -> Result<(Map, String)> {
    let name = path.display();
    let text = std::fs::read_to_string(path).with_context(|| format!("the map {name} cannot be read"))?;
    let map = Map::parse(&text).map_err(|error| {
        let error = match input.open() {
            Ok((Content::Text(source), _)) => Map::refusal(&text, source, MAX_ROW_BYTES),
            Ok((Content::Workbook(workbook), _)) => Map::workbook_refusal(&text, workbook, MAX_ROW_BYTES),
            Err(_) => error,
        };
        refused(&name.to_string(), error)
    })?;
    Ok((map, text))
}
