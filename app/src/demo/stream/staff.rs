//! People on the way: business travel (3.6) and commuting (3.7).

use domain::Quality;

use super::super::calendar::Rhythm::{Monthly, Times};
use super::super::company::SITES;
use super::{Stream, WORK, stream};

const FLIGHT: (&str, &str) = ("3.6", "flights");
const RAIL: (&str, &str) = ("3.6", "rail");
const HOTEL: (&str, &str) = ("3.6", "hotels");
const COMMUTE: (&str, &str) = ("3.7", "commuting");

const SHORT: &[&str] = &["Flight to a supplier", "Flight to a trade fair", "Flight to a dealer meeting"];
const BY_RAIL: &[&str] =
    &["Rail trip to a supplier", "Rail trip to the shops", "Rail trip to a trade fair", "Rail trip to a training"];

pub(super) const STREAMS: &[Stream] = &[
    stream("office-flights", SHORT, &["office"], FLIGHT, Times(6)).of(1_720, "pkm", "flight-short").trend(-140),
    stream("lab-flights", SHORT, &["lab"], FLIGHT, Times(3)).of(1_540, "pkm", "flight-short").trend(-110),
    stream("long-flights", &["Flight to a battery maker", "Flight to a motor maker"], &["office"], FLIGHT, Times(2))
        .of(17_400, "pkm", "flight-long")
        .trend(-60),
    stream("office-rail", BY_RAIL, &["office"], RAIL, Times(16)).of(620, "pkm", "rail").trend(90),
    stream("lab-rail", BY_RAIL, &["lab"], RAIL, Times(9)).of(540, "pkm", "rail").trend(110),
    stream("office-hotels", &["Hotel nights"], &["office"], HOTEL, Times(12)).of(3, "piece", "hotel"),
    stream("lab-hotels", &["Hotel nights"], &["lab"], HOTEL, Times(6)).of(2, "piece", "hotel"),
    stream("car-commuting", &["Commuting by car"], SITES, COMMUTE, Monthly)
        .of(9_800, "vkm", "car")
        .known(Quality::Estimated)
        .over(&WORK)
        .trend(-55)
        .remark("From the yearly survey, spread by days at work."),
    stream("bus-commuting", &["Commuting by bus"], SITES, COMMUTE, Monthly)
        .of(6_400, "pkm", "bus")
        .known(Quality::Estimated)
        .over(&WORK)
        .trend(30)
        .remark("From the yearly survey, spread by days at work."),
];
