//! The domain is a crate for others: it packages alone, its README shows every way in, and what it shows runs.

use anyhow::{Context, Result, ensure};

use crate::cargo::{cargo, root, succeeds};

const PACKAGE: &str = "tonne-domain";
/// What is before the name of an example in the README.
const CALL: &str = "cargo run --example ";

/// Fails if the package cannot be made or built from its own files, or an example of its README is missing or fails.
pub(crate) fn check() -> Result<()> {
    let readme = root().join("domain/README.md");
    let text = std::fs::read_to_string(&readme).with_context(|| format!("cannot read {}", readme.display()))?;
    let examples = examples(&text);
    ensure!(!examples.is_empty(), "domain/README.md names no example as `{CALL}NAME`; it should show every way in");
    for example in examples {
        let ran = succeeds(&mut cargo(&["run", "--quiet", "--locked", "--package", PACKAGE, "--example", example]))?;
        ensure!(ran, "the example {example} of domain/README.md fails; see above");
    }
    // The tree may be dirty: what is packaged is what is there.
    let made = succeeds(&mut cargo(&["package", "--locked", "--allow-dirty", "--package", PACKAGE]))?;
    ensure!(made, "{PACKAGE} does not package, or does not build from its package; see above");
    Ok(())
}

/// The examples that a README names, in its order.
fn examples(readme: &str) -> Vec<&str> {
    let names = readme.split(CALL).skip(1);
    names.filter_map(|rest| rest.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_are_those_that_the_readme_runs() {
        let readme = "| add | `cargo run --example year` |\nor cargo run --example by_day\nbut not `cargo run`";
        assert_eq!(examples(readme), ["year", "by_day"]);
    }
}
