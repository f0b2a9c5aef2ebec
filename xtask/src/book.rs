//! The book: `docs` as HTML, and those of its parts that are made from the program.

mod html;
mod picture;
mod reference;

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};

use crate::cargo::{built, root};

pub(crate) use html::{build, check as check_html};

/// A file of the repository, and what the program makes of it.
struct Made {
    path: &'static str,
    text: String,
}

/// Writes the parts that are made from the program.
pub(crate) fn write() -> Result<bool> {
    for Made { path, text } in made(&built()?)? {
        fs::write(root().join(path), text).with_context(|| format!("cannot write {path}"))?;
        println!("{path} written");
    }
    Ok(true)
}

/// Fails unless the parts that are made from the program are what it makes.
pub(crate) fn check() -> Result<()> {
    let wrong: Vec<_> = made(&built()?)?.iter().filter_map(|made| compare(made, &root())).collect();
    ensure!(wrong.is_empty(), "{}; run `cargo xtask reference` and commit it", wrong.join("; "));
    Ok(())
}

fn made(program: &Path) -> Result<Vec<Made>> {
    Ok(vec![
        Made { path: "docs/reference/command-line.md", text: reference::page(program)? },
        Made { path: "docs/images/report.svg", text: picture::drawn(program)? },
    ])
}

/// What is wrong with the file, if anything.
fn compare(Made { path, text }: &Made, root: &Path) -> Option<String> {
    let Ok(written) = fs::read_to_string(root.join(path)) else { return Some(format!("{path} cannot be read")) };
    if written == *text {
        return None;
    }
    let same = text.lines().zip(written.lines()).take_while(|(a, b)| a == b).count();
    Some(format!("{path}:{} differs from what the program prints", same + 1))
}

/// What the program prints with these arguments, in that folder; an error if it fails.
fn printed(program: &Path, arguments: &[&str], folder: &Path) -> Result<String> {
    let mut command = crate::program::program(program);
    let output = command.args(arguments).current_dir(folder).output().context("the program cannot be run")?;
    if !output.status.success() {
        bail!("`tonne {}` failed: {}", arguments.join(" "), String::from_utf8_lossy(&output.stderr));
    }
    String::from_utf8(output.stdout).context("the program printed bytes that are not UTF-8")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folder::Folder;

    #[test]
    fn a_stale_part_is_named_with_its_line() {
        let folder = Folder::new("stale").unwrap();
        let made = Made { path: "a.md", text: "a\nb\n".to_owned() };
        assert_eq!(compare(&made, folder.path()).as_deref(), Some("a.md cannot be read"));
        fs::write(folder.path().join("a.md"), "a\nc\n").unwrap();
        assert_eq!(compare(&made, folder.path()).as_deref(), Some("a.md:2 differs from what the program prints"));
        fs::write(folder.path().join("a.md"), "a\nb\n").unwrap();
        assert_eq!(compare(&made, folder.path()), None);
    }
}
