//! Cubes: reports of one and of ten million activities in 34,000 series, and small changes.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, LazyLock, Mutex};

use divan::{Bencher, black_box};
use tonne_domain::{Attribution, Cell, Cube, Filter, Measure, Period, Scope2, breakdown, breakdown_by_gas, report};

use crate::company::{Chance, Length, ORGS, SCOPES, TAXONOMIES, class, cube, cube_with, org, scope, taxonomy};

const MILLION: u32 = 1_000_000;

/// What a question leaves out.
#[derive(Clone, Copy)]
enum Among {
    All,
    Org,
    Scope,
    OrgAndTaxonomy,
}

/// Which days a question is about.
#[derive(Clone, Copy)]
enum Days {
    /// A period of up to a year.
    Range,
    /// All, with the first and the last day looked for.
    Open,
}

#[derive(Clone, Copy)]
struct Case {
    millions: u32,
    length: Length,
    attribution: Attribution,
    among: Among,
    days: Days,
}

const fn case(millions: u32, length: Length, attribution: Attribution, among: Among, days: Days) -> Case {
    Case { millions, length, attribution, among, days }
}

const CASES: &[Case] = &[
    case(1, Length::OneDay, Attribution::Start, Among::All, Days::Range),
    case(10, Length::OneDay, Attribution::Start, Among::All, Days::Range),
    case(1, Length::OneDay, Attribution::Daily, Among::All, Days::Range),
    case(10, Length::OneDay, Attribution::Daily, Among::All, Days::Range),
    case(1, Length::Mixed, Attribution::Daily, Among::All, Days::Range),
    case(1, Length::OneDay, Attribution::Start, Among::Scope, Days::Range),
    case(1, Length::OneDay, Attribution::Start, Among::Org, Days::Range),
    case(10, Length::OneDay, Attribution::Start, Among::Org, Days::Range),
    case(1, Length::OneDay, Attribution::Start, Among::OrgAndTaxonomy, Days::Range),
    case(1, Length::OneDay, Attribution::Start, Among::All, Days::Open),
    case(10, Length::OneDay, Attribution::Start, Among::All, Days::Open),
    case(1, Length::OneDay, Attribution::Start, Among::OrgAndTaxonomy, Days::Open),
    case(10, Length::OneDay, Attribution::Start, Among::OrgAndTaxonomy, Days::Open),
];

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let length = if self.length == Length::OneDay { "one day" } else { "mixed" };
        let attribution = if self.attribution == Attribution::Start { "start" } else { "daily" };
        let among = match self.among {
            Among::All => "all",
            Among::Org => "an org",
            Among::Scope => "a scope",
            Among::OrgAndTaxonomy => "org and taxonomy",
        };
        let days = if matches!(self.days, Days::Range) { "range" } else { "open" };
        write!(f, "{:2} M {length}, {attribution}, {among}, {days}", self.millions)
    }
}

impl Case {
    /// Questions that differ from each other.
    fn filters(self) -> impl FnMut() -> Filter {
        let (mut chance, Self { among, days, attribution, .. }) = (Chance(1), self);
        move || {
            let period = if matches!(days, Days::Range) { chance.period(365) } else { Period::ALL };
            let filter = Filter::default().with_period(period).with_attribution(attribution);
            let one_org = |chance: &mut Chance| Some([org(chance.below(ORGS))].into());
            match among {
                Among::All => filter,
                Among::Org => filter.with_orgs(one_org(&mut chance)),
                Among::Scope => filter.with_scopes(Some([scope(chance.below(SCOPES))].into())),
                Among::OrgAndTaxonomy => {
                    let one = Some([taxonomy(chance.below(TAXONOMIES))].into());
                    filter.with_orgs(one_org(&mut chance)).with_taxonomies(one)
                }
            }
        }
    }
}

type Cubes = BTreeMap<(u32, Length), Arc<Cube>>;

/// The cube of a million activities times that, built once.
fn kept(millions: u32, length: Length) -> Arc<Cube> {
    static KEPT: LazyLock<Mutex<Cubes>> = LazyLock::new(Mutex::default);
    let mut kept = KEPT.lock().unwrap();
    Arc::clone(kept.entry((millions, length)).or_insert_with(|| Arc::new(cube(millions * MILLION, length))))
}

#[divan::bench(args = CASES)]
fn a_report(bencher: Bencher<'_, '_>, case: Case) {
    let cube = kept(case.millions, case.length);
    bencher.with_inputs(case.filters()).bench_local_values(|filter| report(&cube, &filter, &class));
}

/// What each activity of a company has that uses five measures.
const FIVE: [Measure; 5] =
    [Measure::BiogenicCo2, Measure::Co2eEstimated, Measure::Co2eProxy, Measure::Co2eMeasured, Measure::Co2Fossil];

/// The cube of a million activities, each with so many of them, built once.
fn measured(measures: usize) -> Arc<Cube> {
    static NONE: LazyLock<Arc<Cube>> = LazyLock::new(|| kept(1, Length::OneDay));
    static ALL: LazyLock<Arc<Cube>> = LazyLock::new(|| Arc::new(cube_with(MILLION, Length::OneDay, &FIVE)));
    Arc::clone(if measures == 0 { &NONE } else { &ALL })
}

/// A report that asks for every measure there is, of a company that uses none of them and of one that uses five.
#[divan::bench(args = [0, 5])]
fn a_report_of_all_measures(bencher: Bencher<'_, '_>, measures: usize) {
    let cube = measured(measures);
    let mut filters = case(1, Length::OneDay, Attribution::Start, Among::All, Days::Range).filters();
    bencher
        .with_inputs(|| filters().with_scope2(Scope2::Both))
        .bench_local_values(|filter| report(&cube, &filter, &class));
}

/// The same broken down by gas.
#[divan::bench(args = [0, 5])]
fn a_breakdown_of_all_gases(bencher: Bencher<'_, '_>, measures: usize) {
    let cube = measured(measures);
    let filters = case(1, Length::OneDay, Attribution::Start, Among::All, Days::Range).filters();
    bencher
        .with_inputs(filters)
        .bench_local_values(|filter| breakdown_by_gas(&cube, &filter, &class, &[filter.period], &|key| key.org));
}

/// A breakdown of a year by month.
#[divan::bench(args = [0, 5])]
fn a_breakdown_by_month(bencher: Bencher<'_, '_>, measures: usize) {
    let cube = measured(measures);
    let months: Vec<Period> = (1..=12).map(|month| Period::parse(&format!("2024-{month:02}")).unwrap()).collect();
    bencher.bench_local(|| breakdown(&cube, &Filter::default(), &class, &months, &|_| ()));
}

#[divan::bench]
fn a_breakdown_by_org(bencher: Bencher<'_, '_>) {
    let cube = kept(1, Length::OneDay);
    let filters = case(1, Length::OneDay, Attribution::Start, Among::All, Days::Range).filters();
    bencher
        .with_inputs(filters)
        .bench_local_values(|filter| breakdown(&cube, &filter, &class, &[filter.period], &|key| key.org));
}

#[divan::bench(args = [1, 10])]
fn one_cell_more(bencher: Bencher<'_, '_>, millions: u32) {
    let cube = kept(millions, Length::OneDay);
    let cells: Vec<_> = cube.cells().step_by(100_003).map(|(series, day, _)| (series, day)).collect();
    let mut next = cells.iter().cycle();
    bencher
        .with_inputs(|| *next.next().unwrap())
        .bench_local_values(|(series, day)| cube.plus([(series, day, black_box(Cell::ZERO.with_starts(1)))], []));
}
