//! The items of a change in bytes, in parts of bounded size.
//!
//! The first byte is the form, 1. Then come the number of items and the items, in the order in which they were written:
//! - a byte with the code of the verb: 0 added, 1 updated, 2 removed, 3 blanked;
//! - a byte with the code of the kind;
//! - the 16 bytes of the identifier;
//! - if it was added or updated, the 32 bytes of the digest of the record as it was left;
//! - if it was updated or removed, of the version that is gone: the number of the change that wrote it, the 32 bytes of its
//!   digest, and a byte that is 1 before the text (its length in bytes, and UTF-8) and 0 where it was blanked;
//! - if a text was blanked, of the version that it is of: the number of the change that wrote it and the 32 bytes of its digest.
//!
//! Numbers are varints: seven bits a byte, the lowest first, the top bit set on all but the last.

use std::fmt;
use std::ops::Range;

use domain::{Digest, VarintError, read_varint, write_varint};
use uuid::Uuid;

use super::TextPlace;
use crate::change::{Action, BlankedVersion, ChangeItem, Replaced, Verb};
use crate::record::{RecordKind, Version};

const FORM: u8 = 1;
/// The byte in the place of a text that was blanked.
const BLANKED: u8 = 0;
/// How many items a part has at most.
const MOST: u64 = 4_096;
/// A part of so many bytes takes no further item.
const FULL: usize = 256 * 1024;

/// Some items of a change, in order, in bytes.
#[derive(Clone, PartialEq, Eq)]
pub struct PackedItems(Vec<u8>);

/// Why bytes are not the items of a change.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ItemsError {
    /// The form is none that this version knows.
    #[error("the packed items have the form {0}, which is unknown")]
    Form(u8),
    /// The bytes end within an item, or go on behind the last.
    #[error("the packed items are too short or too long")]
    Length,
    /// The code of a verb or a kind is none.
    #[error("the packed items have the code {0}, which is unknown")]
    Code(u8),
    /// Not the one spelling of these items.
    #[error("the packed items are not spelt as they should be")]
    Spelling,
}

impl PackedItems {
    /// The items, in parts.
    #[must_use]
    pub fn pack<'a>(items: impl IntoIterator<Item = &'a ChangeItem>) -> Vec<Self> {
        let mut packer = ItemsPacker::default();
        let mut parts: Vec<Self> = items.into_iter().filter_map(|item| packer.push(item)).collect();
        parts.extend(packer.finish());
        parts
    }

    /// Bytes as they were stored; [`items`](Self::items) checks whether they are sound.
    #[must_use]
    pub const fn from_stored(bytes: Vec<u8>) -> Self {
        Self(bytes)
    }

    /// The packed form, as stores and tenant files write it.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// The packed form, as stores and tenant files write it, without a copy.
    #[must_use]
    pub fn into_bytes(self) -> Vec<u8> {
        self.0
    }

    /// Reads the items one by one, in order. Ends behind the first error.
    #[must_use]
    pub fn items(&self) -> Items<'_> {
        Items { rest: &self.0, left: None, failed: false, text: None }
    }

    /// Reads the items one by one, each with where its text stands in the bytes, from the byte that says that it follows to
    /// its last, where it has one. Ends behind the first error.
    pub fn items_with_texts(&self) -> impl Iterator<Item = Result<(ChangeItem, Option<Range<usize>>), ItemsError>> {
        let mut items = self.items();
        let length = self.0.len();
        std::iter::from_fn(move || {
            let item = items.next()?;
            let place = items.text.take().map(|(before, behind)| length - before..length - behind);
            Some(item.map(|item| (item, place)))
        })
    }

    /// The same with that text blanked; `None` where another text stands in its place, or none.
    #[must_use]
    pub fn without_text(&self, text: &TextPlace) -> Option<Self> {
        let bytes = &text.bytes;
        let is_there = |(item, at): (ChangeItem, Option<Range<usize>>)| {
            let of = item.replaced().map(|replaced| (replaced.version, replaced.digest));
            at.as_ref() == Some(bytes)
                && (item.kind, item.id) == (text.kind, text.id)
                && of == Some((text.version.version, text.version.digest))
        };
        if !self.items_with_texts().map_while(Result::ok).any(is_there) {
            return None;
        }
        let (before, behind) = (self.0.get(..bytes.start)?, self.0.get(bytes.end..)?);
        Some(Self([before, &[BLANKED], behind].concat()))
    }
}

impl fmt::Debug for PackedItems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PackedItems({} bytes)", self.0.len())
    }
}

/// Packs items as they come.
#[derive(Clone, Debug, Default)]
pub struct ItemsPacker {
    count: u64,
    body: Vec<u8>,
}

impl ItemsPacker {
    /// Takes in the next item, and gives a part when it is full.
    pub fn push(&mut self, item: &ChangeItem) -> Option<PackedItems> {
        self.body.extend([item.verb().code(), item.kind.code()]);
        self.body.extend(item.id.as_bytes());
        if let Some(left) = item.left() {
            self.body.extend(left.as_bytes());
        }
        if let Some(Replaced { version, digest, text }) = item.replaced() {
            write_varint(&mut self.body, version.0);
            self.body.extend(digest.as_bytes());
            self.body.push(u8::from(text.is_some()));
            if let Some(text) = text {
                write_varint(&mut self.body, text.len() as u64);
                self.body.extend(text.as_bytes());
            }
        }
        if let Some(BlankedVersion { version, digest }) = item.blanked() {
            write_varint(&mut self.body, version.0);
            self.body.extend(digest.as_bytes());
        }
        self.count += 1;
        if self.count >= MOST || self.body.len() >= FULL { self.take() } else { None }
    }

    /// The last part; `None` when no item is left.
    #[must_use]
    pub fn finish(mut self) -> Option<PackedItems> {
        self.take()
    }

    fn take(&mut self) -> Option<PackedItems> {
        let Self { count, body } = std::mem::take(self);
        if count == 0 {
            return None;
        }
        let mut bytes = Vec::with_capacity(body.len() + 4);
        bytes.push(FORM);
        write_varint(&mut bytes, count);
        bytes.extend(body);
        Some(PackedItems(bytes))
    }
}

/// The items of packed bytes.
#[derive(Debug)]
pub struct Items<'a> {
    rest: &'a [u8],
    /// How many items are still to come; `None` before the head was read.
    left: Option<u64>,
    failed: bool,
    /// How many bytes were left before the text of the last item and behind it, where it has one.
    text: Option<(usize, usize)>,
}

impl Items<'_> {
    fn read(&mut self) -> Result<Option<ChangeItem>, ItemsError> {
        let left = if let Some(left) = self.left {
            left
        } else {
            let form = self.byte()?;
            if form != FORM {
                return Err(ItemsError::Form(form));
            }
            self.varint()?
        };
        let Some(after) = left.checked_sub(1) else {
            self.left = Some(0);
            return if self.rest.is_empty() { Ok(None) } else { Err(ItemsError::Length) };
        };
        self.left = Some(after);
        let (verb, kind) = (self.byte()?, self.byte()?);
        let verb = Verb::from_code(verb).ok_or(ItemsError::Code(verb))?;
        let kind = RecordKind::from_code(kind).ok_or(ItemsError::Code(kind))?;
        let id = Uuid::from_bytes(self.array()?);
        let action = match verb {
            Verb::Added => Action::Added(self.digest()?),
            Verb::Updated => Action::Updated { digest: self.digest()?, replaced: self.replaced()? },
            Verb::Removed => Action::Removed(self.replaced()?),
            Verb::Blanked => {
                Action::Blanked(BlankedVersion { version: Version(self.varint()?), digest: self.digest()? })
            }
        };
        Ok(Some(ChangeItem { kind, id, action }))
    }

    fn replaced(&mut self) -> Result<Replaced, ItemsError> {
        let (version, digest) = (Version(self.varint()?), self.digest()?);
        let before = self.rest.len();
        let text = match self.byte()? {
            BLANKED => None,
            1 => {
                let length = usize::try_from(self.varint()?).map_err(|_| ItemsError::Length)?;
                let text = String::from_utf8(self.take(length)?.to_vec()).map_err(|_| ItemsError::Spelling)?;
                self.text = Some((before, self.rest.len()));
                Some(text)
            }
            _ => return Err(ItemsError::Spelling),
        };
        Ok(Replaced { version, digest, text })
    }

    fn digest(&mut self) -> Result<Digest, ItemsError> {
        self.array().map(Digest::from_stored)
    }

    fn varint(&mut self) -> Result<u64, ItemsError> {
        read_varint(&mut self.rest).map_err(|error| match error {
            VarintError::Short => ItemsError::Length,
            VarintError::TooLarge | VarintError::TooLong => ItemsError::Spelling,
        })
    }

    fn byte(&mut self) -> Result<u8, ItemsError> {
        self.array().map(|[byte]| byte)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], ItemsError> {
        self.take(N)?.try_into().map_err(|_| ItemsError::Length)
    }

    fn take(&mut self, length: usize) -> Result<&[u8], ItemsError> {
        let (taken, rest) = self.rest.split_at_checked(length).ok_or(ItemsError::Length)?;
        self.rest = rest;
        Ok(taken)
    }
}

impl Iterator for Items<'_> {
    type Item = Result<ChangeItem, ItemsError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        self.text = None;
        let read = self.read();
        self.failed = !matches!(read, Ok(Some(_)));
        read.transpose()
    }
}
