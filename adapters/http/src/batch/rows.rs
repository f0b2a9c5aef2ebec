//! The rows of a body, read on a thread that may wait, and handed over as they come.

use std::io::{BufReader, Read};
use std::time::Duration;

use files::{CsvRows, FileError, MAX_ROW_BYTES, NdjsonRows};
use ports::inbound::RowDraft;
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::task::{JoinHandle, spawn_blocking};
use tokio::time::{Instant, timeout_at};

use crate::media;

/// Rows that are imported at once.
const ROWS: usize = 20_000;
/// How long rows wait for others.
const PATIENCE: Duration = Duration::from_millis(250);
/// Rows that wait to be taken.
const WAITING: usize = 1_000;

/// The rows of a body as they are read.
pub(super) struct RowStream<R> {
    rows: Receiver<RowDraft>,
    reading: JoinHandle<(Result<(), FileError>, R)>,
}

impl<R: Read + Send + 'static> RowStream<R> {
    /// Begins to read the rows of that media type.
    pub(super) fn begin(media: &'static str, source: R) -> Self {
        let (give, rows) = channel(WAITING);
        let reading = spawn_blocking(move || {
            let mut source = BufReader::with_capacity(1 << 16, source);
            let read = read(media, &mut source, &give);
            (read, source.into_inner())
        });
        Self { rows, reading }
    }

    /// The next rows: as many as there are in a short time. None behind the last.
    pub(super) async fn next(&mut self) -> Vec<RowDraft> {
        let mut rows = Vec::new();
        if self.rows.recv_many(&mut rows, ROWS).await == 0 {
            return rows;
        }
        let until = Instant::now() + PATIENCE;
        while rows.len() < ROWS {
            let room = ROWS - rows.len();
            match timeout_at(until, self.rows.recv_many(&mut rows, room)).await {
                Ok(0) | Err(_) => break,
                Ok(_) => {}
            }
        }
        rows
    }

    /// How the reading ended, and what is left of the source.
    pub(super) async fn end(self) -> Result<(Result<(), FileError>, R), tokio::task::JoinError> {
        let Self { rows, reading } = self;
        drop(rows);
        reading.await
    }
}

fn read(
    media: &'static str,
    source: &mut (impl std::io::BufRead + Send),
    give: &Sender<RowDraft>,
) -> Result<(), FileError> {
    if media == media::CSV {
        hand_over(CsvRows::new(source, MAX_ROW_BYTES)?, give)
    } else {
        hand_over(NdjsonRows::new(source, MAX_ROW_BYTES), give)
    }
}

fn hand_over(
    rows: impl Iterator<Item = Result<RowDraft, FileError>>,
    give: &Sender<RowDraft>,
) -> Result<(), FileError> {
    for row in rows {
        if give.blocking_send(row?).is_err() {
            break;
        }
    }
    Ok(())
}
