//! `tonne tenant`: the companies of an installation.

mod remove;
mod set;

use anyhow::{Context as _, Result};
use clap::{Args, Subcommand};
use domain::{Name, YearStart};
use files::Json;
use ports::TenantSlug;
use ports::directory::Tenant;

use super::context::{Context, IfAbsent};
use super::json::{array, object, optional, text};
use super::terminal_table::{Align, Table};
use super::{Ending, output};
use crate::SINGLE_TENANT;
use crate::config::Mode;

/// Create, list, change and remove companies, each with an address, records and credentials of its own.
///
/// Servers need not be stopped for it, and --tenant does not count here. Which addresses companies have, tenancy.mode
/// says; with the mode single only the company main is served.
#[derive(Debug, Subcommand)]
pub(super) enum TenantCommand {
    Create(Create),
    List(List),
    Set(set::Set),
    Remove(remove::Remove),
}

/// Create a company, empty: running servers answer for it within a second.
#[derive(Debug, Args)]
pub(super) struct Create {
    /// Its part of addresses: lower-case letters, digits and single hyphens between them, at most 40 characters.
    #[arg(value_parser = TenantSlug::parse)]
    slug: TenantSlug,
    /// What it is called.
    #[arg(long, value_name = "NAME", value_parser = Name::parse)]
    name: Name,
    /// The day on which its fiscal years begin, 01 to 28 of a month.
    #[arg(long, value_name = "MM-DD", value_parser = year_start, default_value = "01-01")]
    year_start: YearStart,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// List the companies.
#[derive(Debug, Args)]
pub(super) struct List {
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl TenantCommand {
    pub(super) async fn run(self, context: &Context) -> Result<Ending> {
        match self {
            Self::Create(command) => command.run(context).await,
            Self::List(command) => command.run(context).await,
            Self::Set(command) => command.run(context).await,
            Self::Remove(command) => command.run(context).await,
        }
    }
}

impl Create {
    async fn run(self, context: &Context) -> Result<Ending> {
        let Self { slug, name, year_start, json } = self;
        let app = context.app(IfAbsent::Make).await?;
        let failure = || format!("the company {slug} was not created; `tonne tenant list` shows those there are");
        let tenant = app.create_tenant(slug.clone(), name, year_start).await.with_context(failure)?;
        output::say(&if json {
            shown(&tenant).to_string()
        } else {
            format!("the company {} is created: {}", tenant.slug, tenant.id)
        })?;
        if app.config().tenancy.mode == Mode::Single && tenant.slug.as_str() != SINGLE_TENANT {
            output::note("It is not served while tenancy.mode is single: set it to path or host.");
        }
        Ok(Ending::Done)
    }
}

impl List {
    async fn run(self, context: &Context) -> Result<Ending> {
        let tenants = context.app(IfAbsent::Refuse).await?.list_tenants().await?;
        output::say(&if self.json { array(tenants.iter().map(shown)).to_string() } else { table(&tenants) })?;
        Ok(Ending::Done)
    }
}

/// Reads the day on which years begin.
fn year_start(text: &str) -> Result<YearStart, &'static str> {
    YearStart::parse(text).map_err(|_| "is no day MM-DD that every month has: give a day from 01 to 28, such as 04-01")
}

fn shown(tenant: &Tenant) -> Json {
    object([
        ("slug", text(&tenant.slug)),
        ("uuid", text(tenant.id)),
        ("name", text(&tenant.name)),
        ("created", text(tenant.created)),
        ("yearStart", text(tenant.year_start)),
        ("consolidation", optional(tenant.statement.consolidation)),
        ("reportingCompany", optional(tenant.statement.company.as_ref())),
        ("boundary", optional(tenant.statement.boundary.as_ref())),
    ])
}

fn table(tenants: &[Tenant]) -> String {
    let mut table = Table::new(["slug", "name", "uuid", "created", "year starts"].map(|name| (name, Align::Left)));
    for tenant in tenants {
        let Tenant { id, slug, name, created, epoch: _, year_start, statement: _ } = tenant;
        table.row([slug.to_string(), name.to_string(), id.to_string(), created.to_string(), year_start.to_string()]);
    }
    table.render()
}
