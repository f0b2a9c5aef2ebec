//! Bytes as text.

use std::fmt::Write as _;

/// Bytes in hexadecimal digits, in lower case.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut digits, byte| {
        // Writing to a string does not fail.
        let _ = write!(digits, "{byte:02x}");
        digits
    })
}
