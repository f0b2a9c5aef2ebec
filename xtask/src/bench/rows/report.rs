//! Reports over HTTP, of a key that may read totals and lists but no activities.

use anyhow::{Context, Result};

use super::Figures;
use crate::bench::client::Credentials;
use crate::bench::figure::{Figure, Goal, Unit};
use crate::bench::floor::socket::{Answer, serve};
use crate::bench::load::{Load, Until, load};
use crate::bench::question::Questions;
use crate::bench::service::Service;
use crate::bench::subject::Subject;

/// Connections that ask at once.
const MANY: u32 = 16;
/// How many questions are asked again.
const AGAIN: usize = 64;
/// In how many milliseconds half of the new questions are to be answered. It was set before companies had figures beside CO2e.
pub(super) const NEW_P50_MS: f64 = 0.8;

pub(super) fn measure(subject: &Subject, figures: &mut Figures) -> Result<()> {
    // Measured first, so that no service runs beside it.
    let _ = subject.duckdb();
    let (service, company) = subject.warm_service()?;
    let questions = Questions::of(&company);
    let host = service.host();
    let credentials = &service.report;
    let new = |connections| {
        load(host, connections, 200, Until::Time, |_, _, request| credentials.get(&questions.next(), "", request))
    };
    let alone = new(1)?;
    let (many, processor) = service.under(|| new(MANY))?;
    let answer = record(&service, &questions)?;
    let floor = |status, connections| floor(&answer, credentials, status, connections);
    let alone_floor = floor(200, 1)?;
    let figure = Figure::new("report, a new question: p50", Unit::Millis, alone.latencies.p50());
    let figure = figure.goal(Goal::AtMost(NEW_P50_MS)).floor(alone_floor.latencies.p50());
    figures.add(figure.peer("DuckDB", subject.duckdb().map(|duckdb| duckdb.report_p50_ms)));
    let figure = Figure::new("report, a new question: p99", Unit::Millis, alone.latencies.p99());
    figures.add(figure.goal(Goal::AtMost(3.0)).floor(alone_floor.latencies.p99()));
    let many_floor = floor(200, MANY)?.rate();
    let figure = Figure::new("report, new questions by 16 connections", Unit::PerSecond, Ok(many.rate()));
    figures.add(figure.goal(Goal::AtLeast(1_500.0)).floor(Ok(many_floor)));
    figures.add(Figure::new("report, a new question: processor time of the service", Unit::Millis, processor));

    let asked: Vec<_> = std::iter::repeat_with(|| questions.next()).take(AGAIN).collect();
    let tags = tags(&service, &asked)?;
    let again = |connections| {
        load(host, connections, 200, Until::Time, |_, at, request| {
            credentials.get(&asked[at as usize % AGAIN], "", request);
        })
    };
    let alone = again(1)?;
    let (many, processor) = service.under(|| again(MANY))?;
    let figure = Figure::new("report, asked before: p50", Unit::Millis, alone.latencies.p50());
    figures.add(figure.goal(Goal::AtMost(0.4)).floor(alone_floor.latencies.p50()));
    let figure = Figure::new("report, asked before by 16 connections", Unit::PerSecond, Ok(many.rate()));
    figures.add(figure.goal(Goal::AtLeast(4_000.0)).floor(Ok(many_floor)));
    figures.add(Figure::new("report, asked before: processor time of the service", Unit::Millis, processor));

    let hits = load(host, MANY, 304, Until::Time, |_, at, request| {
        let at = at as usize % AGAIN;
        credentials.get(&asked[at], &tags[at], request);
    })?;
    let figure = Figure::new("report, `ETag` hits by 16 connections", Unit::PerSecond, Ok(hits.rate()));
    let unchanged = b"HTTP/1.1 304 Not Modified\r\netag: W/\"0123456789abcdef\"\r\n\r\n".to_vec();
    let floor = self::floor(&unchanged, credentials, 304, MANY)?;
    figures.add(figure.goal(Goal::AtLeast(20_000.0)).floor(Ok(floor.rate())));
    service.stop()
}

/// Asks each question once and gives the line that asks whether its answer is still the same.
fn tags(service: &Service, questions: &[String]) -> Result<Vec<String>> {
    let (mut client, mut request) = (service.connect()?, Vec::new());
    let tag = |question: &String| {
        service.report.get(question, "", &mut request);
        client.body_of(&request)?;
        Ok(format!("If-None-Match: {}\r\n", client.header("etag").context("a report has no tag")?))
    };
    questions.iter().map(tag).collect()
}

/// A report of middling length, head included: the median of some.
fn record(service: &Service, questions: &Questions<'_>) -> Result<Vec<u8>> {
    let (mut client, mut request) = (service.connect()?, Vec::new());
    let mut all = Vec::new();
    for _ in 0..101 {
        service.report.get(&questions.next(), "", &mut request);
        all.push(client.record(&request)?);
    }
    all.sort_by_key(Vec::len);
    Ok(all.swap_remove(50))
}

/// The same bytes from a server that does nothing else.
fn floor(answer: &[u8], credentials: &Credentials, status: u16, connections: u32) -> Result<Load> {
    let host = serve(Answer::Fixed(answer.to_vec().into()))?;
    load(&host, connections, status, Until::Time, |_, _, request| credentials.get("/", "", request))
}
