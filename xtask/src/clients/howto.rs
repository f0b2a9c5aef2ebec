//! The programs that `docs/howto/clients.md` shows: run against a demo with the clients that were generated. What the page
//! installs is what is tried here.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};

use super::demo::Demo;
use super::{NODE_PACKAGES, PYTHON_PACKAGE, in_venv, of_node, run};
use crate::cargo::{output, root};

const PAGE: &str = "docs/howto/clients.md";
/// Where the demo of the page answers.
const BASE: &str = "http://127.0.0.1:8080/api";

/// The page's text.
pub(super) struct HowTo(String);

impl HowTo {
    /// Reads the page; an error if it installs other versions than are tried here.
    pub(super) fn read() -> Result<Self> {
        let text = fs::read_to_string(root().join(PAGE)).with_context(|| format!("cannot read {PAGE}"))?;
        check_versions(&text)?;
        Ok(Self(text))
    }

    /// Runs the page's Python with the client in that folder.
    pub(super) fn python(&self, at: &Path, demo: &Demo) -> Result<()> {
        fs::write(at.join("howto.py"), program(&self.0, "python", &demo.base)?)?;
        let mut python = in_venv(at, "python");
        shows_figures("Python", python.arg("howto.py").env("PYTHONPATH", at), demo)
    }

    /// Compiles and runs the page's TypeScript with the types in that folder.
    pub(super) fn typescript(&self, at: &Path, demo: &Demo) -> Result<()> {
        fs::write(at.join("report.mts"), program(&self.0, "typescript", &demo.base)?)?;
        let mut compile = of_node(at, "tsc");
        compile.args(["--strict", "--target", "es2022", "--module", "nodenext", "report.mts"]);
        run(&mut compile, &format!("the TypeScript of {PAGE} does not fit the generated types"))?;
        let mut node = Command::new("node");
        shows_figures("TypeScript", node.arg("report.mjs").current_dir(at), demo)
    }
}

/// Fails if the program fails or prints no amount.
fn shows_figures(language: &str, command: &mut Command, demo: &Demo) -> Result<()> {
    let printed = output(command.env("TONNE_KEY", &demo.key).stdin(Stdio::null()))
        .with_context(|| format!("the {language} of {PAGE} failed, see above"))?;
    let is_amount = |word: &str| {
        word.chars().all(|c| c.is_ascii_digit() || c == '.') && word.contains(|c: char| ('1'..='9').contains(&c))
    };
    ensure!(printed.split_whitespace().any(is_amount), "the {language} of {PAGE} prints no amount:\n{printed}");
    Ok(())
}

/// The only block of that language, with the demo's address in the place of the page's.
fn program(page: &str, language: &str, base: &str) -> Result<String> {
    let fence = format!("\n```{language} ");
    let mut blocks = page.split(&fence).skip(1);
    let block = blocks.next().with_context(|| format!("{PAGE} has no block of {language}"))?;
    ensure!(blocks.next().is_none(), "{PAGE} has two blocks of {language}: say in xtask which is run");
    let (_, block) = block.split_once('\n').context("the block is empty")?;
    let (code, _) = block.split_once("\n```").context("the block has no end")?;
    ensure!(code.contains(BASE), "the {language} of {PAGE} does not call {BASE}");
    Ok(format!("{}\n", code.replace(BASE, base)))
}

/// Fails unless the packages that the page installs are of the versions that are tried.
fn check_versions(page: &str) -> Result<()> {
    ensure!(page.contains(&format!("'{PYTHON_PACKAGE}'")), "{PAGE} does not install {PYTHON_PACKAGE}");
    let mut installed =
        page.lines().filter_map(|line| line.strip_prefix("npm install ")).flat_map(str::split_whitespace);
    let other = installed.find(|package| !NODE_PACKAGES.contains(package));
    ensure!(other.is_none(), "{PAGE} installs {}, which is not tried", other.unwrap_or_default());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_calls_the_demo_that_is_there() {
        let page = "a\n```python no-run=x\nprint(\"http://127.0.0.1:8080/api\")\n```\nb\n```sh\n```\n";
        assert_eq!(program(page, "python", "http://[::1]:1/api").unwrap(), "print(\"http://[::1]:1/api\")\n");
        assert!(program(page, "typescript", "").is_err());
        assert!(program(&page.repeat(2), "python", "").is_err());
    }

    #[test]
    fn another_version_than_is_tried_is_refused() {
        let page = format!("pip install '{PYTHON_PACKAGE}'\nnpm install {}\n", NODE_PACKAGES[1]);
        check_versions(&page).unwrap();
        assert!(check_versions(&format!("{page}npm install typescript@1.0.0\n")).is_err());
        assert!(check_versions("npm install\n").is_err());
    }
}
