//! JSON without losing a digit: a number stays the text it came as, members keep their order, and nothing that two
//! readers could take for two things is accepted.

mod parse;
mod print;
mod reader;
mod value;

pub use parse::parse;
pub(crate) use print::write_text;
pub use reader::{Members, Reader, references};
pub use value::Wrong;

/// A JSON value whose numbers keep every digit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Json {
    /// The literal `null`.
    Null,
    /// The literal `true` or `false`.
    Bool(bool),
    /// A number, as the text it came as.
    Number(String),
    /// A string, its escapes resolved.
    Text(String),
    /// The elements in order.
    Array(Vec<Json>),
    /// An object: its members in the order they came, no name twice.
    Object(Vec<(String, Json)>),
}

impl Json {
    /// What it is, in words that follow "must be ..., not".
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "true or false",
            Self::Number(_) => "a number",
            Self::Text(_) => "a text",
            Self::Array(_) => "an array",
            Self::Object(_) => "an object",
        }
    }

    /// The text, if it is one.
    #[must_use]
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Null | Self::Bool(_) | Self::Number(_) | Self::Array(_) | Self::Object(_) => None,
        }
    }

    /// The member of that name, of an object that has it.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Self> {
        match self {
            Self::Object(members) => members.iter().find(|(key, _)| key == name).map(|(_, value)| value),
            Self::Null | Self::Bool(_) | Self::Number(_) | Self::Text(_) | Self::Array(_) => None,
        }
    }
}

/// The JSON pointer (RFC 6901) of `name` below `base`.
#[must_use]
pub fn pointer(base: &str, name: &str) -> String {
    format!("{base}/{}", name.replace('~', "~0").replace('/', "~1"))
}
