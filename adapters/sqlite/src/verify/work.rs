//! Steps of a verification, divided among the readers.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use std::thread;

use ports::store::{StoreError, Verification};
use rusqlite::Connection;

use super::find;

/// Something that one reader does.
pub(super) type Job<'j> = Box<dyn FnOnce(&Connection) + Send + 'j>;

/// Does all jobs, in their order, each reader one at a time.
pub(super) fn run(readers: &mut [Connection], jobs: Vec<Job<'_>>) {
    let jobs = Mutex::new(VecDeque::from(jobs));
    let next = || jobs.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
    let work = |reader: &mut Connection| {
        while let Some(job) = next() {
            job(reader);
        }
    };
    let Some((own, others)) = readers.split_first_mut() else { return };
    thread::scope(|scope| {
        for reader in others {
            scope.spawn(|| work(reader));
        }
        work(own);
    });
}

/// What a step found, and what it came to.
pub(super) struct Step<T> {
    report: Verification,
    end: Option<Result<T, StoreError>>,
}

impl<T> Default for Step<T> {
    fn default() -> Self {
        Self { report: Verification::default(), end: None }
    }
}

impl<T> Step<T> {
    /// Takes the step.
    pub(super) fn take(&mut self, step: impl FnOnce(&mut Verification) -> Result<T, StoreError>) {
        self.end = Some(step(&mut self.report));
    }
}

/// What the steps found together.
#[derive(Default)]
pub(super) struct Steps {
    pub(super) report: Verification,
    pub(super) failed: Vec<StoreError>,
}

impl Steps {
    /// Adds what a step found, and gives what it came to. Damage that ended it is a finding.
    pub(super) fn add<T>(&mut self, step: Step<T>) -> Option<T> {
        let Verification { records, changes, cells, blanked, findings } = step.report;
        self.report.records += records;
        self.report.changes += changes;
        self.report.cells += cells;
        self.report.blanked += blanked;
        self.report.findings.extend(findings);
        match step.end? {
            Ok(end) => Some(end),
            Err(StoreError::Corrupt { subject, detail }) => {
                find(&mut self.report, subject, detail);
                None
            }
            Err(error) => {
                self.failed.push(error);
                None
            }
        }
    }

    /// All findings. What is known to be damaged may fail in any way; else a failure means that it could not be checked.
    pub(super) fn finish(self) -> Result<Verification, StoreError> {
        let Self { mut report, mut failed } = self;
        if report.findings.is_empty() && !failed.is_empty() {
            return Err(failed.swap_remove(0));
        }
        for error in failed {
            find(&mut report, "the file", error.to_string());
        }
        Ok(report)
    }
}
