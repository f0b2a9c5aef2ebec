//! The blocks of `docs/citus.md`, with the places of a cluster on this machine for those that the page speaks of. What is
//! run is what the page prints.

use std::fs;

use anyhow::{Context, Result, bail, ensure};

use crate::cargo::root;

/// The password of both users.
pub(super) const PASSWORD: &str = "secret";
/// The company of the page's statements.
pub(super) const COMPANY: &str = "0198c0de-1c7a-7cc3-98d5-6a3a8f7be36d";
/// What must not be left of the page's own places.
const FOREIGN: [&str; 4] = [".internal", "/etc/", "...", COMPANY];

/// What stands for what.
pub(super) type Places<'a> = &'a [(&'a str, &'a str)];

/// The page.
pub(super) struct Page(String);

impl Page {
    /// Reads it.
    pub(super) fn read() -> Result<Self> {
        let file = root().join("docs/citus.md");
        Ok(Self(fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?))
    }

    /// A block below a heading, the first is 0. Each place must stand in it, and none of the page's own may be left.
    pub(super) fn block(&self, heading: &str, number: usize, places: Places<'_>) -> Result<String> {
        let what = || format!("block {number} of \"{heading}\" in docs/citus.md");
        let mut block = self.printed(heading, number).with_context(what)?.to_owned();
        for (there, here) in places {
            ensure!(block.contains(there), "{}: no {there:?} stands in it", what());
            block = block.replace(there, here);
        }
        if let Some(left) = FOREIGN.iter().find(|foreign| block.contains(**foreign)) {
            bail!("{}: nothing is known to stand for {left:?}", what());
        }
        Ok(block)
    }

    fn printed(&self, heading: &str, number: usize) -> Option<&str> {
        let (_, section) = self.0.split_once(&format!("\n## {heading}\n"))?;
        let section = section.split("\n## ").next()?;
        // Before, within and behind fences in turns; the first line within says what it is.
        let fenced = section.split("\n```").skip(1).step_by(2).nth(number)?;
        fenced.split_once('\n').map(|(_, text)| text)
    }

    /// The statements of a block, without its comments.
    pub(super) fn statements(&self, heading: &str, number: usize) -> Result<Vec<String>> {
        let block = self.printed(heading, number).with_context(|| format!("no statements below {heading:?}"))?;
        let lines = block.lines().map(|line| line.split("-- ").next().unwrap_or_default().trim_end());
        let text: String = lines.collect::<Vec<_>>().join("\n");
        Ok(text.split(';').map(|one| one.trim().to_owned()).filter(|one| !one.is_empty()).collect())
    }
}

/// A statement of the page about a company and, in this order, the machines that it names.
pub(super) fn about(statement: &str, company: &str, ports: &[u16]) -> Result<String> {
    let mut statement = statement.replace(COMPANY, company);
    for (machine, port) in ["worker1", "worker2"].iter().zip(ports) {
        statement = statement.replace(&format!("'{machine}.internal', 5432"), &format!("'localhost', {port}"));
    }
    if let Some(left) = FOREIGN.iter().find(|foreign| statement.contains(**foreign)) {
        bail!("nothing is known to stand for {left:?} in {statement}");
    }
    Ok(statement)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page() -> Page {
        let one = "# A\n\n## One\n\n```sh no-run=b\nc /etc/d\n```\n\ne\n\n```sql\n-- F\nG 'x';  -- h\n\ni;\n```\n";
        Page(format!("{one}\n## Two\n\n```sh\nj\n```\n"))
    }

    #[test]
    fn a_block_is_found_by_its_heading_and_number() {
        assert_eq!(page().block("One", 0, &[("/etc/d", "k")]).unwrap(), "c k");
        assert_eq!(page().block("Two", 0, &[]).unwrap(), "j");
        assert!(page().block("Two", 1, &[]).is_err());
    }

    #[test]
    fn a_place_that_is_not_there_and_one_that_is_left_are_errors() {
        let absent = page().block("Two", 0, &[("l", "m")]).unwrap_err().to_string();
        assert!(absent.contains("no \"l\" stands in it"), "{absent}");
        let left = page().block("One", 0, &[]).unwrap_err().to_string();
        assert!(left.contains("nothing is known to stand for \"/etc/\""), "{left}");
    }

    #[test]
    fn statements_come_without_comments() {
        assert_eq!(page().statements("One", 1).unwrap(), ["G 'x'", "i"]);
    }

    #[test]
    fn statements_of_the_page_name_this_clusters_machines_and_company() {
        let moved = format!("SELECT m('{COMPANY}', 'worker1.internal', 5432, 'worker2.internal', 5432)");
        assert_eq!(about(&moved, "me", &[1, 2]).unwrap(), "SELECT m('me', 'localhost', 1, 'localhost', 2)");
        assert!(about(&moved, "me", &[1]).is_err());
    }
}
