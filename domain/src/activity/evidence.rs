//! What shows that an activity is as it is recorded: links, and files by their hash.

use std::fmt;
use std::str::FromStr;

use crate::canonical::Digest;
use crate::text::{Link, Name, TextError};

/// The most pieces of evidence of an activity.
pub const MAX_EVIDENCE: usize = 20;

/// What the text of a file begins with.
const SHA256: &str = "sha256:";

/// A piece of evidence. Its text is the address of the link; of a file `sha256:`, the 64 hexadecimal digits of its SHA-256, a
/// blank and its name.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Evidence {
    /// Where it can be seen. Nothing is fetched from there.
    Link(Link),
    /// A file that is kept elsewhere: whoever has it can tell that it is the one.
    File {
        /// The SHA-256 of its bytes.
        sha256: Digest,
        /// What it is called.
        name: Name,
    },
}

/// Why a text is no piece of evidence.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EvidenceError {
    /// Neither a link nor a file.
    #[error("must be an http or https address, or sha256: with 64 hexadecimal digits, a blank and the file's name")]
    Form,
    /// The address or the name is refused.
    #[error(transparent)]
    Text(#[from] TextError),
}

impl Evidence {
    /// Reads what [`Display`](fmt::Display) writes; the digits in any case.
    pub fn parse(text: &str) -> Result<Self, EvidenceError> {
        let Some(file) = text.strip_prefix(SHA256) else {
            let is_link = text.split_once("://").is_some();
            return if is_link { Ok(Self::Link(Link::parse(text)?)) } else { Err(EvidenceError::Form) };
        };
        let (digits, name) = file.split_once(' ').ok_or(EvidenceError::Form)?;
        let sha256 = Digest::parse(&digits.to_ascii_lowercase()).map_err(|_| EvidenceError::Form)?;
        Ok(Self::File { sha256, name: Name::parse(name)? })
    }
}

impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Link(link) => link.fmt(f),
            Self::File { sha256, name } => write!(f, "{SHA256}{sha256} {name}"),
        }
    }
}

impl FromStr for Evidence {
    type Err = EvidenceError;

    fn from_str(text: &str) -> Result<Self, EvidenceError> {
        Self::parse(text)
    }
}

/// Up to [`MAX_EVIDENCE`] pieces of evidence, each once, in the order they were given.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct EvidenceList(Vec<Evidence>);

/// Why pieces are no list of evidence.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EvidenceListError {
    /// There are more than [`MAX_EVIDENCE`].
    #[error("has {0} pieces of evidence, more than {MAX_EVIDENCE}")]
    TooMany(
        /// How many there are.
        usize,
    ),
    /// One stands there twice.
    #[error("names {0} twice")]
    Twice(
        /// Its text.
        String,
    ),
    /// A line of a text is none.
    #[error("line {0}: {1}")]
    Line(
        /// The number of the line, from 1.
        usize,
        /// What is wrong with it.
        EvidenceError,
    ),
}

impl EvidenceList {
    /// No evidence.
    pub const NONE: Self = Self(Vec::new());

    /// Those pieces, in that order.
    pub fn new(pieces: Vec<Evidence>) -> Result<Self, EvidenceListError> {
        if pieces.len() > MAX_EVIDENCE {
            return Err(EvidenceListError::TooMany(pieces.len()));
        }
        let twice = pieces.iter().enumerate().find(|(at, piece)| pieces[..*at].contains(piece));
        match twice {
            Some((_, piece)) => Err(EvidenceListError::Twice(piece.to_string())),
            None => Ok(Self(pieces)),
        }
    }

    /// Reads what [`Display`](fmt::Display) writes: a piece a line. Blanks around a line and empty lines do not count.
    pub fn parse(text: &str) -> Result<Self, EvidenceListError> {
        let lines = text.lines().zip(1..).map(|(line, number)| (line.trim(), number));
        let read = |(line, number)| Evidence::parse(line).map_err(|error| EvidenceListError::Line(number, error));
        Self::new(lines.filter(|(line, _)| !line.is_empty()).map(read).collect::<Result<_, _>>()?)
    }

    /// The pieces, in the order they were given.
    #[must_use]
    pub fn as_slice(&self) -> &[Evidence] {
        &self.0
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Display for EvidenceList {
    /// A piece a line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, piece) in self.0.iter().enumerate() {
            if at > 0 {
                f.write_str("\n")?;
            }
            piece.fmt(f)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a Invoice 4711, Köln.pdf";

    #[test]
    fn a_link_and_a_file_are_read_as_they_are_written() {
        for text in ["https://archive.example/4711?page=2", FILE] {
            assert_eq!(Evidence::parse(text).map(|piece| piece.to_string()), Ok(text.to_owned()));
        }
        let upper = FILE.replace("44136fa3", "44136FA3");
        assert_eq!(Evidence::parse(&upper), Evidence::parse(FILE));
    }

    #[test]
    fn what_is_neither_is_refused() {
        let short = &FILE[..60];
        for text in ["", "invoice.pdf", "ftp://archive.example/1", "https://", "sha256:44 a.pdf", short, "sha256:"] {
            assert!(Evidence::parse(text).is_err(), "{text}");
        }
        assert!(Evidence::parse(&FILE[..72]).is_err(), "a file has a name");
    }

    #[test]
    fn a_list_has_each_piece_once_and_no_more_than_twenty() {
        let links = |count: usize| {
            let links: Vec<String> = (0..count).map(|number| format!("https://archive.example/{number}")).collect();
            links.join("\n")
        };
        let many = links(MAX_EVIDENCE);
        let list = EvidenceList::parse(&many).unwrap();
        assert_eq!(list.to_string(), many.trim_end());
        let more = links(MAX_EVIDENCE + 1);
        assert_eq!(EvidenceList::parse(&more), Err(EvidenceListError::TooMany(21)));
        assert!(matches!(EvidenceList::parse(&format!("{FILE}\n\n {FILE} ")), Err(EvidenceListError::Twice(_))));
        assert!(matches!(EvidenceList::parse(&format!("{FILE}\nx")), Err(EvidenceListError::Line(2, _))));
        assert_eq!(EvidenceList::parse(" \n").unwrap(), EvidenceList::NONE);
    }
}
