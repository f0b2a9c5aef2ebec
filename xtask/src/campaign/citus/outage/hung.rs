//! A worker whose processes are all stopped by a signal: its connections stay and say nothing.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use rustix::process::{Pid, Signal, kill_process};

use super::{answered_again, client_of};
use crate::campaign::citus::company::Caller;
use crate::campaign::citus::load::{Clients, Expected};
use crate::campaign::citus::site::Site;
use crate::campaign::tally::Tally;
use crate::campaign::watch;
use crate::postgres::Machine;

/// Clients for a company on the worker that hangs.
const WAITING: u32 = 10;
/// Clients for a company on the other.
const OTHERS: u32 = 2;
/// Longer than a request waits for a place among the connections.
const HANGS: Duration = Duration::from_secs(20);
/// Between two tokens.
const PAUSE: Duration = Duration::from_millis(500);

/// A worker whose processes do not run until this is dropped.
struct Hung(Vec<Pid>);

impl Hung {
    fn stop(worker: &Machine) -> Result<Self> {
        let pid = |id: u32| i32::try_from(id).ok().and_then(Pid::from_raw).context("a process without a number");
        let first = worker.process()?;
        let mut hung = Self(Vec::new());
        hung.add(pid(first)?)?;
        // The first one makes no more now.
        for child in watch::children_of(first) {
            // Some may have ended by themselves.
            let _ = hung.add(pid(child)?);
        }
        Ok(hung)
    }

    fn add(&mut self, process: Pid) -> Result<()> {
        kill_process(process, Signal::STOP).context("cannot stop a process")?;
        self.0.push(process);
        Ok(())
    }
}

impl Drop for Hung {
    fn drop(&mut self) {
        for process in self.0.iter().rev() {
            // One that has ended meanwhile needs no signal.
            let _ = kill_process(*process, Signal::CONT);
        }
    }
}

/// A worker hangs under load and goes on.
pub(crate) fn run(site: &Site) -> Result<Tally> {
    let (away, other) = (site.on(0)?, site.on(1)?);
    let form = client_of(&mut away.caller(&site.service)?)?;
    let (mut tally, is_over) = (Tally::default(), AtomicBool::new(false));
    let (of_away, of_other) = std::thread::scope(|scope| {
        let service = &site.service;
        let clients = |company, prefix, count, expected| {
            Clients { service, company, prefix, count, expected }.start(scope, &is_over)
        };
        let of_away = clients(away, "hung-", WAITING, Expected::SuccessOrRefusal);
        let of_other = clients(other, "besides-", OTHERS, Expected::Success);
        std::thread::sleep(Duration::from_secs(1));
        let tried = Hung::stop(&site.workers[0]).and_then(|_hung| {
            watch::doing_for("a worker hangs", HANGS);
            tokens(&mut away.caller(service)?, &form, &is_over)
        });
        let again = tried.and_then(|given| Ok((given, answered_again(site, away)?)));
        is_over.store(true, Ordering::Relaxed);
        let (of_away, of_other) = (of_away.end(), of_other.end());
        let (given, again) = again?;
        tally.count("tokens given", given);
        tally.peak("s until it was found again", again.as_secs_f64());
        anyhow::Ok((of_away?, of_other?))
    })?;
    ensure!(of_away.refused > 0, "nobody who waited for the worker was refused");
    of_away.check("hung-", &away.caller(&site.service)?.sync_ids()?)?;
    of_other.check("besides-", &other.caller(&site.service)?.sync_ids()?)?;
    tally.count("refused to clients of the worker that hung", of_away.refused);
    tally.count("requests of the other answered", of_other.answered);
    tally.peak("longest request of the worker that hung ms", of_away.longest.as_secs_f64() * 1e3);
    tally.peak("longest request of the other ms", of_other.longest.as_secs_f64() * 1e3);
    Ok(tally)
}

/// Tokens are given as long as the worker hangs; how many.
fn tokens(caller: &mut Caller, form: &str, is_over: &AtomicBool) -> Result<u64> {
    let (begin, mut given) = (Instant::now(), 0);
    while begin.elapsed() < HANGS && !is_over.load(Ordering::Relaxed) {
        let token = caller.token(form)?;
        ensure!(token.status == 200, "a token was answered {}: {}", token.status, token.body);
        given += 1;
        std::thread::sleep(PAUSE);
    }
    Ok(given)
}
