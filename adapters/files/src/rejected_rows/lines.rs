//! Rejected rows of NDJSON.

use std::io::{self, BufRead, Read, Write};

use super::reasons::Reader;
use crate::activity::{MAX_ROW_BYTES, REASON};
use crate::json::Json;

/// Copies the lines that have a reason, which an object gets as its first member. Of a line that is longer than any row the
/// beginning is copied.
pub(super) fn copy<R: BufRead>(
    mut source: R,
    mut reasons: Reader<impl Read>,
    target: &mut impl Write,
) -> io::Result<()> {
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        let most = MAX_ROW_BYTES as u64 + 2;
        if source.by_ref().take(most).read_until(b'\n', &mut line)? == 0 {
            break;
        }
        if line.last() != Some(&b'\n') && line.len() as u64 == most {
            source.skip_until(b'\n')?;
        }
        let Some(reason) = reasons.of_line(number)? else { continue };
        let text = line.trim_ascii();
        let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
        match text.strip_prefix(b"{") {
            Some(members) => {
                let comma = if members.trim_ascii_start().starts_with(b"}") { "" } else { "," };
                write!(target, "{{\"{REASON}\":{}{comma}", Json::Text(reason))?;
                target.write_all(&without_reason(members))?;
            }
            None => target.write_all(text)?,
        }
        target.write_all(b"\n")?;
    }
    Ok(())
}

/// The members without the reason of an earlier copy, which stands first.
fn without_reason(members: &[u8]) -> Vec<u8> {
    let begins = format!("\"{REASON}\":\"");
    let Some(rest) = members.strip_prefix(begins.as_bytes()) else { return members.to_vec() };
    let mut escaped = false;
    for (at, byte) in rest.iter().enumerate() {
        match byte {
            b'"' if !escaped => {
                let behind = &rest[at + 1..];
                return behind.strip_prefix(b",").unwrap_or(behind).to_vec();
            }
            b'\\' => escaped = !escaped,
            _ => escaped = false,
        }
    }
    members.to_vec()
}
