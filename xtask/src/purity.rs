//! The domain stands alone: no runtime, no web server, no database below it.

use anyhow::{Result, bail, ensure};

use crate::cargo::{cargo, output, succeeds};

/// Packages that may not be in the domain's tree; one that ends with `-` means all that begin so.
const IMPURE: [&str; 8] = ["tokio", "actix", "actix-", "sqlx", "sqlx-", "sea-orm", "rusqlite", "libsqlite3-sys"];

/// Fails if the domain, with no default features, needs an impure package or does not build alone.
pub(crate) fn check() -> Result<()> {
    let tree = output(&mut cargo(&[
        "tree",
        "--locked",
        "--package",
        "tonne-domain",
        "--no-default-features",
        "--edges",
        "normal",
        "--prefix",
        "none",
    ]))?;
    let found = impure(&tree);
    if !found.is_empty() {
        bail!(
            "tonne-domain depends on {}; find by which way with `cargo tree -p tonne-domain --no-default-features -i \
             {}` and take it out",
            found.join(", "),
            found[0]
        );
    }
    let built = succeeds(&mut cargo(&["build", "--locked", "--package", "tonne-domain", "--no-default-features"]))?;
    ensure!(built, "tonne-domain does not build with no default features; see above");
    Ok(())
}

/// The impure packages among the lines of a tree without prefixes, each once.
fn impure(tree: &str) -> Vec<&str> {
    let is_impure = |name: &&str| IMPURE.iter().any(|bad| name == bad || (bad.ends_with('-') && name.starts_with(bad)));
    let mut found: Vec<&str> =
        tree.lines().filter_map(|line| line.split_whitespace().next()).filter(is_impure).collect();
    found.sort_unstable();
    found.dedup();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn impure_packages_are_found_at_any_depth_and_named_once() {
        let tree = "tonne-domain v0.1.0 (domain)\nuuid v1.0.0\nactix-rt v2.0.0\ntokio v1.0.0\ntokio v1.0.0 (*)\n";
        assert_eq!(impure(tree), ["actix-rt", "tokio"]);
    }

    #[test]
    fn a_name_that_only_begins_alike_is_no_reason_to_fail() {
        assert_eq!(impure("tonne-domain v0.1.0\ntokio-free v1.0.0\nsqlxyz v1.0.0\n"), Vec::<&str>::new());
    }
}
