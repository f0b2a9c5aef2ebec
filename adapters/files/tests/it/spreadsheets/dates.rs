//! Dates of which the first or the second number may be the day.

use tonne_files::{AskingMap, TableSample, asking_map};

use super::{Table, has};

/// A table of eleven days that can be read in two ways, and these.
fn table(dates: &[&str]) -> String {
    let open = (1..=11).map(|day| format!("{day:02}/03/2025"));
    let dates = open.chain(dates.iter().map(|date| (*date).to_owned()));
    let rows: Vec<_> = dates.map(|date| format!("A,{date},10,kWh\n")).collect();
    format!("Site,Date,Usage,Unit\n{}", rows.concat())
}

fn suggested(dates: &[&str]) -> String {
    Table::text(&table(dates)).suggested()
}

fn asking(dates: &[&str]) -> AskingMap {
    asking_map(&TableSample::of_text(table(dates).as_bytes()).unwrap(), None).unwrap()
}

#[test]
fn days_that_speak_for_two_forms_leave_the_form_open_however_many_speak_for_each() {
    for dates in [&["25/03/2025", "03/25/2025"][..], &["25/03/2025", "26/03/2025", "03/25/2025"]] {
        let why = "unsure: \"Date\" can be read as \"DD/MM/YYYY\" and as \"MM/DD/YYYY\"; keep the right one";
        has(&suggested(dates), &format!("# dates = [\"DD/MM/YYYY\"]  # {why}"));
        let asked = asking(dates).doubts;
        assert_eq!(asked.len(), 1, "{asked:?}");
        let ways: Vec<_> = asked[0].readings.iter().map(|reading| reading.becomes.as_str()).collect();
        assert_eq!((asked[0].example.as_str(), ways), ("01/03/2025", vec!["1 March 2025", "3 January 2025"]));
    }
}

#[test]
fn a_cell_that_is_no_date_in_any_form_leaves_nothing_open() {
    has(&suggested(&["25/03/2025", "later"]), "dates = [\"DD/MM/YYYY\"]");
    assert!(asking(&["25/03/2025", "later"]).doubts.is_empty());
}

#[test]
fn a_single_day_that_can_be_read_in_two_ways_is_asked_for() {
    let one = "Site,Date,Usage,Unit\nA,03/04/2025,10,kWh\n";
    let asked = asking_map(&TableSample::of_text(one.as_bytes()).unwrap(), None).unwrap().doubts;
    assert_eq!(asked.iter().map(|doubt| doubt.column.as_str()).collect::<Vec<_>>(), ["Date"]);
}
