//! The greenhouse gases and their global warming potentials over 100 years.
//!
//! AR4 and AR5 are the GHG Protocol's table of February 2016, AR5 with feedbacks is Table 8.SM.16 of AR5, AR6 is Table
//! 7.SM.7 of AR6; methane by origin is Table 8.A.1 of AR5 and Table 7.15 of AR6. AR4 does not tell origins apart.

use super::row::GasRow;
use super::row::GasRow::{BiogenicCo2, Ch4, Ch4Fossil, Ch4NonFossil, Co2, Hfcs, N2o, Nf3, Pfcs, Sf6};

/// One gas of the table.
pub(super) struct Entry {
    pub(super) name: &'static str,
    /// What it is reported as; `None` is beside the scopes.
    pub(super) row: Option<GasRow>,
    /// What else means this gas and no other.
    pub(super) aliases: &'static [&'static str],
    /// In hundredths, by set in the order of their list; [`NONE`] where the set has no value.
    pub(super) hundredths: [u32; 5],
}

/// The set has no value for the gas.
pub(super) const NONE: u32 = 0;

const fn gas(name: &'static str, row: GasRow, aliases: &'static [&'static str], hundredths: [u32; 5]) -> Entry {
    Entry { name, row: Some(row), aliases, hundredths }
}

/// A gas that the Kyoto Protocol does not count.
const fn other(name: &'static str, aliases: &'static [&'static str], hundredths: [u32; 5]) -> Entry {
    Entry { name, row: None, aliases, hundredths }
}

#[rustfmt::skip]
pub(super) static GASES: [Entry; 62] = [
    gas("CO2", Co2, &["carbon dioxide", "fossil CO2"], [100, 100, 100, 100, 100]),
    gas("CO2_biogenic", BiogenicCo2, &["biogenic CO2", "biogenic carbon dioxide"], [100, 100, 100, 100, 100]),
    gas("CH4", Ch4, &["methane"], [2_500, 2_800, 3_400, 2_790, 2_790]),
    gas("CH4_fossil", Ch4Fossil, &["fossil methane", "fossil CH4"], [2_500, 3_000, 3_600, 2_980, 2_980]),
    gas("CH4_non_fossil", Ch4NonFossil, &["non-fossil methane", "non-fossil CH4", "biogenic methane", "biogenic CH4"],
        [2_500, 2_800, 3_400, 2_700, 2_700]),
    gas("N2O", N2o, &["nitrous oxide"], [29_800, 26_500, 29_800, 27_300, 27_300]),
    gas("HFC-23", Hfcs, &["CHF3"], [1_480_000, 1_240_000, 1_385_600, 1_460_000, 1_460_000]),
    gas("HFC-32", Hfcs, &["CH2F2"], [67_500, 67_700, 81_700, 77_100, 77_100]),
    gas("HFC-41", Hfcs, &["CH3F"], [NONE, 11_600, 14_100, 13_500, 13_500]),
    gas("HFC-125", Hfcs, &["CHF2CF3"], [350_000, 317_000, 369_100, 374_000, 374_000]),
    gas("HFC-134", Hfcs, &["CHF2CHF2"], [NONE, 112_000, 133_700, 126_000, 126_000]),
    gas("HFC-134a", Hfcs, &["CH2FCF3"], [143_000, 130_000, 154_900, 153_000, 153_000]),
    gas("HFC-143", Hfcs, &["CH2FCHF2"], [NONE, 32_800, 39_700, 36_400, 36_400]),
    gas("HFC-143a", Hfcs, &["CH3CF3"], [447_000, 480_000, 550_800, 581_000, 581_000]),
    gas("HFC-152", Hfcs, &["CH2FCH2F"], [NONE, 1_600, 2_000, 2_150, 2_150]),
    gas("HFC-152a", Hfcs, &["CH3CHF2"], [12_400, 13_800, 16_700, 16_400, 16_400]),
    gas("HFC-161", Hfcs, &["CH3CH2F"], [NONE, 400, 400, 484, 484]),
    gas("HFC-227ea", Hfcs, &["CF3CHFCF3"], [322_000, 335_000, 386_000, 360_000, 360_000]),
    gas("HFC-236cb", Hfcs, &["CH2FCF2CF3"], [NONE, 121_000, 143_800, 135_000, 135_000]),
    gas("HFC-236ea", Hfcs, &["CHF2CHFCF3"], [NONE, 133_000, 159_600, 150_000, 150_000]),
    gas("HFC-236fa", Hfcs, &["CF3CH2CF3"], [981_000, 806_000, 899_800, 869_000, 869_000]),
    gas("HFC-245ca", Hfcs, &["CH2FCF2CHF2"], [NONE, 71_600, 86_300, 78_700, 78_700]),
    gas("HFC-245fa", Hfcs, &["CHF2CH2CF3"], [103_000, 85_800, 103_200, 96_200, 96_200]),
    gas("HFC-365mfc", Hfcs, &["CH3CF2CH2CF3"], [79_400, 80_400, 96_600, 91_400, 91_400]),
    gas("HFC-43-10mee", Hfcs, &["CF3CHFCHFCF2CF3"], [164_000, 165_000, 195_200, 160_000, 160_000]),
    gas("CF4", Pfcs, &["PFC-14", "carbon tetrafluoride", "perfluoromethane"], [739_000, 663_000, 734_900, 738_000, 738_000]),
    gas("C2F6", Pfcs, &["PFC-116", "hexafluoroethane", "perfluoroethane"], [1_220_000, 1_110_000, 1_234_000, 1_240_000, 1_240_000]),
    gas("C3F8", Pfcs, &["PFC-218", "perfluoropropane"], [883_000, 890_000, 987_800, 929_000, 929_000]),
    gas("cC4F8", Pfcs, &["PFC-318", "c-C4F8", "perfluorocyclobutane"], [1_030_000, 954_000, 1_059_200, 1_020_000, 1_020_000]),
    gas("C4F10", Pfcs, &["PFC-31-10", "perfluorobutane"], [886_000, 920_000, 1_021_300, 1_000_000, 1_000_000]),
    gas("C5F12", Pfcs, &["PFC-41-12", "perfluoropentane"], [916_000, 855_000, 948_400, 922_000, 922_000]),
    gas("C6F14", Pfcs, &["PFC-51-14", "perfluorohexane"], [930_000, 791_000, 878_000, 862_000, 862_000]),
    gas("C7F16", Pfcs, &[], [NONE, 782_000, 868_100, 841_000, 841_000]),
    gas("C8F18", Pfcs, &[], [NONE, 762_000, 845_600, 826_000, 826_000]),
    gas("C10F18", Pfcs, &["PFC-91-18"], [NONE, 719_000, 797_700, 748_000, 748_000]),
    gas("cC3F6", Pfcs, &["c-C3F6", "perfluorocyclopropane"], [NONE, 920_000, 1_020_800, NONE, NONE]),
    gas("SF6", Sf6, &["sulfur hexafluoride", "sulphur hexafluoride"],
        [2_280_000, 2_350_000, 2_608_700, 2_520_000, 2_430_000]),
    gas("NF3", Nf3, &["nitrogen trifluoride"], [1_720_000, 1_610_000, 1_788_500, 1_740_000, 1_740_000]),
    other("CFC-11", &[], [475_000, 466_000, 535_200, 623_000, 623_000]),
    other("CFC-12", &[], [1_090_000, 1_020_000, 1_154_700, 1_250_000, 1_250_000]),
    other("CFC-13", &[], [1_440_000, 1_390_000, 1_545_100, 1_620_000, 1_620_000]),
    other("CFC-113", &[], [613_000, 582_000, 658_600, 652_000, 652_000]),
    other("CFC-114", &[], [1_000_000, 859_000, 961_500, 943_000, 943_000]),
    other("CFC-115", &[], [737_000, 767_000, 851_600, 960_000, 960_000]),
    other("Halon-1301", &[], [714_000, 629_000, 715_400, 720_000, 720_000]),
    other("Halon-1211", &[], [189_000, 175_000, 207_000, 193_000, 193_000]),
    other("Halon-2402", &[], [164_000, 147_000, 173_400, 217_000, 217_000]),
    other("Halon-1202", &[], [NONE, NONE, 28_000, 21_600, 21_600]),
    other("HCFC-21", &[], [NONE, 14_800, 17_900, 16_000, 16_000]),
    other("HCFC-22", &[], [181_000, 176_000, 210_600, 196_000, 196_000]),
    other("HCFC-123", &[], [7_700, 7_900, 9_600, 9_040, 9_040]),
    other("HCFC-124", &[], [60_900, 52_700, 63_500, 59_700, 59_700]),
    other("HCFC-141b", &[], [72_500, 78_200, 93_800, 86_000, 86_000]),
    other("HCFC-142b", &[], [231_000, 198_000, 234_500, 230_000, 230_000]),
    other("HCFC-225ca", &[], [12_200, 12_700, 15_500, 13_700, 13_700]),
    other("HCFC-225cb", &[], [59_500, 52_500, 63_300, 56_800, 56_800]),
    other("Halon-1201", &[], [NONE, 37_600, 45_400, 38_000, 38_000]),
    other("CCl4", &["carbon tetrachloride"], [140_000, 173_000, 201_900, 220_000, 220_000]),
    other("CH3CCl3", &["methyl chloroform"], [14_600, 16_000, 19_300, 16_100, 16_100]),
    other("CH3Br", &["methyl bromide"], [500, 200, 300, 243, 243]),
    other("SO2F2", &["sulfuryl fluoride"], [NONE, 409_000, 473_200, 463_000, 463_000]),
    other("SF5CF3", &["trifluoromethylsulfur pentafluoride"],
        [1_770_000, 1_740_000, 1_939_600, 1_850_000, 1_850_000]),
];
