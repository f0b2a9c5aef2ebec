//! What is asked of a list: how many footprints, which, and from where on. A parameter without a value is as if it were not
//! given.

use domain::FaultCode;
use domain::footprint::{Edition, FootprintFilter};
use pact::{FilterError, FilterQuery, read_filter};

use crate::problem::{Kind as ProblemKind, Problem};
use crate::query::{Queried, Query};
use crate::request_part::Parameter;
use crate::schema::Kind;

/// How many footprints a part of a list has unless another limit is asked for.
const LIMIT: u32 = 100;
/// How many it has at most, whatever is asked for.
const MOST: u32 = 1_000;

/// What is asked of a list.
#[derive(Debug)]
pub(super) struct Asked<F> {
    pub(super) limit: u32,
    /// The mark of where to read on.
    pub(super) next: Option<String>,
    pub(super) filter: F,
}

/// What is asked of the interface's own list: a part of it, or all.
#[derive(Debug)]
pub(crate) struct Part {
    /// How many at most; `None` where all are asked for.
    pub(crate) limit: Option<u32>,
    /// The mark of where to read on.
    pub(crate) next: Option<String>,
}

impl Queried for Part {
    fn parameters() -> Vec<Parameter> {
        let doc =
            "How many at most, from 1; more than 1000 are never given. All of them, in one answer, unless it is given.";
        vec![
            Parameter::query("limit", Kind::Text(0, 255), doc),
            Parameter::query(
                "next",
                Kind::Text(0, 1_000),
                "The mark of a link to the rest of a list, as the link has it; it comes with a limit.",
            ),
        ]
    }

    fn take(query: &mut Query) -> Self {
        let limit = one(query, "limit").map(|text| {
            limit(&text).unwrap_or_else(|| {
                query.fault(FaultCode::Invalid, "limit", "is not a whole number from 1");
                LIMIT
            })
        });
        let next = one(query, "next");
        if next.is_some() && limit.is_none() {
            query.fault(FaultCode::Required, "limit", "is required with next: take the link as it was given");
        }
        Self { limit, next }
    }
}

/// How an edition is asked for footprints.
pub(super) trait Filters: Sized + 'static {
    const EDITION: Edition;

    fn parameters() -> Vec<Parameter>;

    fn take(query: &mut Query) -> Self;

    fn read(self) -> Result<FootprintFilter, Problem>;
}

/// The `$filter` of version 2.
#[derive(Debug)]
pub(super) struct V2Filter(Option<String>);

/// The parameters of version 3.
#[derive(Debug)]
pub(super) struct V3Filter(FilterQuery);

impl<F: Filters> Queried for Asked<F> {
    fn parameters() -> Vec<Parameter> {
        let mut all = vec![
            Parameter::query(
                "limit",
                Kind::Text(0, 255),
                "How many at most, from 1; more than 1000 are never given. 100 unless asked.",
            ),
            Parameter::query(
                "next",
                Kind::Text(0, 1_000),
                "The mark of a link to the rest of a list, as the link has it.",
            ),
        ];
        all.extend(F::parameters());
        all
    }

    fn take(query: &mut Query) -> Self {
        let limit = one(query, "limit").map_or(Some(LIMIT), |text| limit(&text));
        if limit.is_none() {
            query.fault(FaultCode::Invalid, "limit", "is not a whole number from 1");
        }
        Self { limit: limit.unwrap_or(LIMIT), next: one(query, "next"), filter: F::take(query) }
    }
}

/// The limit: digits, not all of them zero.
fn limit(text: &str) -> Option<u32> {
    let is_number = text.bytes().all(|b| b.is_ascii_digit()) && text.bytes().any(|b| b != b'0');
    // A number that is too large to be read asks for more than is given.
    is_number.then(|| text.parse().unwrap_or(MOST).min(MOST))
}

/// The one value of a parameter, if it has any.
fn one(query: &mut Query, name: &'static str) -> Option<String> {
    let mut values = query.take_all(&[name]).into_iter().filter(|value| !value.is_empty());
    let value = values.next();
    if values.next().is_some() {
        query.fault(FaultCode::Repeated, name, "is given more than once");
    }
    value
}

impl Filters for V2Filter {
    const EDITION: Edition = Edition::V2;

    fn parameters() -> Vec<Parameter> {
        let doc = "Which footprints, in OData: created, updated, productCategoryCpc, pcf/geographyCountry, \
                   pcf/referencePeriodStart and pcf/referencePeriodEnd compared by eq, lt, le, gt and ge with a text; \
                   productIds/any(id:(id eq '...')), companyIds likewise; joined by and.";
        vec![Parameter::query("$filter", Kind::Text(0, 8_192), doc)]
    }

    fn take(query: &mut Query) -> Self {
        Self(one(query, "$filter"))
    }

    fn read(self) -> Result<FootprintFilter, Problem> {
        let Some(text) = self.0 else { return Ok(FootprintFilter::default()) };
        read_filter(&text).map_err(|error| {
            let kind = match error {
                FilterError::Malformed(_) => ProblemKind::Malformed,
                FilterError::NotImplemented(_) => ProblemKind::NotImplemented,
            };
            Problem::new(kind, format!("{error}."))
        })
    }
}

impl Filters for V3Filter {
    const EDITION: Edition = Edition::V3;

    fn parameters() -> Vec<Parameter> {
        let all = FilterQuery::PARAMETERS.into_iter();
        all.map(|one| Parameter::query(one.name, Kind::Text(0, 8_192), one.about)).collect()
    }

    fn take(query: &mut Query) -> Self {
        let mut filter = FilterQuery::default();
        for parameter in FilterQuery::PARAMETERS {
            filter.read(parameter.name, query.take_all(&[parameter.name]));
        }
        Self(filter)
    }

    fn read(self) -> Result<FootprintFilter, Problem> {
        self.0.finish().map_err(Problem::parameters)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_is_a_number_from_1_and_never_more_than_a_thousand() {
        for (text, expected) in [("1", Some(1)), ("007", Some(7)), ("1000", Some(1_000)), ("1001", Some(1_000))] {
            assert_eq!(limit(text), expected, "{text}");
        }
        assert_eq!(limit("99999999999999999999999999"), Some(1_000));
        for text in ["0", "-1", "+1", "1.5", "1e3", "ten", " 1", "00"] {
            assert_eq!(limit(text), None, "{text}");
        }
    }
}
