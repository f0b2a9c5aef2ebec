//! Receiving a file: chunk by chunk into the spool.

use std::io::{self, Read as _};

use async_trait::async_trait;
use domain::Digest;
use files::Hashing;
use ports::StagedId;
use ports::inbound::{Error, Upload};
use ports::spool::{CHUNK, SpoolPart};
use ports::staged_import::{MOST_BYTES, StagedImport, StagedState};

use super::kept::Kept;
use super::opened::{Opened, unreadable};
use super::{StagedService, invalid};
use crate::table_source::{Unpacked, buffered, unpacked};

/// The most bytes that a compressed file may hold.
const MOST_INFLATED: u64 = 16 * MOST_BYTES;

/// A file that is being received. It is forgotten where it is dropped before its end.
pub(super) struct Receiving {
    service: StagedService,
    kept: Kept,
    buffer: Vec<u8>,
    /// The number of the next chunk.
    next: u32,
    is_over: bool,
}

impl Receiving {
    pub(super) fn new(service: StagedService, kept: Kept) -> Self {
        Self { service, kept, buffer: Vec::new(), next: 0, is_over: false }
    }

    async fn flush(&mut self, chunk: Vec<u8>) -> Result<(), Error> {
        let (spool, id) = (&self.service.spool, self.kept.staged.id);
        spool.put_chunk(&self.kept.grant, id, SpoolPart::File, self.next, chunk).await?;
        self.next += 1;
        Ok(())
    }
}

#[async_trait]
impl Upload for Receiving {
    fn id(&self) -> StagedId {
        self.kept.staged.id
    }

    async fn put(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.kept.staged.bytes += bytes.len() as u64;
        if self.kept.staged.bytes > MOST_BYTES {
            return Err(invalid(
                "/file",
                format!("has more than {} MiB; divide it, or import it by the command line", MOST_BYTES >> 20),
            ));
        }
        self.buffer.extend_from_slice(bytes);
        while self.buffer.len() >= CHUNK {
            let behind = self.buffer.split_off(CHUNK);
            let chunk = std::mem::replace(&mut self.buffer, behind);
            self.flush(chunk).await?;
        }
        Ok(())
    }

    async fn finish(mut self: Box<Self>) -> Result<StagedImport, Error> {
        if self.kept.staged.bytes == 0 {
            return Err(invalid("/file", "is empty, or none was chosen"));
        }
        let last = std::mem::take(&mut self.buffer);
        if !last.is_empty() {
            self.flush(last).await?;
        }
        let opened = Opened::of(&self.service, &self.kept);
        let hash = self.service.apart(move || hash(&opened)).await?;
        self.kept.staged.hash = Some(hash);
        self.kept.staged.state = StagedState::Received;
        self.kept.save().await?;
        self.is_over = true;
        Ok(self.kept.staged.clone())
    }

    async fn abandon(mut self: Box<Self>) -> Result<(), Error> {
        self.is_over = true;
        Ok(self.service.spool.remove(&self.kept.grant, self.kept.staged.id).await?)
    }
}

impl Drop for Receiving {
    fn drop(&mut self) {
        if self.is_over {
            return;
        }
        let (spool, grant, id) = (self.service.spool.clone(), self.kept.grant.clone(), self.kept.staged.id);
        drop(self.service.runtime.spawn(async move {
            if let Err(error) = spool.remove(&grant, id).await {
                let error: &dyn std::error::Error = &error;
                tracing::warn!(error, staged = %id, "a file that did not arrive whole stays in the spool for a day");
            }
        }));
    }
}

/// The SHA-256 of what is in the file, which is the same whether or not it is compressed.
fn hash(opened: &Opened) -> Result<Digest, Error> {
    let read = || -> io::Result<Option<Digest>> {
        let source = match unpacked(buffered(opened.part(SpoolPart::File)))? {
            Unpacked::Text(source) | Unpacked::Workbook(source) => source,
        };
        let mut hashing = Hashing::new(source.take(MOST_INFLATED + 1));
        io::copy(&mut hashing, &mut io::sink())?;
        let (count, digest) = hashing.finish();
        Ok((count <= MOST_INFLATED).then_some(digest))
    };
    let hash = read().map_err(|error| unreadable(files::FileError::Read(error)))?;
    hash.ok_or_else(|| invalid("/file", format!("inflates to more than {} GiB", MOST_INFLATED >> 30)))
}
