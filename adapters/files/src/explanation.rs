//! Explanations of figures, out and back in: as JSON that can be computed anew, and as text to be checked by hand.

mod composition;
mod json;
mod members;
mod read;
mod source;
mod text;

pub use composition::{composition_json, composition_text};
pub use json::explanation_json;
pub use read::{UnreadExplanation, read_explanation};
pub use text::explanation_text;
