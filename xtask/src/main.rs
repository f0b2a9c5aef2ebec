//! Every chore of the repository: `cargo xtask <chore>`.
//!
//! Depends on no crate of the workspace, so it builds when they do not.

#[cfg(unix)]
mod bench;
mod book;
mod browser;
#[cfg(unix)]
mod campaign;
mod cargo;
mod ci;
mod clients;
mod deploy;
mod dist;
mod examples;
mod exported;
mod folder;
mod fuzz;
mod hex;
mod metrics;
mod oidc_provider;
mod openapi;
mod package;
#[cfg(unix)]
mod postgres;
mod program;
mod purity;
mod rust_text;
mod screenshots;
mod test;
mod tidy;
mod tools;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// The chores of Tonne.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", disable_help_subcommand = true)]
struct Arguments {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Subcommand)]
enum Chore {
    /// Run all tests and close with one line: `N passed, N failed`.
    ///
    /// Those that need a Postgres get a throw-away server, of Debian's `postgresql` or of `PG_BIN`; as root, what is
    /// missing is installed with apt-get. With `TONNE_TEST_POSTGRES=URL` set they use the server of that URL, as its
    /// superuser. Those of the pages drive Debian's `chromium` by its `chromium-driver`, and take axe-core from npm; those that
    /// sign in elsewhere start a provider from npm, and are left out aloud where the registry does not answer.
    Test {
        /// Leave out the tests that need this, and say so.
        #[arg(long, value_name = "WHAT")]
        skip: Vec<test::Skip>,
        /// Run each test that failed once more, alone: one that passes then counts as passed, and is named at the end.
        #[arg(long)]
        repeat: bool,
        /// Given to `cargo test` as they are: `cargo xtask test -- a_name`, `cargo xtask test -- -- --nocapture`.
        #[arg(last = true)]
        extra: Vec<String>,
    },
    /// Start and stop PostgreSQL servers of one's own, each in a directory.
    #[cfg(unix)]
    #[command(subcommand)]
    Postgres(postgres::Chore),
    /// Run every check but the tests, all of them even if one fails, and close with a table.
    Ci {
        /// Also compare the dependencies with the advisory database, which is fetched from the network.
        #[arg(long)]
        advisories: bool,
        /// Leave this out, and say so.
        #[arg(long, value_name = "WHAT")]
        skip: Option<ci::Skip>,
    },
    /// Lint the OpenAPI document, generate a Python and a TypeScript client from it, and have each call every operation
    /// of a demo. The tools come from `PyPI` and npm; as root, a missing Python or npm is installed with apt-get.
    Clients,
    /// Run every block of the README and of the pages in `docs`, and compare what they print. As root, what is missing of
    /// bash, curl, jq, nginx and PostgreSQL is installed with apt-get.
    Examples {
        /// Of the pages whose path ends so alone.
        page: Option<String>,
    },
    /// Build the book of `docs` into `target/book`, with an mdBook of its own that the first run installs.
    Book,
    /// Write the parts of the book that the program makes: the page of the command line and the README's picture.
    Reference,
    /// Take pictures of every page of a demo in both sets of colors, into `target/screenshots`, to be looked at; the dashboard's is
    /// the README's.
    Screenshots,
    /// Export a demo's company and run `docs/examples/check_export.py` on it, and on copies that were made wrong. As root, a
    /// missing Python is installed with apt-get.
    Exported,
    /// Have promtool check the alert rules in `deploy/` and the page of metrics of a service. As root, a missing promtool is
    /// installed with apt-get.
    Metrics,
    /// Measure the program and print a table, each figure beside its goal, its floor and its peer.
    ///
    /// Best on a machine that does nothing else. `docs/benchmarks/README.md` says what each row measures.
    #[cfg(unix)]
    Bench(bench::Options),
    /// Attack the program: killed, clocks moved, disks that fail, hostile requests and inputs.
    ///
    /// Best on a machine that does nothing else. `docs/campaign.md` says what each part claims.
    #[cfg(unix)]
    Campaign(campaign::Options),
    /// Feed what reads text with made-up and damaged inputs, each target for a time.
    Fuzz(fuzz::Options),
    /// Check what the service is installed with: the unit, the scripts, the compose file, the chart and the package. As root,
    /// what is missing is installed with apt-get.
    Deploy,
    /// Make the package for Debian of an optimised build: `target/deb/`.
    Deb,
    /// Make what a release consists of: the program for every Linux, the package for Debian, a list of what is inside and
    /// checksums. The same source gives the same bytes, in whatever folder.
    Dist(dist::Options),
    /// Check the rules of the house that no compiler knows; builds nothing.
    Tidy,
    /// Write `docs/openapi.json` from the code.
    Openapi,
}

fn main() -> ExitCode {
    let done = match Arguments::parse().chore {
        Chore::Test { skip, repeat, extra } => {
            let repeat = if repeat { test::Repeat::FailedTests } else { test::Repeat::Never };
            Ok(test::run(&skip, repeat, &extra))
        }
        #[cfg(unix)]
        Chore::Postgres(chore) => postgres::run(&chore),
        #[cfg(unix)]
        Chore::Bench(options) => bench::run(&options),
        #[cfg(unix)]
        Chore::Campaign(options) => campaign::run(&options),
        Chore::Fuzz(options) => fuzz::run(&options),
        Chore::Ci { advisories, skip } => Ok(ci::run(advisories, skip)),
        Chore::Clients => clients::check().map(|()| true),
        Chore::Examples { page } => examples::check(page.as_deref()).map(|()| true),
        Chore::Book => book::build(),
        Chore::Reference => book::write(),
        Chore::Screenshots => screenshots::take(),
        Chore::Exported => exported::check().map(|()| true),
        Chore::Deploy => Ok(deploy::run()),
        Chore::Deb => deploy::deb::make().map(|()| true),
        Chore::Dist(options) => dist::run(&options).map(|()| true),
        Chore::Metrics => metrics::check().map(|()| true),
        Chore::Tidy => tidy::run(),
        Chore::Openapi => openapi::write(),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
