//! Power, heat, fuels and gases: scopes 1 and 2, what supplying them causes in 3.3, and biogenic CO2, apart from the scopes.

use super::super::calendar::Rhythm::{Monthly, Quarterly, Times, Weekly, Winterly, Yearly};
use super::super::company::{SHOPS, SITES};
use super::{Also, HEAT, POWER, Stream, WORK, stream, supply};

pub(super) const STREAMS: &[Stream] = &[
    stream("electricity", &["Electricity"], SITES, ("2", "electricity"), Monthly)
        .of(12_400, "kWh", "electricity")
        .over(&POWER)
        .trend(-18)
        .also(&[supply("losses", "Grid losses and fuel supply", "grid-losses")]),
    stream(
        "gas",
        &["Natural gas"],
        &["frames", "paint", "hub", "harbour", "mill", "garden"],
        ("1", "heating-fuel"),
        Monthly,
    )
    .of(21_000, "kWh", "natural-gas")
    .over(&HEAT)
    .trend(-70)
    .also(&[supply("supply", "Natural gas, well to tank", "natural-gas-supply")]),
    stream(
        "district-heat",
        &["District heat"],
        &["wheels", "assembly", "office", "lab", "station", "canal", "market"],
        ("2", "district-heat"),
        Monthly,
    )
    .of(16_500, "kWh", "district-heat")
    .over(&HEAT)
    .trend(-25)
    .also(&[supply("losses", "District heat, network losses", "heat-losses")]),
    stream("pellets", &["Wood pellets for the drying ovens"], &["paint"], ("1", "heating-fuel"), Monthly)
        .of(14_800, "kg", "pellets")
        .over(&POWER)
        .trend(40)
        .remark("Methane and nitrous oxide alone; the CO2 is biogenic and stands outside the scopes.")
        .also(&[
            Also {
                code: "biogenic",
                name: "Wood pellets, biogenic CO2",
                scope: "biogenic",
                taxonomy: "heating-fuel",
                product: "pellets-biogenic",
            },
            supply("supply", "Wood pellets, making and transport", "pellets-supply"),
        ]),
    stream("forklifts", &["LPG for forklifts"], &["hub", "assembly"], ("1", "own-vehicles"), Times(3))
        .of(78, "kg", "lpg")
        .over(&WORK)
        .trend(-120)
        .also(&[supply("supply", "LPG, well to tank", "lpg-supply")]),
    stream("welding", &["Shielding gas"], &["frames"], ("1", "gases"), Weekly).of(460, "kg", "welding-gas").over(&WORK),
    stream("cooling", &["Cooling agent topped up"], &["office", "lab", "hub", "paint"], ("1", "gases"), Yearly)
        .of(3, "kg", "r410a")
        .remark("From the yearly leak test."),
    stream("shop-vans", &["Diesel, shop van"], SHOPS, ("1", "own-vehicles"), Times(2))
        .of(118, "L", "diesel")
        .trend(-90)
        .also(&[supply("supply", "Diesel, well to tank", "diesel-supply")]),
    stream("lorries", &["Diesel, depot lorry", "Diesel, warehouse lorry"], &["hub"], ("1", "own-vehicles"), Weekly)
        .of(610, "L", "diesel")
        .over(&WORK)
        .trend(-30)
        .also(&[supply("supply", "Diesel, well to tank", "diesel-supply")]),
    stream("snow", &["Snow clearing of the yards"], &["hub", "frames", "assembly"], ("1", "own-vehicles"), Winterly)
        .of(420, "L", "diesel")
        .remark("Fuel of one winter, billed at its end.")
        .also(&[supply("supply", "Diesel, well to tank", "diesel-supply")]),
    stream(
        "emergency-power",
        &["Emergency generator, test runs"],
        &["hub", "office"],
        ("1", "own-vehicles"),
        Quarterly,
    )
    .of(35, "L", "diesel")
    .also(&[supply("supply", "Diesel, well to tank", "diesel-supply")]),
];
