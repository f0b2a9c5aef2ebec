//! The worked numbers of `docs/explanation`, computed.

use tonne_domain::{
    Attribution, Cell, Co2e, Cube, Day, Intensity, Period, Posting, Quantity, SeriesKey, Total, Unit, emissions,
};

/// The rows of the page's table that has so many columns.
pub(super) fn rows(page: &str, columns: usize) -> Vec<Vec<String>> {
    let path = format!("{}/../docs/explanation/{page}.md", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let cells = |line: &str| line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect::<Vec<_>>();
    let table = text.lines().filter(|line| line.starts_with('|')).map(cells).filter(|row| row.len() == columns);
    // Names and the line below them.
    let rows: Vec<_> = table.skip(2).collect();
    assert!(rows.len() >= 4, "{page}.md has a table of {columns} columns");
    rows
}

#[test]
fn the_page_on_amounts_multiplies_as_the_domain_does() {
    for row in rows("amounts", 6) {
        let unit = |code: &str| Unit::parse(code).unwrap();
        let (quantity, factor) = (Quantity::parse(&row[0]).unwrap(), Intensity::parse(&row[2]).unwrap());
        let computed = emissions(quantity, unit(&row[1]), factor, unit(&row[3])).unwrap();
        assert_eq!(computed.to_string(), row[4], "{row:?}");
    }
}

/// What the activity counts in the period, spread over its days.
fn counted(posting: &Posting, period: Period) -> String {
    let cells: Vec<(u32, Day, Cell)> = posting.cells().map(|(day, cell)| (0, day, cell)).collect();
    let cube = Cube::new(vec![SeriesKey::default()], cells).unwrap();
    let sums = cube.sums(period, Attribution::Daily, &|_| false);
    sums.iter().map(|sum| sum.co2e).sum::<Total>().to_string()
}

#[test]
fn the_page_on_days_spreads_as_the_domain_does() {
    for row in rows("days", 8) {
        let day = |text: &str| Day::parse(text).unwrap();
        let between = |first: Day, last: Day| Period::new(Some(first), Some(last)).unwrap();
        let (first, last) = (day(&row[1]), day(&row[2]));
        let posting = Posting::new(first, last, Some(Co2e::parse(&row[0]).unwrap()));
        assert_eq!(counted(&posting, between(first, first)), row[3], "a share of {row:?}");
        assert_eq!(counted(&posting, between(last, last)), row[4], "the last share of {row:?}");
        assert_eq!(counted(&posting, between(day(&row[5]), day(&row[6]))), row[7], "{row:?}");
        assert_eq!(counted(&posting, Period::ALL), row[0], "all of {row:?}");
    }
}
