//! The rows of a body, read on a thread that may wait, and handed over as they come.

use std::io::{self, BufReader, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use files::{CsvRows, FileError, MAX_ROW_BYTES, NdjsonRows};
use ports::inbound::RowDraft;
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::task::{JoinHandle, spawn_blocking};
use tokio::time::{Instant, timeout_at};

use crate::media;

/// Rows that are imported at once.
const ROWS: usize = 20_000;
/// Bytes of rows that are imported at once: behind so many no other row is waited for.
const BYTES: usize = 16 << 20;
/// How long rows wait for others.
const PATIENCE: Duration = Duration::from_millis(250);
/// Rows that wait to be taken: few, as each may have 64 KiB.
const WAITING: usize = 256;

/// The rows of a body as they are read.
pub(super) struct RowStream<R> {
    rows: Receiver<(RowDraft, usize)>,
    reading: JoinHandle<(Result<(), FileError>, R)>,
}

/// Counts the bytes that are read.
struct Counted<R> {
    inner: R,
    count: Arc<AtomicUsize>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(into)?;
        self.count.fetch_add(read, Ordering::Relaxed);
        Ok(read)
    }
}

impl<R: Read + Send + 'static> RowStream<R> {
    /// Begins to read the rows of that media type.
    pub(super) fn begin(media: &'static str, source: R) -> Self {
        let (give, rows) = channel(WAITING);
        let reading = spawn_blocking(move || {
            let count = Arc::new(AtomicUsize::new(0));
            let mut source = BufReader::with_capacity(1 << 16, Counted { inner: source, count: Arc::clone(&count) });
            let read = read(media, &mut source, &give, &count);
            (read, source.into_inner().inner)
        });
        Self { rows, reading }
    }

    /// The next rows: as many as there are in a short time. None behind the last.
    pub(super) async fn next(&mut self) -> Vec<RowDraft> {
        let (mut rows, mut bytes) = (Vec::new(), 0);
        let Some((row, length)) = self.rows.recv().await else { return rows };
        rows.push(row);
        bytes += length;
        let until = Instant::now() + PATIENCE;
        while rows.len() < ROWS && bytes < BYTES {
            let Ok(Some((row, length))) = timeout_at(until, self.rows.recv()).await else { break };
            rows.push(row);
            bytes += length;
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
    give: &Sender<(RowDraft, usize)>,
    count: &AtomicUsize,
) -> Result<(), FileError> {
    if media == media::CSV {
        hand_over(CsvRows::new(source, MAX_ROW_BYTES)?, give, count)
    } else {
        hand_over(NdjsonRows::new(source, MAX_ROW_BYTES), give, count)
    }
}

/// Hands rows over, each with the bytes that were read for it and, as these come in blocks, for those behind it.
fn hand_over(
    rows: impl Iterator<Item = Result<RowDraft, FileError>>,
    give: &Sender<(RowDraft, usize)>,
    count: &AtomicUsize,
) -> Result<(), FileError> {
    for row in rows {
        let length = count.swap(0, Ordering::Relaxed);
        if give.blocking_send((row?, length)).is_err() {
            break;
        }
    }
    Ok(())
}
