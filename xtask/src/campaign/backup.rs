//! Backups beside a service that four clients write to, and beside companies that are made: each is restored, verified and
//! compared with what was there; and backups and restores while the disk fails.

mod faults;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use super::ground::Ground;
use super::service::Service;
use super::tally::Tally;
use super::watch;
use super::writer::{Activities, sync_ids, verified};
use crate::bench::dice::Dice;
use crate::bench::process::output;
use crate::bench::store::{Kind, Store};
pub(super) use faults::run as faults;

const WRITERS: u32 = 4;
/// A backup begins after fewer acknowledged writes than that.
const WRITES: u32 = 40;
const PAUSE: Duration = Duration::from_millis(5);
/// So many companies are made while a backup is.
const COMPANIES: u64 = 3;

/// A backup, and what was acknowledged when it began and when it was done.
struct Backup {
    file: PathBuf,
    before: Vec<String>,
    after: u64,
    companies: u64,
}

/// Makes so many backups, and restores each.
pub(super) fn run(ground: &mut Ground, name: &str, kind: Kind, backups: u32, seed: u64) -> Result<Tally> {
    let store = ground.store(name, kind)?;
    let room = store.folder.parent().context("a store without a folder")?.to_owned();
    let key = store.key("activity:read,activity:write")?;
    let (service, activities) = (Service::start(&store, &[])?, Activities::default());
    let made = beside_writers(&store, &service, &activities, &key, &room, backups, seed)?;
    ensure!(activities.unanswered() == 0, "{} requests were not answered", activities.unanswered());
    let all = chain(&store)?;
    let mut tally = Tally::default();
    for (number, backup) in made.iter().enumerate() {
        watch::doing("a backup is restored");
        let place = format!("{name}-restored");
        let restored = ground.store(&place, kind)?;
        compare(backup, &restored, &key, &all).with_context(|| format!("backup {number}"))?;
        ground.clear(&place)?;
        tally.count("backups restored", 1);
        tally.count("companies in them", backup.companies + 1);
    }
    tally.count("acknowledged", activities.acknowledged());
    activities.check(&store, service, &key)?;
    ground.clear(name)?;
    Ok(tally)
}

/// Backups, one after the other, while clients write and companies are made.
fn beside_writers(
    store: &Store,
    service: &Service,
    activities: &Activities,
    key: &str,
    room: &Path,
    backups: u32,
    seed: u64,
) -> Result<Vec<Backup>> {
    let (end, companies, allowed) = (AtomicBool::new(false), AtomicU64::new(0), AtomicU64::new(0));
    let failures = Mutex::new(Vec::new());
    let note = |done: Result<()>| {
        if let (Err(error), Ok(mut all)) = (done, failures.lock()) {
            all.push(error);
        }
    };
    let made = std::thread::scope(|scope| {
        let (end, companies, allowed, note) = (&end, &companies, &allowed, &note);
        let is_over = move || end.load(Ordering::Relaxed);
        for writer in 0..WRITERS {
            scope.spawn(move || {
                note(activities.write_on(service, key, &format!("single-{writer}"), &is_over));
                end.store(true, Ordering::Relaxed);
            });
        }
        scope.spawn(move || {
            while !is_over() {
                if companies.load(Ordering::Relaxed) >= allowed.load(Ordering::Relaxed) {
                    std::thread::sleep(PAUSE);
                    continue;
                }
                let slug = format!("company-{}", companies.load(Ordering::Relaxed));
                let made = output(store.command(["tenant", "create", "--name=Another"]).arg(&slug)).map(drop);
                let is_well = made.is_ok();
                note(made.context("`tonne tenant create` beside a backup"));
                if !is_well {
                    break;
                }
                companies.fetch_add(1, Ordering::Relaxed);
            }
        });
        let mut dice = Dice::of(seed);
        let made = (0..backups).map(|number| {
            let wanted = activities.acknowledged() + u64::from(1 + dice.below(WRITES));
            while activities.acknowledged() < wanted && !is_over() {
                std::thread::sleep(PAUSE);
            }
            let (before, companies) = (activities.all_acknowledged(), companies.load(Ordering::Relaxed));
            let file = room.join(format!("{number}.backup"));
            allowed.fetch_add(COMPANIES, Ordering::Relaxed);
            watch::doing("a backup beside writers");
            output(store.command(["backup"]).arg("--to").arg(&file)).context("a backup beside writers")?;
            Ok(Backup { file, before, after: activities.acknowledged(), companies })
        });
        let made = made.collect::<Result<Vec<_>>>();
        end.store(true, Ordering::Relaxed);
        made
    });
    match failures.into_inner().unwrap_or_default().into_iter().next() {
        Some(first) => Err(first),
        None => made,
    }
}

/// Restores a backup: what was acknowledged before it began is there, nothing that came later is, its chain is the
/// beginning of the source's, and each company that was there has its store.
fn compare(backup: &Backup, restored: &Store, key: &str, all: &[String]) -> Result<()> {
    output(restored.command(["restore"]).arg(&backup.file))?;
    verified(restored)?;
    let companies = output(&mut restored.command(["tenant", "list", "--json"]))?;
    let companies: Value = serde_json::from_str(&companies).context("a list that is no JSON")?;
    let count = companies.as_array().map_or(0, |all| all.len() as u64);
    ensure!(count > backup.companies, "{count} companies are there, {} were before", backup.companies + 1);
    let kept = chain(restored)?;
    ensure!(all.starts_with(&kept), "the {} changes are no beginning of the source's", kept.len());
    let service = Service::start(restored, &[])?;
    let there = sync_ids(&service, key)?;
    let lost: Vec<_> = backup.before.iter().filter(|one| !there.contains(one)).take(5).collect();
    ensure!(lost.is_empty(), "acknowledged before the backup began and not in it, such as {lost:?}");
    // Of each writer one may have been written and not yet be acknowledged.
    let most = backup.after + u64::from(WRITERS);
    ensure!(there.len() as u64 <= most, "{} activities are there, of {most} at most", there.len());
    let status = service.terminate()?;
    ensure!(status.success(), "the service on what was restored ended with {status}");
    Ok(())
}

/// The company's changes, in order, as its export has them.
fn chain(store: &Store) -> Result<Vec<String>> {
    let file = store.folder.with_file_name("a.tonne");
    output(store.command(["export", "--force"]).arg("--to").arg(&file))?;
    let export = fs::read_to_string(&file).context("cannot read an export")?;
    Ok(export.lines().filter(|line| line.contains(r#""kind":"change""#)).map(str::to_owned).collect())
}
