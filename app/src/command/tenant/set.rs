//! `tonne tenant set`: what is set for a company.

use anyhow::{Context as _, Result, bail};
use clap::{Args, ValueEnum};
use domain::{Consolidation, Description, Name, StatementSettings, YearStart};
use ports::TenantSlug;
use ports::directory::Tenant;
use ports::store::StoreError;

use super::super::context::{Context, IfAbsent};
use super::super::{Ending, Usage, output};
use super::{shown, year_start};
use crate::app::single_tenant;

/// Say what a company is called, on which day its fiscal years begin, which reports with --year fiscal and year=fiscal go by, and what
/// it states for its inventory statements.
#[derive(Debug, Args)]
pub(in crate::command) struct Set {
    /// Its part of addresses [default: main].
    #[arg(value_parser = TenantSlug::parse)]
    slug: Option<TenantSlug>,
    /// What it is called, in pages, reports and statements.
    #[arg(long, value_name = "NAME", value_parser = Name::parse)]
    name: Option<Name>,
    /// The day on which its fiscal years begin, 01 to 28 of a month; 01-01 for calendar years.
    #[arg(long, value_name = "MM-DD", value_parser = year_start)]
    year_start: Option<YearStart>,
    /// How it consolidates what it owns and runs (GHG Protocol Corporate Standard, chapter 3).
    #[arg(long, value_enum, value_name = "APPROACH")]
    consolidation: Option<Approach>,
    /// The name of the company that reports, where it is not the one it has here.
    #[arg(long, value_name = "NAME", value_parser = Name::parse)]
    reporting_company: Option<Name>,
    /// Which operations are inside its inventory, in its own words.
    #[arg(long, value_name = "TEXT", value_parser = boundary)]
    boundary: Option<Description>,
    /// What is not stated any more; several with commas between them.
    #[arg(long, value_enum, value_delimiter = ',', value_name = "WHAT")]
    not_stated: Vec<Stated>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// How a company consolidates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Approach {
    /// By its share of the equity of each operation.
    EquityShare,
    /// All of what it controls financially.
    FinancialControl,
    /// All of what it controls operationally.
    OperationalControl,
}

impl From<Approach> for Consolidation {
    fn from(approach: Approach) -> Self {
        match approach {
            Approach::EquityShare => Self::EquityShare,
            Approach::FinancialControl => Self::FinancialControl,
            Approach::OperationalControl => Self::OperationalControl,
        }
    }
}

/// What a company states for its inventory statements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Stated {
    Consolidation,
    ReportingCompany,
    Boundary,
}

impl Set {
    pub(super) async fn run(self, context: &Context) -> Result<Ending> {
        let is_said = self.name.is_some()
            || self.year_start.is_some()
            || self.consolidation.is_some()
            || self.reporting_company.is_some()
            || self.boundary.is_some()
            || !self.not_stated.is_empty();
        if !is_said {
            let flags = "--name, --year-start, --consolidation, --reporting-company, --boundary or --not-stated";
            return Err(Usage(format!("say what is to be set: {flags}")).into());
        }
        let twice = [
            (Stated::Consolidation, "--consolidation", self.consolidation.is_some()),
            (Stated::ReportingCompany, "--reporting-company", self.reporting_company.is_some()),
            (Stated::Boundary, "--boundary", self.boundary.is_some()),
        ];
        if let Some((_, flag, _)) = twice.iter().find(|(what, _, given)| *given && self.not_stated.contains(what)) {
            return Err(Usage(format!("{flag} is given, and named by --not-stated: leave out one of them")).into());
        }
        let app = context.app_without_tenant(IfAbsent::Refuse).await?;
        let tenant = app.tenant(&self.slug.clone().map_or_else(single_tenant, Ok)?).await?;
        let failure = || format!("nothing was set for the company {}", tenant.slug);
        let statement = self.statement(&tenant.statement);
        let mut is_there = true;
        if statement != tenant.statement {
            is_there = match app.set_statement(&tenant, statement.clone()).await {
                Err(StoreError::Stale) => bail!(
                    "what the company {} states was changed meanwhile, and nothing was set: `tonne tenant list --json` shows it",
                    tenant.slug
                ),
                set => set.with_context(failure)?,
            };
        }
        let year_start = self.year_start.unwrap_or(tenant.year_start);
        if is_there && self.year_start.is_some() {
            is_there = app.set_year_start(&tenant, year_start).await.with_context(failure)?;
        }
        let name = self.name.clone().unwrap_or_else(|| tenant.name.clone());
        if is_there && self.name.is_some() {
            is_there = app.set_name(&tenant, name.clone()).await.with_context(failure)?;
        }
        if !is_there {
            bail!("the company {} was removed meanwhile", tenant.slug);
        }
        let tenant = Tenant { name, year_start, statement, ..tenant };
        output::say(&if self.json { shown(&tenant).to_string() } else { self.said(&tenant) })?;
        app.close().await;
        Ok(Ending::Done)
    }

    /// What the company states with what is given and without what is taken back.
    fn statement(&self, before: &StatementSettings) -> StatementSettings {
        let is_kept = |what| !self.not_stated.contains(&what);
        let consolidation = self.consolidation.map(Consolidation::from).or(before.consolidation);
        let company = self.reporting_company.clone().or_else(|| before.company.clone());
        let boundary = self.boundary.clone().or_else(|| before.boundary.clone());
        StatementSettings::default()
            .with_consolidation(consolidation.filter(|_| is_kept(Stated::Consolidation)))
            .with_company(company.filter(|_| is_kept(Stated::ReportingCompany)))
            .with_boundary(boundary.filter(|_| is_kept(Stated::Boundary)))
    }

    /// What was set, in words.
    fn said(&self, tenant: &Tenant) -> String {
        let slug = &tenant.slug;
        let mut lines = Vec::new();
        if let Some(name) = &self.name {
            lines.push(format!("the company {slug} is called {name}"));
        }
        if let Some(start) = self.year_start {
            lines.push(format!("fiscal years of the company {slug} begin on {start}"));
        }
        let is_named = |what: Stated, given: bool| given || self.not_stated.contains(&what);
        let mut state = |is_named: bool, what: &str, value: Option<String>| {
            if is_named {
                let value = value.unwrap_or_else(|| "not stated".to_owned());
                lines.push(format!("{what} of the company {slug}: {value}"));
            }
        };
        let stated = &tenant.statement;
        let consolidation = is_named(Stated::Consolidation, self.consolidation.is_some());
        state(consolidation, "consolidation", stated.consolidation.map(|approach| approach.name().to_owned()));
        let company = is_named(Stated::ReportingCompany, self.reporting_company.is_some());
        state(company, "reporting company", stated.company.as_ref().map(ToString::to_string));
        let boundary = is_named(Stated::Boundary, self.boundary.is_some());
        state(boundary, "boundary", stated.boundary.as_ref().map(ToString::to_string));
        lines.join("\n")
    }
}

/// Reads which operations are inside: a text that says something.
fn boundary(text: &str) -> Result<Description, String> {
    match Description::parse(text) {
        Ok(_) if text.trim().is_empty() => Err("says nothing; `--not-stated boundary` takes it back".to_owned()),
        read => read.map_err(|error| error.to_string()),
    }
}
