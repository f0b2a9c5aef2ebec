//! A service that starts: until it answers, until its first report, and how much memory it has before and after.

use std::time::{Duration, Instant};

use anyhow::Result;

use super::Figures;
use crate::bench::company::Company;
use crate::bench::figure::{Figure, Goal, Unit, number};
use crate::bench::question::Questions;
use crate::bench::service::Service;
use crate::bench::subject::Subject;

/// How long a service that does nothing is left alone before its memory is looked at.
const IDLE: Duration = Duration::from_secs(1);
/// How many reports are asked before the memory with the read model is looked at.
const REPORTS: usize = 200;

pub(super) fn measure(subject: &Subject, figures: &mut Figures) -> Result<()> {
    let store = subject.store()?;
    let service = Service::start(&store)?;
    let begin = Instant::now();
    let (mut client, mut request) = (service.connect()?, Vec::new());
    service.report.get("/v1/activity?date=2023", "", &mut request);
    client.body_of(&request)?;
    let first = service.ready_after + begin.elapsed();
    drop(client);
    service.stop()?;

    let service = Service::start(&store)?;
    let figure = Figure::new("start to ready", Unit::Millis, Ok(service.ready_after.as_secs_f64() * 1e3));
    figures.add(figure.goal(Goal::AtMost(100.0)));
    let figure = Figure::new("start to the first report", Unit::Seconds, Ok(first.as_secs_f64()));
    figures.add(figure.goal(Goal::AtMost(3.0)));
    std::thread::sleep(IDLE);
    let megabytes = || service.process().memory().map(|bytes| number(bytes) / 1e6);
    figures.add(Figure::new("memory, idle", Unit::Megabytes, megabytes()).goal(Goal::AtMost(30.0)));
    let company = Company::find(&service)?;
    let questions = Questions::of(&company);
    let mut client = service.connect()?;
    for _ in 0..REPORTS {
        service.report.get(&questions.next(), "", &mut request);
        client.body_of(&request)?;
    }
    // 100 MB at a million activities, 500 MB at ten million.
    let bound = 100.0 + 400.0 * ((f64::from(subject.activities) - 1e6) / 9e6).max(0.0);
    let figure = Figure::new("memory with the read model", Unit::Megabytes, megabytes());
    figures.add(figure.goal(Goal::AtMost(bound)));
    service.stop()
}
