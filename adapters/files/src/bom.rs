//! The byte-order mark that some programs put before a text.

use std::io::{BufRead, Chain, Cursor, Error, ErrorKind, Read, Result};

const MARK: &[u8] = b"\xef\xbb\xbf";

/// The source without its byte-order mark, if it has one. The mark of UTF-16 is an error.
pub(crate) fn without_bom<R: BufRead>(mut source: R) -> Result<Chain<Cursor<Vec<u8>>, R>> {
    let mut head = Vec::with_capacity(MARK.len());
    source.by_ref().take(3).read_to_end(&mut head)?;
    if head == MARK {
        head.clear();
    }
    if head.starts_with(b"\xff\xfe") || head.starts_with(b"\xfe\xff") {
        return Err(Error::new(ErrorKind::InvalidData, "it is UTF-16; save it as UTF-8"));
    }
    Ok(Cursor::new(head).chain(source))
}
