//! `tonne migrate`: a database made ready for this version.

use anyhow::Result;
use clap::Args;

use super::context::Context;
use super::{Ending, Usage, logging, output};
use crate::app::migrate;

/// Bring the database to the latest format, beside running servers.
///
/// A server does the same when it starts, where it may. Folders need no command: files are brought to the latest format
/// when they are opened.
#[derive(Debug, Args)]
pub(super) struct Migrate {
    /// Print what is run on an empty database, and run nothing.
    #[arg(long)]
    print_sql: bool,
}

impl Migrate {
    pub(super) async fn run(self, context: &Context) -> Result<Ending> {
        if self.print_sql {
            output::say(postgres::script().trim_end())?;
            return Ok(Ending::Done);
        }
        let config = context.config([])?;
        logging::start(&config.log, "warn");
        if !migrate(&config).await? {
            let mend = "--database-url names one; files are brought to the latest format when they are opened";
            return Err(Usage(format!("there is no database to migrate: {mend}")).into());
        }
        output::say("The database has the latest format.")?;
        Ok(Ending::Done)
    }
}
