//! What a mapping file says, and what can be wrong with it.

use domain::{Decimal, FactorId, Fault, Faults, MarketBasis, Unit};
use ports::inbound::Field;

use super::Map;
use super::co2e_unit;
use super::column_form::ColumnForms;
use super::dates::{DateForm, Edge, moment};
use super::intensity::IntensitySpec;
use super::link::{Link, Making};
use super::numbers::Marks;
use super::row::Row;
use super::skip::{Skip, words};
use super::template::Template;
use super::unit_words::UnitWords;
use crate::encoding::TextEncoding;
use crate::json::{Json, Members, Reader, Wrong};

/// How many activities a row may make.
const MOST_ACTIVITIES: usize = 100;
/// How many date forms a map may have.
pub(super) const MOST_FORMS: usize = 20;
/// How many rows a header may have.
const MOST_HEADER_ROWS: usize = 5;

/// How the table is written.
#[derive(Clone, Debug)]
pub(super) struct TableSpec {
    pub(super) encoding: TextEncoding,
    pub(super) delimiter: u8,
    /// The sheet of a workbook.
    pub(super) sheet: Option<String>,
    /// The lines of the header.
    pub(super) header: Vec<u64>,
    pub(super) marks: Marks,
    /// The decimal mark, where the map says it.
    pub(super) said_decimal: Option<char>,
    pub(super) dates: Vec<DateForm>,
    /// How single columns are written, where that is not as the rest.
    pub(super) columns: ColumnForms,
    pub(super) nulls: Vec<String>,
    /// The columns whose empty cells have what stands above them, those of wider groups first.
    pub(super) fill: Vec<String>,
    /// What words for units mean in it.
    pub(super) units: UnitWords,
}

impl Default for TableSpec {
    fn default() -> Self {
        let marks = Marks { decimal: '.', thousands: None };
        Self {
            encoding: TextEncoding::default(),
            delimiter: b',',
            sheet: None,
            header: vec![1],
            marks,
            said_decimal: None,
            dates: Vec::new(),
            columns: ColumnForms::default(),
            nulls: Vec::new(),
            fill: Vec::new(),
            units: UnitWords::default(),
        }
    }
}

impl TableSpec {
    /// The forms of the dates that a template makes: those of its column, where it is nothing but one.
    pub(super) fn dates_of(&self, template: &Template) -> &[DateForm] {
        template.column().map_or(&self.dates, |column| self.dates_in(column))
    }

    /// The forms of dates in a column.
    pub(super) fn dates_in(&self, column: &str) -> &[DateForm] {
        self.columns.of(column).and_then(|form| form.dates.as_ref()).unwrap_or(&self.dates)
    }

    /// The marks of numbers in a column.
    pub(super) fn marks_in(&self, column: &str) -> Marks {
        self.columns.of(column).and_then(|form| form.marks).unwrap_or(self.marks)
    }

    /// Whether the marks of a column are not those of the table.
    pub(super) fn has_own_marks(&self, column: &str) -> bool {
        self.columns.of(column).is_some_and(|form| form.marks.is_some())
    }

    /// The decimal mark of a column, where the map says it.
    pub(super) fn said_decimal_in(&self, column: &str) -> Option<char> {
        self.columns.of(column).and_then(|form| form.said_decimal).or(self.said_decimal)
    }
}

/// A number of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Number {
    /// The same in each.
    Constant(Decimal),
    /// What the column says.
    Column(String),
}

/// One of the activities that a row makes.
#[derive(Clone, Debug, Default)]
pub(super) struct ActivitySpec {
    pub(super) skip: Vec<Skip>,
    pub(super) name: Option<Template>,
    pub(super) sync_id: Option<Template>,
    pub(super) description: Option<Template>,
    pub(super) quantity: Option<Number>,
    pub(super) unit: Option<Template>,
    pub(super) upstream: Option<Number>,
    pub(super) downstream: Option<Number>,
    pub(super) biogenic: Option<Number>,
    pub(super) market_instrument: Option<Template>,
    pub(super) market_factor: Option<Template>,
    pub(super) market_reference: Option<Template>,
    pub(super) quality: Option<Template>,
    pub(super) evidence: Option<Template>,
    /// The unit that `upstream` and `downstream` are in; kilograms where none is said.
    pub(super) co2e_unit: Option<Template>,
    pub(super) intensity: Option<IntensitySpec>,
    pub(super) product: Option<Link>,
    pub(super) scope: Option<Link>,
    pub(super) taxonomy: Option<Link>,
    pub(super) org: Option<Link>,
    pub(super) start: Option<Template>,
    pub(super) end: Option<Template>,
}

impl ActivitySpec {
    /// The columns that it names.
    pub(super) fn columns(&self) -> impl Iterator<Item = &str> {
        let texts = [
            &self.name,
            &self.sync_id,
            &self.description,
            &self.unit,
            &self.market_instrument,
            &self.market_factor,
            &self.market_reference,
            &self.quality,
            &self.evidence,
            &self.co2e_unit,
            &self.start,
            &self.end,
        ];
        let links = [&self.product, &self.scope, &self.taxonomy, &self.org];
        texts
            .into_iter()
            .flatten()
            .flat_map(Template::columns)
            .chain(self.number_columns())
            .chain(links.into_iter().flatten().flat_map(Link::columns))
            .chain(self.intensity.iter().flat_map(IntensitySpec::columns))
            .chain(self.skip.iter().map(Skip::column))
    }

    /// The columns that it reads numbers from.
    pub(super) fn number_columns(&self) -> impl Iterator<Item = &str> {
        let numbers = [&self.quantity, &self.upstream, &self.downstream, &self.biogenic];
        let of_intensity = self.intensity.iter().flat_map(IntensitySpec::number_columns);
        numbers.into_iter().flatten().filter_map(Number::column).chain(of_intensity)
    }

    /// The columns that it reads whole dates from.
    pub(super) fn date_columns(&self) -> impl Iterator<Item = &str> {
        [&self.start, &self.end].into_iter().flatten().filter_map(Template::column)
    }

    /// What is said here, and else what is said for all. Conditions add up.
    fn merge(self, common: &Self) -> Self {
        fn or<T: Clone>(own: Option<T>, common: Option<&T>) -> Option<T> {
            own.or_else(|| common.cloned())
        }
        Self {
            skip: common.skip.iter().cloned().chain(self.skip).collect(),
            name: or(self.name, common.name.as_ref()),
            sync_id: or(self.sync_id, common.sync_id.as_ref()),
            description: or(self.description, common.description.as_ref()),
            quantity: or(self.quantity, common.quantity.as_ref()),
            unit: or(self.unit, common.unit.as_ref()),
            upstream: or(self.upstream, common.upstream.as_ref()),
            downstream: or(self.downstream, common.downstream.as_ref()),
            biogenic: or(self.biogenic, common.biogenic.as_ref()),
            market_instrument: or(self.market_instrument, common.market_instrument.as_ref()),
            market_factor: or(self.market_factor, common.market_factor.as_ref()),
            market_reference: or(self.market_reference, common.market_reference.as_ref()),
            quality: or(self.quality, common.quality.as_ref()),
            evidence: or(self.evidence, common.evidence.as_ref()),
            co2e_unit: or(self.co2e_unit, common.co2e_unit.as_ref()),
            intensity: or(self.intensity, common.intensity.as_ref()),
            product: or(self.product, common.product.as_ref()),
            scope: or(self.scope, common.scope.as_ref()),
            taxonomy: or(self.taxonomy, common.taxonomy.as_ref()),
            org: or(self.org, common.org.as_ref()),
            start: or(self.start, common.start.as_ref()),
            end: or(self.end, common.end.as_ref()),
        }
    }

    /// What does not go together among the keys that could be read. `is_faulty` says of a key that it is there and wrong:
    /// then it is not missing.
    fn check(&self, at: &str, dates: &[DateForm], is_faulty: &dyn Fn(&str) -> bool, faults: &mut Faults) {
        for (key, missing) in [("name", self.name.is_none()), ("startDate", self.start.is_none())] {
            if missing && !is_faulty(key) {
                faults.add(format!("{at}/{key}"), "is required, here or in common");
            }
        }
        match (&self.quantity, &self.unit) {
            (Some(_), None) if !is_faulty("unit") => faults.add(format!("{at}/unit"), "is required beside quantity"),
            (None, Some(_)) if !is_faulty("quantity") => {
                faults.add(format!("{at}/quantity"), "is required beside unit");
            }
            (Some(_) | None, Some(_) | None) => {}
        }
        let market = [("marketInstrument", &self.market_instrument), ("marketFactor", &self.market_factor)];
        let says_of_market = market.iter().any(|(_, said)| said.is_some()) || self.market_reference.is_some();
        for (key, _) in market.into_iter().filter(|(key, said)| says_of_market && said.is_none() && !is_faulty(key)) {
            faults.add(format!("{at}/{key}"), "is required: marketInstrument and marketFactor go together");
        }
        let constant = |template: &Option<Template>| template.as_ref().and_then(Template::constant);
        if let Some(instrument) = constant(&self.market_instrument) {
            faults.check(&format!("{at}/marketInstrument"), MarketBasis::parse(&instrument));
        }
        if let Some(factor) = constant(&self.market_factor) {
            faults.check(&format!("{at}/marketFactor"), factor.parse::<FactorId>());
        }
        if let Some(unit) = constant(&self.unit) {
            faults.check(&format!("{at}/unit"), Unit::parse(&unit));
        }
        if let Some(unit) = constant(&self.co2e_unit) {
            faults.check(&format!("{at}/CO2eUnit"), co2e_unit::parse(&unit));
        }
        if self.co2e_unit.is_some()
            && self.upstream.is_none()
            && self.downstream.is_none()
            && !["UpstreamCO2e", "DownstreamCO2e"].into_iter().any(is_faulty)
        {
            faults.add(format!("{at}/CO2eUnit"), "needs UpstreamCO2e or DownstreamCO2e, whose unit it is");
        }
        for (key, template, edge) in [("startDate", &self.start, Edge::Start), ("endDate", &self.end, Edge::End)] {
            if let Some(date) = constant(template).filter(|_| !is_faulty(key)) {
                faults.check(&format!("{at}/{key}"), moment(&date, dates, edge));
            }
        }
        let Some(intensity) = &self.intensity else { return };
        let at = format!("{at}/intensity");
        if self.quantity.is_none() && !is_faulty("quantity") {
            faults.add(&at, "needs quantity and unit to multiply");
        }
        if self.product.is_some() {
            faults.add(&at, "and product exclude each other: a product has factors of its own");
        }
        if (intensity.upstream.is_some() && self.upstream.is_some())
            || (intensity.downstream.is_some() && self.downstream.is_some())
        {
            faults.add(&at, "gives a part that UpstreamCO2e or DownstreamCO2e gives already");
        }
    }
}

impl Number {
    /// The number of a row; `None` where its cell is empty.
    pub(super) fn value(&self, row: &Row<'_>) -> Result<Option<Decimal>, String> {
        match self {
            Self::Constant(value) => Ok(Some(*value)),
            Self::Column(column) => row.number(column),
        }
    }

    pub(super) fn column(&self) -> Option<&str> {
        match self {
            Self::Column(column) => Some(column),
            Self::Constant(_) => None,
        }
    }

    /// A text with a column in braces, or with digits and a point.
    pub(super) fn read(json: &Json) -> Result<Self, Wrong> {
        match json {
            Json::Text(text) => Self::parse(text),
            Json::Null | Json::Bool(_) | Json::Number(_) | Json::Array(_) | Json::Object(_) => {
                Err(Wrong::kind("a text such as \"{kWh}\" or \"1.5\", which keeps every digit", json))
            }
        }
    }

    /// A column in braces, or digits with a point.
    fn parse(text: &str) -> Result<Self, Wrong> {
        if !text.contains(['{', '}']) {
            return Decimal::parse(text).map(Self::Constant).map_err(Wrong::new);
        }
        let template = Template::parse(text).map_err(Wrong::new)?;
        let column = template.column().ok_or_else(|| Wrong::new("must be one column, such as {kWh}, or a number"))?;
        Ok(Self::Column(column.to_owned()))
    }
}

/// What a tree says of a map, and what is wrong with the rest; pointers of faults are JSON pointers into it. An error where
/// the tree is no table.
pub(super) fn read(json: &Json) -> Result<(Map, Faults), Faults> {
    let mut reader = Reader::new(json, Members::Given)?;
    let (mut table_spec, mut common, mut own) = (TableSpec::default(), ActivitySpec::default(), Vec::new());
    let _: Field<()> = reader.member("table", |json, at, faults| {
        table_spec = section(json, at, faults, table)?;
        Some(())
    });
    let _: Field<()> = reader.member("common", |json, at, faults| {
        common = section(json, at, faults, activity)?;
        Some(())
    });
    let activities = reader.items("activity", MOST_ACTIVITIES, |json, at, faults| {
        own.push(section(json, at, faults, activity).unwrap_or_default());
        Some(())
    });
    if activities.is_missing() || activities.given().is_some_and(Vec::is_empty) {
        reader.fault("activity", "is missing: each [[activity]] is an activity that a row makes");
    }
    let mut faults = reader.finish();
    let activities: Vec<_> = own.into_iter().map(|activity| activity.merge(&common)).collect();
    let mut together = Faults::new();
    for (index, activity) in activities.iter().enumerate() {
        let at = format!("/activity/{index}");
        activity.check(&at, &table_spec.dates, &|key| is_faulty(&faults, &at, key), &mut together);
    }
    faults.extend(together);
    Ok((Map { table: table_spec, activities }, faults))
}

/// Whether a key of an activity is there and wrong, in the activity or in common, so that it is not missing; of dates also
/// whether their forms are.
fn is_faulty(faults: &Faults, activity: &str, key: &str) -> bool {
    faults.as_slice().iter().any(|Fault { pointer, .. }| {
        let of_key = |place: &str| {
            let rest = pointer.strip_prefix(place)?;
            let rest = rest.strip_prefix('/').unwrap_or(rest).strip_prefix(key)?;
            Some(rest.is_empty() || rest.starts_with('/'))
        };
        let is_whole = pointer == activity || pointer == "/common";
        is_whole
            || [activity, "/common"].into_iter().any(|place| of_key(place) == Some(true))
            || (key.ends_with("Date") && pointer.starts_with("/table/dates"))
    })
}

/// What a part of the map says, as far as it can be read; `None` where it is no table.
fn section<'a, T>(json: &'a Json, at: &str, faults: &mut Faults, read: impl FnOnce(&mut Reader<'a>) -> T) -> Option<T> {
    match Reader::at(json, at, Members::Given) {
        Ok(mut reader) => {
            let read = read(&mut reader);
            faults.extend(reader.finish());
            Some(read)
        }
        Err(found) => {
            faults.extend(found);
            None
        }
    }
}

fn table(reader: &mut Reader<'_>) -> TableSpec {
    let plain = TableSpec::default();
    let said_decimal = reader.text("decimal", mark).into_option();
    let decimal = said_decimal.unwrap_or(plain.marks.decimal);
    let thousands = reader.text("thousands", mark).into_option();
    if thousands == Some(decimal) {
        reader.fault(
            "thousands",
            "is the decimal mark too; the decimal mark is a point unless table.decimal says otherwise",
        );
    }
    let marks = Marks { decimal, thousands };
    TableSpec {
        encoding: reader.text("encoding", TextEncoding::parse).into_option().unwrap_or_default(),
        delimiter: reader.text("delimiter", delimiter).into_option().unwrap_or(plain.delimiter),
        sheet: reader.string("sheet").into_option(),
        header: reader.value("header", header).into_option().unwrap_or(plain.header),
        marks,
        said_decimal,
        dates: reader.list("dates", MOST_FORMS, |form| form.text(DateForm::parse)).into_option().unwrap_or_default(),
        columns: reader
            .member("columns", |json, at, faults| ColumnForms::read(json, at, marks, faults))
            .into_option()
            .unwrap_or_default(),
        nulls: reader.value("nulls", words).into_option().unwrap_or_default(),
        fill: reader.value("fill", words).into_option().unwrap_or_default(),
        units: reader.member("units", UnitWords::read).into_option().unwrap_or_default(),
    }
}

/// A line, or several in their order.
fn header(json: &Json) -> Result<Vec<u64>, Wrong> {
    let line = |json: &Json| json.integer(1..=10_000).map(i64::unsigned_abs);
    let Json::Array(items) = json else { return line(json).map(|line| vec![line]) };
    let lines: Vec<u64> = items.iter().map(line).collect::<Result<_, _>>()?;
    let in_order = lines.windows(2).all(|pair| pair[0] < pair[1]);
    if in_order && (1..=MOST_HEADER_ROWS).contains(&lines.len()) {
        Ok(lines)
    } else {
        Err(Wrong::new(format!("must be one line, or at most {MOST_HEADER_ROWS} from the top down, such as [1, 2]")))
    }
}

pub(super) fn mark(text: &str) -> Result<char, &'static str> {
    let mut letters = text.chars();
    match (letters.next(), letters.next()) {
        (Some(mark), None) if !mark.is_alphanumeric() && !matches!(mark, '+' | '-') => Ok(mark),
        _ => Err("must be one mark, such as . or ,"),
    }
}

fn delimiter(text: &str) -> Result<u8, &'static str> {
    match text.as_bytes() {
        [byte] if byte.is_ascii() && !byte.is_ascii_alphanumeric() && !matches!(byte, b'"' | b'\n' | b'\r') => {
            Ok(*byte)
        }
        _ => Err(r#"must be one mark, such as "," or ";" or "\t""#),
    }
}

fn activity(reader: &mut Reader<'_>) -> ActivitySpec {
    let links = |reader: &mut Reader<'_>, key, making| {
        reader.member(key, |json, at, faults| Link::read(json, at, making, faults)).into_option()
    };
    let number = |reader: &mut Reader<'_>, key| reader.value(key, Number::read).into_option();
    ActivitySpec {
        skip: reader.member("skip", Skip::read).into_option().unwrap_or_default(),
        name: reader.text("name", Template::parse).into_option(),
        sync_id: reader.text("syncId", Template::parse).into_option(),
        description: reader.text("description", Template::parse).into_option(),
        quantity: number(reader, "quantity"),
        unit: reader.text("unit", Template::parse).into_option(),
        upstream: number(reader, "UpstreamCO2e"),
        downstream: number(reader, "DownstreamCO2e"),
        biogenic: number(reader, "biogenicCO2"),
        market_instrument: reader.text("marketInstrument", Template::parse).into_option(),
        market_factor: reader.text("marketFactor", Template::parse).into_option(),
        market_reference: reader.text("marketReference", Template::parse).into_option(),
        quality: reader.text("quality", Template::parse).into_option(),
        evidence: reader.text("evidence", Template::parse).into_option(),
        co2e_unit: reader.text("CO2eUnit", Template::parse).into_option(),
        intensity: reader.object("intensity", IntensitySpec::read).into_option().flatten(),
        product: links(reader, "product", Making::Nothing),
        scope: links(reader, "scope", Making::Nothing),
        taxonomy: links(reader, "taxonomy", Making::Nodes),
        org: links(reader, "org", Making::Nodes),
        start: reader.text("startDate", Template::parse).into_option(),
        end: reader.text("endDate", Template::parse).into_option(),
    }
}
