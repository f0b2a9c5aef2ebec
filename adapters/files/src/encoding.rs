//! Texts in other encodings than UTF-8, read as UTF-8 while they stream.

use std::io::{self, BufRead, Chain, Cursor, Read};

use encoding_rs::{Decoder, DecoderResult, Encoding, UTF_8};

/// So many bytes are decoded at a time.
const CHUNK: usize = 1 << 16;

/// A text without its byte-order mark.
pub(crate) type Unmarked<R> = Chain<Cursor<Vec<u8>>, R>;

/// How a text is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TextEncoding(&'static Encoding);

impl Default for TextEncoding {
    fn default() -> Self {
        Self(UTF_8)
    }
}

impl TextEncoding {
    /// The encoding of that name, such as `windows-1252` or `utf-16`.
    pub(crate) fn parse(name: &str) -> Result<Self, &'static str> {
        let found = Encoding::for_label_no_replacement(name.trim().as_bytes());
        found.map(Self).ok_or("must be the name of an encoding, such as utf-8, windows-1252 or utf-16")
    }

    /// What it is called.
    pub(crate) fn name(self) -> &'static str {
        self.0.name()
    }

    /// Whether a text in it is read as it is.
    pub(crate) fn is_utf8(self) -> bool {
        self.0 == UTF_8
    }
}

/// The source without its byte-order mark, and the encoding it is in: that of the mark, else the one that is `said`.
pub(crate) fn without_mark<R: BufRead>(mut source: R, said: TextEncoding) -> io::Result<(Unmarked<R>, TextEncoding)> {
    let mut head = Vec::with_capacity(3);
    source.by_ref().take(3).read_to_end(&mut head)?;
    let marked = Encoding::for_bom(&head);
    if let Some((_, length)) = marked {
        head.drain(..length);
    }
    let encoding = marked.map_or(said, |(encoding, _)| TextEncoding(encoding));
    Ok((Cursor::new(head).chain(source), encoding))
}

/// A source in another encoding, as UTF-8. What is no text in that encoding becomes a byte that is no UTF-8, so that the row
/// that it is in is refused.
pub(crate) struct Decoded<R> {
    source: R,
    decoder: Decoder,
    ready: Vec<u8>,
    used: usize,
    ended: bool,
}

impl<R> std::fmt::Debug for Decoded<R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Decoded").finish_non_exhaustive()
    }
}

impl<R: BufRead> Decoded<R> {
    pub(crate) fn new(source: R, encoding: TextEncoding) -> Self {
        let decoder = encoding.0.new_decoder_without_bom_handling();
        Self { source, decoder, ready: Vec::new(), used: 0, ended: false }
    }

    /// Decodes the next bytes of the source.
    fn decode(&mut self) -> io::Result<()> {
        self.ready.clear();
        self.used = 0;
        while self.ready.is_empty() && !self.ended {
            let chunk = self.source.fill_buf()?;
            let chunk = &chunk[..chunk.len().min(CHUNK)];
            let (is_last, mut taken) = (chunk.is_empty(), 0);
            let mut text = [0; 4 * 1024];
            loop {
                let rest = &chunk[taken..];
                let (result, read, written) = self.decoder.decode_to_utf8_without_replacement(rest, &mut text, is_last);
                taken += read;
                self.ready.extend_from_slice(&text[..written]);
                match result {
                    DecoderResult::InputEmpty => break,
                    DecoderResult::OutputFull => {}
                    DecoderResult::Malformed(..) => self.ready.push(0xff),
                }
            }
            self.source.consume(taken);
            self.ended = is_last;
        }
        Ok(())
    }
}

impl<R: BufRead> Read for Decoded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let ready = self.fill_buf()?;
        let count = ready.len().min(buffer.len());
        buffer[..count].copy_from_slice(&ready[..count]);
        self.consume(count);
        Ok(count)
    }
}

impl<R: BufRead> BufRead for Decoded<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.used == self.ready.len() {
            self.decode()?;
        }
        Ok(&self.ready[self.used..])
    }

    fn consume(&mut self, count: usize) {
        self.used += count;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8], name: &str) -> Vec<u8> {
        let (source, encoding) = without_mark(bytes, TextEncoding::parse(name).unwrap()).unwrap();
        let mut text = Vec::new();
        Decoded::new(source, encoding).read_to_end(&mut text).unwrap();
        text
    }

    fn utf16(text: &str, of: fn(u16) -> [u8; 2]) -> Vec<u8> {
        text.encode_utf16().flat_map(of).collect()
    }

    #[test]
    fn a_mark_says_the_encoding_and_without_one_the_map_does() {
        let text = "Köln;\u{1f30d};1";
        for (mark, of) in [([0xff, 0xfe], u16::to_le_bytes as fn(u16) -> [u8; 2]), ([0xfe, 0xff], u16::to_be_bytes)] {
            let bytes = [&mark[..], &utf16(text, of)].concat();
            assert_eq!(read(&bytes, "utf-8"), text.as_bytes());
        }
        assert_eq!(read(&utf16(text, u16::to_le_bytes), "utf-16"), text.as_bytes());
        assert_eq!(read(&utf16(text, u16::to_be_bytes), "utf-16be"), text.as_bytes());
        assert_eq!(read(b"K\xf6ln \x80", "windows-1252"), "Köln €".as_bytes());
        assert_eq!(read(b"\xef\xbb\xbfK\xc3\xb6ln", "windows-1252"), "Köln".as_bytes());
        assert!(TextEncoding::parse("utf-9").is_err());
    }

    #[test]
    fn what_is_no_text_is_no_text_either_when_decoded() {
        // Half of a pair, and half of a unit.
        assert!(std::str::from_utf8(&read(b"a\0\x3d\xd8b\0", "utf-16")).is_err());
        assert!(std::str::from_utf8(&read(b"a\0b", "utf-16")).is_err());
    }

    #[test]
    fn long_texts_come_through_whole() {
        let text = "ä€".repeat(100_000);
        assert_eq!(read(&utf16(&text, u16::to_le_bytes), "utf-16le"), text.as_bytes());
    }
}
