//! The activities of a mapped table, row after row.

use std::collections::{BTreeSet, VecDeque};
use std::io::BufRead;

use domain::{
    Co2e, Decimal, Description, EvidenceList, FactorId, Faults, MarketBasis, Moment, Name, Quality, Quantity, SyncId,
    Unit, emissions,
};
use ports::inbound::{ActivityDraft, Field, Reference, RowDraft};

use super::Map;
use super::activity_spec::ActivitySpec;
use super::co2e_unit;
use super::dates::{Edge, moment};
use super::intensity::IntensitySpec;
use super::link::{Link, parsed};
use super::marks_seen::MarksSeen;
use super::number_spec::Number;
use super::row::Row;
use super::table_spec::TableSpec;
use super::template::Template;
use crate::activity::faulty;
use crate::delimited::{Cells, ColumnIndex, Filler, Record, ragged};
use crate::error::FileError;
use crate::table_records::TableRecords;
use crate::workbook::NO_RESULT;

/// The activities of a table, in the order of its rows and of the map. A row that cannot be read is one row with
/// faults, and reading goes on.
#[derive(Debug)]
pub struct MapRows<'a, R> {
    map: &'a Map,
    records: TableRecords<R>,
    columns: ColumnIndex,
    filler: Filler,
    ready: VecDeque<RowDraft>,
    rows: u64,
    skipped: u64,
    done: bool,
    /// The columns that the map reads numbers from, and what these have shown.
    number_columns: BTreeSet<String>,
    marks_seen: MarksSeen,
}

impl<'a, R: BufRead> MapRows<'a, R> {
    pub(super) fn new(map: &'a Map, records: TableRecords<R>, columns: ColumnIndex) -> Self {
        Self {
            map,
            records,
            filler: Filler::new(&map.table.fill, &columns),
            columns,
            ready: VecDeque::new(),
            rows: 0,
            skipped: 0,
            done: false,
            number_columns: map.number_columns(),
            marks_seen: MarksSeen::default(),
        }
    }

    /// How many rows of the table have been read.
    pub const fn rows(&self) -> u64 {
        self.rows
    }

    /// How many activities were left out because the map's `skip` says so.
    pub const fn skipped(&self) -> u64 {
        self.skipped
    }

    /// Columns whose numbers, as far as they were read, may have other marks than the map says; a sentence each.
    #[must_use]
    pub fn doubts(&self) -> Vec<String> {
        self.marks_seen.doubts()
    }

    fn take(&mut self, record: Record) {
        if record.cells.as_ref().is_ok_and(Cells::is_blank) {
            return;
        }
        self.rows += 1;
        let line = record.line;
        let mut push = |draft| self.ready.push_back(RowDraft { line, draft });
        let unread = match record.cells {
            Ok(mut cells) if cells.len() == self.columns.len() => match self.filler.fill(&mut cells) {
                Ok(()) => Ok(cells),
                Err(detail) => return push(faulty("", &detail)),
            },
            Ok(cells) => Err(ragged(cells.len(), self.columns.len())),
            Err(detail) => Err(detail),
        };
        let cells = match unread {
            Ok(cells) => cells,
            Err(detail) => {
                self.filler.pass_unreadable(line);
                return push(faulty("", &detail));
            }
        };
        let row = Row { columns: &self.columns, cells: &cells, table: &self.map.table };
        self.marks_seen.look_at(line, &row, self.number_columns.iter().map(String::as_str));
        for activity in &self.map.activities {
            match skipped(activity, &row) {
                Ok(true) => self.skipped += 1,
                Ok(false) | Err(_) if cells.has_errors() && !row.failed(activity.columns()).is_empty() => {
                    push(faulty("", &broken_formula(&row.failed(activity.columns()))));
                }
                Ok(false) => push(draft(activity, &row, &self.map.table)),
                Err(detail) => {
                    let mut draft = draft(activity, &row, &self.map.table);
                    // Where the same cell is a member's, the draft says so already, and names the member.
                    if draft.faults.is_empty() {
                        draft.faults.add("", format!("cannot be validated by the map's skip: {detail}"));
                    }
                    push(draft);
                }
            }
        }
    }
}

impl<R: BufRead> Iterator for MapRows<'_, R> {
    type Item = Result<RowDraft, FileError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(row) = self.ready.pop_front() {
                return Some(Ok(row));
            }
            if self.done {
                return None;
            }
            match self.records.next_record() {
                Ok(Some(record)) => self.take(record),
                Ok(None) => self.done = true,
                Err(error) => {
                    self.done = true;
                    return Some(Err(FileError::Read(error)));
                }
            }
        }
    }
}

fn skipped(activity: &ActivitySpec, row: &Row<'_>) -> Result<bool, String> {
    for skip in &activity.skip {
        if skip.holds(row)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// That formulas of a workbook failed.
fn broken_formula(found: &[String]) -> String {
    let mend = if found.iter().any(|one| one.starts_with(NO_RESULT)) {
        "open the workbook in a spreadsheet program and save it, so that it has the results"
    } else {
        "mend the formula, or what it refers to"
    };
    format!("has {}: {mend}", found.join(" and "))
}

fn draft(spec: &ActivitySpec, row: &Row<'_>, table: &TableSpec) -> ActivityDraft {
    let mut cells = Members { row, table, faults: Faults::new() };
    let mut draft = ActivityDraft {
        name: cells.text("name", spec.name.as_ref(), Name::parse),
        sync_id: cells.text("syncId", spec.sync_id.as_ref(), SyncId::parse),
        description: cells.text("description", spec.description.as_ref(), Description::parse),
        quantity: cells.number("quantity", spec.quantity.as_ref(), Quantity::new),
        unit: cells.unit(spec.unit.as_ref()),
        upstream: cells.co2e("UpstreamCO2e", spec.upstream.as_ref(), spec.co2e_unit.as_ref()),
        downstream: cells.co2e("DownstreamCO2e", spec.downstream.as_ref(), spec.co2e_unit.as_ref()),
        biogenic: cells.co2e("biogenicCO2", spec.biogenic.as_ref(), spec.co2e_unit.as_ref()),
        market_instrument: cells.text("marketInstrument", spec.market_instrument.as_ref(), MarketBasis::parse),
        market_factor: cells.text("marketFactor", spec.market_factor.as_ref(), str::parse::<FactorId>),
        market_reference: cells.text("marketReference", spec.market_reference.as_ref(), Name::parse),
        quality: cells.text("quality", spec.quality.as_ref(), Quality::parse),
        evidence: cells.text("evidence", spec.evidence.as_ref(), EvidenceList::parse),
        product: cells.link("product", spec.product.as_ref()),
        scope: cells.link("scope", spec.scope.as_ref()),
        taxonomy: cells.link("taxonomy", spec.taxonomy.as_ref()),
        org: cells.link("org", spec.org.as_ref()),
        start: cells.date("startDate", spec.start.as_ref(), Edge::Start),
        end: cells.date("endDate", spec.end.as_ref(), Edge::End),
        ..ActivityDraft::default()
    };
    if let Some(intensity) = &spec.intensity {
        let mut product =
            |number: &Option<Number>| number.as_ref().map(|number| cells.product(&draft, number, intensity));
        let (upstream, downstream) = (product(&intensity.upstream), product(&intensity.downstream));
        draft.upstream = upstream.unwrap_or(draft.upstream);
        draft.downstream = downstream.unwrap_or(draft.downstream);
    }
    draft.faults = cells.faults;
    draft
}

struct Members<'a> {
    row: &'a Row<'a>,
    table: &'a TableSpec,
    faults: Faults,
}

impl Members<'_> {
    /// Absent where the map says nothing, null where a column is empty.
    fn field<T>(&mut self, name: &str, value: Result<Option<T>, String>) -> Field<T> {
        match value {
            Ok(Some(value)) => Field::Given(value),
            Ok(None) => Field::Null,
            Err(detail) => {
                self.faults.add(format!("/{name}"), detail);
                Field::Faulty
            }
        }
    }

    fn text<T, E: std::fmt::Display>(
        &mut self,
        name: &str,
        template: Option<&Template>,
        parse: impl FnOnce(&str) -> Result<T, E>,
    ) -> Field<T> {
        let Some(template) = template else { return Field::Absent };
        self.field(name, parsed(template, self.row, parse))
    }

    fn date(&mut self, name: &str, template: Option<&Template>, edge: Edge) -> Field<Moment> {
        let forms = template.map_or(&[][..], |template| self.table.dates_of(template.column()));
        self.text(name, template, |text| moment(text, forms, edge))
    }

    /// The unit that a word of the table means.
    fn unit(&mut self, template: Option<&Template>) -> Field<Unit> {
        let Some(template) = template else { return Field::Absent };
        let is_of_table = template.constant().is_none();
        let units = &self.table.units;
        self.field("unit", parsed(template, self.row, |word| units.parse(word, is_of_table)))
    }

    fn number<T>(&mut self, name: &str, number: Option<&Number>, of: impl FnOnce(Decimal) -> T) -> Field<T> {
        let Some(number) = number else { return Field::Absent };
        let value = self.value(number);
        self.field(name, value.map(|value| value.map(of)))
    }

    fn value(&self, number: &Number) -> Result<Option<Decimal>, String> {
        number.value(self.row)
    }

    /// An amount of CO2e in the unit that the map says, else in kilograms.
    fn co2e(&mut self, name: &str, number: Option<&Number>, unit: Option<&Template>) -> Field<Co2e> {
        let (Some(number), Some(unit)) = (number, unit) else { return self.number(name, number, Co2e::new) };
        let kilograms = |amount: Decimal| {
            let said = parsed(unit, self.row, co2e_unit::parse)?;
            let unit = said.ok_or("has no unit beside it: CO2eUnit is empty, say g, kg or t")?;
            co2e_unit::kilograms(amount, unit)
        };
        let value = self.value(number).and_then(|value| value.map(kilograms).transpose());
        self.field(name, value)
    }

    fn link(&mut self, name: &str, link: Option<&Link>) -> Field<Reference> {
        let Some(link) = link else { return Field::Absent };
        self.field(name, link.reference(self.row))
    }

    /// Quantity times intensity; null where one of them is.
    fn product(&mut self, draft: &ActivityDraft, number: &Number, spec: &IntensitySpec) -> Field<Co2e> {
        let (intensity, per) = match IntensitySpec::of_row(number, spec, self.row, self.table) {
            Ok(Some(known)) => known,
            Ok(None) => return Field::Null,
            Err(detail) => {
                self.faults.add("/quantity", format!("has an intensity that {detail}"));
                return Field::Faulty;
            }
        };
        match (&draft.quantity, &draft.unit) {
            (Field::Given(quantity), Field::Given(unit)) => {
                let co2e = emissions(*quantity, *unit, intensity, per);
                self.field("quantity", co2e.map(Some).map_err(|error| error.to_string()))
            }
            (Field::Faulty, _) | (_, Field::Faulty) => Field::Faulty,
            (Field::Absent | Field::Null | Field::Given(_), Field::Absent | Field::Null | Field::Given(_)) => {
                Field::Null
            }
        }
    }
}
