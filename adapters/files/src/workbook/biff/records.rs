//! The records of a workbook's stream, one after the other.

/// What goes on with the record before.
const CONTINUE: u16 = 0x003c;
/// How many bytes say the kind of a record and its length, before its data.
pub(super) const HEAD: usize = 4;
/// A record is not divided into more pieces: the library takes ever longer for each.
const MOST_PIECES: usize = 20_000;

/// A record with the pieces that go on with it.
pub(super) struct Record<'a> {
    pub(super) kind: u16,
    /// Where it begins.
    pub(super) start: usize,
    pub(super) data: &'a [u8],
    pub(super) pieces: Vec<&'a [u8]>,
}

/// That a record is shorter than it must be.
pub(super) fn short() -> String {
    "it is damaged: a record is cut short".to_owned()
}

impl Record<'_> {
    /// The number of two bytes at that place of its data.
    pub(super) fn short_at(&self, at: usize) -> Result<u16, String> {
        short_at(self.data, at).ok_or_else(short)
    }

    /// The number of four bytes at that place of its data.
    pub(super) fn number_at(&self, at: usize) -> Result<u32, String> {
        let bytes = self.data.get(at..at + 4).and_then(|bytes| bytes.try_into().ok());
        bytes.map(u32::from_le_bytes).ok_or_else(short)
    }
}

fn short_at(bytes: &[u8], at: usize) -> Option<u16> {
    bytes.get(at..at.checked_add(2)?).and_then(|bytes| bytes.try_into().ok()).map(u16::from_le_bytes)
}

/// Reads records.
pub(super) struct Records<'a> {
    stream: &'a [u8],
    at: usize,
}

impl<'a> Records<'a> {
    /// From that place of a stream on.
    pub(super) const fn new(stream: &'a [u8], at: usize) -> Self {
        Self { stream, at }
    }

    /// Where the next one begins.
    pub(super) const fn at(&self) -> usize {
        self.at
    }

    /// The next one; `None` at the end of the stream.
    pub(super) fn next_record(&mut self) -> Result<Option<Record<'a>>, String> {
        let start = self.at;
        let Some((kind, data)) = self.piece()? else { return Ok(None) };
        let mut pieces = Vec::new();
        while short_at(self.stream, self.at) == Some(CONTINUE) {
            pieces.extend(self.piece()?.map(|(_, data)| data));
            if pieces.len() > MOST_PIECES {
                return Err(format!("one of its records has more than {MOST_PIECES} pieces; save the sheet as CSV"));
            }
        }
        Ok(Some(Record { kind, start, data, pieces }))
    }

    fn piece(&mut self) -> Result<Option<(u16, &'a [u8])>, String> {
        if self.at >= self.stream.len() {
            return Ok(None);
        }
        let kind = short_at(self.stream, self.at).ok_or_else(short)?;
        let length = usize::from(short_at(self.stream, self.at + 2).ok_or_else(short)?);
        let data = self.stream.get(self.at + HEAD..self.at + HEAD + length).ok_or_else(short)?;
        self.at += HEAD + length;
        Ok(Some((kind, data)))
    }
}
