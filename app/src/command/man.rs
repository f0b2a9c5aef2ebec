//! `tonne man`: a manual page of every command.

use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use clap::{Args, Command, CommandFactory as _};

use super::{Cli, Ending};

/// Write a manual page of every command (tonne.1, tonne-serve.1, ...) into a folder.
#[derive(Debug, Args)]
pub(super) struct Man {
    /// The folder, which is made where it is not there.
    #[arg(long, value_name = "DIR")]
    to: PathBuf,
}

impl Man {
    pub(super) fn run(self) -> Result<Ending> {
        let remedy = || format!("the manual pages cannot be written to {}", self.to.display());
        std::fs::create_dir_all(&self.to).with_context(remedy)?;
        // `tonne help serve` says what the page of `tonne serve` says.
        let mut command = Cli::command().disable_help_subcommand(true);
        command.build();
        write(&command, &self.to).with_context(remedy)?;
        Ok(Ending::Done)
    }
}

/// Writes the pages of the command and of those below it.
fn write(command: &Command, folder: &Path) -> io::Result<()> {
    command.get_subcommands().try_for_each(|below| write(below, folder))?;
    let name = command.get_display_name().unwrap_or_else(|| command.get_name()).to_uppercase();
    let page = clap_mangen::Man::new(command.clone()).title(name).manual("Tonne");
    page.source(concat!("tonne ", env!("CARGO_PKG_VERSION"))).generate_to(folder).map(drop)
}
