//! What may be at the top of the repository.

use super::Finding;
use super::tree::Tree;

const FOLDERS: [&str; 10] =
    ["domain", "ports", "adapters", "app", "xtask", "docs", "deploy", ".ci", ".cargo", ".github"];

const FILES: [&str; 16] = [
    ".dockerignore",
    ".editorconfig",
    ".gitattributes",
    ".gitignore",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "Cargo.lock",
    "Cargo.toml",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "README.md",
    "SECURITY.md",
    "clippy.toml",
    "deny.toml",
    "rust-toolchain.toml",
    "rustfmt.toml",
];

/// Checks the first part of every path, naming each stranger once.
pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut strangers: Vec<&str> = tree.files.iter().filter_map(|file| stranger(&file.path)).collect();
    strangers.dedup();
    let remedy = "move it into the folder it belongs to, or add it to xtask/src/tidy/toplevel.rs with a reason";
    strangers.into_iter().map(|name| Finding::new(name, 1, "not known at the top level", remedy)).collect()
}

/// The first part of the path, unless it may be at the top.
fn stranger(path: &str) -> Option<&str> {
    let (first, known) = match path.split_once('/') {
        Some((folder, _)) => (folder, FOLDERS.contains(&folder)),
        None => (path, FILES.contains(&path)),
    };
    (!known).then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strangers_are_named_once() {
        let tree = Tree::of(&[
            ("Cargo.toml", ""),
            ("domain/src/lib.rs", ""),
            ("domain.rs", ""),
            ("scripts/a.sh", ""),
            ("scripts/b.sh", ""),
            ("xtask", ""),
        ]);
        let found: Vec<_> = check(&tree).into_iter().map(|finding| finding.path).collect();
        assert_eq!(found, ["domain.rs", "scripts", "xtask"]);
    }
}
