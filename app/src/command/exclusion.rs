//! `tonne exclusion`: what is left out of the inventory on purpose, and why.

mod shown;

use anyhow::{Context as _, Result};
use clap::{Args, Subcommand};
use domain::{Category, ExclusionId, Faults, NoSuchCategory, Reason};
use ports::inbound::{ExclusionDraft, Field, Reference};
use ports::repo::Page;

use super::context::{Context, IfAbsent};
use super::json::array;
use super::{Ending, output};

/// How many are listed unless more are asked for.
const LISTED: u32 = 100;

/// Say what is left out of the inventory, and why.
///
/// An exclusion names a scope, or a category of scope 3, the years, and the reason; for the whole company or for an org. It
/// changes no figure.
#[derive(Debug, Subcommand)]
pub(super) enum ExclusionCommand {
    Add(Add),
    List(List),
    Remove(Remove),
}

/// Add an exclusion.
#[derive(Debug, Args)]
pub(super) struct Add {
    /// The scope, by its syncId, name or UUID, with all below it.
    #[arg(long, required_unless_present = "category", conflicts_with = "category")]
    scope: Option<String>,
    /// The category of scope 3, 1 to 15.
    #[arg(long, value_name = "NUMBER", value_parser = category)]
    category: Option<Category>,
    /// The org, by its syncId, name or UUID, with all below it; the whole company unless given.
    #[arg(long)]
    org: Option<String>,
    /// The first year.
    #[arg(long, value_name = "YEAR", value_parser = clap::value_parser!(u16).range(1..=9999))]
    first_year: u16,
    /// The last year, included; the first unless given.
    #[arg(long, value_name = "YEAR", value_parser = clap::value_parser!(u16).range(1..=9999))]
    last_year: Option<u16>,
    /// Why it is left out.
    #[arg(long, value_parser = Reason::parse)]
    reason: Reason,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// List the exclusions.
#[derive(Debug, Args)]
pub(super) struct List {
    /// How many to list.
    #[arg(long, default_value_t = LISTED, value_parser = clap::value_parser!(u32).range(1..=1000))]
    limit: u32,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Remove an exclusion. What it said stays in the history.
#[derive(Debug, Args)]
pub(super) struct Remove {
    /// The exclusion, as `tonne exclusion list` shows it.
    #[arg(value_name = "ID")]
    id: ExclusionId,
}

impl ExclusionCommand {
    pub(super) async fn run(self, context: &Context) -> Result<Ending> {
        match self {
            Self::Add(command) => command.run(context).await,
            Self::List(command) => command.run(context).await,
            Self::Remove(command) => command.run(context).await,
        }
    }
}

impl Add {
    async fn run(self, context: &Context) -> Result<Ending> {
        let Self { scope, category, org, first_year, last_year, reason, json } = self;
        let draft = ExclusionDraft {
            scope: named(scope),
            category: Field::of(category),
            org: named(org),
            first_year: Field::Given(first_year),
            last_year: Field::of(last_year),
            reason: Field::Given(reason),
            faults: Faults::new(),
        };
        let (app, operator) = context.operated_app(IfAbsent::Refuse).await?;
        let added = app.areas().exclusions.add(&operator, draft).await.context("nothing is excluded")?;
        output::say(&if json { shown::json(&added).to_string() } else { shown::told(&added) })?;
        Ok(Ending::Done)
    }
}

impl List {
    async fn run(self, context: &Context) -> Result<Ending> {
        let (app, operator) = context.operated_app_to_read().await?;
        let listing = app.areas().exclusions.list(&operator, Page { number: 1, size: self.limit }).await?;
        output::say(&if self.json {
            array(listing.data.iter().map(shown::json)).to_string()
        } else {
            shown::table(&listing.data, listing.count)
        })?;
        Ok(Ending::Done)
    }
}

impl Remove {
    async fn run(self, context: &Context) -> Result<Ending> {
        let (app, operator) = context.operated_app(IfAbsent::Refuse).await?;
        let removed = app.areas().exclusions.remove(&operator, self.id, None).await;
        removed.with_context(|| format!("exclusion {}; `tonne exclusion list` shows those there are", self.id))?;
        output::say(&format!("the exclusion {} is removed", self.id))?;
        Ok(Ending::Done)
    }
}

/// The node of that syncId, name or UUID.
fn named(word: Option<String>) -> Field<Reference> {
    Field::of(word.map(|word| match domain::parse_uuid(&word) {
        Ok(id) => Reference::Id(id),
        Err(_) => Reference::Word(word),
    }))
}

/// Reads the number of a category.
fn category(text: &str) -> Result<Category, NoSuchCategory> {
    text.parse().map_err(|_| NoSuchCategory).and_then(Category::new)
}
