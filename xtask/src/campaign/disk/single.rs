//! Single writes over HTTP while the disk fails.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use rustix::process::Signal;
use serde_json::Value;

use super::Attack;
use crate::campaign::service::Service;
use crate::campaign::tally::Tally;
use crate::campaign::watch;
use crate::campaign::writer::{activity, sync_ids, verified};

/// So many writes reach every operation that fails.
const MOST_WRITES: u32 = 400;
/// After so many refusals the disk is mended.
const REFUSALS: u64 = 3;
/// So many writes are acknowledged after the fault before the service ends.
const AFTERWARDS: u32 = 3;
/// How long the service takes at most to be well again.
const PATIENCE: Duration = Duration::from_mins(1);
const PAUSE: Duration = Duration::from_millis(20);

/// What became of the writes.
#[derive(Default)]
struct Writes {
    acknowledged: BTreeSet<String>,
    refused: BTreeSet<String>,
    unknown: BTreeSet<String>,
}

/// Writes until the operation has failed and the service is well again; ends it; looks at what is there.
pub(super) fn attack(attack: &Attack<'_>) -> Result<Tally> {
    let Attack { store, key, library, at, error, .. } = *attack;
    let mut service = Service::start(store, &library.variables(&store.folder))?;
    library.fail_at(at, error)?;
    let (mut writes, mut tally) = (Writes::default(), Tally::default());
    let (mut afterwards, mut begin) = (0, None);
    for number in 0..MOST_WRITES {
        watch::doing(format!("write {number}"));
        let is_refused = !write(&service, key, number, &mut writes).with_context(|| format!("write {number}"))?;
        ensure!(!service.has_ended()?, "the service has ended");
        if library.failed().is_none() {
            ensure!(!is_refused, "a write was refused before the disk failed");
            continue;
        }
        let since = *begin.get_or_insert_with(Instant::now);
        if is_refused {
            readable(&service, key, &writes)?;
            ensure!(since.elapsed() < PATIENCE, "the service is not well again");
            std::thread::sleep(PAUSE);
        } else {
            afterwards += 1;
        }
        if (writes.refused.len() + writes.unknown.len()) as u64 >= REFUSALS || afterwards == AFTERWARDS {
            library.mend()?;
        }
        if afterwards >= AFTERWARDS {
            break;
        }
    }
    library.mend()?;
    ensure!(library.failed().is_some(), "{MOST_WRITES} writes did not reach the operation that fails");
    ensure!(afterwards == AFTERWARDS, "after the fault only {afterwards} writes were acknowledged");
    // The same service is well again: the company's file answers, as it was reopened where its log was in doubt.
    compare(&sync_ids(&service, key).context("after the fault")?, &writes).context("after the fault")?;
    // Every other one is killed: what it acknowledged does not wait for its end.
    if at.is_multiple_of(2) {
        service.signal(Signal::KILL)?;
        service.ended()?;
    } else {
        let status = service.terminate()?;
        ensure!(status.success(), "the service ended with {status}");
    }
    verified(store)?;
    let service = Service::start(store, &[])?;
    compare(&sync_ids(&service, key)?, &writes)?;
    tally.count("acknowledged", writes.acknowledged.len() as u64);
    tally.count("refused", writes.refused.len() as u64);
    tally.count("of unknown end", writes.unknown.len() as u64);
    Ok(tally)
}

/// Adds an activity; whether it was acknowledged. A refusal must be one of the two that are documented.
fn write(service: &Service, key: &str, number: u32, writes: &mut Writes) -> Result<bool> {
    let sync_id = format!("disk-{number}");
    let (mut request, mut body) = (Vec::new(), Vec::new());
    service.credentials(key).send("POST", "/v1/activity", &activity(&sync_id), &mut request);
    let mut client = service.connect()?;
    let status = client.exchange(&request, |bytes| body.extend_from_slice(bytes))?;
    if status == 201 {
        writes.acknowledged.insert(sync_id);
        return Ok(true);
    }
    let text = String::from_utf8_lossy(&body).into_owned();
    ensure!(status == 503, "was answered {status}: {text}");
    let problem: Value = serde_json::from_str(&text).context("a problem is no JSON")?;
    match problem["type"].as_str().unwrap_or_default() {
        kind if kind.ends_with("/problems/outcome-unknown") => writes.unknown.insert(sync_id),
        kind if kind.ends_with("/problems/busy") => {
            ensure!(client.header("retry-after").is_some(), "busy without Retry-After: {text}");
            writes.refused.insert(sync_id)
        }
        _ => bail!("an unknown problem: {text}"),
    };
    Ok(false)
}

/// A read is refused, or shows what was acknowledged.
fn readable(service: &Service, key: &str, writes: &Writes) -> Result<()> {
    match sync_ids(service, key) {
        Ok(found) => compare(&found, writes).context("while the disk was failing"),
        Err(error) => {
            let error = format!("{error:#}");
            ensure!(error.contains(" 503"), "a read was answered otherwise: {error}");
            Ok(())
        }
    }
}

fn compare(found: &[String], writes: &Writes) -> Result<()> {
    let once: BTreeSet<_> = found.iter().cloned().collect();
    ensure!(once.len() == found.len(), "activities are there twice");
    let lost: Vec<_> = writes.acknowledged.difference(&once).collect();
    ensure!(lost.is_empty(), "acknowledged and lost: {lost:?}");
    let there: Vec<_> = writes.refused.intersection(&once).collect();
    ensure!(there.is_empty(), "refused and there: {there:?}");
    let strange = once.iter().find(|one| !writes.acknowledged.contains(*one) && !writes.unknown.contains(*one));
    ensure!(strange.is_none(), "never asked for and there: {strange:?}");
    Ok(())
}
