//! `tonne factor show`: all that is known of one factor, its source rows as they stand in the file.

use anyhow::{Result, anyhow};
use clap::Args;
use domain::{GasAmount, GwpSet, Intensity, Name, NoCo2eUnder};
use files::Json;
use ports::inbound::{Error, FoundFactor, SetPrefix};

use super::super::context::Context;
use super::super::json::{object, optional, text};
use super::super::{Ending, output};
use super::view;
use crate::app::factor_reader;

/// Show a published factor with the rows it was read from.
///
/// With --gwp its CO2e under that set of global warming potentials. Where its publisher gives CO2e alone, there is none
/// under another set than the publisher's: the reason is printed, and the exit status is 1.
#[derive(Debug, Args)]
pub(in crate::command) struct Show {
    /// The set: its id, or at least the first eight digits of it.
    #[arg(value_parser = SetPrefix::parse)]
    set: SetPrefix,
    /// The cell of the factor, as searches print it.
    #[arg(value_parser = Name::parse)]
    cell: Name,
    /// A set of global warming potentials, such as AR6.
    #[arg(long, value_name = "SET", value_parser = GwpSet::parse)]
    gwp: Option<GwpSet>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// The CO2e under a set that was asked for.
type Under = (GwpSet, Result<Intensity, NoCo2eUnder>);

impl Show {
    pub(super) async fn run(self, context: &Context) -> Result<Ending> {
        let Self { set, cell, gwp, json } = self;
        let app = context.app_to_read().await?;
        let found = app.published_factors().get_published_factor(&factor_reader(), &set, &cell).await;
        let found = found.map_err(|error| {
            if matches!(error, Error::NotFound) {
                anyhow!(
                "there is no factor at {cell:?} of one set whose id begins with {set}; `tonne factor search` prints sets and cells",
                cell = cell.as_str()
            )
            } else {
                error.into()
            }
        })?;
        let under = gwp.map(|gwp| (gwp, found.factor.intensity_under(&found.installed.set, gwp)));
        output::say(&if json { as_json(&found, under.as_ref()).to_string() } else { page(&found, under.as_ref()) })?;
        let is_there = under.is_none_or(|(_, co2e)| co2e.is_ok());
        Ok(if is_there { Ending::Done } else { Ending::Failed })
    }
}

fn as_json(found: &FoundFactor, under: Option<&Under>) -> Json {
    let Json::Object(mut members) = view::factor(found) else { return Json::Null };
    members.push(("source".to_owned(), view::set(&found.installed)));
    if let Some((gwp, co2e)) = under {
        let reason = optional(co2e.as_ref().err());
        let under = object([("gwp", text(gwp)), ("co2e", optional(co2e.as_ref().ok())), ("reason", reason)]);
        members.push(("under".to_owned(), under));
    }
    Json::Object(members)
}

fn page(found: &FoundFactor, under: Option<&Under>) -> String {
    let FoundFactor { installed, factor } = found;
    let unit = factor.unit;
    let mut lines = vec![factor.name.to_string()];
    let mut line = |name: &str, value: String| lines.push(format!("{name:<11} {value}"));
    if !factor.path.is_empty() {
        line("path", view::path(factor));
    }
    line(
        "published",
        match factor.intensity() {
            Ok(co2e) => format!("{co2e} kg CO2e per {unit}"),
            Err(reason) => reason.to_string(),
        },
    );
    if let Some((gwp, co2e)) = under {
        line(
            &format!("under {gwp}"),
            match co2e {
                Ok(co2e) => format!("{co2e} kg CO2e per {unit}"),
                Err(reason) => reason.to_string(),
            },
        );
    }
    for (gas, amount) in factor.gases.iter().flat_map(domain::GasSplit::amounts) {
        line(
            "gas",
            match amount {
                GasAmount::Mass(mass) => format!("{mass} kg {gas} per {unit}"),
                GasAmount::Co2e(co2e) => format!("{co2e} kg CO2e of {gas} per {unit}"),
            },
        );
    }
    line("use", factor.usage.to_string());
    if let Some(region) = &factor.region {
        line("region", region.to_string());
    }
    let set = &installed.set;
    line("source", format!("{}, {}, {}", set.publisher, set.title, set.edition));
    let end = set.valid_to.map_or_else(|| "on".to_owned(), |end| format!("to before {end}"));
    line("valid", format!("from {} {end}", set.valid_from));
    if let Some(gwp) = set.gwp {
        line("gwp", gwp.to_string());
    }
    line("licence", set.licence.to_string());
    line("file", format!("{} (SHA-256 {})", set.file, set.id));
    line("cell", factor.cell.to_string());
    for row in &factor.rows {
        lines.push(format!("row {}", row.row));
        lines.extend(row.cells.iter().map(|(header, value)| format!("  {header:?}: {value:?}")));
    }
    lines.join("\n")
}
