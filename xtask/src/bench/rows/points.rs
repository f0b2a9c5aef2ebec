//! One activity, one switch: what an integration asks all day, beside the address that asks nothing of the store.

use anyhow::{Context, Result, ensure};

use super::{Figures, goal};
use crate::bench::client::Credentials;
use crate::bench::figure::{Figure, Goal, Unit};
use crate::bench::floor::socket::{Answer, serve};
use crate::bench::load::{Until, load};
use crate::bench::service::Service;
use crate::bench::subject::Subject;

const CONNECTIONS: u32 = 16;
/// How many pages of 1,000 activities the identifiers are from.
const PAGES: u32 = 8;

pub(super) fn measure(subject: &Subject, figures: &mut Figures) -> Result<()> {
    let (service, company) = subject.warm_service()?;
    let activities = some_activities(subject, &service)?;
    let root = Credentials::of(&format!("http://{}", service.host()), "none");
    let host = service.host();
    for (what, path, ids) in
        [("one activity", "/v1/activity/", &activities), ("one switch", "/v1/switch/", &company.switches)]
    {
        ensure!(!ids.is_empty(), "the company has no record to read");
        let live = load(host, CONNECTIONS, 200, Until::Time, |_, _, request| root.get("/health/live", "", request))?;
        let read = |connections| {
            load(host, connections, 200, Until::Time, |connection, at, request| {
                // Each connection begins elsewhere and goes through all.
                let at = (connection as usize * 997 + at as usize * 7) % ids.len();
                service.all.get(&format!("{path}{}", ids[at]), "", request);
            })
        };
        let (many, processor) = service.under(|| read(CONNECTIONS))?;
        let alone = read(1)?;
        let mut request = Vec::new();
        service.all.get(&format!("{path}{}", ids[0]), "", &mut request);
        let answer = service.connect()?.record(&request)?;
        let floor = serve(Answer::Fixed(answer.into()))?;
        let floor = load(&floor, CONNECTIONS, 200, Until::Time, |_, _, request| service.all.get("/", "", request))?;
        let figure = Figure::new(format!("{what}, 16 connections"), Unit::PerSecond, Ok(many.rate()));
        let rate = (Goal::Open, Goal::AtLeast(6_000.0));
        figures.add(figure.goal(goal(subject, rate)).floor(Ok(floor.rate())).peer("/health/live", Ok(live.rate())));
        let share = Figure::new(format!("{what}: share of `/health/live`"), Unit::Ratio, Ok(many.rate() / live.rate()));
        figures.add(share.goal(goal(subject, (Goal::AtLeast(0.5), Goal::Open))));
        figures.add(Figure::new(format!("{what}, 16 connections: p99"), Unit::Millis, many.latencies.p99()));
        figures.add(Figure::new(format!("{what}: processor time of the service"), Unit::Millis, processor));
        figures.add(Figure::new(format!("{what}, alone: p50"), Unit::Millis, alone.latencies.p50()));
    }
    service.stop()
}

/// Identifiers from pages all over the store.
fn some_activities(subject: &Subject, service: &Service) -> Result<Vec<String>> {
    let pages = subject.activities / 1_000;
    let mut ids = Vec::new();
    for at in 0..PAGES {
        let page = 1 + at * pages / PAGES;
        let report = service.get(&format!("/v1/activity?page={page}&pageSize=1000"))?;
        let data = report["data"].as_array().context("a report has no data")?;
        ids.extend(data.iter().filter_map(|one| one["uuid"].as_str().map(str::to_owned)));
    }
    Ok(ids)
}
