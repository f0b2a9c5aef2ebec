//! A moment as pages say it.

use domain::Timestamp;
use maud::{Markup, html};

/// A moment to the minute.
#[must_use]
pub fn moment(at: Timestamp) -> Markup {
    let text = at.to_string();
    let short = text.get(..16).unwrap_or(&text).replace('T', " ");
    html! { time datetime=(text) { (short) "Z" } }
}
