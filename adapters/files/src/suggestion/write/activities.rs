//! `[[activity]]`: what a row seems to make, and the columns that are left.

use std::fmt::Write as _;

use domain::Unit;

use super::{Writer, because, comment, guess, line, quoted, template};
use crate::suggestion::column::{Column, Content};
use crate::suggestion::factor::Per;
use crate::suggestion::together::Together;
use crate::suggestion::twice::counted_twice;
use crate::suggestion::words::{DOCUMENT_KEYS, OWN_KEYS, speaks_of};

/// So many activities of a wide table are written; the others are named.
const MOST_ACTIVITIES: usize = 24;
/// Words of names that say the unit of CO2e, and its code.
const UNITS_OF_CO2E: [(&[&str], &str); 3] = [
    (
        &[
            "t",
            "tco2",
            "tco2e",
            "tonne",
            "tonnes",
            "tonnen",
            "metrictonsco2e",
            "metrictons",
            "metric tons",
            "metric ton",
        ],
        "t",
    ),
    (&["g", "gco2", "gco2e"], "g"),
    (&["lb", "lbs", "lbsco2e"], "lbs"),
];

impl Writer<'_> {
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

    pub(super) fn activities(&self, text: &mut String) {
        let roles = self.roles;
        let wide = if roles.months.is_empty() { &roles.wide } else { &roles.months };
        let braces = |column: &Column| format!("{{{}}}", column.name);
        if wide.is_empty() {
            self.single(text);
            return;
        }
        let twice = if roles.months.is_empty() { counted_twice(wide) } else { Vec::new() };
        let whole = text;
        for (index, column) in wide.iter().enumerate().take(MOST_ACTIVITIES) {
            let (text, again) = (&mut String::from("[[activity]]\n"), twice.get(index).and_then(Option::as_ref));
            let (name, why) = self.name(Some(&on_one_line(&column.name)));
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
            quantity(text, column);
            match (column.unit, roles.unit) {
                (_, Some(unit)) if column.has_unsure_marks => {
                    comment(text, "unit", &template(unit), "codes of units; goes together with quantity");
                }
                (Some(unit), None) if column.has_unsure_marks => {
                    comment(
                        text,
                        "unit",
                        &quoted(unit.code()),
                        "the name of the column has it; goes together with quantity",
                    );
                }
                (_, Some(unit)) => guess(text, "unit", unit, "codes of units"),
                (Some(unit), None) if !Unit::meanings(unit.code()).is_empty() => {
                    let names: Vec<String> = Unit::meanings(unit.code())
                        .iter()
                        .map(|(code, name)| format!("{code} is the {name}"))
                        .collect();
                    let why = format!("unsure: required; the name of the column has {unit}, and {}", names.join(", "));
                    comment(text, "unit", &quoted(unit.code()), &why);
                }
                (Some(unit), None) => line(text, "unit", &quoted(unit.code()), "the name of the column has it"),
                (None, None) if self.lacks_unit_of_months() => {}
                (None, None) => comment(text, "unit", "\"kWh\"", "no column has units: say the one they are all in"),
            }
            let is_of_it = |per: &Per| match (per, column.unit) {
                (Per::Unit(per), Some(unit)) => per.dimension() == unit.dimension(),
                (Per::Unit(_) | Per::Unknown, _) => true,
            };
            for (column, per) in roles.factors.iter().filter(|(_, per)| is_of_it(per)) {
                factor(text, column, *per, roles.unit);
            }
            let empty = format!("{{ empty = {} }}", quoted(&column.name));
            line(text, "skip", &empty, "without a number there is nothing to record");
            if let Some(why) = again {
                let _ = writeln!(whole, "# Left out: {why}.");
                for line in text.lines() {
                    let _ = writeln!(whole, "# {line}");
                }
            } else {
                whole.push_str(text);
            }
            whole.push('\n');
        }
        for column in wide.iter().skip(MOST_ACTIVITIES) {
            let _ = writeln!(whole, "# another activity: {}", template(column));
        }
    }

    /// The one activity of a row.
    fn single(&self, text: &mut String) {
        let roles = self.roles;
        text.push_str("[[activity]]\n");
        let (name, why) = self.name(None);
        line(text, "name", &quoted(&name), why);
        self.key(text, None);
        match roles.quantity {
            Some(column) => quantity(text, column),
            None => comment(
                text,
                "quantity",
                "\"{...}\"",
                "no column of numbers has a name that speaks of a quantity and a unit",
            ),
        }
        let is_open = roles.quantity.is_none_or(|column| column.has_unsure_marks);
        match roles.unit {
            Some(column) if is_open => {
                comment(
                    text,
                    "unit",
                    &template(column),
                    &because(column, "codes of units; goes together with quantity"),
                );
            }
            Some(column) => guess(text, "unit", column, "codes of units"),
            None => comment(text, "unit", "\"kWh\"", "no column has units: say the one they are all in"),
        }
        for (index, column) in roles.emissions.iter().enumerate() {
            if index > 0 {
                text.push_str("# Or, of another column that seems to say the same; keep one of them:\n");
            }
            emissions(text, column, roles.emissions.len() > 1);
        }
        for (column, per) in &roles.factors {
            factor(text, column, *per, roles.unit);
        }
        text.push('\n');
    }

    fn key(&self, text: &mut String, column: Option<&str>) {
        let suffix = column.map(|name| format!("-{}", on_one_line(name).replace(['{', '}'], ""))).unwrap_or_default();
        match self.roles.key {
            Some(key) => {
                // What is named once for each year would change the activities of the year before.
                let start = self.roles.start.filter(|start| start.examples.len() == 1 && start.has_name());
                let only = match &self.roles.parted {
                    Some(date) => date.only_period(),
                    None => start.map(|start| format!("{{{}}}", start.name)),
                };
                let period = only.map(|period| format!("{period}-")).unwrap_or_default();
                let value = quoted(&format!("{period}{{{}}}{suffix}", key.name));
                if let Some(why) = self.doubt(key) {
                    comment(text, "syncId", &value, &because(key, &format!("unsure: {why}")));
                } else {
                    line(text, "syncId", &value, "each row has another; the same row again changes nothing then");
                }
            }
            None if let Some(together) = Together::of(self.columns, self.roles, self.rows()) => {
                let value = quoted(&format!("{}{suffix}", together.template));
                comment(text, "syncId", &value, &together.why());
            }
            None => comment(
                text,
                "syncId",
                "\"{...}\"",
                "no column tells the rows apart: without one, importing the table again adds it again",
            ),
        }
    }

    /// Why a column that tells the rows apart may not tell them from those of the next table.
    fn doubt(&self, key: &Column) -> Option<&'static str> {
        let roles = self.roles;
        if roles.start.is_none() {
            let has_date = roles.parted.is_some() || !roles.months.is_empty();
            if !has_date && !speaks_of(&key.name, &DOCUMENT_KEYS) {
                return Some("it says nothing of the day, and the next table would change these rows");
            }
            let lacks_year = roles.parted.as_ref().is_some_and(|date| date.year.is_none())
                || roles.months.iter().any(|column| column.lacks_year());
            if lacks_year {
                return Some("it says nothing of the year, and the next year's table would change these rows");
            }
        }
        let is_own = speaks_of(&key.name, &OWN_KEYS) && !key.counts_up;
        (!is_own).then_some("it may count the rows of this file alone, and the next file would change these rows")
    }
}

fn quantity(text: &mut String, column: &Column) {
    if column.has_unsure_marks {
        let why = "unsure: the marks of its numbers can be read in two ways; say which above";
        comment(text, "quantity", &template(column), &because(column, why));
    } else {
        guess(text, "quantity", column, "numbers");
    }
}

/// A column of CO2e per unit.
fn factor(text: &mut String, column: &Column, per: Per, unit: Option<&Column>) {
    let said = match (per, unit) {
        (Per::Unit(per), _) => per.code().to_owned(),
        (Per::Unknown, Some(unit)) => format!("{{{}}}", unit.name),
        (Per::Unknown, None) => "kWh".to_owned(),
    };
    let is_kilogram = speaks_of(&column.name, &["kg", "kgco2", "kgco2e"]);
    let why = match (is_kilogram, per) {
        (true, Per::Unit(_)) => "",
        (true, Per::Unknown) => "unsure per what; ",
        (false, _) => "unsure: must be kg; ",
    };
    let why = format!(
        "{why}CO2e per unit of the quantity, and no amount, in place of a product: upstream where it is bought, downstream where it is \
         burnt"
    );
    let value = format!("{{ upstream = {}, per = {} }}", template(column), quoted(&said));
    comment(text, "intensity", &value, &because(column, &why));
}

/// A column of CO2e, in kilograms or in the unit that its name says.
fn emissions(text: &mut String, column: &Column, is_one_of_several: bool) {
    let is_kilogram = column.unit.is_some_and(|unit| unit.code() == "kg") || speaks_of(&column.name, &["kg", "kgco2e"]);
    if is_kilogram {
        let why = because(column, "kg CO2e that replace what would be computed");
        comment(text, "UpstreamCO2e", &template(column), &why);
        if is_one_of_several {
            comment(text, "CO2eUnit", "\"kg\"", "the name of the column has it");
        }
        return;
    }
    let said = UNITS_OF_CO2E.iter().find(|(words, _)| speaks_of(&column.name, words)).map(|(_, code)| *code);
    let code = column.unit.filter(|unit| unit.dimension() == domain::Dimension::Mass).map(Unit::code).or(said);
    if let Some(code) = code {
        let why = because(column, "CO2e that replaces what would be computed");
        comment(text, "UpstreamCO2e", &template(column), &why);
        comment(text, "CO2eUnit", &quoted(code), "the name of the column has it");
    } else {
        let why = because(column, "unsure: only where it is CO2e, which replaces what would be computed");
        comment(text, "UpstreamCO2e", &template(column), &why);
        comment(text, "CO2eUnit", "\"kg\"", "unsure: the name of the column has no unit");
    }
}

/// A name without line breaks, which no name of an activity may have.
fn on_one_line(name: &str) -> String {
    name.split_whitespace().collect::<Vec<_>>().join(" ")
}
