//! What is bought: materials and services (3.1), capital goods (3.2), leased space (3.8).

use domain::Quality;

use super::super::calendar::Rhythm::{Monthly, Quarterly, Times, Weekly, Workdays, Yearly};
use super::super::company::{SHOPS, SITES};
use super::{BUILD, SELL, Stream, WORK, stream};

const METALS: (&str, &str) = ("3.1", "metals");
const COMPONENTS: (&str, &str) = ("3.1", "components");
const PACKAGING: (&str, &str) = ("3.1", "packaging");
const SERVICES: (&str, &str) = ("3.1", "bought-services");
const CAPITAL: (&str, &str) = ("3.2", "equipment");

pub(super) const STREAMS: &[Stream] = &[
    stream(
        "aluminium",
        &["Aluminium tube, top tubes", "Aluminium tube, down tubes", "Aluminium tube, mixed"],
        &["frames"],
        METALS,
        Workdays,
    )
    .of(480, "kg", "aluminium")
    .over(&BUILD)
    .trend(15),
    stream("aluminium-stated", &["Aluminium tube, low-carbon"], &["frames"], METALS, Monthly)
        .stated(4_300)
        .over(&BUILD)
        .trend(60)
        .remark("The supplier's own figure replaces the factor."),
    stream("aluminium-credits", &["Credit note: tube sent back"], &["frames"], METALS, Times(1))
        .of(-190, "kg", "aluminium")
        .remark("Negative, as the delivery it belongs to was booked in full."),
    stream("steel", &["Steel forks", "Steel racks", "Steel small parts"], &["frames", "wheels"], METALS, Weekly)
        .of(410, "kg", "steel")
        .over(&BUILD),
    stream("magnesium", &["Magnesium motor housings"], &["lab"], METALS, Times(2))
        .of(46, "kg", "magnesium")
        .remark("The factor set has magnesium from its edition of 2024 on."),
    stream("tyres", &["Tyres, 28 inch", "Tyres, 26 inch", "Tyres, 20 inch"], &["wheels"], COMPONENTS, Times(8))
        .of(920, "piece", "tyre")
        .over(&BUILD)
        .trend(15),
    stream("drivetrains", &["Drivetrains, hub gear", "Drivetrains, derailleur"], &["assembly"], COMPONENTS, Times(12))
        .of(290, "piece", "drivetrain")
        .over(&BUILD)
        .trend(15),
    stream("motors", &["Hub motors, front", "Hub motors, rear"], &["assembly"], COMPONENTS, Times(7))
        .of(190, "piece", "motor")
        .over(&BUILD)
        .trend(90),
    stream("batteries", &["Battery packs"], &["assembly"], COMPONENTS, Times(7))
        .of(195, "piece", "battery")
        .over(&BUILD)
        .trend(90),
    stream("saddles", &["Saddles and grips"], &["assembly"], COMPONENTS, Weekly)
        .of(760, "piece", "saddle")
        .over(&BUILD),
    stream(
        "powder",
        &["Powder paint, spring colours", "Powder paint, black", "Powder paint, white"],
        &["paint"],
        ("3.1", "chemicals"),
        Weekly,
    )
    .of(640, "kg", "powder")
    .over(&BUILD),
    stream("cartons", &["Cartons for bicycles"], &["assembly"], PACKAGING, Workdays)
        .of(520, "kg", "cardboard")
        .over(&BUILD)
        .trend(-45),
    stream("small-cartons", &["Cartons for parts"], &["hub", "depot"], PACKAGING, Times(2)).of(390, "kg", "cardboard"),
    stream("carton-credits", &["Credit note: cartons taken back"], &["assembly"], PACKAGING, Times(1))
        .of(-340, "kg", "cardboard")
        .remark("Negative, as the delivery it belongs to was booked in full."),
    stream("shop-spares", &["Spare parts for the workshop"], SHOPS, COMPONENTS, Times(3))
        .of(90, "kg", "spares")
        .over(&SELL)
        .trend(25),
    stream("depot-spares", &["Spare parts for dealers"], &["depot", "returns"], COMPONENTS, Weekly)
        .of(240, "kg", "spares")
        .over(&SELL),
    stream("water", &["Water and sewage"], SITES, ("3.1", "water"), Quarterly).of(210, "m3", "water"),
    stream("services", &["Cleaning, repairs and cloud services"], SITES, SERVICES, Quarterly)
        .of(16_800, "EUR", "services")
        .known(Quality::Proxy)
        .trend(20),
    stream("advice", &["Advice, invoice without an amount yet"], &["office"], SERVICES, Times(1))
        .remark("Waits for the final invoice."),
    stream("cards", &["Card payment, not yet sorted"], &["office"], ("", "bought-services"), Times(2))
        .of(740, "EUR", "services")
        .remark("Has no scope until someone says what was bought."),
    stream(
        "machines",
        &["Welding jig", "Milling machine", "Truing stand", "Paint gun"],
        &["frames", "wheels", "paint"],
        CAPITAL,
        Times(1),
    )
    .of(7_900, "EUR", "machines")
    .known(Quality::Proxy)
    .over(&WORK),
    stream("computers", &["Computers with screens"], &["office", "lab"], CAPITAL, Times(1)).of(4, "piece", "computer"),
    stream("building", &["Building works"], &["hub", "office", "harbour"], CAPITAL, Yearly)
        .of(86_000, "EUR", "building")
        .known(Quality::Proxy),
    stream("leased-space", &["Warehouse space, leased"], &["depot", "returns"], ("3.8", "leases"), Quarterly).of(
        3_400,
        "m2",
        "warehouse",
    ),
];
