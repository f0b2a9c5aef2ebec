//! The members that several objects of a statement's JSON have.

use std::fmt::Display;

use domain::{Scope2, StatementLine, Totals};

use crate::breakdown::Look;
use crate::json::Json;

pub(super) type Members = Vec<(String, Json)>;

pub(super) fn member(name: &str, value: Json) -> (String, Json) {
    (name.to_owned(), value)
}

pub(super) fn text(value: impl Display) -> Json {
    Json::Text(value.to_string())
}

pub(super) fn number(value: impl Display) -> Json {
    Json::Number(value.to_string())
}

pub(super) fn or_null<T: Display>(value: Option<T>) -> Json {
    value.map_or(Json::Null, text)
}

pub(super) fn explained(addresses: Vec<String>) -> (String, Json) {
    member("explanation", Json::Array(addresses.into_iter().map(Json::Text).collect()))
}

/// What activities come to, with biogenic CO2 beside CO2e, and CO2e with scope 2 market-based where that is asked for.
pub(super) fn figures(totals: &Totals, scope2: Scope2, look: Look) -> Members {
    let mut members = vec![
        member("count", number(totals.count)),
        member("incompleteCount", number(totals.incomplete)),
        member("CO2e", text(look.amount(totals.co2e))),
    ];
    if scope2 == Scope2::Both {
        members.push(member("marketCO2e", text(look.amount(totals.market_co2e()))));
    }
    members.push(member("biogenicCO2", text(look.amount(totals.biogenic))));
    members
}

/// Whether activities were recorded for a line, and whether one of them has CO2e.
pub(super) const fn state(line: &StatementLine) -> &'static str {
    if line.is_incomplete() {
        "incomplete"
    } else if line.is_recorded() {
        "recorded"
    } else {
        "none"
    }
}
