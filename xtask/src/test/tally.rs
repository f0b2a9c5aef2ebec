//! What a test run says, passed on and added up over all its test binaries.

use std::io::{BufRead, Write};

use anyhow::{Context, Result};

/// Test results added up.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Tally {
    pub(super) passed: u64,
    pub(super) failed: u64,
    /// The tests that failed, as `cargo test` names them, in the order of the run.
    pub(super) failures: Vec<String>,
    /// Those that failed beside others, and passed alone.
    pub(super) unsteady: Vec<String>,
}

impl Tally {
    /// The results in a line such as `test result: ok. 3 passed; 0 failed; 0 ignored; ...`, if it is one.
    fn of_line(line: &str) -> Option<Self> {
        let (_, counts) = line.trim().strip_prefix("test result: ")?.split_once(". ")?;
        let count = |what: &str| {
            let part = counts.split("; ").find(|part| part.ends_with(what))?;
            part.strip_suffix(what)?.trim().parse().ok()
        };
        Some(Self { passed: count("passed")?, failed: count("failed")?, ..Self::default() })
    }

    /// The sums of both.
    pub(super) fn plus(mut self, other: Self) -> Self {
        self.failures.extend(other.failures);
        self.unsteady.extend(other.unsteady);
        Self { passed: self.passed + other.passed, failed: self.failed + other.failed, ..self }
    }

    /// The results when every test that failed has passed in a run of its own, which had these results.
    pub(super) fn after(self, again: &Self) -> Self {
        let named = self.failures.len() as u64;
        if named == self.failed && named > 0 && again.failed == 0 && again.passed >= named {
            let passed = self.passed + named;
            Self { passed, failed: 0, failures: Vec::new(), unsteady: [self.unsteady, self.failures].concat() }
        } else {
            self
        }
    }

    /// The tally to report: a run that broke without one failed test (it did not compile, a binary crashed) has failed.
    pub(super) fn closing(self, run_succeeded: bool) -> Self {
        if run_succeeded || self.failed > 0 { self } else { Self { failed: 1, ..self } }
    }
}

/// The test that failed, in a line such as `test a::b ... FAILED`.
fn failure(line: &str) -> Option<&str> {
    line.trim_end().strip_prefix("test ")?.strip_suffix(" ... FAILED")
}

/// Copies every line as it comes, adds up the results among them and keeps the names of tests that failed.
pub(super) fn pass_through(mut from: impl BufRead, to: &mut impl Write) -> Result<Tally> {
    let mut tally = Tally::default();
    let mut line = Vec::new();
    while from.read_until(b'\n', &mut line).context("cannot read from `cargo test`")? > 0 {
        to.write_all(&line).and_then(|()| to.flush()).context("cannot write to standard output")?;
        let text = String::from_utf8_lossy(&line);
        if let Some(results) = Tally::of_line(&text) {
            tally = tally.plus(results);
        }
        tally.failures.extend(failure(&text).map(str::to_owned));
        line.clear();
    }
    Ok(tally)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_of_all_binaries_add_up_and_the_output_passes_unchanged() {
        let output = b"running 2 tests\ntest a ... ok\ntest http::b - should panic ... FAILED\n\xff\n\
            test result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n\n\
            test result: FAILED. 31 passed; 4 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.10s\n";
        let mut copied = Vec::new();
        let tally = pass_through(&output[..], &mut copied).unwrap();
        let failures = vec!["http::b - should panic".to_owned()];
        assert_eq!(tally, Tally { passed: 33, failed: 4, failures, ..Tally::default() });
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
    fn what_fails_beside_others_and_passes_alone_is_named_as_unsteady() {
        let ran = |passed, failed, failures: &[&str]| {
            let failures = failures.iter().map(|name| (*name).to_owned()).collect();
            Tally { passed, failed, failures, ..Tally::default() }
        };
        let first = ran(7, 2, &["a", "b"]);
        let settled = first.clone().after(&ran(2, 0, &[]));
        assert_eq!((settled.passed, settled.failed), (9, 0));
        assert_eq!(settled.unsteady, ["a", "b"]);
        for again in [ran(1, 1, &["a"]), ran(1, 0, &[]), Tally::default()] {
            assert_eq!(first.clone().after(&again), first, "one of them did not pass alone");
        }
        // A binary that crashed names no test.
        let crashed = ran(7, 1, &[]);
        assert_eq!(crashed.clone().after(&ran(1, 0, &[])), crashed);
    }

    #[test]
    fn a_broken_run_never_closes_without_a_failure() {
        let tally = |failed| Tally { passed: 7, failed, ..Tally::default() };
        assert_eq!(tally(0).closing(false), tally(1));
        assert_eq!(tally(0).closing(true), tally(0));
        assert_eq!(tally(2).closing(false), tally(2));
    }
}
