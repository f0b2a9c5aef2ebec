//! The checker of exports in `docs/examples`, which knows of them what `docs/ledger.md` says: a demo's export is right, and
//! wrong with another digit in it.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use anyhow::{Context, Result, ensure};

use crate::cargo::{built, root, succeeds};
use crate::clients::demo::Demo;
use crate::folder::Folder;
use crate::program::program;
use crate::tools;

const CHECKER: &str = "docs/examples/check_export.py";

/// Exports the company of a demo and has it checked, whole and with one digit changed in a record.
pub(crate) fn check() -> Result<()> {
    let python = tools::python()?;
    let path = built()?;
    let folder = Folder::new("exported")?;
    let file = folder.path().join("demo.tonne");
    let demo = Demo::start(&path, folder.path())?;
    let mut export = program(&path);
    export.args(["export", "--with-credentials", "--data-dir"]).arg(folder.path().join("data")).arg("--to").arg(&file);
    ensure!(succeeds(&mut export)?, "the demo's company cannot be exported");
    drop(demo);

    let whole = checked(python, &file)?;
    let said = String::from_utf8_lossy(&whole.stdout).into_owned();
    ensure!(whole.status.success(), "{CHECKER} refuses an export: {}", String::from_utf8_lossy(&whole.stderr));
    let (line, changed) = with_another_digit(&fs::read_to_string(&file)?)?;
    fs::write(&file, changed)?;
    let refused = checked(python, &file)?;
    let why = String::from_utf8_lossy(&refused.stderr);
    ensure!(!refused.status.success(), "{CHECKER} finds nothing wrong with another digit in line {line}");
    ensure!(why.contains(&format!("of line {line} ")), "{CHECKER} does not name line {line}: {why}");
    print!("{said}");
    Ok(())
}

fn checked(python: &str, file: &Path) -> Result<Output> {
    let mut command = Command::new(python);
    command.arg(root().join(CHECKER)).arg(file).stdin(Stdio::null());
    command.output().with_context(|| format!("{CHECKER} cannot be run"))
}

/// The export with another digit in the first product's version, and the number of that line from 1.
fn with_another_digit(text: &str) -> Result<(usize, String)> {
    let mut lines: Vec<String> = text.split_inclusive('\n').map(str::to_owned).collect();
    let at = lines.iter().position(|line| line.contains("\"kind\":\"product\"")).context("there is no product")?;
    let (before, after) = lines[at].split_once("\"version\":").context("a product has no version")?;
    let digit = after.chars().next().context("a version has a digit")?;
    let other = if digit == '9' { '8' } else { '9' };
    lines[at] = format!("{before}\"version\":{other}{}", &after[1..]);
    Ok((at + 1, lines.concat()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_digit_stands_in_the_line_that_is_told() {
        let text = "{}\n{\"kind\":\"product\",\"version\":12}\n{\"kind\":\"product\",\"version\":9}\n";
        let (line, changed) = with_another_digit(text).unwrap();
        assert_eq!((line, changed), (2, text.replacen(":12", ":92", 1)));
    }
}
