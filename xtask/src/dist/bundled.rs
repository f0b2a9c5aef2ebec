//! Libraries in C that crates bring along in their source and link into the program.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};
use serde_json::{Value, json};

/// A library, and where its version stands.
pub(super) struct Library {
    name: &'static str,
    licence: &'static str,
    /// The crate that brings it.
    pub(super) holder: &'static str,
    header: &'static str,
    /// The macro of the header that has the version: a text, or a number of two digits for each of minor and patch.
    define: &'static str,
}

/// Those of the program.
pub(super) const LIBRARIES: [Library; 2] = [
    Library {
        name: "sqlite",
        licence: "blessing",
        holder: "libsqlite3-sys",
        header: "sqlite3/sqlite3.h",
        define: "SQLITE_VERSION",
    },
    Library {
        name: "mimalloc",
        licence: "MIT",
        holder: "libmimalloc-sys",
        header: "c_src/mimalloc/v3/include/mimalloc.h",
        define: "MI_MALLOC_VERSION",
    },
];

impl Library {
    /// The library as a component, its version read from the header in the crate's folder.
    pub(super) fn component(&self, folder: &Path) -> Result<Value> {
        let header = folder.join(self.header);
        let text = fs::read_to_string(&header).with_context(|| format!("cannot read {}", header.display()))?;
        let version = version(&text, self.define).with_context(|| format!("{} has no version", header.display()))?;
        let reference = format!("pkg:generic/{}@{version}", self.name);
        Ok(json!({
            "type": "library",
            "bom-ref": reference,
            "name": self.name,
            "version": version,
            "purl": reference,
            "licenses": [{ "license": { "id": self.licence } }],
            "description": format!("In the source of the crate {}", self.holder),
        }))
    }
}

/// What the macro stands for, written with dots.
fn version(header: &str, define: &str) -> Option<String> {
    let value = header.lines().find_map(|line| {
        let mut words = line.split_whitespace();
        (words.next() == Some("#define") && words.next() == Some(define)).then(|| words.next()).flatten()
    })?;
    if let Some(text) = value.strip_prefix('"') {
        return Some(text.trim_end_matches('"').to_owned());
    }
    let number: u32 = value.parse().ok()?;
    Some(format!("{}.{}.{}", number / 10_000, number / 100 % 100, number % 100))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_as_texts_and_as_numbers() {
        assert_eq!(version("#define SQLITE_VERSION        \"3.51.3\"", "SQLITE_VERSION").unwrap(), "3.51.3");
        assert_eq!(version("#define MI_MALLOC_VERSION 30302   // v3", "MI_MALLOC_VERSION").unwrap(), "3.3.2");
        assert_eq!(version("#define OTHER 1", "MI_MALLOC_VERSION"), None);
    }
}
