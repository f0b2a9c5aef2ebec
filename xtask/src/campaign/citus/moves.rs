//! Companies that are moved from worker to worker while clients write: they wait, and notice nothing else.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};

use super::company::Company;
use super::load::{Clients, Expected};
use super::page::about;
use super::site::Site;
use crate::campaign::tally::Tally;
use crate::campaign::watch;

const CLIENTS: u32 = 4;
/// Between two moves.
const PAUSE: Duration = Duration::from_secs(1);

/// The page's statements, under clients of the company that is moved and of another: each of their requests succeeds.
pub(super) fn run(site: &Site) -> Result<Tally> {
    let (moved, other) = (site.on(0)?, site.on(1)?);
    let (node, mut tally, is_over) = (site.node_for_moves()?, Tally::default(), AtomicBool::new(false));
    let (of_moved, of_other) = std::thread::scope(|scope| {
        let (service, count, expected) = (&node, CLIENTS, Expected::Success);
        let clients = |company, prefix| Clients { service, company, prefix, count, expected }.start(scope, &is_over);
        let (of_moved, of_other) = (clients(moved, "moves-"), clients(other, "stays-"));
        let stepped = step_by_step(site, moved, &mut tally);
        is_over.store(true, Ordering::Relaxed);
        let (of_moved, of_other) = (of_moved.end(), of_other.end());
        stepped.and_then(|()| Ok((of_moved?, of_other?)))
    })?;
    of_moved.check("moves-", &moved.caller(&site.service)?.sync_ids()?)?;
    of_other.check("stays-", &other.caller(&site.service)?.sync_ids()?)?;
    let status = node.terminate()?;
    ensure!(status.success(), "the node ended with {status}");
    tally.count("written to the moved company", of_moved.acknowledged.len() as u64);
    tally.count("written to the other", of_other.acknowledged.len() as u64);
    tally.peak("longest request of the moved company ms", of_moved.longest.as_secs_f64() * 1e3);
    tally.peak("longest request of the other ms", of_other.longest.as_secs_f64() * 1e3);
    Ok(tally)
}

/// As the page has them: all are spread, one gets a shard of its own, and goes to the other worker; and back.
fn step_by_step(site: &Site, moved: &Company, tally: &mut Tally) -> Result<()> {
    let [one, two] = site.workers.each_ref().map(crate::postgres::Machine::port);
    let over = site.moving(2)?;
    let steps = [
        (about(&site.moving(0)?, &moved.id, &[])?, 0),
        (about(&site.moving(1)?, &moved.id, &[])?, 0),
        (about(&over, &moved.id, &[one, two])?, 1),
        (about(&over, &moved.id, &[two, one])?, 0),
    ];
    for (step, place) in steps {
        std::thread::sleep(PAUSE);
        watch::doing(step.clone());
        let begin = Instant::now();
        site.coordinator.ask("tonne", &step)?;
        tally.peak("longest statement ms", begin.elapsed().as_secs_f64() * 1e3);
        ensure!(site.place_of(moved)? == place, "after {step} the company is not on worker {}", place + 1);
        tally.count("statements", 1);
    }
    std::thread::sleep(PAUSE);
    Ok(())
}
