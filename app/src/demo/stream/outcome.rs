//! What is thrown away (3.5), what becomes of what is sold or lent (3.10 to 3.15), and removals, apart from the scopes.

use super::super::calendar::Rhythm::{Monthly, Quarterly, Times, Weekly};
use super::super::company::{SHOPS, SITES};
use super::{BUILD, SELL, Stream, stream};

const WASTE: (&str, &str) = ("3.5", "waste");
const USE: (&str, &str) = ("3.11", "use");
const DISPOSAL: (&str, &str) = ("3.12", "end-of-life");
const LIFE: &str = "All years of use are booked in the year of the sale.";

pub(super) const STREAMS: &[Stream] = &[
    stream("mixed-waste", &["Mixed waste"], SITES, WASTE, Times(2)).of(250, "kg", "mixed-waste").trend(-50),
    stream("scrap", &["Metal scrap", "Turnings"], &["frames", "wheels"], WASTE, Weekly)
        .of(380, "kg", "scrap")
        .over(&BUILD),
    stream("frames-sold", &["Frames sold to other makers"], &["frames"], ("3.10", "processing"), Times(3))
        .of(130, "piece", "completion")
        .over(&SELL),
    stream("bicycles-sold", &["Bicycles sold, care"], SHOPS, USE, Monthly)
        .of(310, "piece", "care")
        .over(&SELL)
        .remark(LIFE),
    stream("dealer-bicycles-sold", &["Bicycles sold to dealers, care"], &["hub"], USE, Monthly)
        .of(2_450, "piece", "care")
        .over(&SELL)
        .remark(LIFE),
    stream("e-bikes-sold", &["E-bikes sold, charging"], SHOPS, USE, Monthly)
        .of(120, "piece", "charging")
        .over(&SELL)
        .trend(90)
        .remark(LIFE),
    stream("dealer-e-bikes-sold", &["E-bikes sold to dealers, charging"], &["hub"], USE, Monthly)
        .of(860, "piece", "charging")
        .over(&SELL)
        .trend(90)
        .remark(LIFE),
    stream("shop-end-of-life", &["Bicycles sold, end of life"], SHOPS, DISPOSAL, Monthly)
        .of(430, "piece", "disposal")
        .over(&SELL)
        .remark(LIFE),
    stream("dealer-end-of-life", &["Bicycles sold to dealers, end of life"], &["hub"], DISPOSAL, Monthly)
        .of(3_310, "piece", "disposal")
        .over(&SELL)
        .remark(LIFE),
    stream("fleet", &["Bicycles hired out to companies"], &["returns"], ("3.13", "leases"), Monthly)
        .of(1_150, "piece", "fleet")
        .trend(180),
    stream("franchises", &["Franchised workshops"], &["services"], ("3.14", "ventures"), Quarterly)
        .stated(11_400)
        .trend(80)
        .remark("As the workshops state their scopes 1 and 2."),
    stream("investments", &["Share in a community wind farm"], &["services"], ("3.15", "ventures"), Quarterly)
        .stated(2_650)
        .remark("The share in its scopes 1 and 2, as the wind farm states them."),
    stream("biochar", &["Biochar, stored in orchard soil"], &["services"], ("removals", "climate"), Quarterly)
        .of(18_000, "kg", "biochar")
        .remark("A removal: negative, and never set off against the scopes."),
];
