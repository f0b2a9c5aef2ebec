//! Where a factor was published: the one place in which explanations write it.

use domain::{Choice, Considered, Factor, FactorOrigin, Gas, GasAmount, GasSplit, GwpSet, SourceRow, Unit};

use super::members::{Members, member, optional, text};
use crate::json::Json;

/// The members that say where the factor comes from.
pub(super) fn members(factor: &Factor) -> Members {
    let data = factor.data();
    let origin = data.origin.as_deref().map_or(Json::Null, origin);
    let choice = data.choice.as_deref().map_or(Json::Null, choice);
    let mut members = vec![
        member("source", text(&data.source)),
        member("gwp", optional(data.gwp)),
        member("origin", origin),
        member("choice", choice),
    ];
    let share = data.supplier.as_ref().and_then(|supplier| supplier.primary_data_share());
    members.extend(share.map(|share| member("primaryDataShare", text(share))));
    members
}

fn origin(origin: &FactorOrigin) -> Json {
    let FactorOrigin { set, factor, .. } = origin;
    Json::Object(vec![
        member("set", text(set.id)),
        member("publisher", text(&set.publisher)),
        member("title", text(&set.title)),
        member("edition", text(&set.edition)),
        member("licence", text(&set.licence)),
        member("file", text(&set.file)),
        member("validFrom", text(set.valid_from)),
        member("validTo", optional(set.valid_to)),
        member("gwp", optional(origin.published_under())),
        member("cell", text(&factor.cell)),
        member("name", text(&factor.name)),
        member("path", Json::Array(factor.path.iter().map(text).collect())),
        member("region", optional(factor.region.as_ref())),
        member("use", text(factor.usage)),
        member("CO2e", optional(factor.co2e)),
        member("gases", Json::Array(gases(origin).iter().map(gas).collect())),
        member("rows", Json::Array(factor.rows.iter().map(row).collect())),
    ])
}

fn choice(choice: &Choice) -> Json {
    Json::Object(vec![
        member("reason", text(choice)),
        member("region", optional(choice.region.as_ref())),
        member("basis", text(choice.basis)),
        member("preference", Json::Number(choice.preference.to_string())),
        member("considered", considered(&choice.considered)),
        member("others", Json::Number(choice.others.to_string())),
    ])
}

/// What a rule considered.
pub(super) fn considered(considered: &[Considered]) -> Json {
    let one = |one: &Considered| {
        Json::Object(vec![
            member("set", text(one.set)),
            member("publisher", text(&one.publisher)),
            member("edition", text(&one.edition)),
            member("cell", text(&one.cell)),
            member("region", optional(one.region.as_ref())),
            member("verdict", text(one.verdict)),
        ])
    };
    Json::Array(considered.iter().map(one).collect())
}

fn gases(origin: &FactorOrigin) -> &[(Gas, GasAmount)] {
    origin.factor.gases.as_ref().map(GasSplit::amounts).unwrap_or_default()
}

fn gas((gas, amount): &(Gas, GasAmount)) -> Json {
    let (mass, co2e) = match amount {
        GasAmount::Mass(mass) => (text(mass), Json::Null),
        GasAmount::Co2e(co2e) => (Json::Null, text(co2e)),
    };
    Json::Object(vec![member("gas", text(gas)), member("mass", mass), member("CO2e", co2e)])
}

fn row(row: &SourceRow) -> Json {
    let cell = |(header, value): &(String, String)| {
        Json::Object(vec![member("header", text(header)), member("value", text(value))])
    };
    let cells = Json::Array(row.cells.iter().map(cell).collect());
    Json::Object(vec![member("row", Json::Number(row.row.to_string())), member("cells", cells)])
}

/// The same as lines of a text: what each is called, and what it says.
pub(super) fn lines(factor: &Factor) -> Vec<(&'static str, String)> {
    let data = factor.data();
    let gwp = data.gwp.map_or_else(|| "not said".to_owned(), |set| set.to_string());
    let mut lines = vec![("source", data.source.to_string()), ("GWP set", gwp)];
    if let Some(origin) = &data.origin {
        lines.extend(published(origin, data.gwp));
    }
    if let Some(share) = data.supplier.as_ref().and_then(|supplier| supplier.primary_data_share()) {
        lines.push(("primary data", format!("{share} %")));
    }
    if let Some(choice) = &data.choice {
        lines.push(("chosen", choice.to_string()));
        lines.extend(choice.considered.iter().map(|one| ("considered", one.to_string())));
        if choice.others > 0 {
            lines.push(("considered", format!("and {} more", choice.others)));
        }
    }
    lines
}

fn given(amount: GasAmount, unit: Unit) -> String {
    match amount {
        GasAmount::Mass(mass) => format!("{mass} kg of it per {unit}"),
        GasAmount::Co2e(co2e) => format!("{co2e} kg CO2e per {unit}"),
    }
}

/// How the amount of a gas becomes CO2e under a set of global warming potentials, with what that comes to.
fn step(origin: &FactorOrigin, gas: Gas, amount: GasAmount, under: GwpSet) -> Option<String> {
    let split = origin.factor.gases.as_ref()?;
    let (_, co2e) = split.co2e(under).ok()?.gases.into_iter().find(|(of, _)| *of == gas)?;
    let to = under.potential(gas)?;
    Some(match amount {
        GasAmount::Mass(_) => format!(", x {to} ({under}) = {co2e} kg CO2e"),
        GasAmount::Co2e(_) => {
            let from = split.set().potential(gas)?;
            format!(", x {to} ({under}) / {from} ({}) = {co2e} kg CO2e", split.set())
        }
    })
}

fn published(origin: &FactorOrigin, under: Option<GwpSet>) -> Vec<(&'static str, String)> {
    let FactorOrigin { set, factor, .. } = origin;
    let path: Vec<String> = factor.path.iter().chain([&factor.name]).map(ToString::to_string).collect();
    let mut lines = vec![
        ("set", format!("{}: {}, {}", set.publisher, set.title, set.edition)),
        ("licence", set.licence.to_string()),
        ("file", format!("\"{}\", SHA-256 {}", set.file, set.id)),
        ("cell", factor.cell.to_string()),
        ("name", path.join(" / ")),
    ];
    lines.extend(factor.region.as_ref().map(|region| ("region", region.to_string())));
    lines.extend(factor.co2e.map(|co2e| ("published", format!("{co2e} kg CO2e per {}", factor.unit))));
    let published_under = origin.published_under();
    let is_as_published = factor.co2e.is_some() && under == published_under;
    for (gas, amount) in gases(origin) {
        let step = under.filter(|_| !is_as_published).and_then(|under| step(origin, *gas, *amount, under));
        lines.push(("gas", format!("{gas}: {}{}", given(*amount, factor.unit), step.unwrap_or_default())));
    }
    for row in &factor.rows {
        let cells: Vec<String> = row.cells.iter().map(|(header, value)| format!("{header}: {value}")).collect();
        lines.push(("source row", format!("{}: {}", row.row, cells.join(" | "))));
    }
    lines
}
