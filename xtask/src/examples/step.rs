//! The steps of a page: commands with what they print, and files that are written.

use regex_lite::Regex;

use super::likeness::alike;

/// One group of commands, and what is said of its output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Step {
    /// The path of the page.
    pub(super) page: String,
    /// The line of its last command, from 1.
    pub(super) line: usize,
    /// The commands as the page prints them.
    pub(super) code: String,
    /// What the page says of the output.
    pub(super) expected: Expected,
}

/// What a page says of an output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Expected {
    /// Nothing: every command has to succeed.
    Success,
    /// Its last lines.
    Last(String),
    /// All of it.
    Whole(String),
}

impl Step {
    /// Commands of which the page says nothing yet.
    pub(super) fn new(page: &str, line: usize, code: String) -> Self {
        Self { page: page.to_owned(), line, code, expected: Expected::Success }
    }

    /// What is wrong with what was printed, if anything. `failed` are the commands that did.
    pub(super) fn fault(&self, printed: &str, failed: &str) -> Option<String> {
        let Self { page, line, code, expected } = self;
        let printed = printed.trim_end();
        let (compared, expected) = match expected {
            Expected::Success if failed.is_empty() => return None,
            Expected::Success => {
                return Some(format!("{page}:{line}: this failed: {}\nof\n{code}\n{printed}", failed.trim_end()));
            }
            Expected::Last(expected) => {
                let lines: Vec<_> = printed.lines().collect();
                (lines[lines.len().saturating_sub(expected.lines().count())..].join("\n"), expected)
            }
            Expected::Whole(expected) => (printed.to_owned(), expected),
        };
        (!alike(&compared, expected)).then(|| format!("{page}:{line} prints\n{printed}\nand not\n{expected}"))
    }
}

/// Whether the command goes on until it is stopped.
pub(super) fn serves(command: &str) -> bool {
    let pattern = Regex::new(r"^([A-Z_]+=(\$\([^)]*\)|\S+) )*tonne (-\S+ \S+ )*(serve|demo)\b");
    pattern.is_ok_and(|pattern| pattern.is_match(command)) && !command.contains("--help")
}

/// The steps of a block of `sh`. Behind a command, ` # ...` is what it prints; so are lines that begin so below it.
pub(super) fn of_shell(page: &str, first: usize, text: &str) -> Vec<Step> {
    let mut found = Vec::<Step>::new();
    for (line, text) in (first..).zip(text.lines()) {
        if let Some(printed) = text.strip_prefix("# ") {
            if let Some(last) = found.last_mut() {
                last.expected = match std::mem::replace(&mut last.expected, Expected::Success) {
                    Expected::Last(before) => Expected::Last(format!("{before}\n{printed}")),
                    Expected::Success | Expected::Whole(_) => Expected::Last(printed.to_owned()),
                };
            }
            continue;
        }
        if found.last().is_none_or(|last| last.expected != Expected::Success) {
            found.push(Step::new(page, line, String::new()));
        }
        let Some(last) = found.last_mut() else { continue };
        last.line = line;
        let (code, printed) = text.rsplit_once(" # ").map_or((text, None), |(code, printed)| (code, Some(printed)));
        last.code.push_str(code.trim_end());
        last.code.push('\n');
        if let Some(printed) = printed {
            last.expected = Expected::Last(printed.trim().to_owned());
        } else if serves(text) {
            // What it says later is no output of the commands behind it.
            found.push(Step::new(page, line, String::new()));
        }
    }
    found.retain(|step| !step.code.is_empty());
    found
}

/// The steps of a block of `console`: a command behind `$ `, further lines of it behind `> `, and all that it prints.
pub(super) fn of_console(page: &str, first: usize, text: &str) -> Vec<Step> {
    let mut found = Vec::<Step>::new();
    for (line, text) in (first..).zip(text.lines()) {
        if let Some(code) = text.strip_prefix("$ ") {
            let mut step = Step::new(page, line, format!("{code}\n"));
            step.expected = Expected::Whole(String::new());
            found.push(step);
        } else if let Some(last) = found.last_mut() {
            match (&mut last.expected, text.strip_prefix("> ")) {
                (Expected::Whole(expected), Some(code)) if expected.is_empty() => {
                    last.code.push_str(code);
                    last.code.push('\n');
                }
                (Expected::Whole(expected), _) => {
                    if !expected.is_empty() {
                        expected.push('\n');
                    }
                    expected.push_str(text);
                }
                (Expected::Success | Expected::Last(_), _) => {}
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(line: usize, code: &str, expected: Expected) -> Step {
        Step { page: "p".to_owned(), line, code: code.to_owned(), expected }
    }

    fn last(text: &str) -> Expected {
        Expected::Last(text.to_owned())
    }

    #[test]
    fn a_block_is_cut_where_an_output_is_printed() {
        let text = "# said before\nA=1\necho $A   # 1\nseq 2 \\\n  3\n# 2\n# 3\ntrue\n";
        let expected = [
            step(5, "A=1\necho $A\n", last("1")),
            step(7, "seq 2 \\\n  3\n", last("2\n3")),
            step(10, "true\n", Expected::Success),
        ];
        assert_eq!(of_shell("p", 3, text), expected);
    }

    #[test]
    fn what_serves_is_a_step_of_its_own() {
        let expected =
            [step(1, "A=$(b c) tonne --data-dir d serve &\n", Expected::Success), step(2, "echo 1\n", last("1"))];
        assert_eq!(of_shell("p", 1, "A=$(b c) tonne --data-dir d serve &\necho 1 # 1\n"), expected);
        assert!(!serves("tonne serve --help") && !serves("tonne report") && !serves("echo tonne serve"));
    }

    #[test]
    fn commands_of_a_console_come_with_all_that_they_print() {
        let text = "$ cat > a <<END\n> x\n> END\n$ cat a\nx\n\n> y\n";
        let expected = [
            step(1, "cat > a <<END\nx\nEND\n", Expected::Whole(String::new())),
            step(4, "cat a\n", Expected::Whole("x\n\n> y".to_owned())),
        ];
        assert_eq!(of_console("p", 1, text), expected);
    }

    #[test]
    fn the_last_lines_or_all_of_what_is_printed_are_compared() {
        let two = step(1, "x", last("a\nb"));
        assert_eq!(two.fault("warning\na\nb\n", "x"), None);
        assert!(two.fault("a\nb\nc\n", "").unwrap().starts_with("p:1 prints\na\nb\nc\nand not\na\nb"));
        assert!(two.fault("", "").is_some());
        let whole = step(1, "x", Expected::Whole("a\nb".to_owned()));
        assert_eq!(whole.fault("a\nb\n", ""), None);
        assert!(whole.fault("warning\na\nb\n", "").is_some());
        let none = step(1, "x", Expected::Success);
        assert_eq!(none.fault("anything", ""), None);
        assert!(none.fault("anything", "x").is_some());
    }
}
