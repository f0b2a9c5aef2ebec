//! Which statement is asked for: reading its query.

use actix_web::HttpRequest;
use domain::{Attribution, Faults, YearStart};
use files::Look;
use ports::inbound::StatementQuery;

use crate::addressed_tenant::Addressed;
use crate::breakdown::query::{co2e_unit, decimals, unit_codes, year_start};
use crate::problem::HeadFaults;
use crate::query::Query;
use crate::report::parameters::{attribution, attribution_words};
use crate::request_part::{Parameter, Part};
use crate::schema::Kind;

/// What a query asks for.
#[derive(Debug)]
pub(super) struct Asked {
    year: Option<String>,
    year_start: YearStart,
    attribution: Attribution,
    faults: Faults,
    raw: String,
    /// How figures are shown.
    pub(super) look: Look,
}

impl Part for Asked {
    fn parameters() -> Vec<Parameter> {
        let query = Parameter::query;
        vec![
            query(
                "year",
                Kind::Text(4, 9),
                "The year: YYYY; where years begin on another day than 1 January, the one that ends in it, as is YYYY/YYYY with \
                 the one before. The year in which the last activity begins unless given.",
            ),
            query(
                "yearKind",
                Kind::Text(5, 8),
                "When years begin: fiscal, which is the day that is set for the company; calendar; or MM-DD, day 01 to 28. \
                 calendar unless given.",
            ),
            query(
                "attribution",
                Kind::Word(attribution_words),
                "start: an activity counts on its first day; daily: the same share on every day; start unless given.",
            ),
            query("co2eUnit", Kind::Word(unit_codes), "The unit of every CO2e and mass; kg unless given."),
            query(
                "round",
                Kind::Integer(0, 18),
                "To how many digits after the point each amount is rounded, half to even, totals too; exact unless given.",
            ),
        ]
    }

    fn read(request: &HttpRequest, faults: &mut HeadFaults) -> Option<Self> {
        let fiscal = Addressed::of(request).map(|tenant| tenant.year_start).unwrap_or_default();
        let take = |query: &mut Query| Self::take(query, fiscal);
        Some(Query::read_on(request, faults, take, |asked, found| asked.faults = found))
    }
}

impl Asked {
    fn take(query: &mut Query, fiscal: YearStart) -> Self {
        let raw = query.raw().to_owned();
        let year = query.take("year");
        let year_start = query.read("yearKind", |text| year_start(text, fiscal)).unwrap_or_default();
        let attribution = query.read("attribution", attribution).unwrap_or_default();
        let look = Look { unit: co2e_unit(query), decimals: decimals(query), percent_decimals: None };
        Self { year, year_start, attribution, faults: Faults::new(), raw, look }
    }

    /// The query string as it was received.
    pub(super) fn raw(&self) -> &str {
        &self.raw
    }

    /// What the use case is asked, of that company.
    pub(super) fn query(&self, tenant: &Addressed) -> StatementQuery {
        StatementQuery {
            year: self.year.clone(),
            year_start: self.year_start,
            attribution: self.attribution,
            company: tenant.name.clone(),
            stated: tenant.statement.clone(),
            faults: self.faults.clone(),
        }
    }
}
