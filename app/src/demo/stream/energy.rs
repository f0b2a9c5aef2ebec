//! Power, heat, fuels and gases: scopes 1 and 2, what supplying them causes in 3.3, and biogenic CO2, apart from the scopes.

use super::super::calendar::Rhythm::{Monthly, Quarterly, Times, Weekly, Winterly, Yearly};
use domain::Quality;

use super::super::company::{SHOPS, SITES};
use super::super::published::{CHARGING_POINTS, KITCHEN_GAS};
use super::{Also, HEAT, POWER, Stream, WORK, stream, supply};

pub(super) const STREAMS: &[Stream] = &[
    stream("electricity", &["Electricity"], SITES, ("2", "electricity"), Monthly)
        .of(12_400, "kWh", "electricity")
        .known(Quality::Measured)
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
    .known(Quality::Measured)
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
    .known(Quality::Measured)
    .over(&HEAT)
    .trend(-25)
    .also(&[supply("losses", "District heat, network losses", "heat-losses")]),
    stream("pellets", &["Wood pellets for the drying ovens"], &["paint"], ("1", "heating-fuel"), Monthly)
        .of(14_800, "kg", "pellets")
        .known(Quality::Measured)
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
        .known(Quality::Estimated)
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
    .known(Quality::Estimated)
    .also(&[supply("supply", "Diesel, well to tank", "diesel-supply")]),
    stream("kitchen", &["Gas for the canteen kitchen"], &["office"], ("1", "heating-fuel"), Monthly)
        .of(1_150, "kWh_gross", KITCHEN_GAS)
        .known(Quality::Measured)
        .remark("By a published factor, which tells its gases apart."),
    stream("charging-points", &["Charging points for staff"], &["office", "lab"], ("2", "electricity"), Monthly)
        .of(640, "kWh", CHARGING_POINTS)
        .known(Quality::Measured)
        .since(2025)
        .remark("Its factor is chosen among the published ones by a rule, for the region of the site."),
    stream("old-cooling", &["Cooling agent R-22, the last old machine"], &["depot"], ("outside", "gases"), Yearly)
        .stated(1_390)
        .remark("The Montreal Protocol covers it, so it stands outside the scopes."),
];
