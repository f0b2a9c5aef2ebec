//! What a test run says, passed on and added up over all its test binaries.

use std::io::{BufRead, Write};

use anyhow::{Context, Result};

/// Test results added up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Tally {
    pub(super) passed: u64,
    pub(super) failed: u64,
}

impl Tally {
    /// The results in a line such as `test result: ok. 3 passed; 0 failed; 0 ignored; ...`, if it is one.
    fn of_line(line: &str) -> Option<Self> {
        let (_, counts) = line.trim().strip_prefix("test result: ")?.split_once(". ")?;
        let count = |what: &str| {
            let part = counts.split("; ").find(|part| part.ends_with(what))?;
            part.strip_suffix(what)?.trim().parse().ok()
        };
        Some(Self { passed: count("passed")?, failed: count("failed")? })
    }

    /// The sums of both.
    pub(super) fn plus(self, other: Self) -> Self {
        Self { passed: self.passed + other.passed, failed: self.failed + other.failed }
    }

    /// The tally to report: a run that broke without one failed test (it did not compile, a binary crashed) has failed.
    pub(super) fn closing(self, run_succeeded: bool) -> Self {
        if run_succeeded || self.failed > 0 { self } else { Self { failed: 1, ..self } }
    }
}

/// Copies every line as it comes and adds up the results among them.
pub(super) fn pass_through(mut from: impl BufRead, to: &mut impl Write) -> Result<Tally> {
    let mut tally = Tally::default();
    let mut line = Vec::new();
    while from.read_until(b'\n', &mut line).context("cannot read from `cargo test`")? > 0 {
        to.write_all(&line).and_then(|()| to.flush()).context("cannot write to standard output")?;
        if let Some(results) = Tally::of_line(&String::from_utf8_lossy(&line)) {
            tally = tally.plus(results);
        }
        line.clear();
    }
    Ok(tally)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_of_all_binaries_add_up_and_the_output_passes_unchanged() {
        let output = b"running 2 tests\ntest a ... ok\n\xff\n\
            test result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n\n\
            test result: FAILED. 31 passed; 4 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.10s\n";
        let mut copied = Vec::new();
        let tally = pass_through(&output[..], &mut copied).unwrap();
        assert_eq!(tally, Tally { passed: 33, failed: 4 });
        assert_eq!(copied, output);
    }

    #[test]
    fn other_lines_are_no_results() {
        for line in
            ["", "test result: ", "test result: ok.", "test result: ok. x passed; 0 failed", "3 passed; 0 failed"]
        {
            assert_eq!(Tally::of_line(line), None, "{line}");
        }
    }

    #[test]
    fn a_broken_run_never_closes_without_a_failure() {
        let tally = Tally { passed: 7, failed: 0 };
        assert_eq!(tally.closing(false), Tally { passed: 7, failed: 1 });
        assert_eq!(tally.closing(true), tally);
        assert_eq!(Tally { passed: 7, failed: 2 }.closing(false), Tally { passed: 7, failed: 2 });
    }
}
