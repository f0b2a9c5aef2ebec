//! Characters that nobody sees: they hide what a name says, or make two names that look alike.

use std::ops::RangeInclusive;

/// Invisible characters that names must not contain (Unicode, `Default_Ignorable_Code_Point`, and the separators of lines):
/// marks, embeddings, overrides and isolates of the direction of writing, blanks of no width, fillers, tags.
///
/// Not among them: the joiners U+200C and U+200D and the selectors of variants, without which Persian, Hindi, Japanese
/// names and emoji cannot be written.
const HIDDEN: [RangeInclusive<char>; 17] = [
    '\u{ad}'..='\u{ad}',
    '\u{61c}'..='\u{61c}',
    '\u{115f}'..='\u{1160}',
    '\u{17b4}'..='\u{17b5}',
    '\u{180b}'..='\u{180f}',
    '\u{200b}'..='\u{200b}',
    '\u{200e}'..='\u{200f}',
    '\u{2028}'..='\u{202e}',
    '\u{2060}'..='\u{206f}',
    '\u{3164}'..='\u{3164}',
    '\u{feff}'..='\u{feff}',
    '\u{ffa0}'..='\u{ffa0}',
    '\u{fff0}'..='\u{fffb}',
    '\u{1bca0}'..='\u{1bca3}',
    '\u{1d173}'..='\u{1d17a}',
    '\u{e0000}'..='\u{e00ff}',
    '\u{e01f0}'..='\u{e0fff}',
];

/// The joiners and selectors that names may contain beside something to see.
const COMPANIONS: [RangeInclusive<char>; 3] =
    ['\u{200c}'..='\u{200d}', '\u{fe00}'..='\u{fe0f}', '\u{e0100}'..='\u{e01ef}'];

/// Whether the character hides in a name.
pub(super) fn is_hidden(c: char) -> bool {
    // Nearly all characters lie below the first of them.
    c >= '\u{ad}' && HIDDEN.iter().any(|range| range.contains(&c))
}

/// Whether the text has a character to see.
pub(super) fn is_seen(text: &str) -> bool {
    text.chars().any(|c| !c.is_whitespace() && !COMPANIONS.iter().any(|range| range.contains(&c)))
}
