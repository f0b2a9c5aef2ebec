//! `tonne completions`: what a shell completes commands and flags with.

use anyhow::Result;
use clap::{Args, CommandFactory as _};
use clap_complete::Shell;

use super::{Cli, Ending, output};

/// Print the completions of commands and flags for a shell.
#[derive(Debug, Args)]
pub(super) struct Completions {
    /// The shell to print them for.
    shell: Shell,
}

impl Completions {
    pub(super) fn run(self) -> Result<Ending> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::command(), "tonne", &mut script);
        output::say(String::from_utf8(script)?.trim_end())?;
        Ok(Ending::Done)
    }
}
