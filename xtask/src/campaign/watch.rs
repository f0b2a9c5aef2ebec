//! What a round is doing, and an end to one that makes no progress: the programs that it started are killed, so that whatever
//! waits for one of them fails, and the round with it.

use std::fs;
use std::process;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use rustix::process::{Pid, Signal, kill_process};

/// After so long without progress a round has failed.
pub(super) const PATIENCE: Duration = Duration::from_mins(10);
/// How long a round may take to end once its programs are killed.
const END: Duration = Duration::from_mins(2);
const PAUSE: Duration = Duration::from_millis(200);

/// What is under way.
struct Step {
    doing: String,
    patience: Duration,
    until: Instant,
    /// What it was when it made no progress, and when that was.
    stalled: Option<(String, Instant)>,
}

static STEP: Mutex<Option<Step>> = Mutex::new(None);

fn step() -> MutexGuard<'static, Option<Step>> {
    // Nothing that holds the lock can fail half-way.
    STEP.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Notes progress, and what is done next.
pub(super) fn doing(what: impl Into<String>) {
    doing_for(what, Duration::ZERO);
}

/// The same of something that takes so long by itself, during which it shows no progress.
pub(super) fn doing_for(what: impl Into<String>, long: Duration) {
    if let Some(step) = &mut *step() {
        step.doing = what.into();
        step.until = Instant::now() + long + step.patience;
    }
}

/// Notes progress in what is being done.
pub(super) fn goes_on() {
    if let Some(step) = &mut *step() {
        step.until = step.until.max(Instant::now() + step.patience);
    }
}

/// Runs a round. One that makes no progress for so long fails with what it was doing; one that does not end even then ends
/// the campaign, and is run again by `--resume`.
pub(super) fn watched<T>(name: &str, patience: Duration, round: impl FnOnce() -> Result<T>) -> Result<T> {
    let doing = "the round has begun".to_owned();
    *step() = Some(Step { doing, patience, until: Instant::now() + patience, stalled: None });
    let (ended, stalled) = std::thread::scope(|scope| {
        scope.spawn(|| watch(name));
        let ended = round();
        let last = step().take();
        (ended, last.and_then(|last| last.stalled))
    });
    let Some((doing, _)) = stalled else { return ended };
    let said = format!("no progress for {} s: {doing}", patience.as_secs());
    match ended {
        Ok(_) => bail!("{said}"),
        Err(error) => Err(error.context(said)),
    }
}

/// Looks at the step until there is none.
fn watch(name: &str) {
    loop {
        match &mut *step() {
            None => return,
            Some(step) if Instant::now() <= step.until => {}
            Some(Step { stalled: Some((doing, since)), .. }) if since.elapsed() > END => {
                eprintln!("{name}: does not end although its programs were killed: {doing}");
                process::exit(1);
            }
            Some(step) => {
                step.stalled.get_or_insert_with(|| (step.doing.clone(), Instant::now()));
                end_programs();
            }
        }
        std::thread::sleep(PAUSE);
    }
}

/// Kills the programs that this one started, and those that they did. A database's server is none of them.
fn end_programs() {
    let mut parents = vec![process::id()];
    while let Some(parent) = parents.pop() {
        for id in children_of(parent) {
            parents.push(id);
            if let Some(id) = i32::try_from(id).ok().and_then(Pid::from_raw) {
                // One that has ended meanwhile needs no signal.
                let _ = kill_process(id, Signal::KILL);
            }
        }
    }
}

/// The processes that a process started and that have not ended.
pub(super) fn children_of(parent: u32) -> Vec<u32> {
    running().into_iter().filter(|(_, of)| *of == parent).map(|(id, _)| id).collect()
}

/// Every process with its parent.
fn running() -> Vec<(u32, u32)> {
    let folders = fs::read_dir("/proc").into_iter().flatten().flatten();
    let ids = folders.filter_map(|folder| folder.file_name().to_str()?.parse::<u32>().ok());
    let parent = |id: u32| {
        let stat = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
        // The name, in parentheses, may hold blanks.
        Some((id, stat.rsplit_once(") ")?.1.split(' ').nth(1)?.parse().ok()?))
    };
    ids.filter_map(parent).collect()
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::process::Command;

    use anyhow::ensure;

    use super::*;

    #[test]
    fn a_round_that_waits_for_a_program_that_does_not_end_fails_with_what_it_was_doing() {
        let hangs = || {
            doing("a program runs");
            let status = Command::new("sh").args(["-c", "read line < /dev/zero"]).status()?;
            ensure!(status.success(), "the program ended with {status}");
            Ok(())
        };
        let said = format!("{:#}", watched("hangs", Duration::ZERO, hangs).unwrap_err());
        // It may have been found before it said what it does.
        let rest = said.strip_prefix("no progress for 0 s: ").unwrap();
        assert!(rest.starts_with("a program runs: ") || rest.starts_with("the round has begun: "), "{said}");
        assert!(rest.ends_with("the program ended with signal: 9 (SIGKILL)"), "{said}");
        assert!(watched("ends", PATIENCE, || Ok(7)).is_ok_and(|seven| seven == 7));
    }
}
