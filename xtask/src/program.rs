//! Calling the built program, whatever settings the environment of the chores names.

use std::ffi::OsStr;
use std::process::{Command, Stdio};

/// A call of the program with no setting of this environment, which reads nothing.
pub(crate) fn program(path: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(path);
    command.stdin(Stdio::null());
    without_settings(&mut command);
    command
}

/// Takes away the settings of this environment: the program would take them for its own, and refuse those that it does not
/// know, such as the tests' `TONNE_SHARED_DATA`.
pub(crate) fn without_settings(command: &mut Command) {
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.as_encoded_bytes().starts_with(b"TONNE_")) {
        command.env_remove(name);
    }
}
