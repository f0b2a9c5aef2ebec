//! A demo of the started program, with the link that signs in once.

use tempfile::TempDir;

use super::session::Session;
use crate::demo::running::Running;

/// A running demo; it ends when this is dropped.
pub(crate) struct Demo {
    running: Running,
    _folder: TempDir,
}

impl Demo {
    pub(crate) fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        Self { running: Running::start(folder.path()), _folder: folder }
    }

    /// The address that signs in whoever opens it first.
    pub(crate) fn link(&self) -> &str {
        let mut words = self.running.printed.split_whitespace();
        words.find(|word| word.contains("/login/once/")).expect("the demo prints a link that signs in")
    }

    /// The address of its pages, with a slash at its end.
    pub(crate) fn pages(&self) -> &str {
        let (pages, _) = self.link().split_once("login/once/").unwrap();
        pages
    }

    /// Signs in by the link: opens it, and presses the one button there is.
    pub(crate) fn sign_in(&self, session: &Session) {
        session.open(self.link());
        session.follow("main form button");
    }
}
