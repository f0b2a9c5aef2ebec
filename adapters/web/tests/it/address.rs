//! What a page shows is in its address, and an address reads back as what was written into it.

use domain::{Attribution, Day, Period, Scope2, YearStart};
use proptest::prelude::*;
use tonne_web::filter::Days;
use tonne_web::{Address, Filter, Params};
use uuid::Uuid;

fn read(query: &str) -> (Filter, Vec<String>) {
    let mut params = Params::parse(query);
    let filter = Filter::take(&mut params, years());
    (filter, params.finish().into_iter().map(|fault| fault.pointer).collect())
}

fn written(filter: &Filter) -> String {
    let address = Address::to("/report").filtered(filter).to_string();
    address.split_once('?').map_or_else(String::new, |(_, query)| query.to_owned())
}

fn days() -> impl Strategy<Value = Days> {
    let name = prop::sample::select(vec!["2025", "2024-02", "2025-Q3", "2025-03-31", "2024/2025"]);
    let day = (2_000_u16..2_100, 1_u16..=12, 1_u16..=28);
    prop_oneof![
        Just(Days::All),
        name.prop_map(|name| Days::named(name, years()).unwrap()),
        (day, 0..9_000_i32, 0..3).prop_map(|((year, month, day), length, open)| {
            let first = Day::from_calendar(year, month, day).unwrap();
            let last = Day::from_number(first.number() + length).unwrap();
            let (first, last) = ((open != 1).then_some(first), (open != 2).then_some(last));
            Days::Span(Period::new(first, last).unwrap())
        }),
    ]
}

fn id() -> impl Strategy<Value = Option<Uuid>> {
    prop::option::of(any::<u128>().prop_map(Uuid::from_u128))
}

proptest! {
    #[test]
    fn a_filter_reads_back_from_the_address_that_it_was_written_into(
        days in days(), (org, scope, taxonomy) in (id(), id(), id()), daily in any::<bool>(), scope2 in 0..3_usize,
    ) {
        let attribution = if daily { Attribution::Daily } else { Attribution::Start };
        let filter = Filter { days, org, scope, taxonomy, attribution, scope2: Scope2::ALL[scope2].1 };
        prop_assert_eq!(read(&written(&filter)), (filter, vec![]));
    }

    #[test]
    fn no_query_is_too_odd_to_be_read(query in ".{0,200}") {
        let (filter, _) = read(&query);
        prop_assert_eq!(read(&written(&filter)).0, filter);
    }
}

#[test]
fn every_fault_of_an_address_is_named() {
    let (_, faults) = read("date=2025-13&org=x&scope2=both&scope2=market&attribution=weekly&colour=red");
    assert_eq!(faults, ["date", "org", "attribution", "scope2", "colour"]);
}

#[test]
fn a_date_and_days_do_not_go_together() {
    assert_eq!(read("date=2025&sd=2025-02-01").1, ["date"]);
    assert_eq!(read("sd=2025-02-01&ed=2025-01-01").1, ["sd"]);
}

#[test]
fn what_a_form_leaves_empty_is_not_asked_for() {
    assert_eq!(
        read("date=&sd=&ed=&org=&scope=&taxonomy=&attribution=start&scope2=location"),
        (Filter::default(), vec![])
    );
    assert_eq!(written(&Filter::default()), "");
}

/// Years that begin in April.
fn years() -> YearStart {
    YearStart::parse("04-01").unwrap()
}
