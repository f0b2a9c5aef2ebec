//! Activities out, as CSV: the columns of the import and the computed ones, so that importing them again changes nothing.

use std::io;

use domain::Co2e;
use ports::inbound::{ActivityView, Named};

use super::supplied::{Co2eUnit, NONE};
use super::wire::{shifted, supplied};

/// The columns that an import takes, in the order that answers have them. References are written as uuids.
pub const IMPORT_COLUMNS: [&str; 14] = [
    "syncId",
    "name",
    "description",
    "quantity",
    "unit",
    "UpstreamCO2e",
    "DownstreamCO2e",
    "supplied",
    "product",
    "scope",
    "taxonomy",
    "org",
    "startDate",
    "endDate",
];

/// The columns that answers have besides, which an import leaves alone: what is computed, and the names of what the
/// references lead to.
pub const COMPUTED_COLUMNS: [&str; 9] =
    ["productName", "scopeName", "taxonomyName", "orgName", "uuid", "created", "updated", "CO2e", "incomplete"];

/// The column of the share that falls in a report's period; an import leaves it alone.
pub const PERIOD_CO2E: &str = "periodCO2e";

/// The column of the unit of every CO2e of the row, where it is not kg; an import takes it.
pub const CO2E_UNIT: &str = "CO2eUnit";

/// Whether rows say which share of their CO2e falls in the period.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shares {
    /// They do not: no column.
    #[default]
    Hidden,
    /// They do, in a column.
    Shown,
}

/// The header line of a table whose CO2e are shifted by `shift` decimal places from kg (3 for g, -3 for t).
pub fn activity_header(shift: i32, shares: Shares) -> io::Result<Vec<u8>> {
    let mut writer = ::csv::Writer::from_writer(Vec::new());
    writer.write_record(
        IMPORT_COLUMNS
            .into_iter()
            .chain(COMPUTED_COLUMNS)
            .chain((shares == Shares::Shown).then_some(PERIOD_CO2E))
            .chain(Co2eUnit::of_shift(shift).map(|_| CO2E_UNIT)),
    )?;
    writer.into_inner().map_err(|error| io::Error::other(error.to_string()))
}

/// The lines of these activities, each with its share of the period, under the header of the same `shift` and `shares`.
pub fn activity_rows(rows: &[(ActivityView, Option<Co2e>)], shift: i32, shares: Shares) -> io::Result<Vec<u8>> {
    let mut writer = ::csv::Writer::from_writer(Vec::new());
    for (view, share) in rows {
        writer.write_record(cells(view, *share, shift, shares))?;
    }
    writer.into_inner().map_err(|error| io::Error::other(error.to_string()))
}

fn cells(view: &ActivityView, share: Option<Co2e>, shift: i32, shares: Shares) -> Vec<String> {
    let ActivityView { activity: stored, product, scope, taxonomy, org } = view;
    let activity = &stored.value;
    let co2e = |value: Option<Co2e>| value.map(|value| shifted(value, shift)).unwrap_or_default();
    let id = |named: &Option<Named>| text(named.as_ref().map(|named| named.id));
    let name = |named: &Option<Named>| text(named.as_ref().map(|named| &named.name));
    let supplied = supplied(view);
    let mut cells = vec![
        text(activity.sync_id.as_ref()),
        activity.name.to_string(),
        text(activity.description.as_ref()),
        text(activity.measured.map(|measured| measured.quantity)),
        text(activity.measured.map(|measured| measured.unit.code())),
        co2e(activity.calculation.upstream()),
        co2e(activity.calculation.downstream()),
        if supplied.is_empty() { NONE.to_owned() } else { supplied.join(" ") },
        id(product),
        id(scope),
        id(taxonomy),
        id(org),
        activity.span.start().to_string(),
        text(activity.span.end()),
        name(product),
        name(scope),
        name(taxonomy),
        name(org),
        activity.id.to_string(),
        stored.created.to_string(),
        stored.updated.to_string(),
        co2e(activity.co2e()),
        text(activity.calculation.reason()),
    ];
    cells.extend((shares == Shares::Shown).then(|| co2e(share)));
    cells.extend(Co2eUnit::of_shift(shift).map(str::to_owned));
    cells
}

fn text(value: Option<impl std::fmt::Display>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}
