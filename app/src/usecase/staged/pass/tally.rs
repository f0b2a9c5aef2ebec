//! What became of the rows of a pass, and why rows were rejected.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

use files::Reasons;
use ports::import_batch::ImportCounts;
use ports::inbound::{BatchOutcome, Error};
use ports::spool::{CHUNK, Spool, SpoolPart};
use ports::staged_import::{MOST_TOLD, Preview, ToldRow, YearEffect};

use super::Keeping;
use crate::usecase::staged::kept::Kept;
use crate::usecase::staged::opened::Noticed;
use crate::usecase::staged::sniff::told;

/// The counts of a pass, and the first faults and warnings.
pub(super) struct Tally {
    /// The sums, without faults and warnings.
    pub(super) sum: BatchOutcome,
    warned: u64,
    faults: Vec<ToldRow>,
    warnings: Vec<ToldRow>,
    reasons: Option<Reasons<Shared>>,
    written: Shared,
    /// The number of the next chunk of reasons.
    next: u32,
}

/// Bytes that are written in one place and taken in another.
#[derive(Clone, Debug, Default)]
struct Shared(Arc<Mutex<Vec<u8>>>);

impl Shared {
    /// The next whole chunk; what is left where there is none.
    fn take(&self, is_last: bool) -> Option<Vec<u8>> {
        let mut bytes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if bytes.len() < CHUNK && (bytes.is_empty() || !is_last) {
            return None;
        }
        let size = bytes.len().min(CHUNK);
        let behind = bytes.split_off(size);
        Some(std::mem::replace(&mut *bytes, behind))
    }
}

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Tally {
    pub(super) fn new(keeping: Keeping) -> Self {
        let written = Shared::default();
        let reasons = (keeping == Keeping::Reasons).then(|| Reasons::new(written.clone()));
        let sum = BatchOutcome::default();
        Self { sum, warned: 0, faults: Vec::new(), warnings: Vec::new(), reasons, written, next: 0 }
    }

    /// Adds what became of some rows.
    pub(super) fn add(&mut self, mut outcome: BatchOutcome) -> Result<(), Error> {
        self.warned += outcome.warned();
        for (line, faults) in std::mem::take(&mut outcome.faults) {
            if let Some(reasons) = &mut self.reasons {
                reasons.write(line, &faults).map_err(failed)?;
            }
            let room = MOST_TOLD.saturating_sub(self.faults.len());
            self.faults.extend(faults.as_slice().iter().take(room).map(|fault| told(line, fault)));
        }
        for (line, warnings) in std::mem::take(&mut outcome.warnings) {
            let room = MOST_TOLD.saturating_sub(self.warnings.len());
            self.warnings.extend(warnings.as_slice().iter().take(room).map(|warning| told(line, warning)));
        }
        self.sum.add(outcome);
        Ok(())
    }

    /// Puts whole chunks of reasons into the spool.
    pub(super) async fn store(&mut self, spool: &Arc<dyn Spool>, kept: &Kept) -> Result<(), Error> {
        self.store_chunks(spool, kept, false).await
    }

    /// Puts the rest there.
    pub(super) async fn store_all(&mut self, spool: &Arc<dyn Spool>, kept: &Kept) -> Result<(), Error> {
        if let Some(reasons) = self.reasons.take() {
            reasons.finish().map_err(failed)?;
        }
        self.store_chunks(spool, kept, true).await
    }

    async fn store_chunks(&mut self, spool: &Arc<dyn Spool>, kept: &Kept, is_last: bool) -> Result<(), Error> {
        while let Some(chunk) = self.written.take(is_last) {
            spool.put_chunk(&kept.grant, kept.staged.id, SpoolPart::Rejected, self.next, chunk).await?;
            self.next += 1;
        }
        Ok(())
    }

    pub(super) fn counts(&self) -> ImportCounts {
        ImportCounts { warnings: self.warned, ..self.sum.counts() }
    }

    /// What the pass found.
    pub(super) fn preview(self, years: Vec<YearEffect>, noticed: Noticed) -> Preview {
        let counts = self.counts();
        let Self { sum, faults, mut warnings, .. } = self;
        let doubts = noticed.doubts.into_iter();
        warnings.splice(0..0, doubts.map(|detail| ToldRow { line: 0, field: String::new(), detail }));
        Preview {
            counts,
            without_sync_id: sum.without_sync_id,
            already_recorded: sum.already_recorded,
            incomplete: sum.incomplete,
            skipped: noticed.skipped,
            years,
            changed: sum.changed,
            faults,
            warnings,
        }
    }
}

fn failed(error: io::Error) -> Error {
    Error::Failed(Box::new(error))
}
