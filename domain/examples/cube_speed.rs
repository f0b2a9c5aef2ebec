//! How long a cube of a million activities in ten thousand series takes to build, to read and to change.
//! Run with `cargo run --release -p tonne-domain --example cube_speed`.

#![expect(clippy::expect_used, reason = "an example that cannot go on fails by panicking")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use tonne_domain::{
    Attribution, Co2e, Cube, Day, Decimal, Filter, OrgId, Period, Posting, ScopeClass, ScopeId, ScopeKind, SeriesKey,
    TaxonomyId, report,
};
use uuid::Uuid;

const SERIES: u32 = 10_000;
const DAYS: u32 = 3 * 365;
const FIRST: i32 = 2_460_000;

fn main() {
    let count = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(1_000_000);
    let mut chance = Chance(42);
    let bookings: Vec<(u32, Posting)> = (0..count).map(|_| (chance.below(SERIES), posting(&mut chance))).collect();
    let cells = || bookings.iter().flat_map(|(series, b)| b.cells().map(|(day, cell)| (*series, day, cell)));

    let start = Instant::now();
    let cube = Cube::new((0..SERIES).map(key), cells()).expect("every series is there");
    println!("{count} activities, {} cells, built in {:?}", cube.cells().count(), start.elapsed());

    let start = Instant::now();
    let again = cube.plus(cube.cells().take(1), []).expect("every series is there");
    println!("one cell doubled on the first day: {:?}", start.elapsed());
    for (what, offset) in [("first", 0), ("middle", DAYS / 2), ("last", DAYS - 1)] {
        let more = Posting::new(day(offset), day(offset), Some(Co2e::new(Decimal::ONE)));
        let start = Instant::now();
        let next = again.plus(more.cells().map(|(day, cell)| (7, day, cell)), []).expect("every series is there");
        println!("one cell changed on the {what} day: {:?}", start.elapsed());
        black_box(next);
    }

    for attribution in [Attribution::Start, Attribution::Daily] {
        let periods: Vec<Period> = (0..200).map(|_| period(&mut chance)).collect();
        let (mut sums, mut reports) = (Vec::new(), Vec::new());
        for period in periods {
            sums.push(time(|| cube.sums(period, attribution, &|_| false)));
            let filter = Filter::default().with_period(period).with_attribution(attribution);
            reports.push(time(|| report(&cube, &filter, &|_| CLASS)));
        }
        println!(
            "{attribution:?}: all series over a range, median {:?}; a report, median {:?}",
            median(sums),
            median(reports)
        );
        let all = Filter::default().with_attribution(attribution);
        println!(
            "{attribution:?}: a report of everything, with its first and last day: {:?}",
            time(|| report(&cube, &all, &|_| CLASS))
        );
    }
}

fn time<T>(run: impl FnOnce() -> T) -> Duration {
    let start = Instant::now();
    black_box(run());
    start.elapsed()
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

fn day(offset: u32) -> Day {
    Day::from_number(FIRST + offset.cast_signed()).expect("the days lie in this century")
}

fn posting(chance: &mut Chance) -> Posting {
    let first = chance.below(DAYS);
    let length = match chance.below(4) {
        0 => 1,
        1 => 7,
        _ => 30,
    };
    let amount = i128::from(chance.below(1_000_000_000)) * 1_000_000_000_000;
    Posting::new(day(first), day(first + length - 1), Decimal::from_scaled(amount).map(Co2e::new))
}

fn period(chance: &mut Chance) -> Period {
    let (a, b) = (chance.below(DAYS), chance.below(DAYS));
    Period::new(Some(day(a.min(b))), Some(day(a.max(b)))).expect("the first is not after the last")
}

fn key(index: u32) -> SeriesKey {
    let id = |number: u32| Uuid::from_u128(u128::from(number));
    SeriesKey {
        scope: Some(ScopeId::new(id(index % 20))),
        org: Some(OrgId::new(id(index / 20))),
        taxonomy: Some(TaxonomyId::new(id(index % 7))),
    }
}

/// What every scope counts as.
const CLASS: Option<ScopeClass> = Some(ScopeClass::of(ScopeKind::Scope1));

/// Repeatable numbers without pattern (the constants are Knuth's for MMIX).
struct Chance(u64);

impl Chance {
    fn below(&mut self, bound: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let high = u32::try_from(self.0 >> 32).unwrap_or_default();
        high % bound
    }
}
