//! The records of a delimited text (RFC 4180), each of bounded size, with the line it starts on.
//!
//! A reader of our own, because no row may grow without bound and a quote that is never closed must not pass unseen.

use std::io::{self, BufRead};

use super::cells::Cells;

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Record {
    /// The line it starts on, from 1.
    pub(crate) line: u64,
    /// Its cells, or what is wrong with it.
    pub(crate) cells: Result<Cells, String>,
}

/// The records of a source. Empty lines are none.
#[derive(Debug)]
pub(crate) struct Records<R> {
    source: R,
    delimiter: u8,
    most_bytes: usize,
    line: u64,
    /// How many bytes and cells the next record may have, by the last one.
    usual: (usize, usize),
    /// Whether the last record ended with a carriage return, so that a line feed still belongs to it.
    after_return: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// Nothing of the cell yet.
    Start,
    /// In a cell without quotes, where a quote is a letter.
    Bare,
    /// Between quotes.
    Quoted,
    /// Behind a quote that closes, or is the first of a doubled one.
    Closing,
}

enum Step {
    On,
    EndOfRecord,
}

/// What has been read of a record.
struct Draft {
    state: State,
    bytes: Vec<u8>,
    ends: Vec<usize>,
    /// Whether a byte of it has come.
    begun: bool,
    fault: Option<String>,
}

impl<R: BufRead> Records<R> {
    pub(crate) const fn new(source: R, delimiter: u8, most_bytes: usize) -> Self {
        Self { source, delimiter, most_bytes, line: 1, usual: (0, 0), after_return: false }
    }

    /// The next record; `None` at the end.
    pub(crate) fn next_record(&mut self) -> io::Result<Option<Record>> {
        let (bytes, ends) = (Vec::with_capacity(self.usual.0), Vec::with_capacity(self.usual.1));
        let mut draft = Draft { state: State::Start, bytes, ends, begun: false, fault: None };
        let mut start = self.line;
        loop {
            let chunk = match self.source.fill_buf() {
                Ok(chunk) => chunk,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            if chunk.is_empty() {
                return Ok(draft.at_end().map(|cells| Record { line: start, cells }));
            }
            let mut used = 0;
            let mut ended = false;
            for &byte in chunk {
                used += 1;
                let returned = std::mem::take(&mut self.after_return);
                if returned && byte == b'\n' {
                    continue;
                }
                if byte == b'\n' || (byte == b'\r' && draft.state != State::Quoted) {
                    self.line += 1;
                }
                let step = draft.step(byte, self.delimiter, self.most_bytes);
                if matches!(step, Step::EndOfRecord) {
                    self.after_return = byte == b'\r';
                    if draft.begun {
                        ended = true;
                        break;
                    }
                    start = self.line;
                }
            }
            self.source.consume(used);
            if ended {
                self.usual = (draft.bytes.len() + draft.bytes.len() / 4, draft.ends.len() + 1);
                return Ok(Some(Record { line: start, cells: draft.finish() }));
            }
        }
    }
}

impl Draft {
    fn step(&mut self, byte: u8, delimiter: u8, most: usize) -> Step {
        let ends_line = matches!(byte, b'\n' | b'\r');
        if self.state != State::Quoted && ends_line {
            return Step::EndOfRecord;
        }
        self.begun = true;
        match self.state {
            State::Quoted if byte == b'"' => self.state = State::Closing,
            State::Quoted => self.push(byte, most),
            State::Start | State::Bare | State::Closing if byte == delimiter => {
                self.state = State::Start;
                if self.bytes.len() + self.ends.len() < most {
                    self.ends.push(self.bytes.len());
                } else {
                    self.too_long(most);
                }
            }
            State::Start if byte == b'"' => self.state = State::Quoted,
            State::Closing if byte == b'"' => {
                self.push(byte, most);
                self.state = State::Quoted;
            }
            State::Closing => {
                self.state = State::Bare;
                let cell = self.ends.len() + 1;
                self.fault.get_or_insert_with(|| {
                    format!("has something behind the closing quote of cell {cell}; a quote inside a cell is doubled")
                });
            }
            State::Start | State::Bare => {
                self.state = State::Bare;
                self.push(byte, most);
            }
        }
        Step::On
    }

    fn push(&mut self, byte: u8, most: usize) {
        if self.bytes.len() + self.ends.len() < most {
            self.bytes.push(byte);
        } else {
            self.too_long(most);
        }
    }

    fn too_long(&mut self, most: usize) {
        self.fault.get_or_insert_with(|| format!("is longer than {most} bytes; a quote may have been left open"));
    }

    fn at_end(mut self) -> Option<Result<Cells, String>> {
        if self.state == State::Quoted {
            self.fault.get_or_insert_with(|| "ends inside a quote; the file may be cut off".to_owned());
        }
        self.begun.then(|| self.finish())
    }

    fn finish(mut self) -> Result<Cells, String> {
        if let Some(fault) = self.fault {
            return Err(fault);
        }
        self.ends.push(self.bytes.len());
        let (bytes, ends) = (self.bytes, self.ends);
        // Delimiters are ASCII, so that no character lies in two cells of a text that is UTF-8.
        let text = String::from_utf8(bytes).map_err(|error| {
            let wrong = error.utf8_error().valid_up_to();
            let cell = ends.iter().position(|end| wrong < *end).unwrap_or_default();
            format!("is not UTF-8 in cell {}", cell + 1)
        })?;
        if let Some(cell) = ends.iter().position(|end| !text.is_char_boundary(*end)) {
            return Err(format!("is not UTF-8 in cell {}", cell + 1));
        }
        Ok(Cells::new(text, ends))
    }
}
