//! The activities of a total as a file: a line for each, with what it adds.

use domain::Total;
use files::{Cell, Table};
use http::edge::Failure;
use ports::inbound::LineActivity;

use super::adds;
use crate::csv;

const COLUMNS: [&str; 10] = [
    "uuid",
    "name",
    "day",
    "CO2e",
    "adds",
    "addsCO2e",
    "addsUncategorizedCO2e",
    "addsBiogenicCO2",
    "addsCreditsCO2e",
    "addsOutsideCO2e",
];

/// Activities with their stored CO2e and what they add, in kg: all of it, and by the sum of the report that it is in.
pub(super) fn table(activities: &[LineActivity]) -> Table {
    let row = |one: &LineActivity| {
        // What is not computed is not known to be nothing.
        let known = |amount: Total| csv::number(Some(amount).filter(|_| one.co2e.is_some() || !amount.is_zero()));
        let mut cells = vec![Cell::text(one.id), Cell::text(&one.name), Cell::text(one.day), csv::number(one.co2e)];
        cells.push(known(adds(one)));
        let parts = [one.adds.co2e, one.adds.uncategorized, one.adds.biogenic, one.adds.credits, one.adds.outside];
        cells.extend(parts.map(known));
        cells
    };
    csv::table("explanation", &COLUMNS, activities.iter().map(row).collect())
}

/// That there are more activities than a file has.
pub(super) fn too_many(most: u32) -> Failure {
    Failure::malformed(format!("There are more than {most} activities; narrow the filter to {most} or fewer."))
}
