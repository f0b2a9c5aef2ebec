//! List Units: every unit that quantities can be given in.

use actix_web::HttpResponse;
use domain::Unit;
use ports::inbound::Error;
use serde::Serialize;
use utoipa::{OpenApi, ToSchema};

use crate::answer;
use crate::caller::Caller;
use crate::operation::Operation;
use crate::problem::{Problem, Reading};
use crate::query::NoQuery;
use crate::wire::Amount;

/// What this area does.
pub(crate) fn operations() -> Vec<Operation> {
    vec![Operation::get("/v1/unit", list_units)]
}

/// This area in the OpenAPI document.
#[derive(OpenApi)]
#[openapi(paths(list_units))]
pub(crate) struct Document;

/// Every unit.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Units {
    /// How many there are.
    count: usize,
    /// The units, by what they measure; currencies last.
    data: Vec<WireUnit>,
}

/// A unit of measurement, or a currency.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Unit)]
pub(crate) struct WireUnit {
    /// What unit fields hold. Case counts.
    #[schema(example = "kWh")]
    code: &'static str,
    /// The name in words.
    name: &'static str,
    /// What is printed behind a number.
    symbol: &'static str,
    /// What it measures. Units convert within one dimension only; a currency only to itself.
    #[schema(example = "energy")]
    dimension: &'static str,
    /// The code of the unit that the factor counts in.
    base: &'static str,
    /// How many base units one of it is, exactly.
    factor: Amount,
    /// The code of UN/ECE Recommendation 20.
    #[schema(required)]
    rec20: Option<&'static str>,
}

impl WireUnit {
    fn of(unit: Unit) -> Self {
        Self {
            code: unit.code(),
            name: unit.name(),
            symbol: unit.symbol(),
            dimension: unit.dimension().name(),
            base: unit.base().code(),
            factor: Amount::of(unit.to_base()),
            rec20: unit.rec20(),
        }
    }
}

/// Every unit that quantities can be given in.
///
/// Needs the permission catalog:read.
#[utoipa::path(
    get,
    path = "/v1/unit",
    tag = "Units",
    security(("bearer" = [])),
    responses((status = 200, description = "The units", body = Units), Reading)
)]
pub(crate) async fn list_units(caller: Caller, _: NoQuery) -> Result<HttpResponse, Problem> {
    ports::permit(&caller, ports::demand::CATALOG_READ).map_err(Error::from)?;
    let data: Vec<_> = Unit::all().map(WireUnit::of).collect();
    answer::json(&Units { count: data.len(), data })
}
