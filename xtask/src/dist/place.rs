//! The folder of a release, which holds nothing else.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, ensure};

/// The file of digests, by which a folder is known as a release's.
pub(super) const SUMS: &str = "SHA256SUMS";
/// How the names of a release's other files begin and end.
const BEGINNINGS: [&str; 2] = ["tonne-", "tonne_"];
const ENDINGS: [&str; 3] = [".tar.gz", ".deb", ".cdx.json"];

/// Makes the folder, or empties it of an earlier release.
///
/// Fails, and removes nothing, where it holds a file that no release has, or is another folder altogether.
pub(super) fn make_ready(folder: &Path) -> Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let entry = entry?;
        found.push((entry.file_name().to_string_lossy().into_owned(), entry.path(), entry.file_type()?.is_file()));
    }
    let is_release = found.is_empty() || found.iter().any(|(name, ..)| name == SUMS);
    let mend = "give an empty folder, or one that does not exist, as --to";
    ensure!(is_release, "{} holds files and is not the folder of a release: {mend}", folder.display());
    for (name, _, is_file) in &found {
        let is_ours = *is_file && is_of_release(name);
        ensure!(is_ours, "{} holds {name}, which is of no release: move it away, or {mend}", folder.display());
    }
    for (_, path, _) in found {
        fs::remove_file(&path).with_context(|| format!("cannot remove {}", path.display()))?;
    }
    // A release that is broken off leaves a folder that the next one knows.
    fs::write(folder.join(SUMS), "").with_context(|| format!("cannot write {SUMS}"))
}

fn is_of_release(name: &str) -> bool {
    let fits = BEGINNINGS.iter().any(|beginning| name.starts_with(beginning));
    name == SUMS || (fits && ENDINGS.iter().any(|ending| name.ends_with(ending)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folder::Folder;

    #[test]
    fn a_folder_of_something_else_is_refused_and_left_as_it_is() {
        let folder = Folder::new("dist-other").unwrap();
        fs::write(folder.path().join("books.xlsx"), "kept").unwrap();
        assert!(make_ready(folder.path()).unwrap_err().to_string().contains("not the folder of a release"));
        fs::write(folder.path().join(SUMS), "").unwrap();
        assert!(make_ready(folder.path()).unwrap_err().to_string().contains("books.xlsx"));
        assert_eq!(fs::read_to_string(folder.path().join("books.xlsx")).unwrap(), "kept");
    }

    #[test]
    fn a_folder_of_a_release_is_emptied_and_known_again() {
        let folder = Folder::new("dist-again").unwrap();
        make_ready(folder.path()).unwrap();
        for name in ["tonne-0.1.0-x86_64.tar.gz", "tonne_0.1.0-1_amd64.deb", "tonne-0.1.0.cdx.json"] {
            fs::write(folder.path().join(name), "old").unwrap();
        }
        make_ready(folder.path()).unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
