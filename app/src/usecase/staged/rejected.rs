//! The rejected rows of a staged file, as they were and with the reason.

use std::io::{self, Write};

use async_trait::async_trait;
use files::{FileError, Map, copy_rejected, copy_rejected_lines, copy_rejected_of_sheet};
use ports::inbound::{Error, RejectedForm, RejectedRows};
use ports::spool::SpoolPart;
use ports::staged_import::StagedReading;
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::task::JoinHandle;

use super::opened::{Opened, map_of, unreadable};
use super::{Kept, StagedService, conflict};
use crate::table_source::{Content, Format};

/// Pieces of the copy that wait to be taken.
const WAITING: usize = 4;

struct Copy {
    form: RejectedForm,
    pieces: Receiver<Vec<u8>>,
    copying: Option<JoinHandle<Result<(), Error>>>,
}

/// Begins to copy them.
pub(super) fn begin(service: &StagedService, kept: &Kept) -> Result<Box<dyn RejectedRows>, Error> {
    if kept.staged.checked.is_none() {
        return Err(conflict("the rows were not checked yet as they are read now: check them first".to_owned()));
    }
    let (opened, reading) = (Opened::of(service, kept), kept.staged.reading.clone().unwrap_or_default());
    let is_lines = opened.format() == Format::Ndjson && reading.map.is_none();
    let form = if is_lines { RejectedForm::Ndjson } else { RejectedForm::Csv };
    let (give, pieces) = channel(WAITING);
    let copying = service.runtime.spawn_blocking(move || copy(&opened, &reading, form, Pieces(give)));
    Ok(Box::new(Copy { form, pieces, copying: Some(copying) }))
}

fn copy(opened: &Opened, reading: &StagedReading, form: RejectedForm, target: Pieces) -> Result<(), Error> {
    let map = map_of(reading)?;
    let sheet = map.as_ref().map_or(reading.sheet.as_deref(), Map::sheet_name);
    let reasons = opened.part(SpoolPart::Rejected);
    let copied = match (opened.content().map_err(unreadable)?, form) {
        (Content::Text(source), RejectedForm::Ndjson) => copy_rejected_lines(source, reasons, target),
        (Content::Text(source), RejectedForm::Csv) => copy_rejected(source, map.as_ref(), reasons, target),
        (Content::Workbook(workbook), _) => copy_rejected_of_sheet(workbook, sheet, map.as_ref(), reasons, target),
    };
    match copied {
        // Nobody takes it any more.
        Err(FileError::Read(error)) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        copied => copied.map_err(unreadable),
    }
}

#[async_trait]
impl RejectedRows for Copy {
    fn form(&self) -> RejectedForm {
        self.form
    }

    async fn next(&mut self) -> Result<Option<Vec<u8>>, Error> {
        if let Some(piece) = self.pieces.recv().await {
            return Ok(Some(piece));
        }
        let Some(copying) = self.copying.take() else { return Ok(None) };
        copying.await.map_err(|error| Error::Failed(Box::new(error)))??;
        Ok(None)
    }
}

/// Hands over what is written.
struct Pieces(Sender<Vec<u8>>);

impl Write for Pieces {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.blocking_send(bytes.to_vec()).map_err(|_| io::Error::from(io::ErrorKind::BrokenPipe))?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
