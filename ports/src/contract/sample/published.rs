//! Sets of published factors.

use domain::{
    Digest, FactorSet, Gas, GasAmount, GasSplit, GwpSet, Intensity, PublishedFactor, PublishedUse, Source, SourceRow,
};

use super::{day, name, unit};

/// A set; a greater number is a later edition.
#[must_use]
pub fn factor_set(number: u64) -> FactorSet {
    FactorSet::new(
        Digest::of(&number.to_le_bytes()),
        name(&format!("factors-{number}.csv")),
        name("Ministry of Air"),
        name("Conversion factors"),
        name(&format!("{number}")),
        Source::parse("Open Licence 1.0").expect("a licence"),
        day("2024-01-01"),
    )
}

/// A factor with a figure of CO2e; a greater number has a later cell.
#[must_use]
pub fn published_factor(number: u64) -> PublishedFactor {
    let cell = name(&format!("C{number:06}"));
    let rows = vec![SourceRow { row: 1, cells: vec![("Name".to_owned(), format!("Fuel {number}"))] }];
    PublishedFactor::new(cell, name(&format!("Fuel {number}")), unit("kWh"), PublishedUse::Direct)
        .with_co2e(Some(Intensity::parse("0.18293").expect("an intensity")))
        .with_rows(rows)
}

/// A factor that has everything.
#[must_use]
pub fn filled_published_factor(number: u64) -> PublishedFactor {
    let amount = |text: &str| domain::Decimal::parse(text).expect("an amount");
    let gases = [(Gas::CO2, GasAmount::Mass(amount("53.06"))), (Gas::CH4, GasAmount::Co2e(amount("0.028")))];
    let gwp = GwpSet::parse("AR5").expect("a set");
    let cells = vec![("Fuel \"x\"\n".to_owned(), " 1\u{fffd}é \t".to_owned()), (String::new(), "0.10".to_owned())];
    published_factor(number)
        .with_path(vec![name("Fuels"), name("Gaseous “Ü”")])
        .with_gases(Some(GasSplit::new(gwp, gases).expect("gases")))
        .with_region(Some(name("GB")))
        .with_rows(vec![SourceRow { row: 7, cells }, SourceRow { row: 9, cells: Vec::new() }])
}
