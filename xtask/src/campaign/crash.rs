//! A service that is killed, or asked to end, while four clients write: what it acknowledged is there afterwards, once,
//! and what it did not answer is there once after it was sent again.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use rustix::process::Signal;

use super::ground::Ground;
use super::service::Service;
use super::tally::Tally;
use super::watch;
use super::writer::{Activities, sync_ids_of};
use crate::bench::dice::Dice;
use crate::bench::store::Kind;

const WRITERS: u32 = 4;
/// It ends after fewer acknowledged writes than that.
const WRITES: u32 = 40;
/// And then within so many microseconds.
const MOMENT: u32 = 20_000;
const PATIENCE: Duration = Duration::from_mins(2);

/// How the service ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Kill,
    Terminate,
}

/// `kill -9`, so many times.
pub(super) fn kill(ground: &mut Ground, name: &str, kind: Kind, kills: u32, seed: u64) -> Result<Tally> {
    run(ground, name, kind, End::Kill, kills, seed)
}

/// SIGTERM, so many times, with a client that reads besides; each time the service ends with success.
pub(super) fn terminate(ground: &mut Ground, name: &str, kind: Kind, ends: u32, seed: u64) -> Result<Tally> {
    run(ground, name, kind, End::Terminate, ends, seed)
}

fn run(ground: &mut Ground, name: &str, kind: Kind, end: End, times: u32, seed: u64) -> Result<Tally> {
    let store = ground.store(name, kind)?;
    let key = store.key("activity:read,activity:write")?;
    let (mut dice, mut tally, activities) = (Dice::of(seed), Tally::default(), Activities::default());
    for time in 0..times {
        let service = Service::start(&store, &[]).with_context(|| format!("after {time} ends"))?;
        if end == End::Terminate {
            whole(&activities, &service, &key)?;
        }
        tally.count("unanswered and sent again", activities.settle(&service, &key)?);
        let wanted = activities.acknowledged() + u64::from(1 + dice.below(WRITES));
        let moment = Duration::from_micros(u64::from(dice.below(MOMENT)));
        under_load(&activities, service, &key, time, end, wanted, moment).with_context(|| format!("end {time}"))?;
    }
    let service = Service::start(&store, &[])?;
    if end == End::Terminate {
        whole(&activities, &service, &key)?;
    }
    tally.count("unanswered and sent again", activities.settle(&service, &key)?);
    activities.check(&store, service, &key)?;
    tally.count("acknowledged", activities.acknowledged());
    tally.count("refused", activities.refused());
    tally.count(if end == End::Kill { "kills" } else { "SIGTERMs" }, u64::from(times));
    ground.clear(name)?;
    Ok(tally)
}

/// No request was cut by SIGTERM: what was not answered was refused before a byte of its answer, and was not carried out.
fn whole(activities: &Activities, service: &Service, key: &str) -> Result<()> {
    ensure!(activities.cut() == 0, "{} answers were cut by SIGTERM", activities.cut());
    let there = activities.unanswered_and_there(service, key)?;
    ensure!(there.is_empty(), "carried out and not answered, such as {:?}", there.first());
    Ok(())
}

/// Four clients write until the service has ended, which it does once so many writes are acknowledged.
fn under_load(
    activities: &Activities,
    service: Service,
    key: &str,
    time: u32,
    end: End,
    wanted: u64,
    moment: Duration,
) -> Result<()> {
    let writing = AtomicUsize::new(WRITERS as usize);
    let (host, reader) = (&service, &writing);
    std::thread::scope(|scope| {
        let mut threads = Vec::new();
        for writer in 0..WRITERS {
            threads.push(scope.spawn(move || {
                let written = activities.write_on(host, key, &format!("{time}-{writer}"), &|| false);
                reader.fetch_sub(1, Ordering::SeqCst);
                written
            }));
        }
        let reading = (end == End::Terminate).then(|| scope.spawn(move || read_on(host, key, reader)));
        watch::doing(format!("writes before end {time}"));
        let begin = Instant::now();
        while activities.acknowledged() < wanted && writing.load(Ordering::SeqCst) > 0 && begin.elapsed() < PATIENCE {
            std::thread::sleep(Duration::from_micros(200));
        }
        std::thread::sleep(moment);
        service.signal(match end {
            End::Kill => Signal::KILL,
            End::Terminate => Signal::TERM,
        })?;
        for thread in threads {
            thread.join().ok().context("a writer failed")??;
        }
        if let Some(reading) = reading {
            reading.join().ok().context("a reader failed")??;
        }
        anyhow::Ok(())
    })?;
    ensure!(activities.acknowledged() >= wanted, "only {} of {wanted} writes", activities.acknowledged());
    let status = service.ended()?;
    ensure!(end == End::Kill || status.success(), "after SIGTERM the service ended with {status}");
    Ok(())
}

/// Reads everything again and again until the service takes no more connections: an answer that has begun comes whole.
fn read_on(service: &Service, key: &str, writing: &AtomicUsize) -> Result<()> {
    while writing.load(Ordering::SeqCst) > 0 {
        let Ok(mut client) = service.connect() else { break };
        if let Err(error) = sync_ids_of(&mut client, &service.credentials(key)) {
            ensure!(!client.is_cut(), "a read was cut: {error:#}");
            break;
        }
    }
    Ok(())
}
