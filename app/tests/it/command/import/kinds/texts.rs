//! Texts.

use super::{Kind, POWER};

#[test]
fn decimal_commas_semicolons_and_windows_1252() {
    let text = "Standort;Datum;Verbrauch;Einheit;Kosten\nK\u{f6}ln;31.01.2025;1.234,5;kWh;12,00\n\
                M\u{fc}nchen;28.02.2025;0,75;kWh;3,00\n";
    Kind {
        file: "verbrauch.csv",
        bytes: text.chars().map(|letter| u8::try_from(u32::from(letter)).unwrap()).collect(),
        mends: &[POWER],
        created: 2,
        rejected: &[],
        skipped: 0,
        total: "494.1",
    }
    .goes_the_whole_way();
}

#[test]
fn a_row_of_totals() {
    Kind {
        file: "totals.csv",
        bytes: b"Site,Date,Consumption,Unit\nA,2025-01-31,10,kWh\nB,2025-01-31,5,kWh\nTotal,,15,\n".to_vec(),
        mends: &[POWER],
        created: 2,
        rejected: &[],
        skipped: 1,
        total: "6",
    }
    .goes_the_whole_way();
}

#[test]
fn a_title_and_blank_lines() {
    Kind {
        file: "report.csv",
        bytes: b"Energy report 2025,,,\n\nSite,Month,Power (kWh),Note\nA,2025-01,10,\n,,,\nB,2025-01,20,estimated\n\n"
            .to_vec(),
        mends: &[POWER],
        created: 2,
        rejected: &[],
        skipped: 0,
        total: "12",
    }
    .goes_the_whole_way();
}

#[test]
fn numbers_that_can_be_read_in_two_ways() {
    Kind {
        file: "strom.csv",
        bytes: b"Monat;Standort;Strom (kWh)\n01.2025;Berlin;1.234\n02.2025;Berlin;12.345\n".to_vec(),
        mends: &[
            POWER,
            ("decimal = ", "decimal = \",\""),
            ("thousands = ", "thousands = \".\""),
            ("quantity = ", "quantity = \"{Strom (kWh)}\""),
            ("unit = ", "unit = \"kWh\""),
        ],
        created: 2,
        rejected: &[],
        skipped: 0,
        total: "5431.6",
    }
    .goes_the_whole_way();
}

#[test]
fn dates_as_texts_that_can_be_read_in_two_ways() {
    Kind {
        file: "invoices.csv",
        bytes: b"Invoice,Date,Usage,Unit\nF-1,03/04/2025,10,kWh\nF-2,05/06/2025,20,kWh\n".to_vec(),
        mends: &[POWER, ("dates = ", "dates = [\"MM/DD/YYYY\"]")],
        created: 2,
        rejected: &[],
        skipped: 0,
        total: "12",
    }
    .goes_the_whole_way();
}

#[test]
fn dates_of_several_forms_in_one_column() {
    Kind {
        file: "dates.csv",
        bytes: b"Site,Date,Usage,Unit\nA,2025-01-31,10,kWh\nB,28.02.2025,5,kWh\nC,31/03/2025,1,kWh\nD,soon,2,kWh\n"
            .to_vec(),
        mends: &[
            POWER,
            ("startDate = ", "startDate = \"{Date}\""),
            ("decimal = ", "decimal = \".\"\ndates = [\"DD.MM.YYYY\", \"DD/MM/YYYY\"]"),
        ],
        created: 3,
        rejected: &["line 5, startDate"],
        skipped: 0,
        total: "6.4",
    }
    .goes_the_whole_way();
}

#[test]
fn months_side_by_side() {
    Kind {
        file: "months.csv",
        bytes: b"Site;Year;Unit;Jan;Feb;Mar\nA;2025;MWh;1,5;;2,25\nB;2025;MWh;4,0;5,0;6,0\n".to_vec(),
        mends: &[POWER],
        created: 5,
        rejected: &[],
        skipped: 1,
        total: "7500",
    }
    .goes_the_whole_way();
}

#[test]
fn units_in_the_header() {
    Kind {
        file: "buildings.csv",
        bytes: b"Building,Period start,Period end,Electricity [kWh],Gas (m3),Cost EUR\n\
                 HQ,2025-01-01,2025-01-31,\"1,200.5\",30,99\nLab,2025-01-01,2025-01-31,n/a,\"2,030\",1\n"
            .to_vec(),
        mends: &[
            ("name = \"{Building}: Electricity", "name = \"{Building}: Electricity\"\nproduct = \"power\""),
            ("name = \"{Building}: Gas", "name = \"{Building}: Gas\"\nproduct = \"gas\""),
        ],
        created: 3,
        rejected: &[],
        skipped: 1,
        total: "4806.2",
    }
    .goes_the_whole_way();
}

#[test]
fn unicode_text_with_tabs() {
    let text = "Site\tDate\tVolume\tUnit\r\n\u{141}\u{f3}d\u{17a}\t2025-01-31\t1 234,5\tL\r\n";
    Kind {
        file: "unicode.txt",
        bytes: [0xfeff].into_iter().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect(),
        mends: &[("scope = ", "product = \"diesel\"")],
        created: 1,
        rejected: &[],
        skipped: 0,
        total: "3826.95",
    }
    .goes_the_whole_way();
}

#[test]
fn two_rows_of_a_header() {
    Kind {
        file: "two.csv",
        bytes: b"Site,Date,Power,,Gas,\n,,kWh,EUR,m3,EUR\nA,2025-01-31,10,1,20,2\nB,2025-01-31,30,3,40,4\n".to_vec(),
        mends: &[
            ("name = \"{Site}: Power", "name = \"{Site}: Power\"\nproduct = \"power\""),
            ("name = \"{Site}: Gas", "name = \"{Site}: Gas\"\nproduct = \"gas\""),
        ],
        created: 4,
        rejected: &[],
        skipped: 0,
        total: "142",
    }
    .goes_the_whole_way();
}

#[test]
fn names_with_line_breaks_and_quotes() {
    Kind {
        file: "breaks.csv",
        bytes: b"\"Site\n(old)\",Date,\"Usage\n(kWh)\"\n\"The \"\"Mill\"\"\",2025-01-31,5\n".to_vec(),
        mends: &[POWER],
        created: 1,
        rejected: &[],
        skipped: 0,
        total: "2",
    }
    .goes_the_whole_way();
}

#[test]
fn cells_that_are_no_numbers() {
    Kind {
        file: "notes.csv",
        bytes: b"Site,Date,Usage,Unit\nA,2025-01-31,10,kWh\nB,2025-01-31,11,kWh\nC,2025-01-31,about 5,kWh\n\
                 D,2025-01-31,7,kWh\nE,2025-02-30,1,kWh\nF,2025-01-31,1,kWh,left over\n"
            .to_vec(),
        mends: &[POWER, ("startDate = ", "startDate = \"{Date}\""), ("quantity = ", "quantity = \"{Usage}\"")],
        created: 3,
        rejected: &["line 4, quantity: is not a number", "line 6, startDate", "line 7: the row has 5 cells"],
        skipped: 0,
        total: "11.2",
    }
    .goes_the_whole_way();
}

#[test]
fn numbers_with_their_unit_in_the_cell() {
    Kind {
        file: "cells.csv",
        bytes: b"Site,Date,Usage (kWh)\nA,2025-01-31,10\nB,2025-01-31,5 kWh\nC,2025-01-31,7\nD,2025-01-31,8\n".to_vec(),
        mends: &[POWER, ("quantity = ", "quantity = \"{Usage (kWh)}\""), ("unit = ", "unit = \"kWh\"")],
        created: 3,
        rejected: &["line 3, quantity: is not a number"],
        skipped: 0,
        total: "10",
    }
    .goes_the_whole_way();
}
