//! From which lines of its file an import wrote the activities of a change: parts beside the change's items, bound by no
//! digest, one line for each item that left an activity, in their order.
//!
//! The first byte is the form, 1. Then come the number of lines and the lines, each as by how much it is more than the one
//! before, the first as by how much it is more than 0: twice that much, or where it is less, twice as much as it is less by,
//! less one. Numbers are varints: seven bits a byte, the lowest first, the top bit set on all but the last.

use std::fmt;

use domain::{read_varint, write_varint};

const FORM: u8 = 1;

/// Some lines of a change, in order, in bytes.
#[derive(Clone, PartialEq, Eq)]
pub struct PackedLines(Vec<u8>);

/// Bytes that are not the lines of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the packed lines do not read")]
pub struct LinesError;

impl fmt::Debug for PackedLines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PackedLines({} bytes)", self.0.len())
    }
}

impl PackedLines {
    /// How many lines a part has at most.
    pub const MOST: usize = 4_096;

    /// The lines, in parts. Lines are below 2^63.
    #[must_use]
    pub fn pack(lines: &[u64]) -> Vec<Self> {
        lines.chunks(Self::MOST).map(Self::part).collect()
    }

    fn part(lines: &[u64]) -> Self {
        let mut bytes = vec![FORM];
        write_varint(&mut bytes, lines.len() as u64);
        let mut before = 0_u64;
        for line in lines {
            let more = line.wrapping_sub(before).cast_signed();
            write_varint(&mut bytes, (more << 1 ^ more >> 63).cast_unsigned());
            before = *line;
        }
        Self(bytes)
    }

    /// Bytes as they were stored; [`lines`](Self::lines) checks whether they are sound.
    #[must_use]
    pub const fn from_stored(bytes: Vec<u8>) -> Self {
        Self(bytes)
    }

    /// The bytes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// The bytes.
    #[must_use]
    pub fn into_bytes(self) -> Vec<u8> {
        self.0
    }

    /// The lines, in order.
    pub fn lines(&self) -> Result<Vec<u64>, LinesError> {
        let mut rest = self.0.strip_prefix(&[FORM]).ok_or(LinesError)?;
        let mut next = || read_varint(&mut rest).map_err(|_| LinesError);
        let count = usize::try_from(next()?).ok().filter(|count| (1..=Self::MOST).contains(count)).ok_or(LinesError)?;
        let (mut lines, mut line) = (Vec::with_capacity(count), 0_u64);
        for _ in 0..count {
            let folded = next()?;
            let more = (folded >> 1).cast_signed() ^ -(folded & 1).cast_signed();
            line = line.checked_add_signed(more).ok_or(LinesError)?;
            lines.push(line);
        }
        if rest.is_empty() { Ok(lines) } else { Err(LinesError) }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn lines_read_back_in_their_order(lines in prop::collection::vec(0..=u64::MAX >> 1, 1..9_000)) {
            let parts = PackedLines::pack(&lines);
            prop_assert_eq!(parts.len(), lines.len().div_ceil(PackedLines::MOST));
            let read: Vec<u64> = parts.iter().flat_map(|part| part.lines().unwrap()).collect();
            prop_assert_eq!(read, lines);
        }

        #[test]
        fn bytes_are_lines_in_one_spelling_alone(bytes in prop::collection::vec(any::<u8>(), 0..12)) {
            let packed = PackedLines::from_stored(bytes);
            if let Ok(lines) = packed.lines() {
                prop_assert_eq!(PackedLines::pack(&lines), vec![packed]);
            }
        }
    }

    #[test]
    fn a_line_behind_the_other_takes_one_byte() {
        let lines: Vec<u64> = (2..1_002).collect();
        assert_eq!(PackedLines::pack(&lines)[0].as_bytes().len(), 1 + 2 + lines.len());
    }

    #[test]
    fn what_is_too_short_or_too_long_or_of_another_form_is_refused() {
        let sound = PackedLines::pack(&[7, 3]).remove(0).into_bytes();
        assert_eq!(sound, [1, 2, 14, 7]);
        for bytes in [&[][..], &[1], &[1, 0], &[2, 1, 2], &sound[..3], &[1, 2, 14, 7, 0], &[1, 1, 1], &[1, 1, 0x81, 0]]
        {
            assert_eq!(PackedLines::from_stored(bytes.to_vec()).lines(), Err(LinesError), "{bytes:?}");
        }
    }
}
