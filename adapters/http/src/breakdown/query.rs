//! What a report is asked for that is broken down: reading its query.

use actix_web::HttpRequest;
use domain::{FaultCode, Faults, Period, Stretch, Timestamp, YearStart, parse_uuid};
use files::{ByteOrderMark, Cells, Look, ReportUnit};
use ports::inbound::{BreakdownBy, BreakdownQuery, Only, State};

use crate::problem::HeadFaults;
use crate::query::Query;
use crate::report::parameters::{BOM, attribution, attribution_words, cells, cells_words, mark, period};
use crate::request_part::{Parameter, Part};
use crate::schema::Kind;

/// The most digits after the point that amounts are rounded to.
const MOST_DECIMALS: u8 = 18;
/// The most digits after the point that percentages have.
const MOST_PERCENT_DECIMALS: u8 = 6;
/// The most levels of a tree that are told apart.
const MOST_LEVELS: u8 = 255;

/// What a query asks for.
#[derive(Debug)]
pub(super) struct Asked {
    /// What the use case is asked.
    pub(super) query: BreakdownQuery,
    /// How figures are shown.
    pub(super) look: Look,
    /// How the cells of CSV are written.
    pub(super) cells: Cells,
    /// Whether CSV begins with a byte-order mark.
    pub(super) mark: ByteOrderMark,
    raw: String,
}

pub(super) fn unit_codes() -> Vec<&'static str> {
    ReportUnit::ALL.map(ReportUnit::code).to_vec()
}

impl Part for Asked {
    fn parameters() -> Vec<Parameter> {
        let query = Parameter::query;
        vec![
            query(
                "by",
                Kind::Text(3, 40),
                "What a row is about: one or two of day, month, quarter, year, scope, org, taxonomy and product, with a \
                 comma between them; scope unless given.",
            ),
            query(
                "depth",
                Kind::Integer(1, MOST_LEVELS.into()),
                "How many levels of a tree are told apart; 1 unless given.",
            ),
            query("date", Kind::Text(4, 10), "A day, month or year: YYYY-MM-DD, YYYY-MM or YYYY."),
            query("sd", Kind::Date, "The first day: YYYY-MM-DD; not with date."),
            query("ed", Kind::Date, "The last day: YYYY-MM-DD; not with date."),
            query(
                "compare",
                Kind::Text(4, 21),
                "Another period, which each row is compared with: as date, or its first and last day with a slash between \
                 them. The first stretch of time of one is beside the first of the other.",
            ),
            query("year", Kind::Text(5, 8), "When years begin: MM-DD, day 01 to 28; calendar years unless given."),
            query("org", Kind::Uuid, "Only this org and those below."),
            query("scope", Kind::Uuid, "Only this scope and those below."),
            query("taxonomy", Kind::Uuid, "Only this taxonomy and those below."),
            query("product", Kind::Uuid, "Only activities of this product."),
            query("name", Kind::Text(1, 255), "Only activities with that text in their name, whatever the case."),
            query("updatedSince", Kind::Time, "Only activities that were added or changed since then."),
            query("incomplete", Kind::Flag, "true: only activities without CO2e."),
            query("uncategorized", Kind::Flag, "true: only activities without a scope."),
            query("co2eUnit", Kind::Word(unit_codes), "The unit of every CO2e; kg unless given."),
            query(
                "attribution",
                Kind::Word(attribution_words),
                "start: an activity counts on its first day; daily: the same share on every day; start unless given.",
            ),
            query(
                "round",
                Kind::Integer(0, MOST_DECIMALS.into()),
                "To how many digits after the point each CO2e is rounded, half to even, totals too; exact unless given.",
            ),
            query(
                "shares",
                Kind::Integer(0, MOST_PERCENT_DECIMALS.into()),
                "With how many digits after the point rows say their share of CO2e in percent, rounded half to even.",
            ),
            query(
                "cells",
                Kind::Word(cells_words),
                "text: in CSV, a text that a spreadsheet would take for a formula has an apostrophe before it; verbatim \
                 unless given.",
            ),
            BOM,
        ]
    }

    fn read(request: &HttpRequest, faults: &mut HeadFaults) -> Option<Self> {
        Some(Query::read_on(request, faults, Self::take, |asked, found| asked.query.faults = found))
    }
}

impl Asked {
    fn take(query: &mut Query) -> Self {
        let raw = query.raw().to_owned();
        let by = match query.take("by") {
            Some(words) => BreakdownBy::parse_list(&words).unwrap_or_else(|wrong| {
                query.fault(FaultCode::Invalid, "by", wrong);
                Vec::new()
            }),
            None => vec![BreakdownBy::Scope],
        };
        let mut states = Vec::new();
        for (name, state) in [("incomplete", State::Incomplete), ("uncategorized", State::Uncategorized)] {
            if query.flag(name) {
                states.push(state);
            }
        }
        let mut id = |name| query.read(name, parse_uuid).map(|id| id.to_string());
        let (org, scope, taxonomy, product) = (id("org"), id("scope"), id("taxonomy"), id("product"));
        let only = Only {
            product,
            name: query.take("name"),
            updated_since: query.read("updatedSince", Timestamp::parse),
            states,
        };
        let asked = BreakdownQuery {
            period: period(query),
            attribution: query.read("attribution", attribution).unwrap_or_default(),
            org,
            scope,
            taxonomy,
            only,
            by,
            depth: usize::from(query.read("depth", |text| whole(text, 1, MOST_LEVELS)).unwrap_or(1)),
            year: query.read("year", year).unwrap_or_default(),
            compare: query.read("compare", |text| {
                Period::parse_span(text).map_err(|_| "is not YYYY, YYYY-MM, YYYY-MM-DD or YYYY-MM-DD/YYYY-MM-DD")
            }),
            faults: Faults::new(),
        };
        let look = Look {
            unit: query.read("co2eUnit", unit).unwrap_or_default(),
            decimals: query.read("round", |text| whole(text, 0, MOST_DECIMALS)),
            percent_decimals: query.read("shares", |text| whole(text, 0, MOST_PERCENT_DECIMALS)),
        };
        let cells = cells(query);
        let mark = mark(query);
        Self { query: asked, look, cells, mark, raw }
    }

    /// The query string as it was received.
    pub(super) fn raw(&self) -> &str {
        &self.raw
    }

    /// Whether the answer takes long: activities are read one by one, or thousands of days are added up.
    pub(super) fn takes_long(&self) -> bool {
        let long = [BreakdownBy::Product, BreakdownBy::Time(Stretch::Day)];
        long.iter().any(|by| self.query.by.contains(by)) || !self.query.only.is_all()
    }

    /// The name of a file with the answer, without its ending.
    pub(super) fn file_name(&self) -> String {
        let words: Vec<_> = self.query.by.iter().map(|by| by.word()).collect();
        format!("report-by-{}", words.join("-"))
    }
}

fn year(text: &str) -> Result<YearStart, &'static str> {
    if text == "calendar" {
        return Ok(YearStart::default());
    }
    YearStart::parse(text).map_err(|_| "is not calendar or a day MM-DD, with a day from 01 to 28")
}

fn unit(code: &str) -> Result<ReportUnit, &'static str> {
    ReportUnit::ALL.into_iter().find(|unit| unit.code() == code).ok_or("is not g, kg or t")
}

fn whole(text: &str, fewest: u8, most: u8) -> Result<u8, String> {
    let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let number = text.parse().ok().filter(|number| digits && (fewest..=most).contains(number));
    number.ok_or_else(|| format!("is not a whole number from {fewest} to {most}"))
}
