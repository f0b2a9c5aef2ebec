//! The page of the command line: the help of every command.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context, Result};

use super::printed;
use crate::folder::Folder;

const HEAD: &str = "# Command line\n\n\
    Every command with its `--help`. `cargo xtask reference` writes this page. What the commands are for:\n\
    [Running Tonne](../operating.md#commands-beside-a-running-service). The options that go with every command are said once,\n\
    here:\n";
/// Where the options begin that every command has.
const GLOBAL: &str = "\nGlobal options:\n";

/// The page as it is now.
pub(super) fn page(program: &Path) -> Result<String> {
    let folder = Folder::new("help")?;
    let mut page = HEAD.to_owned();
    let mut waiting = vec![Vec::<String>::new()];
    while let Some(command) = waiting.pop() {
        let arguments: Vec<&str> = command.iter().map(String::as_str).chain(["--help"]).collect();
        let help = printed(program, &arguments, folder.path())?;
        let name = std::iter::once("tonne").chain(command.iter().map(String::as_str)).collect::<Vec<_>>().join(" ");
        // What goes with every command is in the first one's.
        let own =
            if command.is_empty() { help.as_str() } else { help.split(GLOBAL).next().context("a split has a part")? };
        let lines: Vec<_> = own.trim_end().lines().map(str::trim_end).collect();
        write!(page, "\n## `{name}`\n\n```text help={name}\n{}\n```\n", lines.join("\n"))?;
        // The last is looked at first, so that commands stand in the order of their lists.
        waiting.extend(commands(&help).into_iter().rev().map(|word| [command.as_slice(), &[word]].concat()));
    }
    Ok(page)
}

/// The commands that a help lists.
fn commands(help: &str) -> Vec<String> {
    let lines = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let words = lines.filter_map(|line| line.strip_prefix("  ").filter(|rest| !rest.starts_with(' ')));
    words.filter_map(|line| line.split_whitespace().next()).filter(|word| *word != "help").map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_commands_of_a_help_are_found() {
        let help = "A program\n\nCommands:\n  serve   Serve\n          longer\n  key     Keys\n  help    Print\n\nOptions:\n  -h  x\n";
        assert_eq!(commands(help), ["serve", "key"]);
        assert_eq!(commands("Options:\n  -h  x\n"), Vec::<String>::new());
    }
}
