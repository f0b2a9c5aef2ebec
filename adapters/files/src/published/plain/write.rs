//! Writing a published set as the plain table.

use std::collections::BTreeSet;
use std::io;

use domain::{FactorSet, Gas, GasAmount, GasSplit, Name, PublishedFactor};

use super::columns::{CO2E, PATH};

/// The columns before those of the categories, and those behind them.
const BEFORE: [&str; 1] = ["name"];
const BEHIND: [&str; 5] = ["unit", "use", "region", "gwp", "co2e"];
const LAST: [&str; 9] =
    ["publisher", "title", "edition", "licence", "validFrom", "validTo", "sourceFile", "sourceSha256", "sourceCell"];

/// The set with those factors of it as a plain table, which [`read_published`](crate::read_published) reads again: the
/// factors are the same but for the places they stand at, and the rows they come from. The file is another one, so that
/// what is read of it is another set; the columns `source...` say which it was.
pub fn published_csv(set: &FactorSet, factors: &[PublishedFactor]) -> io::Result<Vec<u8>> {
    let levels = factors.iter().map(|factor| factor.path.len()).max().unwrap_or_default();
    let amounts = factors.iter().filter_map(|factor| factor.gases.as_ref()).flat_map(GasSplit::amounts);
    let gases: BTreeSet<(Gas, bool)> = amounts.map(|(gas, amount)| (*gas, is_co2e(*amount))).collect();
    let mut writer = ::csv::Writer::from_writer(Vec::new());
    let paths = (1..=levels).map(|level| format!("{PATH}{level}"));
    let names = gases.iter().map(|(gas, is_co2e)| format!("{gas}{}", if *is_co2e { CO2E } else { "" }));
    let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    let mut header = owned(&BEFORE);
    header.extend(paths.chain(owned(&BEHIND)).chain(names).chain(owned(&LAST)));
    writer.write_record(&header)?;
    for factor in factors {
        writer.write_record(row(set, factor, levels, &gases))?;
    }
    writer.into_inner().map_err(|error| io::Error::other(error.to_string()))
}

fn row(set: &FactorSet, factor: &PublishedFactor, levels: usize, gases: &BTreeSet<(Gas, bool)>) -> Vec<String> {
    let optional = |name: Option<&Name>| name.map(ToString::to_string).unwrap_or_default();
    let mut row = vec![factor.name.to_string()];
    row.extend((0..levels).map(|level| optional(factor.path.get(level))));
    row.extend([
        factor.unit.to_string(),
        factor.usage.to_string(),
        optional(factor.region.as_ref()),
        set.gwp.map(|gwp| gwp.to_string()).unwrap_or_default(),
        factor.co2e.map(|co2e| co2e.to_string()).unwrap_or_default(),
    ]);
    row.extend(gases.iter().map(|(gas, as_co2e)| {
        let amounts = factor.gases.as_ref().map_or(&[][..], |gases| gases.amounts());
        let found = amounts.iter().find(|(found, amount)| found == gas && is_co2e(*amount) == *as_co2e);
        found.map(|(_, amount)| figure(*amount)).unwrap_or_default()
    }));
    row.extend([
        set.publisher.to_string(),
        set.title.to_string(),
        set.edition.to_string(),
        set.licence.to_string(),
        set.valid_from.to_string(),
        set.valid_to.map(|day| day.to_string()).unwrap_or_default(),
        set.file.to_string(),
        set.id.to_string(),
        factor.cell.to_string(),
    ]);
    row
}

const fn is_co2e(amount: GasAmount) -> bool {
    matches!(amount, GasAmount::Co2e(_))
}

fn figure(amount: GasAmount) -> String {
    match amount {
        GasAmount::Mass(value) | GasAmount::Co2e(value) => value.to_string(),
    }
}
