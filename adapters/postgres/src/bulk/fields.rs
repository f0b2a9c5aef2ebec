//! The fields of rows in the binary form of COPY: a length, -1 for NULL, then the value as the server sends it.

use std::fmt::{Display, Write as _};

use domain::{Day, Decimal, Digest, Timestamp};
use uuid::Uuid;

use super::numeric;

/// The Julian day number of 2000-01-01, from which the server counts days.
const EPOCH_DAY: i32 = 2_451_545;
/// The milliseconds of 2000-01-01T00:00:00Z, from which the server counts microseconds.
const EPOCH_MILLIS: i64 = 946_684_800_000;

/// The fields of a row in the making.
#[derive(Debug)]
pub(crate) struct Fields<'r> {
    data: &'r mut Vec<u8>,
}

impl<'r> Fields<'r> {
    /// Appends to those bytes.
    pub(super) const fn new(data: &'r mut Vec<u8>) -> Self {
        Self { data }
    }

    /// Appends NULL.
    pub(crate) fn null(&mut self) -> &mut Self {
        self.data.extend((-1_i32).to_be_bytes());
        self
    }

    /// Appends a `uuid`.
    pub(crate) fn id(&mut self, value: impl Into<Uuid>) -> &mut Self {
        self.raw(value.into().as_bytes())
    }

    /// A `uuid` or NULL.
    pub(crate) fn id_or_null(&mut self, value: Option<impl Into<Uuid>>) -> &mut Self {
        match value {
            Some(value) => self.id(value),
            None => self.null(),
        }
    }

    /// Appends a `smallint`.
    pub(crate) fn smallint(&mut self, value: i16) -> &mut Self {
        self.raw(&value.to_be_bytes())
    }

    /// Appends an `integer`.
    pub(crate) fn integer(&mut self, value: i32) -> &mut Self {
        self.raw(&value.to_be_bytes())
    }

    /// Appends a `bigint`.
    pub(crate) fn bigint(&mut self, value: i64) -> &mut Self {
        self.raw(&value.to_be_bytes())
    }

    /// Appends a `date`.
    pub(crate) fn day(&mut self, value: Day) -> &mut Self {
        self.integer(value.number() - EPOCH_DAY)
    }

    /// Appends a `timestamptz`.
    pub(crate) fn timestamp(&mut self, value: Timestamp) -> &mut Self {
        self.bigint((value.millis() - EPOCH_MILLIS) * 1_000)
    }

    /// A `bytea` that holds a digest.
    pub(crate) fn digest(&mut self, value: Digest) -> &mut Self {
        self.raw(value.as_bytes())
    }

    /// Appends a `text`.
    pub(crate) fn text(&mut self, value: impl Display) -> &mut Self {
        self.sized(|data| {
            let _ = write!(Text(data), "{value}");
        })
    }

    /// A `text` or NULL.
    pub(crate) fn text_or_null(&mut self, value: Option<impl Display>) -> &mut Self {
        match value {
            Some(value) => self.text(value),
            None => self.null(),
        }
    }

    /// Appends a `numeric`.
    pub(crate) fn amount(&mut self, value: Decimal) -> &mut Self {
        self.sized(|data| numeric::encode(data, value))
    }

    /// A `numeric` or NULL.
    pub(crate) fn amount_or_null(&mut self, value: Option<Decimal>) -> &mut Self {
        match value {
            Some(value) => self.amount(value),
            None => self.null(),
        }
    }

    /// Appends a `bytea`.
    pub(crate) fn bytes(&mut self, value: &[u8]) -> &mut Self {
        self.raw(value)
    }

    fn raw(&mut self, bytes: &[u8]) -> &mut Self {
        self.sized(|data| data.extend(bytes))
    }

    /// Appends what `write` does, its length before it.
    fn sized(&mut self, write: impl FnOnce(&mut Vec<u8>)) -> &mut Self {
        let at = self.data.len();
        self.null();
        write(self.data);
        let length = i32::try_from(self.data.len() - at - 4).unwrap_or(i32::MAX);
        if let Some(place) = self.data.get_mut(at..at + 4) {
            place.copy_from_slice(&length.to_be_bytes());
        }
        self
    }
}

/// Writes text as its bytes.
struct Text<'t>(&'t mut Vec<u8>);

impl std::fmt::Write for Text<'_> {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        self.0.extend(text.as_bytes());
        Ok(())
    }
}

/// The fields of rows of that width, one after another.
pub(super) fn split(mut data: &[u8], width: usize) -> Vec<Option<&[u8]>> {
    let mut fields = Vec::new();
    while !data.is_empty() {
        if fields.len() % width == 0 {
            data = data.get(2..).unwrap_or_default();
        }
        let Some((length, rest)) = data.split_first_chunk() else { break };
        // -1 is NULL and the only negative one.
        let length = usize::try_from(i32::from_be_bytes(*length)).ok();
        let (field, rest) = rest.split_at_checked(length.unwrap_or_default()).unwrap_or_default();
        fields.push(length.map(|_| field));
        data = rest;
    }
    fields
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_found_again() {
        let mut data = Vec::new();
        for text in ["", "tab\tline\nback\\N\u{1F30D}"] {
            data.extend(2_i16.to_be_bytes());
            Fields::new(&mut data).text(text).null();
        }
        let texts = [Some(&b""[..]), None, Some("tab\tline\nback\\N\u{1F30D}".as_bytes()), None];
        assert_eq!(split(&data, 2), texts);
    }

    #[test]
    fn days_and_moments_count_from_2000() {
        let mut data = Vec::new();
        let at = Timestamp::parse("2000-01-01T00:00:01Z").expect("a time");
        Fields::new(&mut data).day(Day::parse("2000-01-02").expect("a day")).timestamp(at);
        assert_eq!(data, [&[0, 0, 0, 4, 0, 0, 0, 1][..], &[0, 0, 0, 8, 0, 0, 0, 0, 0, 15, 66, 64]].concat());
    }
}
