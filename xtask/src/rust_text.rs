//! Rust source with its comments and literals taken out, so that a search finds code only.

/// The text with every character of comments, strings and character literals replaced by a space. Line breaks stay, so
/// line numbers are those of the source.
pub(crate) fn code_only(source: &str) -> String {
    let chars: Vec<char> = source.chars().collect();
    let mut code = String::with_capacity(source.len());
    let mut at = 0;
    while at < chars.len() {
        let end = hidden_end(&chars, at);
        if end == at {
            code.push(chars[at]);
            at += 1;
        } else {
            code.extend(chars[at..end].iter().map(|c| if *c == '\n' { '\n' } else { ' ' }));
            at = end;
        }
    }
    code
}

/// The position of `needle` in `code` wherever it does not continue a longer word to its left.
pub(crate) fn occurrences<'a>(code: &'a str, needle: &'a str) -> impl Iterator<Item = usize> + 'a {
    code.match_indices(needle).map(|(at, _)| at).filter(|at| !code[..*at].ends_with(is_word))
}

/// The number of the line, from 1, in which the byte at `at` stands.
pub(crate) fn line_of(text: &str, at: usize) -> usize {
    text[..at].matches('\n').count() + 1
}

/// Whether the character can be in a Rust word.
pub(crate) fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Where the comment or literal that begins at `at` ends; `at` itself if none begins there.
fn hidden_end(chars: &[char], at: usize) -> usize {
    let rest = &chars[at..];
    match rest {
        ['/', '/', ..] => at + rest.iter().position(|c| *c == '\n').unwrap_or(rest.len()),
        ['/', '*', ..] => at + block_comment(rest),
        ['"', ..] => at + quoted(rest, '"'),
        ['\'', '\\', ..] => at + quoted(rest, '\''),
        ['\'', _, '\'', ..] => at + 3,
        ['r', '"' | '#', ..] if !after_word(chars, at) => at + raw_string(rest),
        _ => at,
    }
}

/// Whether a longer word, not a prefix such as `b`, stands to the left.
fn after_word(chars: &[char], at: usize) -> bool {
    let word: Vec<char> = chars[..at].iter().rev().take_while(|c| is_word(**c)).copied().collect();
    !matches!(word[..], [] | ['b' | 'c'])
}

fn block_comment(rest: &[char]) -> usize {
    let (mut depth, mut at) = (0_usize, 0);
    while at < rest.len() {
        match rest[at..] {
            ['/', '*', ..] => (depth, at) = (depth + 1, at + 2),
            ['*', '/', ..] if depth == 1 => return at + 2,
            ['*', '/', ..] => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
    }
    rest.len()
}

fn quoted(rest: &[char], quote: char) -> usize {
    let mut at = 1;
    while at < rest.len() {
        match rest[at] {
            '\\' => at += 2,
            c if c == quote => return at + 1,
            _ => at += 1,
        }
    }
    rest.len()
}

/// The length of the raw string, or 0 if it is a raw word such as `r#type`.
fn raw_string(rest: &[char]) -> usize {
    let hashes = rest[1..].iter().take_while(|c| **c == '#').count();
    let open = 1 + hashes;
    if rest.get(open) != Some(&'"') {
        return 0;
    }
    let closes =
        |at: usize| rest[at] == '"' && rest[at + 1..].iter().take(hashes).filter(|c| **c == '#').count() == hashes;
    (open + 1..rest.len()).find(|at| closes(*at)).map_or(rest.len(), |at| at + 1 + hashes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_literals_leave_no_word_behind() {
        for source in [
            "// hide",
            "/* a /* hide */ hide */",
            "\"hide \\\" hide\"",
            "r\"hide\"",
            "r#\"hide \" hide\"#",
            "br##\"hide \"# hide\"##",
            "'\"' /* hide */ '\"'",
            "'\\'' /* hide */",
            "\"unclosed hide",
        ] {
            let code = code_only(source);
            assert!(!code.contains("hide"), "{source} -> {code}");
            assert_eq!(code.chars().count(), source.chars().count(), "{source}");
        }
    }

    #[test]
    fn code_beside_comments_and_literals_stays() {
        for source in [
            "/* a */ keep",
            "/* /* a */ */ keep",
            "\"\\\\\" keep",
            "r#type keep",
            "fn f<'a>(x: &'a str) { keep }",
            "'x' keep 'y'",
            "'\\u{41}' keep",
            "// a\nkeep",
            "r#\"a\"# keep",
        ] {
            assert!(code_only(source).contains("keep"), "{source}");
        }
    }

    #[test]
    fn lines_keep_their_numbers() {
        let code = code_only("/* a\nb */\n\"c\nd\"\nhere");
        assert_eq!(line_of(&code, code.find("here").unwrap()), 5);
    }

    #[test]
    fn a_word_inside_a_longer_one_is_no_occurrence() {
        assert_eq!(occurrences("no_sleep( sleep( thread::sleep(", "sleep(").collect::<Vec<_>>(), [10, 25]);
    }
}
