//! The columns of the plain table.

use domain::Gas;

use crate::suggest::did_you_mean;

/// What begins the name of a column of a category; its number follows, from 1 for the widest.
pub(super) const PATH: &str = "path";
/// What follows the name of a gas where the column has its CO2e, and not its mass.
pub(super) const CO2E: &str = " CO2e";

/// Columns that every table has.
pub(super) const REQUIRED: [&str; 7] = ["name", "unit", "use", "publisher", "edition", "licence", "validFrom"];
/// Columns that say what the set is, and have the same text in every row.
pub(super) const OF_THE_SET: [&str; 7] = ["publisher", "title", "edition", "licence", "validFrom", "validTo", "gwp"];
/// Columns that are kept with the row and mean nothing else: where the figure came from.
pub(super) const KEPT: [&str; 4] = ["sourceFile", "sourceSha256", "sourceCell", "note"];
const OPTIONAL: [&str; 5] = ["title", "validTo", "gwp", "co2e", "region"];

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Column {
    /// That member.
    Member(&'static str),
    /// The category of that level, from 1.
    Path(u8),
    /// Kilograms of that gas.
    Mass(Gas),
    /// Kilograms of CO2e of that gas.
    Co2e(Gas),
}

impl Column {
    /// The column of that name; the error completes "it ...".
    pub(super) fn parse(name: &str) -> Result<Self, String> {
        let members = || REQUIRED.into_iter().chain(OPTIONAL).chain(KEPT);
        if let Some(member) = members().find(|member| *member == name) {
            return Ok(Self::Member(member));
        }
        let level = name.strip_prefix(PATH).and_then(|level| level.parse().ok());
        if let Some(level) = level.filter(|level| (1..=20).contains(level) && name == format!("{PATH}{level}")) {
            return Ok(Self::Path(level));
        }
        let (gas, of): (_, fn(Gas) -> Self) = match name.strip_suffix(CO2E) {
            Some(gas) => (gas, Self::Co2e),
            None => (name, Self::Mass),
        };
        if let Ok(gas) = Gas::parse(gas) {
            return Ok(of(gas));
        }
        Err(format!("has a column {name:?}, which is none of this table{}", did_you_mean(name, members())))
    }
}
