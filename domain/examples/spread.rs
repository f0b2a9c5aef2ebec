//! Spreads an activity over its days: `cargo run -p tonne-domain --example spread`.

use tonne_domain::{Attribution, Co2e, Cube, Day, Filter, Period, Posting, SeriesKey, Total, report};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Heat of a whole winter: 151 days, from one bill.
    let posting = Posting::new(Day::parse("2024-11-01")?, Day::parse("2025-03-31")?, Some(Co2e::parse("10000")?));
    let series = [SeriesKey { scope: None, org: None, taxonomy: None }];
    let cube = Cube::new(series, posting.cells().map(|(day, cell)| (0, day, cell)))?;

    // On its first day it belongs to 2024; by the day, 90 of 151 parts belong to 2025.
    for attribution in [Attribution::Start, Attribution::Daily] {
        let year = |year: &str| -> Result<Total, Box<dyn std::error::Error>> {
            let filter = Filter::default().with_period(Period::parse(year)?).with_attribution(attribution);
            Ok(report(&cube, &filter, &|_| None).totals.uncategorized)
        };
        let (before, after) = (year("2024")?, year("2025")?);
        println!("{attribution:?}: {before} kg in 2024, {after} kg in 2025, {} kg together", before + after);
    }
    Ok(())
}
