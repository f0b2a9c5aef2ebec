//! A map as a choice for each column: what each column is, and what is the same in all rows. It reads and writes the TOML of a map and
//! knows nothing that a map does not.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use ports::inbound::WrittenForm;
use toml::{Table, Value};

use crate::suggestion::reads_any;

/// The fields of an activity that a column can be, or a text: each with what it is called.
pub const MAP_FIELDS: [(&str, &str); 20] = [
    ("name", "Name"),
    ("syncId", "syncId: what tells the rows apart"),
    ("startDate", "Date, or first day"),
    ("endDate", "Last day"),
    ("quantity", "Quantity"),
    ("unit", "Unit of the quantity"),
    ("product", "Product"),
    ("scope", "Scope"),
    ("org", "Org"),
    ("taxonomy", "Category"),
    ("UpstreamCO2e", "Upstream CO2e"),
    ("DownstreamCO2e", "Downstream CO2e"),
    ("CO2eUnit", "Unit of the CO2e"),
    ("biogenicCO2", "Biogenic CO2 (kg)"),
    ("description", "Description"),
    ("quality", "Quality"),
    ("evidence", "Evidence"),
    ("marketInstrument", "Market instrument"),
    ("marketFactor", "Market factor"),
    ("marketReference", "Market reference"),
];
/// A column that says the first and the last day: a month, a quarter or a year.
pub const PERIOD: (&str, &str) = ("period", "Period: a month, a quarter or a year");
/// The fields whose nodes are made on the way, where an array names them.
const PATHS: [&str; 2] = ["org", "taxonomy"];

/// A map of one activity a row.
#[derive(Clone, Debug, PartialEq)]
pub struct ColumnMap {
    /// How the table is written.
    table: Table,
    /// The keys of the activity.
    own: Table,
}

impl ColumnMap {
    /// Reads a map; `None` where it is no TOML, or a row makes several activities.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let mut map: Table = toml::from_str(text).ok()?;
        let mut section = |name: &str| match map.remove(name) {
            None => Some(Table::new()),
            Some(Value::Table(table)) => Some(table),
            Some(_) => None,
        };
        let (table, mut own) = (section("table")?, section("common")?);
        let Some(Value::Array(activities)) = map.remove("activity") else { return None };
        let [Value::Table(activity)] = activities.as_slice() else { return None };
        // Conditions of both would have to be added up.
        if !map.is_empty() || (own.contains_key("skip") && activity.contains_key("skip")) {
            return None;
        }
        own.extend(activity.clone());
        Some(Self { table, own })
    }

    /// What a column is chosen to be.
    #[must_use]
    pub fn field_of(&self, column: &str) -> Option<&'static str> {
        let wanted = template(column);
        let is_it = |field: &str| self.text(field) == Some(wanted.as_str());
        if is_it("startDate") && is_it("endDate") {
            return Some(PERIOD.0);
        }
        MAP_FIELDS.iter().map(|(field, _)| *field).find(|field| is_it(field))
    }

    /// What a field says that is chosen for none of these columns: a text, which may have columns in braces.
    #[must_use]
    pub fn text_of(&self, field: &str, columns: &[String]) -> Option<&str> {
        let is_chosen = |column: &String| match self.field_of(column) {
            Some(chosen) => chosen == field || (chosen == PERIOD.0 && matches!(field, "startDate" | "endDate")),
            None => false,
        };
        let text = self.text(field)?;
        let chosen = columns.iter().filter(|column| is_chosen(column)).map(|column| template(column));
        (!chosen.into_iter().any(|chosen| chosen == text)).then_some(text)
    }

    /// What it says beside columns and texts, a line of TOML each.
    #[must_use]
    pub fn others(&self) -> Vec<String> {
        let is_other = |field: &str| !MAP_FIELDS.iter().any(|(known, _)| *known == field) || self.text(field).is_none();
        let others = self.own.iter().filter(|(field, _)| is_other(field));
        others.map(|(field, value)| format!("{} = {value}", key(field))).collect()
    }

    /// Has it say this of the fields that columns and texts say; what it says beside them stays.
    pub fn choose(&mut self, columns: &[(String, String)], texts: &[(String, String)]) {
        let mut said: BTreeMap<&'static str, String> = BTreeMap::new();
        for (field, text) in texts {
            said.extend(known(field).map(|field| (field, text.clone())));
        }
        for (column, field) in columns {
            if field == PERIOD.0 {
                said.extend(["startDate", "endDate"].map(|field| (field, template(column))));
            }
            said.extend(known(field).map(|field| (field, template(column))));
        }
        for (field, _) in MAP_FIELDS {
            match said.remove(field) {
                // What names a node in another way goes on doing so.
                Some(text) if self.text(field) == Some(text.as_str()) => {}
                Some(text) if PATHS.contains(&field) => {
                    self.own.insert(field.to_owned(), Value::Array(vec![Value::String(text)]));
                }
                Some(text) => {
                    self.own.insert(field.to_owned(), Value::String(text));
                }
                None if self.text(field).is_some() => {
                    self.own.remove(field);
                }
                None => {}
            }
        }
    }

    /// Has it say how a column is written, in place of the other `ways`. What it says of other columns and of the table stays.
    pub fn decide(&mut self, column: &str, form: &WrittenForm, ways: &[WrittenForm]) {
        let of_table = self.table.get("dates").cloned();
        let mut columns = taken(&mut self.table, "columns");
        let mut own = taken(&mut columns, column);
        match form {
            WrittenForm::Dates(form) => {
                let mut forms = match own.remove("dates").or(of_table) {
                    Some(Value::Array(forms)) => forms,
                    Some(_) | None => Vec::new(),
                };
                // Forms of other cells of the column go on.
                forms.retain(|known| !known.as_str().is_some_and(|known| reads_any(known, ways)));
                forms.push(Value::String(form.clone()));
                own.insert("dates".to_owned(), Value::Array(forms));
            }
            WrittenForm::Marks { decimal, thousands } => {
                own.insert("decimal".to_owned(), Value::String(decimal.to_string()));
                match thousands {
                    Some(mark) => own.insert("thousands".to_owned(), Value::String(mark.to_string())),
                    None => own.remove("thousands"),
                };
            }
        }
        columns.insert(column.to_owned(), Value::Table(own));
        self.table.insert("columns".to_owned(), Value::Table(columns));
    }

    /// Has it say, too, what was changed from one map to another, and gives the fields of which it says something else than either.
    pub fn take_changes(&mut self, from: &Self, to: &Self) -> Vec<&'static str> {
        let mut others = Vec::new();
        for (field, _) in MAP_FIELDS {
            let [before, after, own] = [from, to, &*self].map(|map| map.own.get(field).cloned());
            if before == after || own == after {
                continue;
            }
            match after {
                _ if own != before => others.push(field),
                Some(value) => drop(self.own.insert(field.to_owned(), value)),
                None => drop(self.own.remove(field)),
            }
        }
        others
    }

    /// Whether two maps say the same of how a column is written.
    #[must_use]
    pub fn writes_alike(&self, other: &Self, column: &str) -> bool {
        let said = |map: &Self| {
            let own = map.table.get("columns").and_then(|columns| columns.get(column));
            [own.cloned(), map.table.get("dates").cloned(), map.table.get("decimal").cloned()]
        };
        said(self) == said(other)
    }

    /// The map in TOML.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        if !self.table.is_empty() {
            text.push_str("[table]\n");
            for (name, value) in &self.table {
                line(&mut text, name, value);
            }
            text.push('\n');
        }
        text.push_str("[[activity]]\n");
        let (mut fields, others): (Vec<_>, Vec<_>) = self.own.iter().partition(|(field, _)| known(field).is_some());
        let place = |field: &str| MAP_FIELDS.iter().position(|(known, _)| *known == field);
        fields.sort_by_key(|(field, _)| place(field));
        for (name, value) in fields.into_iter().chain(others) {
            line(&mut text, name, value);
        }
        text
    }

    /// What a field says, where that is a text, or a path of one.
    fn text(&self, field: &str) -> Option<&str> {
        match self.own.get(field)? {
            Value::String(text) => Some(text),
            Value::Array(steps) if PATHS.contains(&field) => match steps.as_slice() {
                [Value::String(text)] => Some(text),
                _ => None,
            },
            Value::Integer(_)
            | Value::Float(_)
            | Value::Boolean(_)
            | Value::Datetime(_)
            | Value::Array(_)
            | Value::Table(_) => None,
        }
    }
}

/// The table of that name, taken out of another; empty where there is none.
fn taken(table: &mut Table, name: &str) -> Table {
    match table.remove(name) {
        Some(Value::Table(own)) => own,
        Some(_) | None => Table::new(),
    }
}

fn known(field: &str) -> Option<&'static str> {
    MAP_FIELDS.iter().map(|(known, _)| *known).find(|known| *known == field)
}

fn template(column: &str) -> String {
    format!("{{{column}}}")
}

fn key(name: &str) -> String {
    let bare = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    if !name.is_empty() && name.bytes().all(bare) {
        name.to_owned()
    } else {
        Value::String(name.to_owned()).to_string()
    }
}

fn line(text: &mut String, name: &str, value: &Value) {
    let _ = writeln!(text, "{} = {value}", key(name));
}
