//! `tonne period`: periods whose figures stand fast.

mod shown;

use anyhow::{Context as _, Result};
use clap::{Args, Subcommand};
use domain::{ClosedPeriodId, Day, Faults, Reason, Significance, YearStart};
use ports::inbound::{Field, PeriodDraft, Reference, ReopenDraft};
use ports::repo::Page;

use super::context::{Context, IfAbsent};
use super::json::array;
use super::{Ending, Usage, output};

/// How many are listed unless more are asked for.
const LISTED: u32 = 100;

/// Close periods, open them again, and show what became of their figures.
///
/// Nothing that would alter a figure of a closed period is written: no activity with a day in it, whether it is recorded,
/// edited, removed, imported, undone or recalculated, and no move of what its activities carry. Its report is frozen with a
/// SHA-256. Who opens it again says why, and restatement shows what differs from the frozen report since, by cause.
#[derive(Debug, Subcommand)]
pub(super) enum PeriodCommand {
    Close(Close),
    Reopen(Reopen),
    List(List),
    Show(Show),
    Restatement(ShowRestatement),
    BaseYear(ShowBaseYear),
}

/// Close a period, for the whole company or for an org and all below it.
#[derive(Debug, Args)]
pub(super) struct Close {
    /// The year, quarter, month or day: YYYY, YYYY-Q1, YYYY-MM or YYYY-MM-DD of the calendar; FY2025, FY2025-Q1 or 2024/2025 of the
    /// company's fiscal years, which are named by the calendar year that they end in.
    #[arg(value_name = "PERIOD", required_unless_present_all = ["first", "last"], conflicts_with_all = ["first", "last"])]
    #[arg(value_parser = period)]
    period: Option<String>,
    /// The first day, in place of a year or month.
    #[arg(long, value_name = "DAY", value_parser = Day::parse, requires = "last")]
    first: Option<Day>,
    /// The last day, included.
    #[arg(long, value_name = "DAY", value_parser = Day::parse, requires = "first")]
    last: Option<Day>,
    /// The org, by its syncId, name or UUID; the whole company unless given.
    #[arg(long)]
    org: Option<String>,
    /// It is the base year, which later years are compared with; a change of more than PERCENT of it asks for its
    /// recalculation [default: 5].
    #[arg(long, value_name = "PERCENT", value_parser = Significance::parse, num_args = 0..=1)]
    #[arg(default_missing_value = "5", conflicts_with = "org")]
    base_year: Option<Significance>,
    /// Why it is closed.
    #[arg(long, value_parser = Reason::parse)]
    reason: Option<Reason>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Open a closed period again. Its frozen report stays.
#[derive(Debug, Args)]
pub(super) struct Reopen {
    /// The period, as `tonne period list` shows it.
    #[arg(value_name = "ID")]
    id: ClosedPeriodId,
    /// Why it is opened again.
    #[arg(long, value_parser = Reason::parse)]
    reason: Reason,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// List the periods that are closed or were.
#[derive(Debug, Args)]
pub(super) struct List {
    /// How many to list.
    #[arg(long, default_value_t = LISTED, value_parser = clap::value_parser!(u32).range(1..=1000))]
    limit: u32,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Show a period, or with --report its frozen report, byte for byte.
#[derive(Debug, Args)]
pub(super) struct Show {
    /// The period, as `tonne period list` shows it.
    #[arg(value_name = "ID")]
    id: ClosedPeriodId,
    /// The frozen report alone: its SHA-256 is the one that the period names.
    #[arg(long, conflicts_with = "json")]
    report: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Show what the figures of a period are today, against its frozen report, by cause.
#[derive(Debug, Args)]
pub(super) struct ShowRestatement {
    /// The period, as `tonne period list` shows it.
    #[arg(value_name = "ID")]
    id: ClosedPeriodId,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Show the base year against what it is today, and whether that asks for its recalculation.
///
/// The base year is the period that was closed with --base-year last.
#[derive(Debug, Args)]
pub(super) struct ShowBaseYear {
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl PeriodCommand {
    pub(super) async fn run(self, context: &Context) -> Result<Ending> {
        match self {
            Self::Close(command) => command.run(context).await,
            Self::Reopen(command) => command.run(context).await,
            Self::List(command) => command.run(context).await,
            Self::Show(command) => command.run(context).await,
            Self::Restatement(command) => command.run(context).await,
            Self::BaseYear(command) => command.run(context).await,
        }
    }
}

impl Close {
    async fn run(self, context: &Context) -> Result<Ending> {
        let Self { period, first, last, org, base_year, reason, json } = self;
        let (app, operator) = context.operated_app(IfAbsent::Refuse).await?;
        let tenant = app.find_tenant_by_id(operator.tenant).await?;
        let year_start = tenant.map(|tenant| tenant.year_start).unwrap_or_default();
        let org = Field::of(org.map(|word| match domain::parse_uuid(&word) {
            Ok(id) => Reference::Id(id),
            Err(_) => Reference::Word(word),
        }));
        let draft = PeriodDraft {
            org,
            period: Field::of(period),
            year_start,
            first: Field::of(first),
            last: Field::of(last),
            base_year: Field::of(base_year),
            reason: Field::of(reason),
            faults: Faults::new(),
        };
        let closed = app.areas().periods.close(&operator, draft).await.context("nothing was closed")?;
        output::say(&if json { shown::json(&closed).to_string() } else { shown::closed(&closed) })?;
        Ok(Ending::Done)
    }
}

impl Reopen {
    async fn run(self, context: &Context) -> Result<Ending> {
        let Self { id, reason, json } = self;
        let (app, operator) = context.operated_app(IfAbsent::Refuse).await?;
        let draft = ReopenDraft { reason: Field::Given(reason), faults: Faults::new() };
        let opened = app.areas().periods.reopen(&operator, id, draft).await;
        let opened = opened.with_context(|| format!("period {id}; `tonne period list` shows those there are"))?;
        output::say(&if json { shown::json(&opened).to_string() } else { shown::reopened(&opened) })?;
        Ok(Ending::Done)
    }
}

impl List {
    async fn run(self, context: &Context) -> Result<Ending> {
        let (app, operator) = context.operated_app_to_read().await?;
        let listing = app.areas().periods.list(&operator, Page { number: 1, size: self.limit }).await?;
        output::say(&if self.json {
            array(listing.data.iter().map(shown::json)).to_string()
        } else {
            shown::table(&listing.data, listing.count)
        })?;
        Ok(Ending::Done)
    }
}

impl Show {
    async fn run(self, context: &Context) -> Result<Ending> {
        let (app, operator) = context.operated_app_to_read().await?;
        let view = app.areas().periods.get(&operator, self.id).await;
        let view = view.with_context(|| format!("period {}; `tonne period list` shows those there are", self.id))?;
        if self.report {
            output::say_bytes(view.period.value.frozen.text().as_bytes())?;
        } else if self.json {
            output::say(&shown::json(&view).to_string())?;
        } else {
            output::say(&shown::told(&view))?;
        }
        Ok(Ending::Done)
    }
}

impl ShowRestatement {
    async fn run(self, context: &Context) -> Result<Ending> {
        let (app, operator) = context.operated_app_to_read().await?;
        let found = app.areas().periods.restatement(&operator, self.id).await;
        let found = found.with_context(|| format!("period {}; `tonne period list` shows those there are", self.id))?;
        output::say(&if self.json { shown::restatement_json(&found).to_string() } else { shown::restatement(&found) })?;
        Ok(Ending::Done)
    }
}

impl ShowBaseYear {
    async fn run(self, context: &Context) -> Result<Ending> {
        let (app, operator) = context.operated_app_to_read().await?;
        let found = app.areas().periods.base_year(&operator).await;
        let found = found.context("there is no base year; `tonne period close YEAR --base-year` closes one")?;
        output::say(&if self.json { shown::base_year_json(&found).to_string() } else { shown::base_year(&found) })?;
        Ok(Ending::Done)
    }
}

/// Checks the name of a period; whose fiscal years it may be of is known later.
fn period(text: &str) -> Result<String, Usage> {
    let some_years = YearStart::parse("04-01").unwrap_or_default();
    let named = some_years.period_by_name(text).map(|_| text.to_owned());
    named.map_err(|error| Usage(format!("{error}: give YYYY, YYYY-Q1, YYYY-MM, YYYY-MM-DD, FY2025 or FY2025-Q1")))
}
