//! The rules of the house that no compiler knows. Reads the tree and the manifests, builds nothing.
//!
//! Each check takes what was read and gives findings: where, what is wrong, what to do.

mod circles;
mod contract;
mod decisions;
mod imports;
mod links;
mod migrations;
mod source;
mod toplevel;
mod tree;
mod words;

use std::fmt;

use anyhow::Result;

use crate::cargo::{metadata, root};
use tree::Tree;

/// A rule broken at a place.
#[derive(Debug, PartialEq, Eq)]
struct Finding {
    path: String,
    /// Counts from 1.
    line: usize,
    wrong: String,
    remedy: String,
}

impl Finding {
    fn new(path: &str, line: usize, wrong: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { path: path.to_owned(), line, wrong: wrong.into(), remedy: remedy.into() }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, line, wrong, remedy } = self;
        write!(f, "{path}:{line}: {wrong}; {remedy}")
    }
}

/// Runs every check and prints what it found; whether it found nothing.
pub(crate) fn run() -> Result<bool> {
    let root = root();
    let tree = Tree::read(&root)?;
    let packages = metadata()?.packages;

    let mut findings = imports::check(&root, &packages, &tree);
    for check in [
        circles::check,
        toplevel::check,
        source::check,
        words::check,
        migrations::check,
        contract::check,
        decisions::check,
        links::check,
    ] {
        findings.extend(check(&tree));
    }
    findings.sort_by(|a, b| (&a.path, a.line).cmp(&(&b.path, b.line)));

    for (path, lines) in source::long(&tree) {
        println!("{path}: {lines} lines, long; at {} it must be split", source::LINES_ALLOWED + 1);
    }
    for finding in &findings {
        println!("{finding}");
    }
    println!("tidy: {} files, {} findings", tree.files.len(), findings.len());
    Ok(findings.is_empty())
}
