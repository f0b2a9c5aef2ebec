//! What a report is asked for that is broken down: reading its query.

use actix_web::HttpRequest;
use domain::{FaultCode, Faults, Scope2, Stretch, YearStart, parse_uuid};
use files::{ByteOrderMark, Cells, Look, ReportUnit};
use ports::inbound::{BreakdownBy, BreakdownQuery};

use crate::addressed_tenant::Addressed;
use crate::problem::HeadFaults;
use crate::query::Query;
use crate::report::parameters::{
    BOM, ONLY, attribution, attribution_words, cells, cells_words, mark, only, period_by, scope2_parameter,
};
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

pub(crate) fn unit_codes() -> Vec<&'static str> {
    ReportUnit::ALL.map(ReportUnit::code).to_vec()
}

impl Part for Asked {
    fn parameters() -> Vec<Parameter> {
        let query = Parameter::query;
        let mut all = vec![
            query(
                "by",
                Kind::Text(3, 40),
                "What a row is about: one or two of day, month, quarter, year, scope, org, taxonomy, product, gas and quality, with a \
                 comma between them; scope unless given.",
            ),
            query(
                "depth",
                Kind::Integer(1, MOST_LEVELS.into()),
                "How many levels of a tree are told apart; 1 unless given.",
            ),
            query(
                "date",
                Kind::Text(4, 12),
                "A day, month, quarter or year: YYYY-MM-DD, YYYY-MM, YYYY-Q1 or YYYY, or as rows say it. Where years begin on \
                 another day than 1 January, YYYY is the year that ends in it, as is YYYY/YYYY with the one before.",
            ),
            query("sd", Kind::Date, "The first day: YYYY-MM-DD; not with date."),
            query("ed", Kind::Date, "The last day: YYYY-MM-DD; not with date."),
            query(
                "compare",
                Kind::Text(4, 21),
                "Another period, which each row is compared with: as date, or its first and last day with a slash between \
                 them. The first stretch of time of one is beside the first of the other.",
            ),
            query(
                "year",
                Kind::Text(5, 8),
                "When years begin, and so the years and quarters of rows, date and compare: fiscal, which is the day that is \
                 set for the company; calendar; or MM-DD, day 01 to 28. calendar unless given.",
            ),
            query("org", Kind::Uuid, "Only this org and those below."),
            query("scope", Kind::Uuid, "Only this scope and those below."),
            query("taxonomy", Kind::Uuid, "Only this taxonomy and those below."),
            query("co2eUnit", Kind::Word(unit_codes), "The unit of every CO2e; kg unless given."),
            query(
                "attribution",
                Kind::Word(attribution_words),
                "start: an activity counts on its first day; daily: the same share on every day; start unless given.",
            ),
            scope2_parameter(),
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
        ];
        all.extend(ONLY);
        all
    }

    fn read(request: &HttpRequest, faults: &mut HeadFaults) -> Option<Self> {
        let fiscal = fiscal(request);
        let take = |query: &mut Query| Self::take(query, fiscal);
        Some(Query::read_on(request, faults, take, |asked, found| asked.query.faults = found))
    }
}

/// The day on which the years of the request's company begin.
pub(super) fn fiscal(request: &HttpRequest) -> YearStart {
    Addressed::of(request).map(|tenant| tenant.year_start).unwrap_or_default()
}

impl Asked {
    pub(super) fn take(query: &mut Query, fiscal: YearStart) -> Self {
        let raw = query.raw().to_owned();
        let by = match query.take("by") {
            Some(words) => BreakdownBy::parse_list(&words).unwrap_or_else(|wrong| {
                query.fault(FaultCode::Invalid, "by", wrong);
                Vec::new()
            }),
            None => vec![BreakdownBy::Scope],
        };
        let mut id = |name| query.read(name, parse_uuid).map(|id| id.to_string());
        let (org, scope, taxonomy) = (id("org"), id("scope"), id("taxonomy"));
        let only = only(query);
        let year = query.read("year", |text| year_start(text, fiscal)).unwrap_or_default();
        let asked = BreakdownQuery {
            period: period_by(query, |text| {
                year.period(text)
                    .map_err(|_| "is not a day, month, quarter or year: YYYY-MM-DD, YYYY-MM, YYYY-Q1 or YYYY")
            }),
            attribution: query.read("attribution", attribution).unwrap_or_default(),
            scope2: query.read("scope2", Scope2::parse).unwrap_or_default(),
            org,
            scope,
            taxonomy,
            only,
            by,
            depth: usize::from(query.read("depth", |text| whole(text, 1, MOST_LEVELS)).unwrap_or(1)),
            year,
            compare: query.read("compare", |text| {
                year.span(text).map_err(|_| "is not YYYY, YYYY-Q1, YYYY-MM, YYYY-MM-DD or YYYY-MM-DD/YYYY-MM-DD")
            }),
            faults: Faults::new(),
        };
        let look = Look {
            unit: co2e_unit(query),
            decimals: decimals(query),
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

/// The day on which years begin that a word names; `fiscal` is that of the company.
pub(crate) fn year_start(text: &str, fiscal: YearStart) -> Result<YearStart, &'static str> {
    match text {
        "fiscal" => Ok(fiscal),
        "calendar" => Ok(YearStart::default()),
        day => YearStart::parse(day).map_err(|_| "is not fiscal, calendar or a day MM-DD, with a day from 01 to 28"),
    }
}

/// The unit of CO2e that is asked for.
pub(crate) fn co2e_unit(query: &mut Query) -> ReportUnit {
    query.read("co2eUnit", unit).unwrap_or_default()
}

/// To how many digits after the point amounts are rounded, where they are.
pub(crate) fn decimals(query: &mut Query) -> Option<u8> {
    query.read("round", |text| whole(text, 0, MOST_DECIMALS))
}

fn unit(code: &str) -> Result<ReportUnit, &'static str> {
    ReportUnit::ALL.into_iter().find(|unit| unit.code() == code).ok_or("is not g, kg or t")
}

fn whole(text: &str, fewest: u8, most: u8) -> Result<u8, String> {
    let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let number = text.parse().ok().filter(|number| digits && (fewest..=most).contains(number));
    number.ok_or_else(|| format!("is not a whole number from {fewest} to {most}"))
}
