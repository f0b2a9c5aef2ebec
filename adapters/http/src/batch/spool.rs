//! A body that is read twice: it waits in a temporary file.

use std::fs::File;
use std::io::{self, BufWriter, Read, Seek as _, SeekFrom, Write as _};
use std::path::Path;

use domain::Digest;

use super::feed::BodyReader;
use crate::disk_room::check_room;

/// The free room is looked at again after so many bytes.
const STEP: u64 = 16 << 20;

/// A body in a file without a name, which goes when it is closed.
pub(super) struct Spool {
    file: File,
    /// The SHA-256 of the body as it was sent.
    pub(super) digest: Digest,
}

impl Spool {
    /// Takes in all of a body, inflated.
    pub(super) fn take(folder: &Path, mut body: BodyReader) -> io::Result<Self> {
        let file = tempfile::tempfile_in(folder)?;
        let mut to = BufWriter::with_capacity(1 << 20, file);
        loop {
            check_room(folder, STEP)?;
            if io::copy(&mut (&mut body).take(STEP), &mut to)? < STEP {
                break;
            }
        }
        to.flush()?;
        let file = to.into_inner().map_err(io::IntoInnerError::into_error)?;
        Ok(Self { file, digest: body.digest()? })
    }

    /// The body from its first byte on.
    pub(super) fn reader(&self) -> io::Result<File> {
        let mut file = self.file.try_clone()?;
        file.seek(SeekFrom::Start(0))?;
        Ok(file)
    }
}
