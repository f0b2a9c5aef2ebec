//! Reports of activities without CO2e alone: they are made of those that reading every activity finds, and read no others.

use std::sync::Arc;

use domain::{Activity, Attribution, Period};
use ports::inbound::{
    Activities as _, BreakdownBy, BreakdownQuery, Breakdowns as _, Only, ReportQuery, ReportRows, State,
};
use ports::repo::Page;
use ports::store::Store;
use tonne::usecase::breakdown::BreakdownService;
use uuid::Uuid;

use super::completeness::{activities, filled, given_by, read_models, scanned};
use super::watched::Watched;
use super::wrapped::Wrapped;

fn only() -> Only {
    Only { states: vec![State::Incomplete], ..Only::default() }
}

/// What was read since this was asked before.
fn read(watched: &Wrapped<Watched>) -> Vec<Activity> {
    std::mem::take(&mut *watched.change.read.lock().unwrap())
}

#[tokio::test]
async fn a_report_of_activities_without_co2e_reads_those_that_it_selects_alone() {
    let (world, service, org) = filled().await;
    let watched = Watched::store(Arc::clone(&world.store));
    let store: Arc<dyn Store> = watched.clone();
    let reports = activities(&store);
    for (of, org) in [("2023", None), ("2024", None), ("2023", Some(org)), ("2024", Some(org))] {
        let mut expected = scanned(&service, &world, of, org).await;
        expected.retain(|one| one.co2e().is_none());
        assert!(expected.len() > 2, "{of} {org:?}");
        for attribution in [Attribution::Start, Attribution::Daily] {
            for (rows, shown) in [
                (ReportRows::None, &expected[..0]),
                (ReportRows::All, &expected[..]),
                (ReportRows::Page(Page { number: 2, size: 2 }), &expected[2..expected.len().min(4)]),
            ] {
                let period = Period::parse(of).unwrap();
                let query = ReportQuery { period, attribution, org, rows, only: only(), ..ReportQuery::default() };
                let mut report = reports.report(&world.admin, query).await.unwrap();
                let given = given_by(&mut report).await;
                let asked = format!("{of} {org:?} {attribution:?} {rows:?}");
                assert_eq!((report.count, given.as_slice()), (expected.len() as u64, shown), "{asked}");
                let is_selected = |one: &Activity| {
                    // Those that begin earlier may last into the period.
                    let is_of_period = attribution == Attribution::Daily || period.contains(one.span.first());
                    let is_of_org = org.is_none_or(|org| one.org.is_some_and(|own| own.uuid() == org));
                    one.co2e().is_none() && is_of_period && is_of_org
                };
                let read = read(&watched);
                assert!(!read.is_empty() && read.iter().all(is_selected), "{asked}: {read:?}");
            }
        }
    }
}

#[tokio::test]
async fn a_breakdown_of_activities_without_co2e_and_its_lines_read_those_that_they_are_made_of_alone() {
    let (world, service, org) = filled().await;
    let watched = Watched::store(Arc::clone(&world.store));
    let store: Arc<dyn Store> = watched.clone();
    let reports = BreakdownService { read_models: read_models(&store), store };
    let mut expected = scanned(&service, &world, "2024", Some(org)).await;
    expected.retain(|one| one.co2e().is_none());
    let of_org = |org: Option<Uuid>| BreakdownQuery {
        period: Period::parse("2024").unwrap(),
        org: org.map(|org| org.to_string()),
        by: vec![BreakdownBy::Org],
        only: only(),
        ..BreakdownQuery::default()
    };
    let found = reports.breakdown(&world.admin, of_org(Some(org))).await.unwrap();
    assert_eq!(found.whole.totals.count, i64::try_from(expected.len()).unwrap());
    assert_eq!(read(&watched), expected);
    for (query, line) in [(of_org(Some(org)), None), (of_org(None), Some(org.to_string()))] {
        let found = reports.line(&world.admin, query, line, Page::FIRST).await.unwrap();
        assert_eq!(found.activities.count, expected.len() as u64);
        // The line itself is read last.
        let read = read(&watched);
        assert!(read.ends_with(&expected) && read.iter().all(|one| one.co2e().is_none()), "{read:?}");
    }
}
