//! The rest of a stream in a temporary file, which goes when it is closed.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::mem;
use std::path::PathBuf;

use actix_web::web::Bytes;
use tokio::task::spawn_blocking;

use crate::disk_room::check_room;

/// So many bytes are written, and read, at once.
const PIECE: usize = 1 << 20;

/// A temporary file that is being filled.
pub(super) struct Spool {
    folder: PathBuf,
    file: File,
    waiting: Vec<u8>,
    /// How many bytes it may still take.
    room: u64,
}

impl Spool {
    /// An empty one in that folder, for so many bytes at most.
    pub(super) async fn begin(folder: PathBuf, most: u64) -> io::Result<Self> {
        let (folder, file) = blocking(move || {
            let file = tempfile::tempfile_in(&folder)?;
            Ok((folder, file))
        })
        .await?;
        Ok(Self { folder, file, waiting: Vec::new(), room: most })
    }

    /// Takes bytes; an error where there are too many, or the disk has no room for them.
    pub(super) async fn put(&mut self, bytes: Vec<u8>) -> io::Result<()> {
        let size = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        self.room = self.room.checked_sub(size).ok_or(io::ErrorKind::FileTooLarge)?;
        self.waiting.extend_from_slice(&bytes);
        if self.waiting.len() < PIECE { Ok(()) } else { self.write().await }
    }

    async fn write(&mut self) -> io::Result<()> {
        let (folder, bytes, mut file) = (self.folder.clone(), mem::take(&mut self.waiting), self.file.try_clone()?);
        blocking(move || {
            check_room(&folder, PIECE as u64)?;
            file.write_all(&bytes)
        })
        .await
    }

    /// What it took, from the first byte on.
    pub(super) async fn into_blocks(mut self) -> io::Result<SpooledBlocks> {
        self.write().await?;
        let mut file = self.file;
        let file = blocking(move || file.seek(SeekFrom::Start(0)).map(|_| file)).await?;
        Ok(SpooledBlocks { file, piece: Bytes::new() })
    }
}

/// A temporary file that is read.
pub(super) struct SpooledBlocks {
    file: File,
    piece: Bytes,
}

impl SpooledBlocks {
    /// The next bytes, so many at most; `None` at the end.
    pub(super) async fn next(&mut self, most: usize) -> io::Result<Option<Bytes>> {
        if self.piece.is_empty() {
            let file = self.file.try_clone()?;
            self.piece = blocking(move || {
                let mut piece = Vec::with_capacity(PIECE);
                file.take(PIECE as u64).read_to_end(&mut piece)?;
                Ok(Bytes::from(piece))
            })
            .await?;
        }
        let next = self.piece.split_to(most.min(self.piece.len()));
        Ok(Some(next).filter(|next| !next.is_empty()))
    }
}

async fn blocking<T: Send + 'static>(work: impl FnOnce() -> io::Result<T> + Send + 'static) -> io::Result<T> {
    spawn_blocking(work).await.map_err(io::Error::other)?
}
