//! `tonne import`: bringing data in.

mod activities;
mod at_once;
mod catalog;
mod factors;
mod input;
mod list;
mod map_file;
mod outcome;
mod partly;
mod rejected;
mod same_file;
mod source;
mod standard;
mod tenant;
mod undo;

use anyhow::Result;
use clap::Subcommand;
use files::{Json, TenantCounts};
use ports::RecordKind;

use super::Ending;
use super::context::Context;
use super::json::count;

pub(super) use input::{Content, Input};
pub(super) use outcome::complaint;
pub(super) use source::refused;

/// Import activities, a catalog, published factors or a whole company; list imports of activities and undo them.
#[derive(Debug, Subcommand)]
pub(super) enum Import {
    Activities(activities::ImportActivities),
    Catalog(catalog::ImportCatalog),
    Factors(factors::ImportFactors),
    Tenant(tenant::ImportTenant),
    List(list::ListImports),
    Undo(undo::UndoImport),
}

impl Import {
    pub(super) async fn run(self, context: &Context) -> Result<Ending> {
        match self {
            Self::Activities(command) => command.run(context).await,
            Self::Catalog(command) => command.run(context).await,
            Self::Factors(command) => command.run(context).await,
            Self::Tenant(command) => command.run(context).await,
            Self::List(command) => command.run(context).await,
            Self::Undo(command) => command.run(context).await,
        }
    }
}

/// How much of what is in a company's file, as members of the JSON that commands print.
pub(super) fn counts_of(counts: &TenantCounts) -> Vec<(String, Json)> {
    let of_kind = |kind: RecordKind| {
        let (stem, ending) = match kind {
            RecordKind::Activity => ("activit", "ies"),
            RecordKind::Taxonomy => ("taxonom", "ies"),
            RecordKind::Switch => ("switch", "es"),
            RecordKind::Scope
            | RecordKind::Org
            | RecordKind::Product
            | RecordKind::Factor
            | RecordKind::Model
            | RecordKind::Input
            | RecordKind::Footprint
            | RecordKind::ClosedPeriod
            | RecordKind::Exclusion
            | RecordKind::Partner
            | RecordKind::Sharing => (kind.as_str(), "s"),
        };
        (format!("{stem}{ending}"), count(counts.of(kind)))
    };
    let all = [("records".to_owned(), count(counts.all_records()))];
    let changes = [("changes".to_owned(), count(counts.changes))];
    all.into_iter().chain(RecordKind::ALL.map(of_kind)).chain(changes).collect()
}
