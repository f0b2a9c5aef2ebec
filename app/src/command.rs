//! The command line: one file for each command. Exit status 0 is done, 1 failed, 2 used wrongly; what went wrong goes to
//! standard error with the way to mend it.

mod backup;
mod client;
mod completeness;
mod completions;
mod config;
mod context;
mod credential;
mod demo;
mod doctor;
mod epoch;
mod exclusion;
mod explain;
mod export;
mod factor;
mod find_record;
mod first_links;
mod footprint;
mod head;
mod health;
mod history;
mod import;
mod json;
mod key;
mod logging;
mod man;
mod map;
mod migrate;
mod openapi;
mod output;
mod pact;
mod partner;
mod period;
mod recalculate;
mod report;
mod restore;
mod serve;
mod signing_key;
mod tenant;
mod terminal_table;
mod user;
mod verify;

use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};

use context::{Context, Global};

/// Carbon accounting in one binary.
#[derive(Debug, Parser)]
#[command(name = "tonne", version, arg_required_else_help = true, max_term_width = 100)]
#[command(after_help = "Every setting can stand in the environment as TONNE_SECTION__KEY or in the file of --config; \
                        `tonne config` shows them all.")]
struct Cli {
    #[command(flatten)]
    global: Global,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Serve(serve::Serve),
    Demo(demo::DemoArgs),
    #[command(subcommand)]
    Tenant(tenant::TenantCommand),
    #[command(subcommand)]
    Key(key::Key),
    #[command(subcommand)]
    Client(client::Client),
    #[command(subcommand)]
    User(user::UserCommand),
    #[command(subcommand)]
    SigningKey(signing_key::SigningKey),
    #[command(subcommand)]
    Import(import::Import),
    #[command(subcommand)]
    Map(map::MapCommand),
    #[command(subcommand)]
    Factor(factor::FactorCommand),
    Export(export::Export),
    Report(Box<report::ReportArgs>),
    Completeness(completeness::CompletenessArgs),
    Explain(explain::Explain),
    History(history::History),
    Head(head::Head),
    #[command(subcommand)]
    Pact(pact::PactCommand),
    #[command(subcommand)]
    Period(period::PeriodCommand),
    #[command(subcommand)]
    Exclusion(exclusion::ExclusionCommand),
    #[command(subcommand)]
    Footprint(footprint::FootprintCommand),
    #[command(subcommand)]
    Partner(partner::PartnerCommand),
    Recalculate(recalculate::Recalculate),
    Backup(backup::Backup),
    Restore(restore::Restore),
    Verify(verify::Verify),
    Doctor(doctor::Doctor),
    #[command(subcommand)]
    Epoch(epoch::Epoch),
    Migrate(migrate::Migrate),
    Config(config::ShowConfig),
    Health(health::HealthArgs),
    Openapi(openapi::Openapi),
    Completions(completions::Completions),
    Man(man::Man),
}

/// How a command ended that had nothing more to say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ending {
    /// The command did all that was asked.
    Done,
    /// Something was found wrong, and was reported.
    Failed,
}

/// That a command was used wrongly.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct Usage(String);

/// Runs the command of this process's arguments.
#[must_use]
pub fn run() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // Nobody is left to report to when not even this can be written.
            let _ = error.print();
            return if error.use_stderr() { ExitCode::from(2) } else { ExitCode::SUCCESS };
        }
    };
    match execute(cli) {
        Ok(Ending::Done) => ExitCode::SUCCESS,
        Ok(Ending::Failed) => ExitCode::FAILURE,
        Err(error) => output::fail(&error),
    }
}

fn execute(cli: Cli) -> Result<Ending> {
    let context = Context::new(cli.global);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        match cli.command {
            Command::Serve(command) => command.run(&context).await,
            Command::Demo(command) => command.run(&context).await,
            Command::Tenant(command) => command.run(&context).await,
            Command::Key(command) => command.run(&context).await,
            Command::Client(command) => command.run(&context).await,
            Command::User(command) => command.run(&context).await,
            Command::SigningKey(command) => command.run(&context).await,
            Command::Import(command) => command.run(&context).await,
            Command::Map(command) => command.run(),
            Command::Factor(command) => command.run(&context).await,
            Command::Export(command) => command.run(&context).await,
            Command::Report(command) => command.run(&context).await,
            Command::Completeness(command) => command.run(&context).await,
            Command::Explain(command) => command.run(&context).await,
            Command::History(command) => command.run(&context).await,
            Command::Head(command) => command.run(&context).await,
            Command::Pact(command) => command.run(&context).await,
            Command::Period(command) => command.run(&context).await,
            Command::Exclusion(command) => command.run(&context).await,
            Command::Footprint(command) => command.run(&context).await,
            Command::Partner(command) => command.run(&context).await,
            Command::Recalculate(command) => command.run(&context).await,
            Command::Backup(command) => command.run(&context).await,
            Command::Restore(command) => command.run(&context).await,
            Command::Verify(command) => command.run(&context).await,
            Command::Doctor(command) => command.run(&context).await,
            Command::Epoch(command) => command.run(&context).await,
            Command::Migrate(command) => command.run(&context).await,
            Command::Config(command) => command.run(&context),
            Command::Health(command) => command.run(&context).await,
            Command::Openapi(openapi::Openapi {}) => openapi::Openapi::run(),
            Command::Completions(command) => command.run(),
            Command::Man(command) => command.run(),
        }
    })
}
