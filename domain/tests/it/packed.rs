use proptest::prelude::*;
use tonne_domain::{
    Amounts, Cell, Cube, Day, Measure, PackError, PackedCells, PackedError, Postings, SeriesKey, Total, UnknownMeasure,
};

use crate::naive::{Activity, any_activities};

fn postings(activities: &[Activity]) -> Postings {
    let mut postings = Postings::new();
    for Activity { series, posting } in activities {
        postings.add(*series, posting);
    }
    postings
}

fn unpacked<'a>(parts: impl IntoIterator<Item = &'a PackedCells>) -> Result<Vec<(u32, Day, Cell)>, PackedError> {
    parts.into_iter().flat_map(PackedCells::cells).collect()
}

fn hex(bytes: &[u8]) -> String {
    bytes
        .iter()
        .flat_map(|byte| [byte >> 4, byte & 15])
        .filter_map(|digit| char::from_digit(digit.into(), 16))
        .collect()
}

fn bytes(hex: &str) -> Vec<u8> {
    let digits: Vec<char> = hex.chars().filter(|c| !c.is_whitespace()).collect();
    digits.chunks(2).map(|pair| u8::from_str_radix(&pair.iter().collect::<String>(), 16).unwrap()).collect()
}

fn read(hex: &str) -> Result<Vec<(u32, Day, Cell)>, PackedError> {
    unpacked([&PackedCells::from_stored(bytes(hex))])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn what_is_packed_is_read_as_it_was(activities in any_activities(200)) {
        let postings = postings(&activities);
        let cells: Vec<(u32, Day, Cell)> = postings.cells().map(|(s, d, cell)| (s, d, cell.clone())).collect();
        prop_assert_eq!(unpacked([&PackedCells::pack(postings.cells()).unwrap()]).unwrap(), cells.clone());
        prop_assert_eq!(unpacked(&postings.pack().unwrap()).unwrap(), cells.clone());
        let held: Result<Vec<_>, _> = PackedCells::pack(postings.cells()).unwrap().into_iter().collect();
        prop_assert_eq!(held.unwrap(), cells);
    }

    #[test]
    fn bytes_that_are_read_are_those_that_their_cells_are_packed_to(
        activities in any_activities(6),
        at in any::<prop::sample::Index>(),
        byte in any::<u8>(),
    ) {
        let mut changed = PackedCells::pack(postings(&activities).cells()).unwrap().into_bytes();
        let at = at.index(changed.len());
        changed[at] = byte;
        if let Ok(cells) = unpacked([&PackedCells::from_stored(changed.clone())]) {
            let again = PackedCells::pack(cells.iter().map(|(series, day, cell)| (*series, *day, cell))).unwrap();
            prop_assert_eq!(hex(again.as_bytes()), hex(&changed));
        }
    }

    #[test]
    fn a_part_that_is_cut_short_is_refused(activities in any_activities(6), at in any::<prop::sample::Index>()) {
        let whole = PackedCells::pack(postings(&activities).cells()).unwrap().into_bytes();
        let short = whole[..at.index(whole.len())].to_vec();
        let mut held = PackedCells::from_stored(short.clone()).into_iter();
        prop_assert_eq!(unpacked([&PackedCells::from_stored(short)]).unwrap_err(), PackedError::Short);
        prop_assert_eq!(held.by_ref().find_map(Result::err), Some(PackedError::Short));
        prop_assert!(held.next().is_none(), "ends behind the first error");
    }

    #[test]
    fn what_is_added_and_taken_away_is_nothing(activities in any_activities(50)) {
        let mut sum = postings(&activities);
        for Activity { series, posting } in &activities {
            sum.take(*series, posting);
        }
        prop_assert!(sum.is_empty());
        prop_assert_eq!(sum.cells().count(), 0);
        prop_assert_eq!(sum.pack(), Ok(vec![]));
    }
}

/// The vectors that `docs/ledger.md` explains: a name, the bytes, and each cell as text.
const GOLDEN: &str = include_str!("../golden/cells.txt");

fn show((series, day, cell): &(u32, Day, Cell)) -> String {
    let counts = [cell.starts, cell.ends, cell.incomplete_starts, cell.incomplete_ends].map(|count| count.to_string());
    let measures: Vec<String> = Measure::ALL
        .iter()
        .map(|measure| (measure, cell.amounts(*measure)))
        .filter(|(_, amounts)| !amounts.is_zero())
        .map(|(measure, amounts)| format!(" {measure} {}/{}/{}", amounts.amount, amounts.slope, amounts.step))
        .collect();
    format!("{day} {series} {}{}", counts.join("/"), measures.concat())
}

#[test]
fn the_golden_bytes_are_read_as_the_cells_beside_them_and_written_again() {
    let mut vectors = 0;
    for vector in GOLDEN.split("\n\n").filter(|text| !text.starts_with('#')) {
        let mut lines = vector.trim_end().lines();
        let (name, packed) = (lines.next().unwrap(), lines.next().unwrap().trim_start_matches("bytes "));
        let cells = read(packed).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(cells.iter().map(show).collect::<Vec<_>>(), lines.collect::<Vec<_>>(), "{name}");
        let again = PackedCells::pack(cells.iter().map(|(series, day, cell)| (*series, *day, cell))).unwrap();
        assert_eq!(hex(again.as_bytes()), packed.replace(' ', ""), "{name}");
        vectors += 1;
    }
    assert!(vectors >= 5);
}

#[test]
fn an_unknown_measure_is_named() {
    let unknown = |code: &str| Err(PackedError::Measure(UnknownMeasure(code.to_owned())));
    assert_eq!(read("01 01 00 00 10 08 01 01 00 00"), unknown("8"));
    assert_eq!(read("01 01 00 00 10 ff 7f 01 01 00 00"), unknown("16383"));
}

#[test]
fn another_form_is_refused() {
    assert_eq!(read("02 00"), Err(PackedError::Form(2)));
    assert_eq!(read(""), Err(PackedError::Short));
    assert_eq!(read("01 00"), Ok(vec![]));
    assert_eq!(read("01 00 00"), Err(PackedError::Long));
}

#[test]
fn any_other_spelling_is_refused() {
    for (what, hex) in [
        ("a varint that is too long", "01 81 00 00 00 01 01 01"),
        ("a number that is too long", "01 01 00 00 01 02 01 00"),
        ("a negative number that is too long", "01 01 00 00 01 02 ff ff"),
        ("a number of too many bytes", "01 01 00 00 10 00 19 00000000000000000000000000000000000000000000000001 00 00"),
        ("a zero that is given", "01 01 00 00 01 00"),
        ("an amount that is too long", "01 01 00 00 10 00 02 01 00 10 00000000000000000000000000000001 00"),
        ("a negative amount that is too long", "01 01 00 00 10 00 02 ff ff 10 00000000000000000000000000000001 00"),
        ("an amount of a byte that is not needed", "01 01 00 00 10 00 01 00 10 00000000000000000000000000000001 00"),
        ("an amount of 16 bytes that is too long", "01 01 00 00 10 00 10 00000000000000000000000000000100 00 00"),
        ("a count of more than 48 bits", "01 01 00 00 01 07 00000000000001"),
        ("a zero cell", "01 01 00 00 00"),
        ("a number of measures that is too long", "01 01 00 00 91 00 01 01 00 01 01 00 00"),
        ("a zero measure", "01 01 00 00 10 00 00 00 00"),
        ("measures out of order", "01 01 00 00 20 02 01 01 00 00 00 01 01 00 00"),
        ("a measure twice", "01 01 00 00 20 00 01 01 00 00 00 01 01 00 00"),
        ("a day behind the last", "01 01 ff ff ff 01 00 01 01 01"),
        ("a series beyond 32 bits", "01 01 00 80 80 80 80 10 01 01 01"),
    ] {
        assert!(matches!(read(hex), Err(PackedError::Spelling(_))), "{what}: {:?}", read(hex));
    }
    assert!(read("01 01 00 00 01 01 01").is_ok());
    assert!(read("01 01 00 00 10 00 02 01 01 10 00000000000000000000000000000001 00").is_ok());
}

#[test]
fn the_largest_sums_are_kept() {
    let most = "9".repeat(38);
    let total = Total::parse(&format!("{}.{}", &most[..36], &most[..18])).unwrap();
    let mut cell = Cell::ZERO.with_starts(-1 << 47).with_ends((1 << 47) - 1);
    cell.co2e.amount = total;
    cell.co2e.slope = -total;
    let packed = PackedCells::pack([(u32::MAX, Day::MAX, &cell)]).unwrap();
    assert_eq!(unpacked([&packed]).unwrap(), [(u32::MAX, Day::MAX, cell)]);
}

fn one() -> Cell {
    Cell::ZERO.with_starts(1)
}

#[test]
fn cells_out_of_order_are_not_packed() {
    let (early, late) = (Day::MIN, Day::MAX);
    let cell = one();
    for (what, places) in [
        ("an earlier day", [(0, late), (0, early)]),
        ("a smaller series of the day", [(7, early), (6, early)]),
        ("the same place twice", [(7, early), (7, early)]),
    ] {
        let packed = PackedCells::pack(places.map(|(series, day)| (series, day, &cell)));
        assert_eq!(packed, Err(PackError::Order), "{what}");
    }
    assert!(PackedCells::pack([(7, early, &one()), (0, late, &one())]).is_ok());
}

#[test]
fn a_cell_that_is_zero_is_not_packed() {
    assert_eq!(PackedCells::pack([(0, Day::MIN, &Cell::ZERO)]), Err(PackError::Zero));
}

#[test]
fn what_would_be_refused_when_read_is_not_packed() {
    let total = Total::parse(&"9".repeat(40)).unwrap();
    let large = [
        Cell::ZERO.with_starts(1 << 47),
        Cell::ZERO.with_incomplete_ends((-1 << 47) - 1),
        Cell::ZERO.with_co2e(Amounts { amount: total, ..Amounts::ZERO }),
        Cell::ZERO.with_co2e(Amounts { step: -total, ..Amounts::ZERO }),
    ];
    for cell in large {
        assert_eq!(PackedCells::pack([(0, Day::MIN, &cell)]), Err(PackError::TooLarge), "{cell:?}");
        let mut postings = Postings::new();
        postings.add_cell(0, Day::MIN, cell.clone()).unwrap();
        assert_eq!(postings.pack(), Err(PackError::TooLarge), "{cell:?}");
        let cube = Cube::new([SeriesKey::default()], [(0, Day::MIN, cell)]).unwrap();
        assert_eq!(cube.parts().collect::<Vec<_>>(), [Err(PackError::TooLarge)]);
    }
}

#[test]
fn parts_are_cut_where_they_are_full_and_go_on_in_order() {
    let mut postings = Postings::new();
    for series in 0..10_000 {
        postings.add_cell(series, Day::MAX, one()).unwrap();
    }
    let parts = postings.pack().unwrap();
    let lengths: Vec<usize> = parts.iter().map(|part| part.cells().count()).collect();
    assert_eq!(lengths, [PackedCells::PART, PackedCells::PART, 10_000 - 2 * PackedCells::PART]);
    assert!(unpacked(&parts).unwrap().into_iter().map(|(series, _, _)| series).eq(0..10_000));
}
