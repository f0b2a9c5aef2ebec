//! Published factors as commands print them.

use domain::{Digest, FactorSet, GasAmount, GasSplit, Name, PublishedFactor, SourceRow};
use files::Json;
use ports::factor_sets::InstalledSet;
use ports::inbound::FoundFactor;

use super::super::json::{array, count, object, optional, text};

/// The beginning of a set's id, which names it among others.
pub(in crate::command) fn short(id: Digest) -> String {
    id.to_string().chars().take(12).collect()
}

/// The categories above a factor's name.
pub(super) fn path(factor: &PublishedFactor) -> String {
    factor.path.iter().map(Name::as_str).collect::<Vec<_>>().join(" > ")
}

/// A set as JSON.
pub(in crate::command) fn set(installed: &InstalledSet) -> Json {
    let InstalledSet { set, factors, digest: _, added, by } = installed;
    let FactorSet { id, publisher, title, edition, valid_from, valid_to, licence, file, gwp, corrects, .. } = set;
    object([
        ("id", text(id)),
        ("publisher", text(publisher)),
        ("title", text(title)),
        ("edition", text(edition)),
        ("validFrom", text(valid_from)),
        ("validTo", optional(*valid_to)),
        ("licence", text(licence)),
        ("file", text(file)),
        ("gwp", optional(*gwp)),
        ("corrects", optional(*corrects)),
        ("factors", count(*factors)),
        ("added", text(added)),
        ("by", text(by)),
    ])
}

/// A factor as JSON.
pub(super) fn factor(found: &FoundFactor) -> Json {
    let FoundFactor { installed, factor } = found;
    let gas = |gas: &domain::Gas, amount: &GasAmount| match amount {
        GasAmount::Mass(mass) => object([("gas", text(gas)), ("mass", text(mass)), ("co2e", Json::Null)]),
        GasAmount::Co2e(co2e) => object([("gas", text(gas)), ("mass", Json::Null), ("co2e", text(co2e))]),
    };
    let gases = factor.gases.iter().flat_map(domain::GasSplit::amounts).map(|(of, amount)| gas(of, amount));
    object([
        ("set", text(installed.set.id)),
        ("cell", text(&factor.cell)),
        ("name", text(&factor.name)),
        ("path", array(factor.path.iter().map(text))),
        ("unit", text(factor.unit)),
        ("use", text(factor.usage)),
        ("co2e", optional(factor.intensity().ok())),
        ("gwp", optional(factor.gases.as_ref().map(GasSplit::set).or(installed.set.gwp))),
        ("gases", array(gases)),
        ("region", optional(factor.region.as_ref())),
        ("rows", array(factor.rows.iter().map(row))),
    ])
}

fn row(row: &SourceRow) -> Json {
    let cell = |(header, value): &(String, String)| object([("header", text(header)), ("value", text(value))]);
    object([("row", count(row.row.into())), ("cells", array(row.cells.iter().map(cell)))])
}
