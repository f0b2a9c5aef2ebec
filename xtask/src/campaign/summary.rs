//! What a run came to, in words.

use std::fmt::Write as _;

use super::journal::Entry;
use super::tally::Tally;

/// A round in a line.
pub(super) fn line(entry: &Entry) -> String {
    let Entry { name, seconds, tally, .. } = entry;
    match &entry.error {
        None => format!("{name}: passed in {seconds:.1} s: {}", words(tally)),
        Some(error) => format!("{name}: FAILED after {seconds:.1} s, seed {}: {error}", entry.seed),
    }
}

/// A table of the parts, and what failed with its seed.
pub(super) fn table(entries: &[Entry]) -> String {
    let mut text =
        String::from("| part | rounds | failed | seconds | counts and highest figures |\n|---|---|---|---|---|\n");
    let mut parts: Vec<&str> = Vec::new();
    for entry in entries {
        if !parts.contains(&entry.part.as_str()) {
            parts.push(&entry.part);
        }
    }
    for part in parts {
        let of_part: Vec<_> = entries.iter().filter(|entry| entry.part == part).collect();
        let failed = of_part.iter().filter(|entry| entry.error.is_some()).count();
        let seconds: f64 = of_part.iter().map(|entry| entry.seconds).sum();
        let mut all = Tally::default();
        for entry in &of_part {
            all.add(&entry.tally);
        }
        // Writing to a text does not fail.
        let _ = writeln!(text, "| {part} | {} | {failed} | {seconds:.0} | {} |", of_part.len(), words(&all));
    }
    let failures: String = entries.iter().filter(|entry| entry.error.is_some()).map(|one| line(one) + "\n").collect();
    if failures.is_empty() { text } else { format!("{text}\n{failures}") }
}

fn words(tally: &Tally) -> String {
    let counts = tally.counts.iter().map(|(what, number)| format!("{number} {what}"));
    let peaks = tally.peaks.iter().map(|(what, value)| format!("{what} {value:.0}"));
    counts.chain(peaks).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_of_a_part_are_one_row_and_failures_have_their_seed() {
        let mut tally = Tally::default();
        tally.count("kills", 25);
        let entry = |name: &str, seed, error: Option<&str>| Entry {
            part: "kill".to_owned(),
            name: name.to_owned(),
            seed,
            seconds: 2.0,
            error: error.map(str::to_owned),
            tally: tally.clone(),
        };
        let text = table(&[entry("kill-a", 1, None), entry("kill-b", 2, Some("lost"))]);
        assert!(text.contains("| kill | 2 | 1 | 4 | 50 kills |\n"), "{text}");
        assert!(text.ends_with("kill-b: FAILED after 2.0 s, seed 2: lost\n"), "{text}");
    }
}
