//! Directories that a server can live in.

use std::fs::{self, DirBuilder};
use std::io::ErrorKind;
use std::os::unix::fs::{DirBuilderExt, chown};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};

use super::account::Account;

/// A socket's path may have 103 bytes on every Unix; this leaves room for `/.s.PGSQL.5432.lock`.
const LONGEST: usize = 80;

/// Makes the directory where there is none, for its owner alone, and gives it to the account. Refused is one that
/// holds anything, that the account cannot reach, or whose path is long or not plain.
pub(super) fn make(directory: &Path, account: Option<&Account>) -> Result<PathBuf> {
    let shown = directory.display();
    if !directory.exists() {
        let made = DirBuilder::new().recursive(true).mode(0o700).create(directory);
        made.with_context(|| format!("cannot make {shown}"))?;
    }
    let found = fs::canonicalize(directory).with_context(|| format!("cannot use {shown}"))?;
    let empty = fs::read_dir(&found).with_context(|| format!("cannot list {shown}"))?.next().is_none();
    ensure!(empty, "{shown} holds other things than a server: name a directory that is new or empty");
    check_path(&found)?;
    if let Some(account) = account {
        check_reach(&found, account)?;
        let given = chown(&found, Some(account.uid), Some(account.gid));
        given.with_context(|| format!("cannot give {shown} to the user {}", account.name))?;
    }
    Ok(found)
}

/// The path is unquoted in a URL, in the server's settings and in a socket's address.
fn check_path(directory: &Path) -> Result<()> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-".contains(c);
    let text = directory.to_str().filter(|text| text.chars().all(plain));
    let Some(text) = text else {
        bail!("{} is not plain: name a directory of letters, digits, `.`, `_` and `-`", directory.display());
    };
    ensure!(text.len() <= LONGEST, "{text} is too long for a socket: name one of at most {LONGEST} bytes");
    Ok(())
}

fn check_reach(directory: &Path, account: &Account) -> Result<()> {
    for above in directory.ancestors().skip(1) {
        let metadata = fs::metadata(above).with_context(|| format!("cannot read {}", above.display()))?;
        let (name, above, shown) = (&account.name, above.display(), directory.display());
        ensure!(
            account.may_enter(&metadata),
            "the user {name} may not enter {above}, so no server can live in {shown}: name a directory below /tmp"
        );
    }
    Ok(())
}

/// A new directory for this program alone, removed with all it holds when it is dropped.
pub(super) struct Scratch(PathBuf);

impl Scratch {
    /// Makes it where the system keeps temporary files; in `/tmp` if a server could not live there.
    pub(super) fn new() -> Result<Self> {
        let usual = std::env::temp_dir();
        let room = usual.as_os_str().len() <= LONGEST / 2 && check_path(&usual).is_ok();
        // Root's own temporary files are often out of reach for everybody else.
        let parent = if room && Account::for_servers()?.is_none() { usual } else { PathBuf::from("/tmp") };
        for attempt in 0..1000 {
            let directory = parent.join(format!("tonne-{}-{attempt}", std::process::id()));
            match DirBuilder::new().mode(0o700).create(&directory) {
                Ok(()) => return Ok(Self(directory)),
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error).with_context(|| format!("cannot make {}", directory.display())),
            }
        }
        bail!("no name is left for a directory in {}", parent.display())
    }

    pub(super) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if let Err(error) = fs::remove_dir_all(&self.0) {
            eprintln!("cannot remove {}: {error}", self.0.display());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::MetadataExt;

    use super::*;

    fn stranger() -> Account {
        Account { name: "stranger".to_owned(), uid: u32::MAX - 1, gid: u32::MAX - 1 }
    }

    #[test]
    fn a_new_directory_is_for_its_owner_alone() {
        let scratch = Scratch::new().unwrap();
        let made = make(&scratch.path().join("a/b"), None).unwrap();
        assert_eq!(fs::metadata(made).unwrap().mode() & 0o777, 0o700);
    }

    #[test]
    fn what_holds_other_things_is_refused() {
        let scratch = Scratch::new().unwrap();
        fs::write(scratch.path().join("letter.txt"), "dear").unwrap();
        let refused = make(scratch.path(), None).unwrap_err().to_string();
        assert!(refused.contains("holds other things"), "{refused}");
    }

    #[test]
    fn a_path_that_must_be_quoted_or_is_long_is_refused() {
        for name in ["a b", "a'b", "a&b", "ä", &"a".repeat(LONGEST)] {
            let refused = check_path(&Path::new("/tmp").join(name)).unwrap_err().to_string();
            assert!(refused.contains("name "), "{refused}");
        }
        check_path(Path::new("/tmp/tonne-1_2.x")).unwrap();
    }

    #[test]
    fn what_the_account_cannot_reach_is_refused_and_left_as_it_was() {
        let scratch = Scratch::new().unwrap();
        let inner = scratch.path().join("inner");
        let refused = make(&inner, Some(&stranger())).unwrap_err().to_string();
        assert!(refused.contains("the user stranger may not enter"), "{refused}");
        assert_ne!(fs::metadata(inner).unwrap().uid(), stranger().uid);
    }

    #[test]
    fn a_scratch_directory_goes_with_all_it_holds() {
        let scratch = Scratch::new().unwrap();
        let path = scratch.path().to_owned();
        fs::write(path.join("a"), "a").unwrap();
        drop(scratch);
        assert!(!path.exists());
    }
}
