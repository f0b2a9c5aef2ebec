//! Files that wait to be imported, with those texts as their names, as names of columns, and in their cells.

use crate::http::harness::{Company, json};
use crate::http::web::records::stage;

/// What the columns become, a text each.
pub(super) const FIELDS: [&str; 3] = ["name", "syncId", "description"];

/// A file whose check found a row to import and one to reject.
pub(super) struct StagedFile {
    /// What the paths of its pages begin with.
    pub(super) path: String,
    /// What is in its header and in its cells.
    pub(super) texts: Vec<String>,
}

impl StagedFile {
    /// The file of that number, with a column for each of the texts: at most as many as there are [`FIELDS`].
    pub(super) fn new(company: &Company<'_>, number: usize, texts: &[String]) -> Self {
        let named = |what: &str| texts.iter().map(|text| format!("{what} {number} {text}")).collect::<Vec<_>>();
        let (columns, good, bad) = (named("column"), named("good"), named("bad"));
        let day = format!("day {number} {}", texts[0]);
        let rows = [("row", "day", &columns), ("Van", "2025-01-02", &good), ("Van", day.as_str(), &bad)];
        let rows = rows.map(|(name, day, cells)| line(name, day, cells)).concat();
        let name = format!("{}.csv", texts[0]);
        let id = stage(company, name, rows, map(&columns));
        let path = format!("/imports/{id}");
        Self { path, texts: [columns, good, bad, vec![day]].concat() }
    }

    /// Its pages.
    pub(super) fn pages(&self) -> impl Iterator<Item = String> {
        ["table", "map", "check"].into_iter().map(|step| format!("{}/{step}", self.path))
    }
}

/// A line of CSV.
fn line(name: &str, day: &str, cells: &[String]) -> String {
    let cells = [name, day].into_iter().chain(cells.iter().map(String::as_str));
    let cells = cells.map(|cell| format!("\"{}\"", cell.replace('"', "\"\"")));
    format!("{}\n", cells.collect::<Vec<_>>().join(","))
}

/// A map that takes the fields from those columns. One with braces in its name can be named by no map.
fn map(columns: &[String]) -> String {
    let taken = FIELDS.iter().zip(columns).filter_map(|(field, column)| {
        let is_named = !column.contains(['{', '}']);
        let text = if is_named { format!("{{{column}}}") } else { "{row}".to_owned() };
        // A text in JSON is one in TOML as well.
        (is_named || *field == "name").then(|| format!("{field} = {}\n", json!(text)))
    });
    let taken = taken.collect::<Vec<_>>().concat();
    format!("[table]\ndelimiter = \",\"\nheader = 1\n[[activity]]\nstartDate = \"{{day}}\"\n{taken}")
}
