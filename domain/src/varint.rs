//! Whole numbers in bytes, as packed cells and packed items have them: seven bits a byte, the lowest first, the top bit
//! set on all but the last, no byte more than the number needs.

/// Why bytes do not begin with a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VarintError {
    /// They end within it.
    Short,
    /// It has more than 64 bits.
    TooLarge,
    /// It has more bytes than it needs.
    TooLong,
}

/// Appends a number, seven bits a byte, the lowest first.
pub fn write_varint(bytes: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        bytes.push(value.to_le_bytes()[0] | 0x80);
        value >>= 7;
    }
    bytes.push(value.to_le_bytes()[0]);
}

/// Takes a number from the front.
pub fn read_varint(bytes: &mut &[u8]) -> Result<u64, VarintError> {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let (byte, rest) = bytes.split_first().ok_or(VarintError::Short)?;
        *bytes = rest;
        let bits = u64::from(byte & 0x7f);
        if bits << shift >> shift != bits {
            return Err(VarintError::TooLarge);
        }
        value |= bits << shift;
        if byte & 0x80 == 0 {
            return if *byte != 0 || shift == 0 { Ok(value) } else { Err(VarintError::TooLong) };
        }
    }
    Err(VarintError::TooLarge)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_and_the_rest_is_left() {
        for value in [0, 1, 127, 128, 16_383, 16_384, u64::from(u32::MAX), u64::MAX] {
            let mut bytes = Vec::new();
            write_varint(&mut bytes, value);
            bytes.push(9);
            let mut rest = &bytes[..];
            assert_eq!((read_varint(&mut rest), rest), (Ok(value), &[9][..]));
        }
    }

    #[test]
    fn no_other_spelling_is_read() {
        for (bytes, error) in [
            (&[][..], VarintError::Short),
            (&[0x80], VarintError::Short),
            (&[0x81, 0], VarintError::TooLong),
            (&[0xff; 10], VarintError::TooLarge),
            (&[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2], VarintError::TooLarge),
        ] {
            assert_eq!(read_varint(&mut &*bytes), Err(error), "{bytes:?}");
        }
    }
}
