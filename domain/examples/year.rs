//! Adds up a year of activities: `cargo run -p tonne-domain --example year`.

use tonne_domain::{Co2e, Cube, Day, Filter, Period, Posting, SeriesKey, report};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // One series of activities: here without scope, org and taxonomy.
    let series = [SeriesKey { scope: None, org: None, taxonomy: None }];
    let bills = [("2025-01-31", "1250.25"), ("2025-04-30", "980.5"), ("2025-07-31", "-12.75"), ("2026-01-31", "1100")];
    let mut cells = Vec::new();
    for (day, kilograms) in bills {
        let day = Day::parse(day)?;
        let posting = Posting::new(day, day, Some(Co2e::parse(kilograms)?));
        cells.extend(posting.cells().map(|(day, cell)| (0, day, cell)));
    }
    let cube = Cube::new(series, cells)?;

    // Every activity lies in exactly one month, so the months add up to the year, to the last digit.
    let in_period = |period: &str| -> Result<_, Box<dyn std::error::Error>> {
        let filter = Filter::default().with_period(Period::parse(period)?);
        Ok(report(&cube, &filter, &|_| None).totals)
    };
    for month in 1..=12 {
        let totals = in_period(&format!("2025-{month:02}"))?;
        println!("2025-{month:02} {:>3} bills {:>12.2} kg CO2e", totals.count, totals.uncategorized);
    }
    let year = in_period("2025")?;
    println!("2025    {:>3} bills {:>12.2} kg CO2e", year.count, year.uncategorized);
    Ok(())
}
