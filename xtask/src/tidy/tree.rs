//! The files of the repository as the checks see them.

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result};

/// What lies in a directory without git that is not part of the source.
const NO_SOURCE: [&str; 3] = [".git", "target", "tonne-data"];

/// A file of the repository.
pub(super) struct File {
    /// From the root, with `/`.
    pub(super) path: String,
    /// Empty for a file that is not UTF-8.
    pub(super) text: String,
}

/// The files that are committed or about to be, by path.
pub(super) struct Tree {
    pub(super) files: Vec<File>,
}

impl Tree {
    /// Reads what git knows or would take; everything but build results where there is no git.
    pub(super) fn read(root: &Path) -> Result<Self> {
        let mut paths = match listed_by_git(root) {
            Some(paths) => paths,
            None => walked(root)?,
        };
        paths.sort();
        paths.dedup();
        let mut files = Vec::with_capacity(paths.len());
        for path in paths {
            let on_disk = root.join(&path);
            if on_disk.is_file() {
                let bytes = std::fs::read(&on_disk).with_context(|| format!("cannot read {path}"))?;
                files.push(File { path, text: String::from_utf8(bytes).unwrap_or_default() });
            }
        }
        Ok(Self { files })
    }

    pub(super) fn rust(&self) -> impl Iterator<Item = &File> {
        self.files.iter().filter(|file| has_extension(&file.path, "rs"))
    }

    /// The files below a folder (`docs/decisions/`), each with the rest of its path.
    pub(super) fn below<'a>(&'a self, folder: &'a str) -> impl Iterator<Item = (&'a File, &'a str)> {
        self.files.iter().filter_map(move |file| Some((file, file.path.strip_prefix(folder)?)))
    }

    #[cfg(test)]
    pub(super) fn of(files: &[(&str, &str)]) -> Self {
        let file = |(path, text): &(&str, &str)| File { path: (*path).to_owned(), text: (*text).to_owned() };
        Self { files: files.iter().map(file).collect() }
    }
}

/// Whether the file name ends with `.extension`.
pub(super) fn has_extension(path: &str, extension: &str) -> bool {
    Path::new(path).extension().is_some_and(|found| found == extension)
}

fn listed_by_git(root: &Path) -> Option<Vec<String>> {
    let arguments = ["ls-files", "--cached", "--others", "--exclude-standard", "-z"];
    let output = Command::new("git").args(arguments).current_dir(root).stderr(Stdio::null()).output().ok()?;
    let text = String::from_utf8(output.stdout).ok().filter(|text| output.status.success() && !text.is_empty())?;
    Some(text.split_terminator('\0').map(str::to_owned).collect())
}

fn walked(root: &Path) -> Result<Vec<String>> {
    let (mut paths, mut folders) = (Vec::new(), vec![String::new()]);
    while let Some(folder) = folders.pop() {
        let entries = std::fs::read_dir(root.join(&folder)).with_context(|| format!("cannot list {folder}"))?;
        for entry in entries {
            let entry = entry.with_context(|| format!("cannot list {folder}"))?;
            let path = format!("{folder}{}", entry.file_name().to_string_lossy());
            if !entry.file_type().with_context(|| format!("cannot tell what {path} is"))?.is_dir() {
                paths.push(path);
            } else if !NO_SOURCE.contains(&path.as_str()) {
                folders.push(path + "/");
            }
        }
    }
    Ok(paths)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_walk_finds_this_file_and_no_build_result() {
        let paths = walked(&crate::cargo::root()).unwrap();
        assert!(paths.contains(&"xtask/src/tidy/tree.rs".to_owned()));
        assert!(!paths.iter().any(|path| path.starts_with("target/") || path.starts_with(".git/")));
    }

    #[test]
    fn a_folder_gives_the_rest_of_each_path() {
        let tree = Tree::of(&[("a/b/c.rs", ""), ("a/d", ""), ("ab/e", "")]);
        assert_eq!(tree.below("a/").map(|(_, rest)| rest).collect::<Vec<_>>(), ["b/c.rs", "d"]);
    }
}
