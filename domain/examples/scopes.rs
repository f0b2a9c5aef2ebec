//! Breaks a year down by month and scope: `cargo run -p tonne-domain --example scopes`.

use tonne_domain::{
    Co2e, Cube, Day, Filter, Period, Posting, ScopeClass, ScopeId, ScopeKind, SeriesKey, breakdown, report, uuid::Uuid,
};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let [gas, power, travel] = [1, 2, 3].map(|number| ScopeId::new(Uuid::from_u128(number)));
    let class = |id: ScopeId| match id {
        id if id == gas => Some(ScopeClass::of(ScopeKind::Scope1)),
        id if id == power => Some(ScopeClass::of(ScopeKind::Scope2)),
        id if id == travel => ScopeClass::new(ScopeKind::Scope3, Some(6)).ok(),
        _ => None,
    };
    let name = |scope: Option<ScopeId>| scope.and_then(class).map_or("uncategorized", |class| class.kind().as_str());

    let series =
        [Some(gas), Some(power), Some(travel), None].map(|scope| SeriesKey { scope, org: None, taxonomy: None });
    let recorded =
        [(0, "2025-01-15", "812.5"), (1, "2025-01-20", "207.074"), (2, "2025-02-03", "1540"), (3, "2025-02-04", "3.2")];
    let mut cells = Vec::new();
    for (series, day, co2e) in recorded {
        let day = Day::parse(day)?;
        let posting = Posting::new(day, day, Some(Co2e::parse(co2e)?));
        cells.extend(posting.cells().map(|(day, cell)| (series, day, cell)));
    }
    let cube = Cube::new(series, cells)?;

    let filter = Filter::default().with_period(Period::parse("2025")?);
    let months = [Period::parse("2025-01")?, Period::parse("2025-02")?];
    for (month, scope, totals) in breakdown(&cube, &filter, &class, &months, &|key| name(key.scope)) {
        println!("{month} {scope:<14}{:>10.3} kg", totals.co2e + totals.uncategorized);
    }
    let totals = report(&cube, &filter, &class).totals;
    println!("scopes 1 to 3: {} kg, without a scope: {} kg", totals.co2e, totals.uncategorized);
    Ok(())
}
