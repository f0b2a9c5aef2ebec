//! Bodies that are not imported to their end.

use std::io;

use files::{FileError, counted};
use ports::inbound::Outcome;

use super::answer::Tally;
use super::feed::UnsaidGzip;
use crate::problem::{Kind, Problem};

/// A body that was not imported to its end.
pub(super) struct Broken {
    pub(super) problem: Problem,
    /// What became of the rows before.
    pub(super) tally: Tally,
}

impl Broken {
    /// The problem, with what was written before it.
    pub(super) fn told(self, outcome: Outcome) -> Problem {
        let Self { problem, tally } = self;
        match (outcome, tally.import) {
            (Outcome::KeepGood, Some(import)) => problem.adding(&format!(
                "{}, as the import {import}, which reads as broken off, by a minute later at the latest; the same body can be \
                 sent again where rows have a syncId.",
                counted(
                    tally.rows() - tally.sum.rejected,
                    "row before was taken and stays",
                    "rows before were taken and stay"
                )
            )),
            (Outcome::KeepGood | Outcome::AllOrNothing | Outcome::Nothing, _) => problem,
        }
    }
}

/// That a body cannot be read.
pub(super) fn unreadable(error: FileError) -> Problem {
    match error {
        FileError::Header(faults) | FileError::Map(faults) | FileError::Catalog(faults) => Problem::invalid(faults),
        FileError::Read(error) => unread(error),
        FileError::Workbook(detail)
        | FileError::Sheet(detail)
        | FileError::NoTable(detail)
        | FileError::Published(detail) => Problem::new(Kind::Malformed, detail),
    }
}

fn unread(error: io::Error) -> Problem {
    let kind = error.kind();
    if error.get_ref().is_some_and(<dyn std::error::Error + Send + Sync>::is::<UnsaidGzip>) {
        let detail = "The body is gzip: send it with Content-Encoding: gzip, and the Content-Type of what is in it.";
        return Problem::new(Kind::Malformed, detail);
    }
    if kind == io::ErrorKind::FileTooLarge {
        return Problem::new(Kind::TooLarge, "The body inflates to far more than it has bytes.");
    }
    if kind == io::ErrorKind::StorageFull {
        return Problem::busy(error);
    }
    if kind == io::ErrorKind::ConnectionAborted {
        return Problem::new(Kind::Malformed, "The body broke off.");
    }
    let is_damaged =
        matches!(kind, io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof);
    if is_damaged { Problem::new(Kind::Malformed, "The body is no sound gzip.") } else { Problem::internal(error) }
}
