//! The checker of exports in `docs/examples`, which knows of them what `docs/ledger.md` says: a demo's export is right, and
//! wrong with another digit in it, and where an import or its lines are such as no program writes.

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

/// Makes a line wrong; `None` where it lacks what is to be wrong.
type Spoil = fn(&str) -> Option<String>;

/// Copies that are wrong: in the first line of which kind, how, and what is told of them.
const SPOILED: [(&str, Spoil, &str); 5] = [
    ("lines", with_too_many_lines, "a part has more than 4096 lines"),
    ("import", |line| Some(line.repeat(2)), "an import stands twice or elsewhere"),
    ("import", |line| with_number(line, "first", 0), "an import has changes that are not there"),
    ("import", |line| with_number(line, "last", 999_999_999), "an import has changes that are not there"),
    ("import", with_foreign_rest, "what is left of an import is none of its changes"),
];

/// Exports the company of a demo and has it checked, whole, with one digit changed in a record, and with what is wrong of its
/// import.
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
    let text = fs::read_to_string(&file)?;
    let (line, changed) = with_another_digit(&text)?;
    fs::write(&file, changed)?;
    let refused = checked(python, &file)?;
    let why = String::from_utf8_lossy(&refused.stderr);
    ensure!(!refused.status.success(), "{CHECKER} finds nothing wrong with another digit in line {line}");
    ensure!(why.contains(&format!("of line {line} ")), "{CHECKER} does not name line {line}: {why}");
    for (kind, spoil, told) in SPOILED {
        fs::write(&file, spoiled(&text, kind, spoil)?)?;
        let refused = checked(python, &file)?;
        let why = String::from_utf8_lossy(&refused.stderr);
        ensure!(!refused.status.success() && why.contains(told), "{CHECKER} does not say that {told}: {why}");
    }
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

/// The export with the first line of that kind made wrong. Activities, which are compared at the end alone, are left out: it
/// is checked the sooner.
fn spoiled(text: &str, kind: &str, spoil: Spoil) -> Result<String> {
    let is_of = |line: &str, kind: &str| line.contains(&format!("\"kind\":\"{kind}\""));
    let lines = text.split_inclusive('\n').filter(|line| !is_of(line, "activity"));
    let mut lines: Vec<String> = lines.map(str::to_owned).collect();
    let line = lines.iter_mut().find(|line| is_of(line, kind)).with_context(|| format!("there is no {kind}"))?;
    *line = spoil(line).with_context(|| format!("the first {kind} lacks what is to be wrong"))?;
    Ok(lines.concat())
}

fn with_number(line: &str, name: &str, number: u64) -> Option<String> {
    let (before, behind) = line.split_once(&format!("\"{name}\":"))?;
    let behind = behind.trim_start_matches(|c: char| c.is_ascii_digit());
    Some(format!("{before}\"{name}\":{number}{behind}"))
}

/// The line with a part of 4,097 lines, each the next, as base64.
fn with_too_many_lines(line: &str) -> Option<String> {
    let (before, behind) = line.split_once("\"lines\":\"")?;
    let (_, behind) = behind.split_once('"')?;
    // The form and how many there are, three bytes; then 1,365 times three lines, and two.
    let part = format!("AYEg{}AgI=", "AgIC".repeat(1_365));
    Some(format!("{before}\"lines\":\"{part}\"{behind}"))
}

/// The line of an import that is undone from no change of its own on.
fn with_foreign_rest(line: &str) -> Option<String> {
    let (before, behind) = line.split_once("\"kept\":")?;
    Some(format!("{before}\"left\":{{\"change\":0,\"parts\":1}},\"kept\":{behind}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_of_the_kind_is_made_wrong_and_activities_are_left_out() {
        let text = concat!(
            "{\"kind\":\"activity\"}\n",
            "{\"kind\":\"import\",\"first\":12,\"kept\":0}\n",
            "{\"kind\":\"lines\",\"lines\":\"AQEC\"}\n",
        );
        let first = spoiled(text, "import", |line| with_number(line, "first", 7)).unwrap();
        let (activity, rest) = text.split_once('\n').unwrap();
        assert_eq!((activity, first), ("{\"kind\":\"activity\"}", rest.replacen(":12", ":7", 1)));
        let left = spoiled(text, "import", with_foreign_rest).unwrap();
        assert!(left.contains(",\"left\":{\"change\":0,\"parts\":1},\"kept\":0}\n"), "{left}");
        let lines = spoiled(text, "lines", with_too_many_lines).unwrap();
        assert!(lines.contains("\"lines\":\"AYEgAgIC") && lines.ends_with("AgICAgI=\"}\n"), "{lines}");
        assert!(spoiled(text, "key", with_foreign_rest).is_err());
        assert!(spoiled(text, "lines", with_foreign_rest).is_err());
    }

    #[test]
    fn another_digit_stands_in_the_line_that_is_told() {
        let text = "{}\n{\"kind\":\"product\",\"version\":12}\n{\"kind\":\"product\",\"version\":9}\n";
        let (line, changed) = with_another_digit(text).unwrap();
        assert_eq!((line, changed), (2, text.replacen(":12", ":92", 1)));
    }
}
