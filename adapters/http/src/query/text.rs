//! Percent-decoding.

/// The text, with `+` as a blank and percent-encoded bytes decoded; `None` unless it is UTF-8 then.
pub(crate) fn decode(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'+' => b' ',
            b'%' => hex(rest.next()?)? << 4 | hex(rest.next()?)?,
            other => other,
        });
    }
    String::from_utf8(bytes).ok()
}

fn hex(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).and_then(|value| u8::try_from(value).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_decoded_or_refused() {
        assert_eq!(decode("a+b%20%C3%A9").as_deref(), Some("a b é"));
        for bad in ["%", "%2", "%zz", "%ff", "%+1"] {
            assert_eq!(decode(bad), None, "{bad}");
        }
    }
}
