//! A command that is watched while it runs: how long it takes, its processor time, its memory, a log beside it.
//!
//! What `/proc` does not say is absent: it is on Linux alone.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use rustix::process::{Pid, Signal};

use super::figure::number;

/// How often a process is looked at.
const PAUSE: Duration = Duration::from_millis(10);
/// Linux counts processor time in hundredths of a second.
const TICK: Duration = Duration::from_millis(10);

/// What a command took.
#[derive(Debug)]
pub(crate) struct Usage {
    pub(crate) took: Duration,
    pub(crate) processor: Option<Duration>,
    /// The most memory it had, in bytes.
    pub(crate) memory: Option<u64>,
    /// The most bytes that the watched log had.
    pub(crate) log: u64,
    /// When it had read how many bytes of the watched input.
    pub(crate) progress: Vec<(Duration, u64)>,
    pub(crate) output: String,
}

impl Usage {
    /// How much memory it took at most, in millions of bytes.
    pub(crate) fn megabytes(&self) -> Result<f64> {
        self.memory.map(|bytes| number(bytes) / 1e6).context("no /proc")
    }

    /// The processor's time in seconds.
    pub(crate) fn processor_seconds(&self) -> Result<f64> {
        self.processor.map(|time| time.as_secs_f64()).context("no /proc")
    }
}

/// What is looked at while a command runs.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Watch<'a> {
    /// A file that grows and shrinks.
    pub(crate) log: Option<&'a Path>,
    /// A file that it reads.
    pub(crate) input: Option<&'a Path>,
}

/// Runs a command to its end, which must be a success.
pub(crate) fn run(command: &mut Command, watch: Watch<'_>) -> Result<Usage> {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let begin = Instant::now();
    let mut child = command.spawn().with_context(|| format!("cannot run {}", command.get_program().display()))?;
    let (mut memory, mut log, mut progress) = (None, 0, Vec::new());
    let mut descriptor: Option<OsString> = None;
    let processor = loop {
        let process = Process::of(&child);
        let (ended, processor) = match process.state() {
            Some((ended, processor)) => (ended, Some(processor)),
            None => (child.try_wait()?.is_some(), None),
        };
        memory = process.peak_memory().or(memory);
        if let Some(path) = watch.log {
            log = log.max(fs::metadata(path).map_or(0, |file| file.len()));
        }
        if let Some(path) = watch.input {
            // The number of a file that was closed may be another's now.
            descriptor =
                descriptor.filter(|found| process.has_open(found, path)).or_else(|| process.descriptor_of(path));
            if let Some(position) = descriptor.as_ref().and_then(|found| process.position(found)) {
                progress.push((begin.elapsed(), position));
            }
        }
        if ended {
            break processor;
        }
        std::thread::sleep(PAUSE);
    };
    let took = begin.elapsed();
    let output = child.wait_with_output().context("cannot wait for a command")?;
    let said = String::from_utf8_lossy(&output.stderr);
    let words: Vec<_> = command.get_args().take(3).map(|word| word.to_string_lossy()).collect();
    let name = Path::new(command.get_program()).file_name().unwrap_or_default().display();
    ensure!(output.status.success(), "`{name} {}` ended with {}: {}", words.join(" "), output.status, said.trim());
    let output = String::from_utf8(output.stdout).context("a command printed bytes that are not UTF-8")?;
    Ok(Usage { took, processor, memory, log, progress, output })
}

/// Sends a signal to a process that was not waited for yet.
pub(crate) fn signal(child: &Child, signal: Signal) -> Result<()> {
    rustix::process::kill_process(Pid::from_child(child), signal).context("cannot send a signal")
}

/// A process as `/proc` shows it.
#[derive(Clone, Debug)]
pub(crate) struct Process(PathBuf);

impl Process {
    pub(crate) fn of(child: &Child) -> Self {
        Self(PathBuf::from(format!("/proc/{}", child.id())))
    }

    /// Whether it has ended and is not waited for yet, and how much processor time it took.
    fn state(&self) -> Option<(bool, Duration)> {
        let stat = fs::read_to_string(self.0.join("stat")).ok()?;
        // The name, in parentheses, may hold blanks.
        let fields: Vec<_> = stat.rsplit_once(") ")?.1.split(' ').collect();
        let ticks: u32 = fields.get(11)?.parse::<u32>().ok()? + fields.get(12)?.parse::<u32>().ok()?;
        Some((fields.first() == Some(&"Z"), TICK * ticks))
    }

    /// How much processor time it took until now.
    pub(crate) fn processor(&self) -> Result<Duration> {
        self.state().map(|(_, processor)| processor).context("no /proc")
    }

    /// The most bytes of memory it had.
    pub(crate) fn peak_memory(&self) -> Option<u64> {
        self.status("VmHWM:")
    }

    /// The bytes of memory it has.
    pub(crate) fn memory(&self) -> Result<u64> {
        self.status("VmRSS:").context("no /proc")
    }

    fn status(&self, name: &str) -> Option<u64> {
        let status = fs::read_to_string(self.0.join("status")).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix(name))?;
        line.trim().strip_suffix(" kB")?.parse::<u64>().ok().map(|kibibytes| kibibytes * 1024)
    }

    /// The number of a file that it has open.
    fn descriptor_of(&self, path: &Path) -> Option<OsString> {
        let mut numbers = fs::read_dir(self.0.join("fd")).ok()?.filter_map(|entry| Some(entry.ok()?.file_name()));
        numbers.find(|number| self.has_open(number, path))
    }

    fn has_open(&self, number: &OsStr, path: &Path) -> bool {
        fs::read_link(self.0.join("fd").join(number)).is_ok_and(|target| target == path)
    }

    /// The position in an open file.
    fn position(&self, number: &OsStr) -> Option<u64> {
        let info = fs::read_to_string(self.0.join("fdinfo").join(number)).ok()?;
        info.lines().find_map(|line| line.strip_prefix("pos:"))?.trim().parse().ok()
    }
}

/// Runs a command to its end and gives what it printed; a failure tells what it said.
pub(crate) fn output(command: &mut Command) -> Result<String> {
    run(command, Watch::default()).map(|usage| usage.output.trim().to_owned())
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::io::Read as _;

    use super::*;

    #[test]
    fn a_command_is_timed_and_its_output_kept() {
        let usage = run(Command::new("sh").args(["-c", "echo hello"]), Watch::default()).unwrap();
        assert_eq!(usage.output, "hello\n");
        assert!(usage.processor.is_some());
    }

    #[test]
    fn a_command_that_fails_tells_what_it_said() {
        let error = run(Command::new("sh").args(["-c", "echo gone wrong >&2; exit 3"]), Watch::default()).unwrap_err();
        assert!(error.to_string().contains("gone wrong"), "{error}");
    }

    #[test]
    fn the_position_in_an_open_file_is_seen() {
        let path = std::env::temp_dir().join(format!("tonne-position-{}", std::process::id()));
        fs::write(&path, "abcdef").unwrap();
        let mut file = fs::File::open(&path).unwrap();
        std::io::copy(&mut (&mut file).take(4), &mut std::io::sink()).unwrap();
        let process = Process(PathBuf::from("/proc/self"));
        let descriptor = process.descriptor_of(&fs::canonicalize(&path).unwrap());
        fs::remove_file(&path).unwrap();
        assert_eq!(process.position(&descriptor.unwrap()), Some(4));
    }
}
