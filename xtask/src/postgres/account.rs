//! The user that servers run as: PostgreSQL and PgBouncer refuse to run as root.

use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};

use anyhow::{Context, Result};

/// Whom root lends a server to, the first that exists.
const UNPRIVILEGED: [&str; 2] = ["postgres", "nobody"];

/// A user of the system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Account {
    pub(super) name: String,
    pub(super) uid: u32,
    pub(super) gid: u32,
}

impl Account {
    /// The user a server must be given to, or `None` where the caller itself can run it.
    pub(super) fn for_servers() -> Result<Option<Self>> {
        if !is_root() {
            return Ok(None);
        }
        let account = UNPRIVILEGED.iter().find_map(|name| Self::named(name));
        account.map(Some).with_context(|| format!("no user to run a server as: {} needed", UNPRIVILEGED.join(" or ")))
    }

    /// The user that runs the server with this data, or `None` where the caller itself can.
    pub(super) fn owner_of(data: &Metadata) -> Option<Self> {
        is_root().then(|| Self { name: format!("number {}", data.uid()), uid: data.uid(), gid: data.gid() })
    }

    fn named(name: &str) -> Option<Self> {
        Some(Self { name: name.to_owned(), uid: id(&["-u", name])?, gid: id(&["-g", name])? })
    }

    /// Lets it run as this user, without any other group of the caller's.
    pub(super) fn take_on(&self, command: &mut Command) {
        command.uid(self.uid).gid(self.gid);
    }

    /// Whether it may pass through a directory.
    pub(super) fn may_enter(&self, directory: &Metadata) -> bool {
        let bit = if directory.uid() == self.uid {
            0o100
        } else if directory.gid() == self.gid {
            0o010
        } else {
            0o001
        };
        directory.mode() & bit != 0
    }
}

/// Whether this program runs as root.
pub(super) fn is_root() -> bool {
    id(&["-u"]) == Some(0)
}

/// What `id` answers, if it knows the user.
fn id(arguments: &[&str]) -> Option<u32> {
    let output = Command::new("id").args(arguments).stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    String::from_utf8(output.stdout).ok().filter(|_| output.status.success())?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_never_runs_as_root() {
        let account = Account::for_servers().unwrap();
        assert_eq!(account.is_some(), is_root());
        assert_ne!(account.map(|account| account.uid), Some(0));
    }

    #[test]
    fn an_unknown_user_is_no_account() {
        assert_eq!(Account::named("nobody-of-this-name"), None);
        assert_eq!(Account::named("root").map(|account| account.uid), Some(0));
    }

    #[test]
    fn a_user_enters_what_its_class_of_the_mode_lets_it_enter() {
        let root = std::fs::metadata("/").unwrap();
        let stranger = Account { name: "stranger".to_owned(), uid: u32::MAX - 1, gid: u32::MAX - 1 };
        assert_eq!(stranger.may_enter(&root), root.mode() & 0o001 != 0);
        let owner = Account { uid: root.uid(), ..stranger };
        assert_eq!(owner.may_enter(&root), root.mode() & 0o100 != 0);
    }
}
