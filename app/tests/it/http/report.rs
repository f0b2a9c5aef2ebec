//! `GET /v1/activity`: the report.

mod breakdown;
mod condition;
mod daily;
mod filter;
mod fiscal;
pub(super) mod form;
pub(super) mod law;
mod line;
mod list;
mod one;
mod outdated;
mod page;
mod parameter;
mod period;
mod permission;
mod single;
mod snapshot;
mod total;
pub(crate) mod workbook;

use domain::Total;

use super::harness::{Client, Value, json, to};

/// The report that the query asks for.
#[track_caller]
fn report(client: &Client, query: &str) -> Value {
    client.get(&format!("/v1/activity?{query}")).ok()
}

/// An activity of one day with that many kg, in a scope.
#[track_caller]
fn emit(client: &Client, scope: &str, day: &str, kilograms: &str) -> String {
    client.activity(json!({ "startDate": day, "DownstreamCO2e": kilograms, "scope": to(scope) }))
}

/// The names of what an answer lists, in order.
fn names(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|item| item["name"].as_str().unwrap()).collect()
}

/// The exact sum of amounts.
fn sum<'a>(amounts: impl IntoIterator<Item = &'a Value>) -> String {
    let amount = |value: &Value| Total::from(domain::Co2e::parse(value.as_str().unwrap()).unwrap());
    amounts.into_iter().map(amount).fold(Total::default(), |sum, one| sum + one).to_string()
}
