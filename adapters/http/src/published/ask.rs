//! What is asked about published factors: reading the query and the path.

use actix_web::HttpRequest;
use domain::{GwpSet, Name, PublishedUse, SearchWords, Unit};
use ports::inbound::{FactorQuestion, SetPrefix};

use crate::page_or_table::PageOrTable;
use crate::problem::HeadFaults;
use crate::query::{Queried, Query};
use crate::request_part::{Parameter, Part, Place};
use crate::schema::Kind;

/// A search.
pub(super) struct Searched {
    pub(super) question: FactorQuestion,
    /// Which page, and how a table is written.
    pub(super) form: PageOrTable,
}

pub(super) fn uses() -> Vec<&'static str> {
    PublishedUse::ALL.map(PublishedUse::as_str).to_vec()
}

pub(super) fn gwp_sets() -> Vec<&'static str> {
    GwpSet::ALL.iter().map(|set| set.name()).collect()
}

impl Part for Searched {
    fn parameters() -> Vec<Parameter> {
        let query = Parameter::query;
        let filters = [
            query(
                "q",
                Kind::Text(1, 1_000),
                "The words, at most 32 different ones; all that the filters leave without.",
            ),
            query("set", Kind::Text(8, 64), "Only of this set: its id, or at least the first eight digits of it."),
            query("region", Kind::Text(1, 255), "Only of this region and those within it: US finds US-RFCW too."),
            query("unit", Kind::Text(1, 64), "Only per this very unit."),
            query("year", Kind::Integer(1, 9_999), "Only of sets that hold for a day of this calendar year."),
            query("use", Kind::Word(uses), "Only of this use."),
        ];
        filters.into_iter().chain(PageOrTable::parameters()).collect()
    }

    fn read(request: &HttpRequest, faults: &mut HeadFaults) -> Option<Self> {
        let take = |query: &mut Query| {
            let question = FactorQuestion {
                words: query.read("q", SearchWords::parse),
                set: query.read("set", SetPrefix::parse),
                region: query.read("region", Name::parse),
                unit: query.read("unit", Unit::parse),
                year: query.read("year", year),
                usage: query.read("use", PublishedUse::parse),
                ..FactorQuestion::default()
            };
            Self { question, form: PageOrTable::take(query) }
        };
        Some(Query::read_on(request, faults, take, |asked, found| asked.question.faults = found))
    }
}

fn year(text: &str) -> Result<i32, &'static str> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|year| digits && (1..=9_999).contains(year)).ok_or("is not a year from 1 to 9999")
}

/// The set of global warming potentials that a factor is read under, if one is named.
pub(super) struct Under(pub(super) Option<GwpSet>);

impl Queried for Under {
    fn parameters() -> Vec<Parameter> {
        vec![Parameter::query("gwp", Kind::Word(gwp_sets), "A set of global warming potentials.")]
    }

    fn take(query: &mut Query) -> Self {
        Self(query.read("gwp", GwpSet::parse))
    }
}

/// The factor that a path names.
pub(super) struct FactorPath {
    pub(super) set: SetPrefix,
    pub(super) cell: Name,
}

impl Part for FactorPath {
    fn parameters() -> Vec<Parameter> {
        let segment = |name, kind, doc| Parameter { name, place: Place::Path, doc, kind, more: &[] };
        vec![
            segment("set", Kind::Text(8, 64), "The set: its id, or at least the first eight digits of it."),
            segment("cell", Kind::Text(1, 255), "The cell of its file, as searches show it."),
        ]
    }

    fn read(request: &HttpRequest, faults: &mut HeadFaults) -> Option<Self> {
        let path = request.match_info();
        let set = SetPrefix::parse(path.query("set")).map_err(|error| faults.malformed("set", error)).ok();
        let cell = Name::parse(path.query("cell")).map_err(|error| faults.malformed("cell", error)).ok();
        Some(Self { set: set?, cell: cell? })
    }
}
