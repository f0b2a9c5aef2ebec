//! A worker that is stopped, and one that hangs: what its companies are told, and that nobody else notices.

mod hung;

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};

use super::company::{Answer, Caller, Company, made};
use super::load::{Clients, Expected};
use super::site::Site;
use crate::bench::client::Credentials;
use crate::bench::process::output;
use crate::campaign::tally::Tally;
use crate::campaign::watch;
pub(super) use hung::run as hung;

/// Clients of each company.
const CLIENTS: u32 = 4;
/// Requests for the companies of the worker that is away, of each kind.
const REFUSALS: u64 = 20;
/// Companies of which one would be on the worker that is away.
const TRIES: u32 = 40;
/// How long the service may take to find a worker again.
const PATIENCE: Duration = Duration::from_mins(2);
const PAUSE: Duration = Duration::from_millis(100);

/// A worker is killed under load and started again.
pub(super) fn stopped(site: &Site) -> Result<Tally> {
    let (away, other) = (site.on(0)?, site.on(1)?);
    let form = client_of(&mut away.caller(&site.service)?)?;
    let (mut tally, is_over) = (Tally::default(), AtomicBool::new(false));
    let (of_away, of_other) = std::thread::scope(|scope| {
        let (service, count) = (&site.service, CLIENTS);
        let clients =
            |company, prefix, expected| Clients { service, company, prefix, count, expected }.start(scope, &is_over);
        let of_away = clients(away, "stopped-", Expected::SuccessOrRefusal);
        let of_other = clients(other, "beside-", Expected::Success);
        let tried = outage(site, away, &form, &mut tally);
        is_over.store(true, Ordering::Relaxed);
        let (of_away, of_other) = (of_away.end(), of_other.end());
        tried.and_then(|()| Ok((of_away?, of_other?)))
    })?;
    of_away.check("stopped-", &away.caller(&site.service)?.sync_ids()?)?;
    of_other.check("beside-", &other.caller(&site.service)?.sync_ids()?)?;
    tally.count("written to the company that was away", of_away.acknowledged.len() as u64);
    tally.count("refused to its clients", of_away.refused);
    tally.count("requests of the other answered", of_other.answered);
    tally.peak("longest request of the other ms", of_other.longest.as_secs_f64() * 1e3);
    Ok(tally)
}

/// The worker is away and comes back.
fn outage(site: &Site, away: &Company, form: &str, tally: &mut Tally) -> Result<()> {
    std::thread::sleep(Duration::from_secs(1));
    watch::doing("a worker is killed");
    site.workers[0].kill()?;
    let tried = while_away(site, away, form, tally);
    // Whatever was found, the next round has both.
    site.workers[0].start()?;
    let refused = tried?;
    watch::doing("the worker is back");
    tally.peak("s until it was found again", answered_again(site, away)?.as_secs_f64());
    let (listed, heads) = (site.listed()?.len(), site.coordinator.ask("tonne", "SELECT count(*) FROM tonne.head")?);
    ensure!(heads == listed.to_string(), "{heads} companies have a head, {listed} are listed");
    site.create(&refused).context("a company that was refused is made")
}

/// What holds while it is away; gives the company that was refused.
fn while_away(site: &Site, away: &Company, form: &str, tally: &mut Tally) -> Result<String> {
    let mut caller = away.caller(&site.service)?;
    for number in 0..REFUSALS {
        is_refused(&caller.read()?)?;
        is_refused(&caller.add(&format!("away-{number}"))?)?;
        tally.count("refused with Retry-After", 2);
    }
    watch::doing("the directory is tried");
    for _ in 0..REFUSALS {
        let token = caller.token(form)?;
        ensure!(token.status == 200, "a token was answered {}: {}", token.status, token.body);
        tally.count("tokens given", 1);
    }
    let words = ["--tenant", &away.slug, "key", "create", "--name=new", "--permissions=admin"];
    let key = output(&mut site.command(words))?;
    // It is known: another would be answered 401.
    is_refused(&Company { key, ..away.clone() }.caller(&site.service)?.read()?).context("a new key")?;
    tally.count("keys made", 1);
    let root = Credentials::of(&format!("http://{}", site.service.host()), &away.key);
    let ready = Caller::new(&site.service, root)?.get("/health/ready")?;
    ensure!(ready.status == 200, "/health/ready was answered {}", ready.status);
    for number in 0..TRIES {
        let slug = format!("while-away-{number}");
        if site.create(&slug).is_err() {
            let is_listed = site.listed()?.iter().any(|(listed, _)| *listed == slug);
            ensure!(!is_listed, "{slug} was refused and is listed");
            tally.count("companies refused", 1);
            return Ok(slug);
        }
        tally.count("companies made beside", 1);
    }
    bail!("{TRIES} companies were made, none of them on the worker that is away")
}

fn is_refused(answer: &Answer) -> Result<()> {
    ensure!(answer.is_refusal(), "answered {}, not 503 with `Retry-After`: {}", answer.status, answer.body);
    Ok(())
}

/// How long the company takes to be answered for again.
fn answered_again(site: &Site, company: &Company) -> Result<Duration> {
    let begin = Instant::now();
    loop {
        let answer = company.caller(&site.service)?.read()?;
        if answer.status == 200 {
            return Ok(begin.elapsed());
        }
        is_refused(&answer)?;
        ensure!(begin.elapsed() < PATIENCE, "{} is not answered for: {}", company.slug, answer.body);
        std::thread::sleep(PAUSE);
    }
}

/// A new client of a company, as a form that asks for its token.
fn client_of(caller: &mut Caller) -> Result<String> {
    let client = made(&caller.post("/v1/client", r#"{"name":"a","permissions":["activity:read"]}"#)?)?;
    let text = |name: &str| client[name].as_str().with_context(|| format!("a client without {name}"));
    let (id, secret) = (text("client_id")?, text("client_secret")?);
    Ok(format!("grant_type=client_credentials&client_id={id}&client_secret={secret}"))
}
