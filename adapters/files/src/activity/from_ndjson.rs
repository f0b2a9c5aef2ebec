//! Activities in, one JSON object a line.

use std::io::{self, BufRead};

use domain::Faults;
use ports::inbound::{ActivityDraft, RowDraft};

use super::from_json::{activity_draft, unreadable};
use crate::error::FileError;
use crate::json::{Members, parse};

/// How many bytes a row has at most, unless somebody says otherwise: 64 KiB.
pub const MAX_ROW_BYTES: usize = 64 * 1024;

/// A row holds an activity, whose references are objects.
const MAX_DEPTH: usize = 8;

/// The rows of an NDJSON stream, one after the other. A line that is wrong is a row with faults, and reading goes on;
/// blank lines count but are no rows. A row is the whole record: absent members are `null`.
#[derive(Debug)]
pub struct NdjsonRows<R> {
    source: R,
    most_bytes: usize,
    line: u64,
    done: bool,
}

impl<R: BufRead> NdjsonRows<R> {
    /// The rows of `source`, of at most `most_bytes` bytes each.
    pub const fn new(source: R, most_bytes: usize) -> Self {
        Self { source, most_bytes, line: 0, done: false }
    }

    fn next_row(&mut self) -> io::Result<Option<RowDraft>> {
        let mut bytes = Vec::new();
        loop {
            bytes.clear();
            let length = read_line(&mut self.source, &mut bytes, self.most_bytes)?;
            if length == 0 {
                return Ok(None);
            }
            self.line += 1;
            let text = if self.line == 1 { bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes) } else { &bytes };
            if length <= self.most_bytes as u64 && text.trim_ascii().is_empty() {
                continue;
            }
            return Ok(Some(RowDraft { line: self.line, draft: self.draft(text, length) }));
        }
    }

    fn draft(&self, text: &[u8], length: u64) -> ActivityDraft {
        if length > self.most_bytes as u64 {
            return faulty("", &format!("is longer than {} bytes", self.most_bytes));
        }
        match parse(text.trim_ascii(), MAX_DEPTH) {
            Ok(json) => activity_draft(&json, Members::WholeRecord),
            Err(fault) => faulty(&fault.pointer, &fault.detail.replace(" at line 1 column ", " at column ")),
        }
    }
}

/// A row of which nothing can be read.
pub(crate) fn faulty(pointer: &str, detail: &str) -> ActivityDraft {
    unreadable(Faults::one(pointer, detail))
}

impl<R: BufRead> Iterator for NdjsonRows<R> {
    type Item = Result<RowDraft, FileError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.done {
            return None;
        }
        let row = self.next_row().map_err(FileError::Read).transpose();
        self.done = !matches!(row, Some(Ok(_)));
        row
    }
}

/// Reads up to the end of the line, of which at most `most` bytes are kept. Gives its length, the line's end without;
/// zero only where the source ends, so a blank line counts its end.
fn read_line(source: &mut impl BufRead, kept: &mut Vec<u8>, most: usize) -> io::Result<u64> {
    let mut length = 0;
    loop {
        let chunk = match source.fill_buf() {
            Ok(chunk) => chunk,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let end = chunk.iter().position(|byte| *byte == b'\n');
        let part = &chunk[..end.unwrap_or(chunk.len())];
        kept.extend(part.iter().take(most - kept.len()));
        length += part.len() as u64;
        let (used, ended) = (part.len() + usize::from(end.is_some()), end.is_some() || chunk.is_empty());
        let blank = end.is_some() && length == 0;
        source.consume(used);
        if ended {
            return Ok(length + u64::from(blank));
        }
    }
}
