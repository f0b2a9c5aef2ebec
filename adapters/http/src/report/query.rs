//! What a report is asked for: reading its query.

use actix_web::HttpRequest;
use domain::{Attribution, Day, FaultCode, Faults, parse_uuid};
use files::{ByteOrderMark, Cells, Shares};
use ports::inbound::{ReportQuery, ReportRows, Step};
use ports::repo::{Page, Place, Side};

use super::parameters::{BOM, attribution, attribution_words, cells, cells_words, mark, period};
use super::rows::{Form, Spelling};
use crate::media::{self, Accepted};
use crate::problem::HeadFaults;
use crate::query::{MAX_SIZE, PAGING, Query, decode, size};
use crate::request_part::{Parameter, Part};
use crate::schema::Kind;

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

/// Which of the three lists are filled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Lists {
    pub(super) scopes: bool,
    pub(super) orgs: bool,
    pub(super) taxonomies: bool,
}

/// The unit of CO2e in an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Co2eUnit {
    Gram,
    Kilogram,
    Tonne,
}

impl Co2eUnit {
    const ALL: [Self; 3] = [Self::Gram, Self::Kilogram, Self::Tonne];

    fn parse(code: &str) -> Result<Self, &'static str> {
        Self::ALL.into_iter().find(|unit| unit.code() == code).ok_or("is not g, kg or t")
    }

    /// The codes of all.
    pub(super) fn codes() -> Vec<&'static str> {
        Self::ALL.iter().map(|unit| unit.code()).collect()
    }

    pub(super) const fn code(self) -> &'static str {
        match self {
            Self::Gram => "g",
            Self::Kilogram => "kg",
            Self::Tonne => "t",
        }
    }

    /// By how many decimal places kilograms are shifted.
    pub(super) const fn shift(self) -> i8 {
        match self {
            Self::Gram => 3,
            Self::Kilogram => 0,
            Self::Tonne => -3,
        }
    }
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

fn lists_words() -> Vec<&'static str> {
    vec!["scope", "org", "taxonomy"]
}

impl Part for Asked {
    fn parameters() -> Vec<Parameter> {
        let query = Parameter::query;
        let list = Kind::List(&Kind::Word(lists_words), 100);
        let mut all = vec![
            query("date", Kind::Text(4, 10), "A day, month or year: YYYY-MM-DD, YYYY-MM or YYYY."),
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
        all.push(query(
            "cells",
            Kind::Word(cells_words),
            "text: in CSV, a text that a spreadsheet would take for a formula has an apostrophe before it; verbatim unless \
             given. Other forms stay as they are.",
        ));
        all.push(BOM);
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

    /// What is wrong with the query goes on to the use case, which finds more; beside faults of other parts it is reported
    /// with them.
    fn read(request: &HttpRequest, faults: &mut HeadFaults) -> Option<Self> {
        let mut query = Query::parse(request.query_string());
        let mut asked = Self::take(&mut query);
        let found = query.into_faults();
        if faults.is_empty() {
            asked.query.faults = found;
        } else {
            faults.query(found);
        }
        Some(asked)
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
        let lists = lists(query);
        let unit = query.read("co2eUnit", Co2eUnit::parse).unwrap_or(Co2eUnit::Kilogram);
        let attribution = query.read("attribution", attribution).unwrap_or_default();
        let (cells, mark) = (cells(query), mark(query));
        let page = query.find_page();
        let step = step(query);
        if page.is_some() && step.is_some() {
            let detail =
                "goes without after, before and limit; give either a page or the place that activities are beside";
            query.fault(FaultCode::Mismatch, "page", detail);
        }
        let (rows, faults) = (ReportRows::None, Faults::new());
        let query = ReportQuery { period, attribution, org, scope, taxonomy, sync_id, rows, faults };
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

/// The step that is asked for, if one is.
fn step(query: &mut Query) -> Option<Step> {
    let is_asked = ["after", "before", "limit"].iter().any(|name| query.has(name));
    if query.has("after") && query.has("before") {
        let detail =
            "goes without after; give before for the activities in front of a place, after for those behind it";
        query.fault(FaultCode::Mismatch, "before", detail);
    }
    let (after, before) = (query.read("after", place), query.read("before", place));
    let limit = query.read("limit", size).unwrap_or(Page::FIRST.size);
    let side = before.map_or(Side::After(after), Side::Before);
    is_asked.then_some(Step { side, limit })
}

fn place(text: &str) -> Result<Place, &'static str> {
    let place = text.split_once('.').and_then(|(day, id)| Some((Day::parse(day).ok()?, parse_uuid(id).ok()?)));
    let place = place.map(|(day, id)| Place { day, id: id.into() });
    place.ok_or("is not a place such as 2025-01-31.01a203f1-5c64-764a-8672-0fbaec55086a")
}

fn lists(query: &mut Query) -> Lists {
    const ALL: Lists = Lists { scopes: true, orgs: true, taxonomies: true };
    let values = query.take_all(&["list", "list[]"]);
    if values.is_empty() {
        return ALL;
    }
    let mut lists = Lists { scopes: false, orgs: false, taxonomies: false };
    for word in values.iter().flat_map(|value| value.split(',')) {
        match word.trim().to_ascii_lowercase().as_str() {
            "scope" | "scopes" => lists.scopes = true,
            "org" | "orgs" => lists.orgs = true,
            "taxonomy" | "taxonomies" => lists.taxonomies = true,
            "" => query.fault(FaultCode::Required, "list", "is empty; name scope, org or taxonomy, or leave it out"),
            _ => query.fault(FaultCode::Invalid, "list", format!("{word:?} is not scope, org or taxonomy")),
        }
    }
    lists
}

#[cfg(test)]
mod tests {
    use domain::Period;

    use super::*;

    fn read(text: &str) -> Question {
        Asked::take(&mut Query::parse(text)).question(Accepted(media::JSON))
    }

    fn faults(text: &str) -> Vec<String> {
        let mut query = Query::parse(text);
        Asked::take(&mut query);
        query.into_faults().into_iter().map(|fault| fault.pointer).collect()
    }

    #[test]
    fn lists_are_read_in_any_case_number_and_spelling() {
        let lists = |text: &str| {
            let lists = read(text).lists;
            (lists.scopes, lists.orgs, lists.taxonomies)
        };
        assert_eq!(lists(""), (true, true, true));
        assert_eq!(lists("list=Scope"), (true, false, false));
        assert_eq!(lists("list=scopes&list=ORG"), (true, true, false));
        assert_eq!(lists("list[]=taxonomies&list%5B%5D=Orgs"), (false, true, true));
        assert_eq!(lists("list=scope,taxonomy"), (true, false, true));
    }

    #[test]
    fn every_fault_is_named_at_once() {
        let text = "date=2025-13&org=x&scope=&co2eUnit=lb&attribution=end&page=0&pageSize=1001&list=foo&sope=1";
        let mut found = faults(text);
        found.sort();
        assert_eq!(found, ["attribution", "co2eUnit", "date", "list", "org", "page", "pageSize", "scope", "sope"]);
    }

    #[test]
    fn a_period_is_a_date_or_two_ends() {
        assert_eq!(faults("date=2025&sd=2025-01-01"), ["date"]);
        assert_eq!(faults("sd=2025-02-01&ed=2025-01-31"), ["sd"]);
        assert_eq!(faults("date=2025&date=2024"), ["date"]);
        assert!(faults("sd=2025-01-01").is_empty());
        assert!(faults("sd=2025-01-01&ed=2025-01-01").is_empty());
        assert_eq!(read("date=2025-02").query.period, Period::parse("2025-02").unwrap());
    }

    #[test]
    fn a_step_is_a_place_or_a_limit_and_goes_without_a_page() {
        let place = "2025-01-31.01a203f1-5c64-764a-8672-0fbaec55086a";
        assert!(faults(&format!("after={place}&limit=5")).is_empty());
        assert!(faults("limit=5").is_empty());
        assert_eq!(faults(&format!("after={place}&page=1")), ["page"]);
        assert_eq!(faults("limit=5&pageSize=5"), ["page"]);
        assert!(faults(&format!("before={place}")).is_empty());
        assert_eq!(faults(&format!("before={place}&page=1")), ["page"]);
        assert_eq!(faults(&format!("before={place}&after={place}&limit=5")), ["before"]);
        for wrong in ["2025-01-31", "2025-02-31.01a203f1-5c64-764a-8672-0fbaec55086a", "x.y", ""] {
            for name in ["after", "before"] {
                assert_eq!(faults(&format!("{name}={wrong}")), [name], "{wrong:?}");
            }
        }
        assert_eq!(faults("limit=0"), ["limit"]);
        assert_eq!(faults("limit=1001"), ["limit"]);
    }

    #[test]
    fn the_steps_beside_a_page_keep_the_filters() {
        let id = parse_uuid("01a203f1-5c64-764a-8672-0fbaec55086a").unwrap();
        let place = Place { day: Day::parse("2025-01-31").unwrap(), id: id.into() };
        let next = format!("date=2025&list=scope&after=2025-01-31.{id}&limit=7");
        let previous = next.replace("after", "before");
        let (after, before) = (Side::After(Some(place)), Side::Before(place));
        for beside in ["date=2025&page=3&pageSize=7&list=scope", &next.replace("-31", "-30"), &previous] {
            assert_eq!(read(beside).beside(after), Some(next.clone()));
            assert_eq!(read(beside).beside(before), Some(previous.clone()));
        }
        assert_eq!(read("%70age=1&pageSize=7&date=2025").beside(after), Some(next.replace("&list=scope", "")));
        assert_eq!(read("date=2025").beside(after), None);
    }

    #[test]
    fn the_query_string_is_kept_as_received() {
        assert_eq!(read("date=2025&list=%53cope").raw, "date=2025&list=%53cope");
    }
}
