//! What queries for a report are read as, and what is wrong with them.

use domain::{Day, Period};
use ports::repo::Place;

use super::*;

fn read(text: &str) -> Question {
    Asked::take(&mut Query::parse(text)).question(Accepted(media::JSON))
}

fn faults(text: &str) -> Vec<String> {
    let mut query = Query::parse(text);
    Asked::take(&mut query);
    query.into_faults().into_iter().map(|fault| fault.pointer).collect()
}

#[test]
fn lists_are_read_in_any_case_number_and_spelling() {
    let lists = |text: &str| {
        let lists = read(text).lists;
        (lists.scopes, lists.orgs, lists.taxonomies)
    };
    assert_eq!(lists(""), (true, true, true));
    assert_eq!(lists("list=Scope"), (true, false, false));
    assert_eq!(lists("list=scopes&list=ORG"), (true, true, false));
    assert_eq!(lists("list[]=taxonomies&list%5B%5D=Orgs"), (false, true, true));
    assert_eq!(lists("list=scope,taxonomy"), (true, false, true));
}

#[test]
fn every_fault_is_named_at_once() {
    let text = "date=2025-13&org=x&scope=&co2eUnit=lb&attribution=end&page=0&pageSize=1001&list=foo&sope=1";
    let mut found = faults(text);
    found.sort();
    assert_eq!(found, ["attribution", "co2eUnit", "date", "list", "org", "page", "pageSize", "scope", "sope"]);
}

#[test]
fn a_period_is_a_date_or_two_ends() {
    assert_eq!(faults("date=2025&sd=2025-01-01"), ["date"]);
    assert_eq!(faults("sd=2025-02-01&ed=2025-01-31"), ["sd"]);
    assert_eq!(faults("date=2025&date=2024"), ["date"]);
    assert!(faults("date=2025-Q2").is_empty());
    for wrong in ["2025-Q5", "2025-Q", "FY2025", "2024/2025"] {
        assert_eq!(faults(&format!("date={wrong}")), ["date"], "{wrong}");
    }
    assert!(faults("sd=2025-01-01").is_empty());
    assert!(faults("sd=2025-01-01&ed=2025-01-01").is_empty());
    assert_eq!(read("date=2025-02").query.period, Period::parse("2025-02").unwrap());
}

#[test]
fn a_step_is_a_place_or_a_limit_and_goes_without_a_page() {
    let place = "2025-01-31.01a203f1-5c64-764a-8672-0fbaec55086a";
    assert!(faults(&format!("after={place}&limit=5")).is_empty());
    assert!(faults("limit=5").is_empty());
    assert_eq!(faults(&format!("after={place}&page=1")), ["page"]);
    assert_eq!(faults("limit=5&pageSize=5"), ["page"]);
    assert!(faults(&format!("before={place}")).is_empty());
    assert_eq!(faults(&format!("before={place}&page=1")), ["page"]);
    assert_eq!(faults(&format!("before={place}&after={place}&limit=5")), ["before"]);
    for wrong in ["2025-01-31", "2025-02-31.01a203f1-5c64-764a-8672-0fbaec55086a", "x.y", ""] {
        for name in ["after", "before"] {
            assert_eq!(faults(&format!("{name}={wrong}")), [name], "{wrong:?}");
        }
    }
    assert_eq!(faults("limit=0"), ["limit"]);
    assert_eq!(faults("limit=1001"), ["limit"]);
}

#[test]
fn the_steps_beside_a_page_keep_the_filters() {
    let id = parse_uuid("01a203f1-5c64-764a-8672-0fbaec55086a").unwrap();
    let place = Place { day: Day::parse("2025-01-31").unwrap(), id: id.into() };
    let next = format!("date=2025&list=scope&after=2025-01-31.{id}&limit=7");
    let previous = next.replace("after", "before");
    let (after, before) = (Side::After(Some(place)), Side::Before(place));
    for beside in ["date=2025&page=3&pageSize=7&list=scope", &next.replace("-31", "-30"), &previous] {
        assert_eq!(read(beside).beside(after), Some(next.clone()));
        assert_eq!(read(beside).beside(before), Some(previous.clone()));
    }
    assert_eq!(read("%70age=1&pageSize=7&date=2025").beside(after), Some(next.replace("&list=scope", "")));
    assert_eq!(read("date=2025").beside(after), None);
}

#[test]
fn the_query_string_is_kept_as_received() {
    assert_eq!(read("date=2025&list=%53cope").raw, "date=2025&list=%53cope");
}

#[test]
fn single_activities_are_asked_for_by_what_they_are() {
    let found = read("name=Gas&incomplete=true&uncategorized=false&updatedSince=2025-01-01T00:00:00Z");
    let only = &found.query.only;
    assert_eq!((only.name.as_deref(), only.states.len(), only.updated_since.is_some()), (Some("Gas"), 1, true));
    assert!(found.takes_long() && !read("uncategorized=false").takes_long());
    let mut found = faults("product=x&incomplete=yes&updatedSince=soon");
    found.sort();
    assert_eq!(found, ["incomplete", "product", "updatedSince"]);
}
