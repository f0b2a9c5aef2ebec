//! `tonne tenant set`: what is set for a company.

use anyhow::{Context as _, Result, bail};
use clap::Args;
use domain::YearStart;
use ports::TenantSlug;
use ports::directory::Tenant;

use super::super::context::{Context, IfAbsent};
use super::super::{Ending, output};
use super::{shown, year_start};
use crate::app::single_tenant;

/// Say on which day a company's fiscal years begin, which reports with --year fiscal and year=fiscal go by.
#[derive(Debug, Args)]
pub(in crate::command) struct Set {
    /// Its part of addresses [default: main].
    #[arg(value_parser = TenantSlug::parse)]
    slug: Option<TenantSlug>,
    /// The day on which its fiscal years begin, 01 to 28 of a month; 01-01 for calendar years.
    #[arg(long, value_name = "MM-DD", value_parser = year_start)]
    year_start: YearStart,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Set {
    pub(super) async fn run(self, context: &Context) -> Result<Ending> {
        let Self { slug, year_start, json } = self;
        let app = context.app_without_tenant(IfAbsent::Refuse).await?;
        let tenant = app.tenant(&slug.map_or_else(single_tenant, Ok)?).await?;
        let failure = || format!("nothing was set for the company {}", tenant.slug);
        if !app.set_year_start(&tenant, year_start).await.with_context(failure)? {
            bail!("the company {} was removed meanwhile", tenant.slug);
        }
        let tenant = Tenant { year_start, ..tenant };
        output::say(&if json {
            shown(&tenant).to_string()
        } else {
            format!("fiscal years of the company {} begin on {year_start}", tenant.slug)
        })?;
        app.close().await;
        Ok(Ending::Done)
    }
}
