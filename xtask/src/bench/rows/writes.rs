//! Single writes: activities added one by one, each answered when it is on the disk.

use anyhow::Result;

use super::{Figures, goal};
use crate::bench::activities::{DAYS, date};
use crate::bench::company::{ORGS, PRODUCTS, SCOPE_COUNT, SCOPES, TAXONOMIES};
use crate::bench::dice::Dice;
use crate::bench::figure::{Figure, Goal, Unit};
use crate::bench::floor::commits::commits;
use crate::bench::load::{Load, Until, load};
use crate::bench::service::Service;
use crate::bench::subject::Subject;

/// Clients that write at once.
pub(super) const CLIENTS: u32 = 32;

pub(super) fn measure(subject: &Subject, figures: &mut Figures) -> Result<()> {
    let (service, _) = subject.warm_service()?;
    let (many, processor) = service.under(|| write(subject, &service, CLIENTS, "many", Until::Time))?;
    let figure = Figure::new("single writes, 32 clients", Unit::PerSecond, Ok(many.rate()));
    let figure = figure.goal(goal(subject, (Goal::AtLeast(4_000.0), Goal::AtLeast(1_200.0))));
    figures.add(figure.floor(commits(subject, CLIENTS as usize).map(|commits| commits.rate)));
    figures.add(Figure::new("single writes, 32 clients: p50", Unit::Millis, many.latencies.p50()));
    figures.add(Figure::new("single writes, 32 clients: p99", Unit::Millis, many.latencies.p99()));
    let processor = Figure::new("a single write of 32: processor time of the service", Unit::Millis, processor);
    figures.add(processor);
    let alone = write(subject, &service, 1, "alone", Until::Time)?;
    let figure = Figure::new("a single write, alone: p50", Unit::Millis, alone.latencies.p50());
    figures.add(figure.goal(Goal::AtMost(1.0)).floor(commits(subject, 1).map(|commits| commits.p50)));
    figures.add(Figure::new("a single write, alone: p99", Unit::Millis, alone.latencies.p99()));
    service.stop()
}

/// Adds activities that no other load adds, whose name must differ.
pub(super) fn write(subject: &Subject, service: &Service, clients: u32, name: &str, until: Until<'_>) -> Result<Load> {
    load(service.host(), clients, 201, until, |client, at, request| {
        let mut dice = Dice::of(u64::from(client) << 32 | u64::from(at));
        let (product, scope) = (dice.below(PRODUCTS), SCOPES[dice.below(SCOPE_COUNT) as usize]);
        let (org, taxonomy, day) = (dice.below(ORGS), dice.below(TAXONOMIES), date(dice.below(DAYS)));
        let body = format!(
            r#"{{"syncId":"{name}-{}-{client}-{at}","name":"Meter reading","quantity":{}.25,"unit":"kWh","product":{{"syncId":"fuel{product}"}},"scope":{{"syncId":"{scope}"}},"org":{{"syncId":"site{org}"}},"taxonomy":{{"syncId":"kind{taxonomy}"}},"startDate":"{day}"}}"#,
            subject.run,
            dice.below(10_000)
        );
        service.all.send("POST", "/v1/activity", &body, request);
    })
}
