//! A made-up publisher's sets of factors.

use domain::{
    Day, Decimal, Digest, FactorSet, Gas, GasAmount, GasSplit, GwpSet, Intensity, Name, PublishedFactor, PublishedUse,
    Source, SourceRow, Unit,
};
use ports::factor_sets::NewFactorSet;

fn name(text: &str) -> Name {
    Name::parse(text).unwrap()
}

fn factor(cell: &str, called: &str, unit: &str, usage: PublishedUse) -> PublishedFactor {
    let rows = vec![SourceRow { row: 7, cells: vec![("Activity".to_owned(), called.to_owned())] }];
    PublishedFactor::new(name(cell), name(called), Unit::parse(unit).unwrap(), usage)
        .with_region(Some(name("GB")))
        .with_path(vec![name("Fuels")])
        .with_rows(rows)
}

fn alone(digits: &str) -> Intensity {
    Intensity::parse(digits).unwrap()
}

/// The edition of that year, whose figures end in that digit: diesel with its gases in `A1`, electricity as CO2e alone
/// under AR5 in `A2`, diesel's well-to-tank in `A3`, losses of the grid in `A4`, biogenic CO2 of wood in `A5`.
pub(crate) fn edition(year: i32, digit: u8) -> NewFactorSet {
    let day = |year: i32| Day::parse(&format!("{year}-01-01")).unwrap();
    let called = [format!("factors-{year}-{digit}.xlsx"), "A ministry".to_owned(), "Conversion factors".to_owned()];
    let [file, publisher, title] = called.map(|text| name(&text));
    let licence = Source::parse("Open Government Licence v3.0").unwrap();
    let edition = name(&format!("{year} v{digit}"));
    let set = FactorSet::new(id(year, digit), file, publisher, title, edition, licence, day(year))
        .with_valid_to(Some(day(year + 1)))
        .with_gwp(Some(GwpSet::Ar5));
    let mass = |digits: &str| GasAmount::Mass(Decimal::parse(digits).unwrap());
    let gases = GasSplit::new(GwpSet::Ar5, [(Gas::CO2, mass(&format!("2.{digit}"))), (Gas::CH4_FOSSIL, mass("0.001"))]);
    NewFactorSet::new(
        set,
        &[
            factor("A1", "Diesel", "L", PublishedUse::Direct).with_gases(Some(gases.unwrap())),
            factor("A2", "Grid electricity", "kWh", PublishedUse::PurchasedEnergy)
                .with_co2e(Some(alone(&format!("0.2{digit}")))),
            factor("A3", "Diesel, well to tank", "L", PublishedUse::Upstream)
                .with_co2e(Some(alone(&format!("0.6{digit}")))),
            factor("A4", "Losses of the grid", "kWh", PublishedUse::GridLoss).with_co2e(Some(alone("0.02"))),
            factor("A5", "Wood, biogenic", "kg", PublishedUse::OutsideScopes).with_co2e(Some(alone("1.6"))),
        ],
    )
    .unwrap()
}

/// The id of that edition.
pub(crate) fn id(year: i32, digit: u8) -> Digest {
    Digest::of(format!("{year} {digit}").as_bytes())
}
