//! Whether an output is the one that a page prints, but for what is another in every run.

use std::borrow::Cow;

use regex_lite::Regex;

/// What is another in every run, and what is compared in its place.
const OTHER_EACH_TIME: [(&str, &str); 5] = [
    ("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", "<uuid>"),
    // With milliseconds it says when something was done; days and times of records have none.
    (r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}([0-9]{3})?Z", "<moment>"),
    ("20[0-9]{6}T[0-9]{9}Z", "<moment>"),
    (r"tonne(link)?_(\.\.\.|[A-Za-z0-9_-]{6,})", "<token>"),
    ("[0-9]+ bytes", "<number> bytes"),
];

/// A line of the log at `info`, which a service writes among what it prints.
const LOG: &str = r"^[0-9-]{10}T[0-9:.]{8,}Z +INFO ";

/// Whether they are the same, whatever the uuids, the moments, the tokens and the sizes of files.
pub(super) fn alike(printed: &str, expected: &str) -> bool {
    let log = Regex::new(LOG);
    let is_log = |line: &str| log.as_ref().is_ok_and(|log| log.is_match(line));
    let same = |text: &str| {
        let lines = text.lines().filter(|line| !is_log(line)).map(str::trim_end);
        masked(&lines.collect::<Vec<_>>().join("\n")).into_owned()
    };
    same(printed) == same(expected)
}

fn masked(text: &str) -> Cow<'_, str> {
    let mut text = Cow::Borrowed(text);
    for (pattern, mask) in OTHER_EACH_TIME {
        let Ok(pattern) = Regex::new(pattern) else { continue };
        text = Cow::Owned(pattern.replace_all(&text, mask).into_owned());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_another_in_every_run_does_not_count() {
        for (printed, expected) in [
            ("id 0198c0de-1c7a-7cc3-98d5-6a3a8f7be36d", "id 0198c0de-1c7a-7cc3-98d5-6a3a8f7be36e"),
            ("as of 2026-11-16T02:00:00.000Z;", "as of 2026-11-17T03:30:00.123Z;"),
            ("tonne_a1B2c3D4-e5_", "tonne_..."),
            ("a/tonnelink_a1B2c3D4-e5_", "a/tonnelink_..."),
            ("a (12 bytes)", "a (345 bytes)"),
            ("a  \nb", "a\nb"),
            ("a\n2026-11-23T05:24:59.417259Z  INFO the service starts", "a"),
        ] {
            assert!(alike(printed, expected), "{printed}");
        }
    }

    #[test]
    fn everything_else_does() {
        for (printed, expected) in [
            ("1.50", "1.5"),
            ("2025-01-01T00:00:00Z", "2025-01-02T00:00:00Z"),
            ("a\nb", "a"),
            ("12 rows", "13 rows"),
            (" a", "a"),
        ] {
            assert!(!alike(printed, expected), "{printed}");
        }
    }

    #[test]
    fn every_pattern_is_one() {
        for pattern in OTHER_EACH_TIME.iter().map(|(pattern, _)| pattern).chain([&LOG]) {
            assert!(Regex::new(pattern).is_ok(), "{pattern}");
        }
    }
}
