//! Writing the suggested map.

use std::fmt::Write as _;

use super::column::{Column, Content};
use super::header::Header;
use super::marks::GuessedMarks;
use super::role::Roles;
use super::sample::{SampleForm, TableSample};

/// So many activities of a wide table are written; the others are named.
const MOST_ACTIVITIES: usize = 24;
/// Words that rows of totals begin with.
const TOTALS: [&str; 9] =
    ["total", "sum", "summe", "gesamt", "subtotal", "zwischensumme", "totale", "grand total", "overall"];

/// What a map is written from.
pub(super) struct Writer<'a> {
    pub(super) sample: &'a TableSample,
    pub(super) header: &'a Header,
    pub(super) marks: GuessedMarks,
    pub(super) columns: &'a [Column],
    pub(super) roles: &'a Roles<'a>,
}

/// A text of TOML.
fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}

fn template(column: &Column) -> String {
    quoted(&format!("{{{}}}", column.name))
}

impl Writer<'_> {
    pub(super) fn map(&self) -> String {
        let mut text = String::from(
            "# A first map, guessed from the table. Read each line; what was not sure is commented out.\n\
             # `tonne map check MAP FILE` says what is wrong with it and shows a row as it is read.\n\n",
        );
        self.table(&mut text);
        self.common(&mut text);
        self.activities(&mut text);
        self.unused(&mut text);
        text
    }

    fn table(&self, text: &mut String) {
        text.push_str("[table]\n");
        match &self.sample.form {
            SampleForm::Text(encoding, delimiter) => {
                let why = match *encoding {
                    "utf-8" => "every letter that was looked at is UTF-8",
                    "windows-1252" => "some letters are no UTF-8; check that umlauts and accents come out right",
                    _ => "its bytes are pairs, or it has the mark",
                };
                line(text, "encoding", &quoted(encoding), why);
                let delimiter = char::from(*delimiter).to_string();
                line(text, "delimiter", &quoted(&delimiter), "it divides the most rows alike");
            }
            SampleForm::Sheet(name, others) => {
                let why =
                    if *others { "the sheet that was looked at; the workbook has others" } else { "its only sheet" };
                line(text, "sheet", &quoted(name), why);
            }
        }
        match self.header.lines.as_slice() {
            [only] => {
                line(text, "header", &only.to_string(), "the first row of names that is as wide as the rows below")
            }
            many => {
                let lines: Vec<String> = many.iter().map(ToString::to_string).collect();
                line(
                    text,
                    "header",
                    &format!("[{}]", lines.join(", ")),
                    "the upper row groups the columns of the lower one",
                );
            }
        }
        let GuessedMarks { marks, shown, ambiguous } = self.marks;
        if shown {
            line(text, "decimal", &quoted(&marks.decimal.to_string()), "numbers show it");
        } else {
            line(text, "decimal", &quoted(&marks.decimal.to_string()), "no number shows another");
        }
        if let Some(thousands) = marks.thousands {
            let value = quoted(&thousands.to_string());
            if ambiguous {
                line(text, "thousands", &value, "unsure: 1,234 may be either; make it the decimal mark if it is one");
            } else {
                line(text, "thousands", &value, "numbers show it");
            }
        }
        self.dates(text);
        let mut nulls: Vec<&str> = self.columns.iter().flat_map(|column| &column.nulls).map(String::as_str).collect();
        nulls.sort_unstable();
        nulls.dedup();
        if !nulls.is_empty() {
            let words: Vec<String> = nulls.into_iter().map(quoted).collect();
            line(text, "nulls", &format!("[{}]", words.join(", ")), "they stand where others have numbers");
        }
        text.push('\n');
    }

    fn dates(&self, text: &mut String) {
        let mut sure: Vec<&str> = Vec::new();
        let mut unsure: Vec<(&str, &[&str])> = Vec::new();
        for column in [self.roles.start, self.roles.end].into_iter().flatten() {
            match &column.content {
                Content::Dates(forms) if forms.len() == 1 => sure.extend(forms),
                Content::Dates(forms) if forms.len() > 1 => unsure.push((&column.name, forms)),
                Content::Dates(_) | Content::Empty | Content::Numbers | Content::Units | Content::Texts => {}
            }
        }
        if self.roles.months.iter().any(|column| column.month.is_some()) {
            sure.push("YYYY-MM");
        }
        sure.sort_unstable();
        sure.dedup();
        if !sure.is_empty() {
            let forms: Vec<String> = sure.iter().map(|form| quoted(form)).collect();
            line(text, "dates", &format!("[{}]", forms.join(", ")), "every date that was looked at has this form");
        }
        // One column may show what another leaves open.
        for (name, forms) in unsure {
            if !forms.iter().any(|form| sure.contains(form)) {
                let all = forms.iter().map(|form| quoted(form)).collect::<Vec<_>>();
                let why = format!("unsure: {name:?} can be read as {}; keep the right one", all.join(" and as "));
                comment(text, "dates", &format!("[{}]", all.first().cloned().unwrap_or_default()), &why);
            }
        }
    }

    fn common(&self, text: &mut String) {
        let roles = self.roles;
        text.push_str("[common]\n");
        if roles.months.is_empty() {
            match roles.start {
                Some(column) => guess(text, "startDate", column, "dates, and a name that speaks of the day"),
                None => comment(
                    text,
                    "startDate",
                    "\"2025-01-01\"",
                    "required: no column has dates; say the day, or name one",
                ),
            }
            if let Some(column) = roles.end {
                guess(text, "endDate", column, "dates, and a name that speaks of the end");
            } else if let Some(Column { content: Content::Dates(forms), .. }) = roles.start
                && forms.iter().all(|form| !form.contains('D'))
                && !forms.is_empty()
                && let Some(column) = roles.start
            {
                guess(text, "endDate", column, "a month or a year ends on its last day");
            }
        }
        if let Some(column) = roles.org {
            line(
                text,
                "org",
                &format!("[{}]", template(column)),
                &because(column, "names of places; each is found or made"),
            );
        }
        if let Some(column) = roles.taxonomy {
            line(
                text,
                "taxonomy",
                &format!("[{}]", template(column)),
                &because(column, "names that repeat; each is found or made"),
            );
        }
        if let Some(column) = roles.product {
            comment(
                text,
                "product",
                &template(column),
                &because(column, "must be syncIds or names of products that are there"),
            );
        }
        match roles.scope {
            Some(column) => {
                comment(text, "scope", &template(column), &because(column, "must be syncIds or names of scopes"))
            }
            None => comment(text, "scope", "\"scope1\"", "which scope it belongs to is not in the table"),
        }
        if let Some((column, word)) = self.total() {
            let value = format!("{{ equals = {{ {} = [{}] }} }}", quoted(&column.name), quoted(&word));
            line(text, "skip", &value, "a row of totals would count everything twice");
        }
        text.push('\n');
    }

    /// A column that says that a row is a total, and the word.
    fn total(&self) -> Option<(&Column, String)> {
        let rows = self.sample.rows_behind(self.header.last_line());
        rows.iter().rev().find_map(|row| {
            let (index, cell) =
                (0..row.cells().len()).map(|index| (index, row.cell(index))).find(|(_, cell)| !cell.is_empty())?;
            let first = cell.to_lowercase();
            let is_total = TOTALS.iter().any(|word| {
                first == *word || first.trim_end_matches(':') == *word || first.starts_with(&format!("{word} "))
            });
            let column = self.columns.get(index).filter(|column| is_total && column.has_name())?;
            Some((column, cell.to_owned()))
        })
    }

    /// What an activity is called, with `what` at its end.
    fn name(&self, what: Option<&str>) -> (String, &'static str) {
        let roles = self.roles;
        let braces = |column: &Column| format!("{{{}}}", column.name);
        let with = |start: String, what: Option<&str>| match what {
            Some(what) => format!("{start}: {what}"),
            None => start,
        };
        match (roles.name.or(roles.org), roles.product) {
            (Some(column), Some(product)) if what.is_none() => {
                (format!("{}: {}", braces(column), braces(product)), "whose it is, and what")
            }
            (Some(column), _) => (with(braces(column), what), "a name of the row"),
            (None, Some(product)) => (with(braces(product), what), "the only name in the row"),
            (None, None) => {
                let text = self.columns.iter().find(|column| column.content == Content::Texts && column.has_name());
                (with(text.map_or_else(|| "activity".to_owned(), braces), what), "unsure: the first text of the row")
            }
        }
    }

    fn activities(&self, text: &mut String) {
        let roles = self.roles;
        let wide = if roles.months.is_empty() { &roles.wide } else { &roles.months };
        let braces = |column: &Column| format!("{{{}}}", column.name);
        if wide.is_empty() {
            text.push_str("[[activity]]\n");
            let (name, why) = self.name(None);
            line(text, "name", &quoted(&name), why);
            self.key(text, None);
            match roles.quantity {
                Some(column) => guess(text, "quantity", column, "numbers"),
                None => comment(
                    text,
                    "quantity",
                    "\"{...}\"",
                    "no column of numbers has a name that speaks of a quantity and a unit",
                ),
            }
            match roles.unit {
                Some(column) => guess(text, "unit", column, "codes of units"),
                None => comment(text, "unit", "\"kWh\"", "no column has units: say the one they are all in"),
            }
            for column in &roles.emissions {
                comment(
                    text,
                    "UpstreamCO2e",
                    &template(column),
                    &because(column, "kg CO2e that replace what would be computed"),
                );
            }
            text.push('\n');
            return;
        }
        for column in wide.iter().take(MOST_ACTIVITIES) {
            text.push_str("[[activity]]\n");
            let (name, why) = self.name(Some(column.name.trim()));
            line(text, "name", &quoted(&name), why);
            self.key(text, Some(&column.name));
            if let Some(month) = column.month {
                let year = match (month.year, roles.start) {
                    (Some(year), _) => Some(year.to_string()),
                    (None, Some(start)) => Some(braces(start)),
                    (None, None) => None,
                };
                let date = quoted(&format!("{}-{:02}", year.as_deref().unwrap_or("2025"), month.month));
                if year.is_some() {
                    line(text, "startDate", &date, "the month that the column is named after");
                    line(text, "endDate", &date, "its last day");
                } else {
                    comment(text, "startDate", &date, "required: which year it is is not in the table");
                    comment(text, "endDate", &date, "the last day of the month");
                }
            }
            guess(text, "quantity", column, "numbers");
            match (column.unit, roles.unit) {
                (_, Some(unit)) => guess(text, "unit", unit, "codes of units"),
                (Some(unit), None) => line(text, "unit", &quoted(unit.code()), "the name of the column has it"),
                (None, None) => comment(text, "unit", "\"kWh\"", "no column has units: say the one they are all in"),
            }
            let empty = format!("{{ empty = {} }}", quoted(&column.name));
            line(text, "skip", &empty, "without a number there is nothing to record");
            text.push('\n');
        }
        for column in wide.iter().skip(MOST_ACTIVITIES) {
            let _ = writeln!(text, "# another activity: {}", template(column));
        }
    }

    fn key(&self, text: &mut String, column: Option<&str>) {
        let suffix = column.map(|name| format!("-{}", name.replace(['{', '}'], ""))).unwrap_or_default();
        match self.roles.key {
            Some(key) => {
                let value = quoted(&format!("{{{}}}{suffix}", key.name));
                line(text, "syncId", &value, "each row has another; the same row again changes nothing then");
            }
            None => comment(
                text,
                "syncId",
                "\"{...}\"",
                "no column tells the rows apart: without one, importing the table again adds it again",
            ),
        }
    }

    /// The columns that nothing was made of.
    fn unused(&self, text: &mut String) {
        let used = |column: &Column| text.contains(&format!("{{{}}}", column.name));
        let unused: Vec<&Column> =
            self.columns.iter().filter(|column| !column.name.is_empty() && !used(column)).collect();
        if unused.is_empty() {
            return;
        }
        let mut lines = String::from("# Columns that are not used, with what is in them:\n");
        for column in unused {
            let _ = writeln!(
                lines,
                "#   {}: {} of {} rows, {}",
                column.name.replace('\n', " "),
                column.filled,
                column.rows,
                shown(column)
            );
        }
        text.push_str(&lines);
    }
}

fn line(text: &mut String, key: &str, value: &str, why: &str) {
    let _ = writeln!(text, "{key} = {value}  # {}", why.replace('\n', " "));
}

fn comment(text: &mut String, key: &str, value: &str, why: &str) {
    let _ = writeln!(text, "# {key} = {value}  # {}", why.replace('\n', " "));
}

fn guess(text: &mut String, key: &str, column: &Column, why: &str) {
    line(text, key, &template(column), &because(column, why));
}

/// The reason, with what is in the column.
fn because(column: &Column, why: &str) -> String {
    format!("{why}: {}", shown(column))
}

fn shown(column: &Column) -> String {
    if column.examples.is_empty() {
        return "empty".to_owned();
    }
    column.examples.iter().map(|example| example.replace('\n', " ")).collect::<Vec<_>>().join(", ")
}
