//! What a report is asked for: reading its query.

mod lists;
mod step;
mod unit;

use actix_web::HttpRequest;
use domain::{Attribution, FaultCode, Faults, Scope2, parse_uuid};
use files::{ByteOrderMark, Cells, Shares};
use ports::inbound::{ReportQuery, ReportRows, Step};
use ports::repo::{Page, Side};

use super::parameters::{
    BOM, ONLY, attribution, attribution_words, cells, cells_words, mark, only, period, scope2_parameter,
};
use super::rows::{Form, Spelling};
use crate::media::{self, Accepted};
use crate::problem::HeadFaults;
use crate::query::{MAX_SIZE, PAGING, Query, decode};
use crate::request_part::{Parameter, Part};
use crate::schema::Kind;
use lists::{lists, lists_words};
use step::step;

pub(super) use lists::Lists;
pub(super) use unit::Co2eUnit;

/// A request for a report.
#[derive(Debug)]
pub(super) struct Question {
    /// What the use case is asked.
    pub(super) query: ReportQuery,
    /// Which lists to fill.
    pub(super) lists: Lists,
    /// The unit of every CO2e.
    pub(super) unit: Co2eUnit,
    /// How the cells of CSV are written.
    cells: Cells,
    /// Whether CSV begins with a byte-order mark.
    pub(super) mark: ByteOrderMark,
    /// The form of the answer.
    pub(super) accepted: Accepted,
    /// The query string as it was received.
    pub(super) raw: String,
}

/// What a query asks for, before it is agreed in which form.
#[derive(Debug)]
pub(super) struct Asked {
    query: ReportQuery,
    page: Option<Page>,
    step: Option<Step>,
    lists: Lists,
    unit: Co2eUnit,
    cells: Cells,
    mark: ByteOrderMark,
    raw: String,
}

impl Part for Asked {
    fn parameters() -> Vec<Parameter> {
        let query = Parameter::query;
        let list = Kind::List(&Kind::Word(lists_words), 100);
        let mut all = vec![
            query("date", Kind::Text(4, 10), "A day, month, quarter or year: YYYY-MM-DD, YYYY-MM, YYYY-Q1 or YYYY."),
            query("sd", Kind::Date, "The first day: YYYY-MM-DD; not with date."),
            query("ed", Kind::Date, "The last day: YYYY-MM-DD; not with date."),
            query("org", Kind::Uuid, "Only this org and those below."),
            query("scope", Kind::Uuid, "Only this scope and those below."),
            query("taxonomy", Kind::Uuid, "Only this taxonomy and those below."),
            query("syncId", Kind::Text(1, 255), "Only the activity that another system calls so; needs activity:read."),
            query("list", list, "Which lists to fill; all unless given. Also read as list[]."),
            query("co2eUnit", Kind::Word(Co2eUnit::codes), "The unit of every CO2e; kg unless given."),
            query(
                "attribution",
                Kind::Word(attribution_words),
                "start: an activity counts on its first day; daily: the same share on every day; start unless given.",
            ),
        ];
        all.push(scope2_parameter());
        all.push(query(
            "cells",
            Kind::Word(cells_words),
            "text: in CSV, a text that a spreadsheet would take for a formula has an apostrophe before it; verbatim unless \
             given. Other forms stay as they are.",
        ));
        all.push(BOM);
        all.extend(ONLY);
        all.extend(PAGING);
        all.push(query(
            "after",
            Kind::Text(47, 47),
            "Only the activities behind that place, DAY.UUID, as the answer before says in Link; not with page.",
        ));
        all.push(query(
            "before",
            Kind::Text(47, 47),
            "Only the activities before that place, DAY.UUID, the nearest of them; not with after or page.",
        ));
        all.push(query(
            "limit",
            Kind::Integer(1, MAX_SIZE.into()),
            "How many activities from there; 100 unless given; not with page.",
        ));
        all
    }

    fn read(request: &HttpRequest, faults: &mut HeadFaults) -> Option<Self> {
        Some(Query::read_on(request, faults, Self::take, |asked, found| asked.query.faults = found))
    }
}

impl Asked {
    fn take(query: &mut Query) -> Self {
        let raw = query.raw().to_owned();
        let period = period(query);
        let org = query.read("org", parse_uuid);
        let scope = query.read("scope", parse_uuid);
        let taxonomy = query.read("taxonomy", parse_uuid);
        let sync_id = query.sync_id();
        let only = only(query);
        let lists = lists(query);
        let unit = query.read("co2eUnit", Co2eUnit::parse).unwrap_or(Co2eUnit::Kilogram);
        let attribution = query.read("attribution", attribution).unwrap_or_default();
        let scope2 = query.read("scope2", Scope2::parse).unwrap_or_default();
        let (cells, mark) = (cells(query), mark(query));
        let page = query.find_page();
        let step = step(query);
        if page.is_some() && step.is_some() {
            let detail =
                "goes without after, before and limit; give either a page or the place that activities are beside";
            query.fault(FaultCode::Mismatch, "page", detail);
        }
        let (rows, faults) = (ReportRows::None, Faults::new());
        let query = ReportQuery { period, attribution, scope2, org, scope, taxonomy, sync_id, only, rows, faults };
        Self { query, page, step, lists, unit, cells, mark, raw }
    }

    /// The request for an answer of that form.
    pub(super) fn question(self, accepted: Accepted) -> Question {
        let Self { mut query, page, step, lists, unit, cells, mark, raw } = self;
        let is_json = accepted.0 == media::JSON;
        query.rows = match (page, step) {
            (Some(page), _) if is_json => ReportRows::PageIfPermitted(page),
            (Some(page), _) => ReportRows::Page(page),
            (None, Some(step)) if is_json => ReportRows::StepIfPermitted(step),
            (None, Some(step)) => ReportRows::Step(step),
            (None, None) if is_json => ReportRows::AllIfPermitted,
            (None, None) => ReportRows::All,
        };
        Question { query, lists, unit, cells, mark, accepted, raw }
    }
}

impl Question {
    /// Whether all activities are asked for, not a page of them.
    pub(super) const fn is_whole(&self) -> bool {
        match self.query.rows {
            ReportRows::All | ReportRows::AllIfPermitted => true,
            ReportRows::None
            | ReportRows::Page(_)
            | ReportRows::Step(_)
            | ReportRows::PageIfPermitted(_)
            | ReportRows::StepIfPermitted(_) => false,
        }
    }

    /// Whether it takes long: activities are read one by one.
    pub(super) fn takes_long(&self) -> bool {
        !self.query.only.is_all()
    }

    /// The query of the step on that side of a place, of as many activities.
    pub(super) fn beside(&self, side: Side) -> Option<String> {
        let limit = match self.query.rows {
            ReportRows::Page(page) | ReportRows::PageIfPermitted(page) => page.size,
            ReportRows::Step(step) | ReportRows::StepIfPermitted(step) => step.limit,
            ReportRows::None | ReportRows::All | ReportRows::AllIfPermitted => return None,
        };
        let name = |pair: &str| decode(pair.split('=').next().unwrap_or_default()).unwrap_or_default();
        let is_kept = |pair: &&str| !PLACES.contains(&name(pair).as_str());
        let others = self.raw.split('&').filter(|pair| !pair.is_empty()).filter(is_kept);
        let (name, place) = match side {
            Side::After(place) => ("after", place),
            Side::Before(place) => ("before", Some(place)),
        };
        let place = place.map(|place| format!("{name}={}.{}", place.day, place.id));
        let limit = format!("limit={limit}");
        Some(others.map(str::to_owned).chain(place).chain([limit]).collect::<Vec<_>>().join("&"))
    }

    /// Whether activities say what of them falls in the period.
    pub(super) const fn shares(&self) -> Shares {
        match self.query.attribution {
            Attribution::Start => Shares::Hidden,
            Attribution::Daily => Shares::Shown,
        }
    }

    /// How activities are written.
    pub(super) const fn spelling(&self) -> Spelling {
        let form = match self.accepted.0.as_bytes() {
            b"text/csv" => Form::Csv,
            b"application/x-ndjson" => Form::Lines,
            _ => Form::Items,
        };
        Spelling { form, shift: self.unit.shift(), shares: self.shares(), cells: self.cells }
    }
}

/// The parameters that say which of the activities are given.
const PLACES: [&str; 5] = ["page", "pageSize", "after", "before", "limit"];

#[cfg(test)]
mod tests;
