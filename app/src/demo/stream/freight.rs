//! Freight that the company pays for (3.4) and that its customers pay for (3.9).

use super::super::calendar::Rhythm::{Times, Weekly, Workdays};
use super::super::company::SHOPS;
use super::{BUILD, SELL, Stream, stream};

const PAID: (&str, &str) = ("3.4", "inbound");
const SENT: (&str, &str) = ("3.4", "outbound");
const FETCHED: (&str, &str) = ("3.9", "outbound");

pub(super) const STREAMS: &[Stream] = &[
    stream("tube-lorry", &["Lorry with tube", "Lorry with steel parts"], &["frames"], PAID, Workdays)
        .of(1_850, "tkm", "road")
        .over(&BUILD)
        .trend(12),
    stream(
        "parts-lorry",
        &["Lorry with drivetrains", "Lorry with tyres", "Lorry with small parts"],
        &["assembly"],
        PAID,
        Workdays,
    )
    .of(1_420, "tkm", "road")
    .over(&BUILD)
    .trend(12),
    stream("rim-lorry", &["Lorry with rims", "Lorry with spokes and hubs"], &["wheels"], PAID, Weekly)
        .of(960, "tkm", "road")
        .over(&BUILD),
    stream("containers", &["Container with hub motors", "Container with battery packs"], &["hub"], PAID, Times(6))
        .of(148_000, "tkm", "sea")
        .over(&BUILD)
        .trend(85),
    stream("container-corrections", &["Correction: container billed twice"], &["hub"], PAID, Times(1))
        .of(-2_200, "tkm", "sea")
        .remark("Taken back after comparing the forwarder's list with the port's."),
    stream("round-trips", &["Round trip to the shops"], &["hub"], SENT, Workdays)
        .of(640, "tkm", "road")
        .over(&SELL)
        .trend(20),
    stream("dealers", &["Bicycles fetched by dealers"], &["hub"], FETCHED, Workdays)
        .of(2_150, "tkm", "road")
        .over(&SELL)
        .trend(35),
    stream("home-deliveries", &["Home deliveries"], SHOPS, FETCHED, Times(3))
        .of(450, "vkm", "parcel-van")
        .over(&SELL)
        .trend(60),
    stream("returns-freight", &["Bicycles sent back"], &["returns"], PAID, Times(8)).of(140, "tkm", "road").over(&SELL),
];
