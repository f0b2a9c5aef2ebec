//! The examples of a page: its blocks of `sh`, cut where an output is printed.

/// Commands, and what they print.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Example {
    /// The path of the page.
    pub(super) page: &'static str,
    /// The line of its last command, from 1.
    pub(super) line: usize,
    /// The commands as the page prints them.
    pub(super) code: String,
    /// The last lines of the output, where the page prints them.
    pub(super) expected: Option<String>,
}

/// The examples of a page. Behind a command, `# ...` is what it prints; so are lines that begin so below it.
pub(super) fn examples(page: &'static str, text: &str) -> Vec<Example> {
    let (mut found, mut in_block, mut is_new) = (Vec::<Example>::new(), false, true);
    for (number, line) in (1..).zip(text.lines()) {
        if line.starts_with("```") {
            (in_block, is_new) = (line == "```sh", true);
            continue;
        }
        if !in_block {
            continue;
        }
        if let Some(printed) = line.strip_prefix("# ") {
            if let (Some(last), false) = (found.last_mut(), is_new) {
                let expected = last.expected.get_or_insert_default();
                if !expected.is_empty() {
                    expected.push('\n');
                }
                expected.push_str(printed);
            }
            continue;
        }
        if is_new || found.last().is_none_or(|last| last.expected.is_some()) {
            found.push(Example { page, line: number, code: String::new(), expected: None });
            is_new = false;
        }
        let Some(last) = found.last_mut() else { continue };
        last.line = number;
        let (code, printed) = line.rsplit_once(" # ").map_or((line, None), |(code, printed)| (code, Some(printed)));
        last.code.push_str(code.trim_end());
        last.code.push('\n');
        last.expected = printed.map(|printed| printed.trim().to_owned());
    }
    found
}

impl Example {
    /// The same for a service at that address.
    pub(super) fn at_address(mut self, printed: &str, address: &str) -> Self {
        self.code = self.code.replace(printed, address);
        self
    }

    /// The same without the lines that begin so.
    pub(super) fn without(mut self, start: &str) -> Self {
        self.code = self.code.split_inclusive('\n').filter(|line| !line.starts_with(start)).collect();
        if self.code.is_empty() {
            // A group of commands has at least one.
            ":\n".clone_into(&mut self.code);
            self.expected = None;
        }
        self
    }

    /// What is wrong with what was printed, if anything.
    pub(super) fn fault(&self, printed: &str, status: &str) -> Option<String> {
        let Self { page, line, code, expected } = self;
        let printed = printed.trim_end();
        if let Some(expected) = expected {
            let lines: Vec<_> = printed.lines().collect();
            let last = lines[lines.len().saturating_sub(expected.lines().count())..].join("\n");
            return (last != *expected).then(|| format!("{page}:{line} prints\n{printed}\nand not\n{expected}"));
        }
        (status != "0").then(|| format!("{page}:{line} ends with {status}\n{code}\n{printed}"))
    }
}

/// The origin that a line names, if it names one.
pub(super) fn address(line: &str) -> Option<String> {
    let start = line.find("http://")?;
    let end = line[start + 7..].find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '.' | ':'));
    let origin = &line[start..end.map_or(line.len(), |end| start + 7 + end)];
    origin.rsplit_once(':').is_some_and(|(_, port)| port.parse::<u16>().is_ok()).then(|| origin.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str =
        "Text\n```sh\nA=1\necho $A   # 1\nseq 2 \\\n  3\n# 2\n# 3\n```\n```toml\n# no\n```\n```sh\ntrue\n```\n";

    fn example(line: usize, code: &str, expected: Option<&str>) -> Example {
        Example { page: "p", line, code: code.to_owned(), expected: expected.map(str::to_owned) }
    }

    #[test]
    fn a_page_is_cut_where_an_output_is_printed() {
        let expected = [
            example(4, "A=1\necho $A\n", Some("1")),
            example(6, "seq 2 \\\n  3\n", Some("2\n3")),
            example(14, "true\n", None),
        ];
        assert_eq!(examples("p", PAGE), expected);
    }

    #[test]
    fn the_last_lines_of_what_is_printed_are_compared() {
        let two = example(1, "x", Some("a\nb"));
        assert_eq!(two.fault("warning\na\nb\n", "1"), None);
        assert!(two.fault("a\nb\nc\n", "0").unwrap().starts_with("p:1 prints\na\nb\nc\nand not\na\nb"));
        assert!(two.fault("", "0").is_some());
        let none = example(1, "x", None);
        assert_eq!(none.fault("anything", "0"), None);
        assert!(none.fault("anything", "2").is_some());
    }

    #[test]
    fn an_origin_is_found_in_a_line() {
        assert_eq!(address("listening on http://127.0.0.1:4321/api").as_deref(), Some("http://127.0.0.1:4321"));
        assert_eq!(address(r#"{"at":"http://[::1]"}"#), None);
        assert_eq!(address("nothing"), None);
    }
}
