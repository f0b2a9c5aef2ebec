//! Tables of gases per unit: combustion, electricity, heat, transport.

use domain::{Gas, GasAmount, GasSplit, Name, PublishedFactor, PublishedUse};

use super::Reading;
use super::columns::{self, HeatContent, Measure, measure, unit};
use super::section::{Section, begins_notes, plain};
use crate::delimited::Cells;
use crate::published::account::Skipped;
use crate::published::draft;
use crate::published::sheet::{Row, header_words, source_row, text};

/// What the headers so far say of the columns of a table.
struct Columns {
    names: Vec<String>,
    labels: Vec<usize>,
    measures: Vec<(usize, Measure)>,
    /// What stands above several columns, from where on.
    groups: Vec<(usize, String)>,
    unit: Option<usize>,
    region: Option<usize>,
    rates: Vec<usize>,
    heat: HeatContent,
}

/// A heading, a unit, and the columns below the one that are per the other.
type MeasureSet<'a> = (Option<&'a str>, Option<&'a str>, Vec<&'a (usize, Measure)>);

/// Where reading of a table is.
struct State {
    columns: Columns,
    /// The heading that the rows stand below.
    heading: String,
    /// The labels of the row above.
    labels: Vec<String>,
}

/// Reads the table.
pub(super) fn read(reading: &mut Reading<'_>, section: &Section<'_>, usage: PublishedUse) {
    let columns = Columns {
        names: Vec::new(),
        labels: Vec::new(),
        measures: Vec::new(),
        groups: Vec::new(),
        unit: None,
        region: None,
        rates: Vec::new(),
        heat: HeatContent::Plain,
    };
    let mut state = State { columns, heading: String::new(), labels: Vec::new() };
    let mut in_notes = false;
    for row in section.rows {
        let Some(cells) = reading.cells(row) else { continue };
        in_notes = in_notes || begins_notes(cells);
        if in_notes || state.columns.take_header(cells) {
            reading.finish_row(Vec::new(), &[]);
        } else if state.columns.has_figure(cells) {
            let (made, skipped) = factors(reading, &mut state, section, usage, row, cells);
            reading.finish_row(made, &skipped);
        } else {
            let is_below_header = !state.columns.measures.is_empty();
            let first = cells.iter().map(plain).find(|text| !text.is_empty() && !text.starts_with('('));
            if let Some(first) = first.filter(|_| is_below_header) {
                state.heading = first;
            }
            reading.finish_row(Vec::new(), &[]);
        }
    }
}

impl Columns {
    /// Takes what a header row says; whether it is one.
    fn take_header(&mut self, cells: &Cells) -> bool {
        let words = |column: usize| header_words(text(cells, column));
        let is_group = |words: &str| words.ends_with("emission factors");
        let is_of_header = |words: &str| {
            measure(words).is_some()
                || words.ends_with(" factor")
                || words == "fuel type"
                || words == "vehicle type"
                || is_group(words)
        };
        if !(0..cells.len()).any(|column| is_of_header(&words(column))) {
            return false;
        }
        for column in 0..cells.len() {
            let (words, name) = (words(column), plain(text(cells, column)));
            if words.is_empty() {
                continue;
            }
            self.names.resize(self.names.len().max(column + 1), String::new());
            self.names[column].clone_from(&name);
            if let Some(found) = measure(&words) {
                self.measures.retain(|(place, _)| *place != column);
                self.measures.push((column, found));
            } else if is_group(&words) {
                self.groups.push((column, name));
            } else if words.starts_with("heat content") {
                self.heat = if words.contains("hhv") { HeatContent::Gross } else { HeatContent::Plain };
            } else if words == "unit" || words == "units" {
                self.unit = Some(column);
            } else if words.contains("loss") {
                self.rates.push(column);
            } else if words.ends_with("subregion acronym") {
                self.region = Some(column);
            } else if !words.ends_with(" factor") && !words.contains(" per ") {
                self.labels.push(column);
            }
        }
        self.measures.sort_by_key(|(column, _)| *column);
        if let (true, Some((first, _))) = (self.labels.is_empty(), self.measures.first()) {
            // A table whose only label has no header.
            self.labels.extend(first.checked_sub(1));
        }
        true
    }

    fn has_figure(&self, cells: &Cells) -> bool {
        self.measures.iter().any(|(column, _)| !text(cells, *column).is_empty())
    }

    /// The columns that make one factor: those below one heading, per one unit.
    fn sets(&self) -> Vec<MeasureSet<'_>> {
        let mut sets: Vec<MeasureSet<'_>> = Vec::new();
        for measured in &self.measures {
            let group = self.groups.iter().rfind(|(from, _)| *from <= measured.0).map(|(_, name)| name.as_str());
            let per = measured.1.per.as_deref();
            match sets.iter_mut().find(|(of, unit, _)| *of == group && *unit == per) {
                Some((.., columns)) => columns.push(measured),
                None => sets.push((group, per, vec![measured])),
            }
        }
        sets
    }
}

/// The factors of a row, and why there are not more.
fn factors(
    reading: &mut Reading<'_>,
    state: &mut State,
    section: &Section<'_>,
    usage: PublishedUse,
    row: &Row,
    cells: &Cells,
) -> (Vec<PublishedFactor>, Vec<Skipped>) {
    inherit_labels(state, cells);
    let columns = &state.columns;
    let region = columns.region.map(|column| text(cells, column));
    let label = state.labels.iter().filter(|label| !label.is_empty()).cloned().collect::<Vec<_>>().join(", ");
    let is_biomass = state.heading.starts_with("Biomass") || reading.biomass.contains(&label);
    if is_biomass && !reading.biomass.contains(&label) {
        reading.biomass.insert(label.clone());
    }
    let (mut made, mut skipped) = (Vec::new(), Vec::new());
    for (group, per, measures) in columns.sets() {
        if group.is_some_and(|group| group.to_lowercase().starts_with("non-baseload")) {
            skipped.push(Skipped::NotForInventories);
            continue;
        }
        let mut values = Vec::with_capacity(measures.len());
        for (column, measure) in &measures {
            values.push(reading.value(row.number, cells, *column).map(|value| (measure, value)));
        }
        let values: Result<Vec<_>, Skipped> = values.into_iter().collect();
        let values = match values {
            Ok(values) if values.iter().all(|(_, value)| value.is_none()) => Err(Skipped::NoValue),
            Ok(values) if values.iter().any(|(_, value)| value.is_none()) => {
                reading.find(row.number, "has one gas without a value beside others with one");
                Err(Skipped::Faulty)
            }
            other => other,
        };
        let words = per.unwrap_or_else(|| columns.unit.map(|column| text(cells, column)).unwrap_or_default());
        let values = values.and_then(|values| {
            let unit = unit(words, columns.heat).ok_or_else(|| Skipped::UnknownUnit(words.to_owned()))?;
            Ok((values, unit))
        });
        let (values, unit) = match values {
            Ok(found) => found,
            Err(reason) => {
                skipped.push(reason);
                continue;
            }
        };
        let amounts = values.into_iter().filter_map(|(measure, value)| {
            let gas = if is_biomass && measure.gas == Gas::CO2 { Gas::CO2_BIOGENIC } else { measure.gas };
            let mass =
                value?.checked_mul(measure.kilograms).ok_or_else(|| format!("{gas} has a figure that is too large"));
            Some(mass.map(|mass| (gas, GasAmount::Mass(mass))))
        });
        let split = amounts
            .collect::<Result<Vec<_>, _>>()
            .and_then(|amounts| GasSplit::new(reading.gwp, amounts).map_err(|error| error.to_string()));
        let factor = split.and_then(|split| {
            let place = measures.first().map_or(0, |(column, _)| *column);
            let cell = draft::name("place", &reading.sheet.cell(row.number, place))?;
            let name = match region {
                Some(_) => format!("Electricity, {label}"),
                None => label.clone(),
            };
            let factor = PublishedFactor::new(cell, draft::name("name", &name)?, unit, usage)
                .with_path(draft::path([section.title.as_str(), state.heading.as_str()])?)
                .with_gases(Some(split))
                .with_region(Name::parse(&subregion(region)).ok())
                .with_rows(vec![source_row(row.number, &columns.names, cells)]);
            draft::with_figure(factor)
        });
        match factor {
            Ok(factor) => made.push(factor),
            Err(detail) => {
                reading.find(row.number, detail);
                skipped.push(Skipped::Faulty);
            }
        }
    }
    let rates = columns.rates.iter().filter(|column| !text(cells, **column).is_empty());
    skipped.extend(rates.map(|_| Skipped::Rate));
    (made, skipped)
}

/// `US-RFCW` for a subregion, else the country.
fn subregion(acronym: Option<&str>) -> String {
    let is_acronym = |text: &&str| text.len() == 4 && text.bytes().all(|byte| byte.is_ascii_uppercase());
    acronym.filter(is_acronym).map_or_else(|| "US".to_owned(), |acronym| format!("US-{acronym}"))
}

/// A label that is left out is that of the row above, as far as it stands left of one that is given. What is in brackets goes on
/// with the label above.
fn inherit_labels(state: &mut State, cells: &Cells) {
    let own = |column: &usize| {
        let label = plain(text(cells, *column));
        if label.starts_with('(') { String::new() } else { columns::without_footnote(&label).to_owned() }
    };
    let mut labels: Vec<_> = state.columns.labels.iter().map(own).collect();
    let first = labels.iter().position(|label| !label.is_empty()).unwrap_or(labels.len());
    for (label, above) in labels.iter_mut().zip(&state.labels).take(first) {
        label.clone_from(above);
    }
    state.labels = labels;
}
