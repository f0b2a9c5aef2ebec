//! A page as it is run: its blocks in order, and what it needs.
//!
//! Blocks are fenced, or stand in a comment of HTML where a reader would only find them tiresome: `<!-- sh`, the lines, `-->`.
//! `<!-- examples: after PAGE -->` goes on where that page ends; `<!-- examples: needs postgres nginx -->` has these there.

use anyhow::{Context, Result, bail, ensure};

use super::fence::{Fence, Syntax, fence};
use super::step::{Expected, Step, of_console, of_shell};

/// A page.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Page {
    /// The page whose folder and shell it goes on with.
    pub(super) after: Option<String>,
    /// What has to be there besides a shell.
    pub(super) needs: Vec<String>,
    /// What is run, in order.
    pub(super) steps: Vec<Step>,
    /// Blocks that are parsed alone.
    pub(super) parsed: usize,
    /// Blocks that are not run: line and reason.
    pub(super) not_run: Vec<(usize, String)>,
    /// What is wrong with the page itself.
    pub(super) faults: Vec<String>,
}

/// What a page may need.
const NEEDS: [&str; 2] = ["postgres", "nginx"];

impl Page {
    /// Reads the text of the page with that path.
    pub(super) fn read(path: &str, text: &str) -> Self {
        let mut page = Self::default();
        let mut lines = (1..).zip(text.lines());
        while let Some((line, text)) = lines.next() {
            let start = text.trim_start();
            let (info, end) = if let Some(info) = start.strip_prefix("```") {
                (info, "```")
            } else if let Some(comment) = start.strip_prefix("<!-- examples:") {
                if let Err(error) = page.directive(comment) {
                    page.faults.push(format!("{path}:{line}: {error:#}"));
                }
                continue;
            } else if let Some(info) = start.strip_prefix("<!-- ").filter(|info| !info.contains("-->")) {
                (info, "-->")
            } else {
                continue;
            };
            let indent = text.len() - start.len();
            let mut block = String::new();
            let mut is_closed = false;
            for (_, text) in lines.by_ref() {
                if text.trim() == end {
                    is_closed = true;
                    break;
                }
                block.push_str(text.get(indent..).unwrap_or_default());
                block.push('\n');
            }
            let added =
                if is_closed { page.add(path, line, info.trim_end(), &block) } else { None.context("it has no end") };
            if let Err(error) = added {
                page.faults.push(format!("{path}:{line}: {error:#}"));
            }
        }
        page
    }

    fn directive(&mut self, comment: &str) -> Result<()> {
        let words: Vec<_> = comment.trim().trim_end_matches("-->").split_whitespace().collect();
        match words.as_slice() {
            ["after", page] => self.after = Some((*page).to_owned()),
            ["needs", needed @ ..] if needed.iter().all(|word| NEEDS.contains(word)) => {
                self.needs.extend(needed.iter().map(|word| (*word).to_owned()));
            }
            _ => bail!("`examples:` is followed by `after PAGE` or `needs` and any of {}", NEEDS.join(", ")),
        }
        Ok(())
    }

    fn add(&mut self, path: &str, line: usize, info: &str, text: &str) -> Result<()> {
        let code = match fence(info)? {
            Fence::Shell => {
                self.steps.extend(of_shell(path, line + 1, text));
                return Ok(());
            }
            Fence::Console => {
                ensure!(text.starts_with("$ "), "a block of `console` begins with `$ `");
                self.steps.extend(of_console(path, line + 1, text));
                return Ok(());
            }
            Fence::Output => {
                let last = self.steps.last_mut().context("no commands stand before this output")?;
                ensure!(last.expected == Expected::Success, "it is already said what these commands print");
                last.expected = Expected::Whole(text.trim_end().to_owned());
                return Ok(());
            }
            Fence::Help(command) => {
                let own = if command.contains(' ') { " | sed '/^Global options:/,$d'" } else { "" };
                let mut step = Step::new(path, line, format!("{command} --help{own}\n"));
                step.expected = Expected::Whole(text.trim_end().to_owned());
                self.steps.push(step);
                return Ok(());
            }
            Fence::Parsed(syntax) => {
                self.parsed += 1;
                return parse(syntax, text);
            }
            Fence::NotRun(reason) => {
                self.not_run.push((line, reason));
                return Ok(());
            }
            Fence::File(name) => here(&format!("cat > '{name}'"), text),
            Fence::Settings => here("cat > .settings.toml; tonne --config .settings.toml config > .settings", text),
            Fence::Map(table) => here(&format!("cat > .map.toml; tonne map check .map.toml '{table}'"), text),
            Fence::Catalog => {
                here("cat > .catalog.toml; tonne import catalog --standard ghg-protocol .catalog.toml", text)
            }
            Fence::Sql(database) => {
                let database = database.unwrap_or_else(|| "postgres".to_owned());
                here(&format!("psql --no-psqlrc --quiet -v ON_ERROR_STOP=1 '{database}'"), text)
            }
            Fence::Nginx => here("nginx_reads", text),
        };
        self.steps.push(Step::new(path, line, code));
        Ok(())
    }
}

/// The commands with the text as their standard input.
fn here(commands: &str, text: &str) -> String {
    format!("{{ {commands}; }} <<'END_OF_BLOCK'\n{text}END_OF_BLOCK\n")
}

fn parse(syntax: Syntax, text: &str) -> Result<()> {
    match syntax {
        Syntax::Json => {
            serde_json::from_str::<&serde_json::value::RawValue>(text).context("the block is no JSON")?;
        }
        Syntax::Csv => {
            let cells = |line: &str| line.split(',').count();
            let first = text.lines().next().context("the block is empty")?;
            let differs = text.lines().find(|line| !line.contains('"') && cells(line) != cells(first));
            if let Some(line) = differs {
                bail!("this row has not as many cells as the first: {line}");
            }
        }
        Syntax::Ini => {
            let is_right = |line: &&str| {
                line.is_empty()
                    || line.starts_with(['#', ';'])
                    || line.starts_with('[') && line.ends_with(']')
                    || line.contains('=')
            };
            if let Some(line) = text.lines().find(|line| !is_right(line)) {
                bail!("this is no section, key or comment: {line}");
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_its_blocks_in_order() {
        let text = "Text\n<!-- examples: needs postgres -->\n<!-- sh\nhidden\n-->\n```csv file=a.csv\nx\n```\n\
                    - a list\n  ```console\n  $ cat a.csv\n  x\n  ```\n```sh no-run=takes a day\nwait\n```\n\
                    <!-- no block -->\n```sh\necho y\n```\n```text output\ny\n```\n";
        let page = Page::read("p", text);
        assert_eq!(page.faults, Vec::<String>::new());
        assert_eq!(
            (page.needs.as_slice(), page.not_run),
            (&["postgres".to_owned()][..], vec![(14, "takes a day".to_owned())])
        );
        let steps: Vec<_> = page.steps.iter().map(|step| (step.line, step.code.as_str(), &step.expected)).collect();
        let written = "{ cat > 'a.csv'; } <<'END_OF_BLOCK'\nx\nEND_OF_BLOCK\n";
        assert_eq!(
            steps,
            [
                (4, "hidden\n", &Expected::Success),
                (6, written, &Expected::Success),
                (11, "cat a.csv\n", &Expected::Whole("x".to_owned())),
                (19, "echo y\n", &Expected::Whole("y".to_owned())),
            ]
        );
    }

    #[test]
    fn what_is_wrong_with_a_page_is_told_with_its_line() {
        for (text, said) in [
            ("a\n```\nb\n```\n", "p:2: "),
            ("```sh\nb\n", "p:1: it has no end"),
            ("```text output\nb\n```\n", "p:1: no commands stand before"),
            ("```sh\necho 1 # 1\n```\n```text output\n1\n```\n", "p:4: it is already said"),
            ("```json\n{\"a\": }\n```\n", "p:1: the block is no JSON"),
            ("```csv\na,b\n1\n```\n", "p:1: this row has not"),
            ("```ini\n[a]\nb\n```\n", "p:1: this is no section"),
            ("```console\ntonne\n```\n", "p:1: a block of `console`"),
            ("<!-- examples: needs luck -->\n", "p:1: `examples:` is followed"),
        ] {
            let faults = Page::read("p", text).faults;
            assert!(faults.len() == 1 && faults[0].starts_with(said), "{text}: {faults:?}");
        }
    }
}
