//! `tonne import catalog`: the scopes of a standard.

use anyhow::Result;
use clap::{Args, ValueEnum};
use domain::{Name, Scope, ScopeKind, SyncId};
use ports::Caller;
use ports::inbound::{Catalog, ClassDraft, Field, NodeDraft, Nodes, Reference};
use ports::repo::Page;

use super::super::context::{Context, IfAbsent};
use super::super::json::{count, object};
use super::super::{Ending, output};

/// The categories of scope 3 (GHG Protocol Corporate Value Chain (Scope 3) Standard, chapter 5), 1 to 15.
const CATEGORIES: [&str; 15] = [
    "Purchased goods and services",
    "Capital goods",
    "Fuel- and energy-related activities",
    "Upstream transportation and distribution",
    "Waste generated in operations",
    "Business travel",
    "Employee commuting",
    "Upstream leased assets",
    "Downstream transportation and distribution",
    "Processing of sold products",
    "Use of sold products",
    "End-of-life treatment of sold products",
    "Downstream leased assets",
    "Franchises",
    "Investments",
];

/// A standard whose scopes can be imported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Standard {
    /// The GHG Protocol: scopes 1 to 3, the 15 categories of scope 3, and nodes for what is reported apart from them.
    GhgProtocol,
}

/// Import the scopes of a standard; what is there already stays as it is.
#[derive(Debug, Args)]
pub(in crate::command) struct ImportCatalog {
    /// Which standard.
    #[arg(long, value_enum)]
    standard: Standard,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl ImportCatalog {
    pub(super) async fn run(self, context: &Context) -> Result<Ending> {
        let (app, operator) = context.operated_app(IfAbsent::Make).await?;
        let Added { created, present } = match self.standard {
            Standard::GhgProtocol => add_ghg_protocol(app.areas().catalog.as_ref(), &operator).await?,
        };
        output::say(&if self.json {
            object([("created", count(created)), ("unchanged", count(present))]).to_string()
        } else {
            format!("scopes: {created} created, {present} were there")
        })?;
        Ok(Ending::Done)
    }
}

type ScopeDraft = NodeDraft<ClassDraft>;

/// What adding a catalog did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Added {
    /// Nodes that are new.
    created: u64,
    /// Nodes that were there.
    present: u64,
}

/// Adds the scopes of the GHG Protocol that are not there, by their syncIds: `scope1`, `scope2`, `scope3`,
/// `scope3.1` to `scope3.15`, `biogenic`, `credit`, `outside`.
async fn add_ghg_protocol(catalog: &dyn Catalog, caller: &Caller) -> Result<Added> {
    let mut added = Added::default();
    let roots = [
        ("scope1", "Scope 1", ScopeKind::Scope1),
        ("scope2", "Scope 2", ScopeKind::Scope2),
        ("scope3", "Scope 3", ScopeKind::Scope3),
        ("biogenic", "Biogenic CO2", ScopeKind::Biogenic),
        ("credit", "Credits and avoided emissions", ScopeKind::Credit),
        ("outside", "Outside the scopes", ScopeKind::Outside),
    ];
    for (sync_id, name, kind) in roots {
        add(catalog, caller, &mut added, sync_id, draft(name, kind)?).await?;
    }
    for (number, name) in (1u8..).zip(CATEGORIES) {
        let mut draft = draft(&format!("3.{number} {name}"), ScopeKind::Scope3)?;
        draft.parent = Field::Given(Reference::SyncId(SyncId::parse("scope3")?));
        draft.detail.category = Field::Given(number);
        add(catalog, caller, &mut added, &format!("scope3.{number}"), draft).await?;
    }
    Ok(added)
}

fn draft(name: &str, kind: ScopeKind) -> Result<ScopeDraft> {
    let detail = ClassDraft { kind: Field::Given(kind), ..ClassDraft::default() };
    Ok(NodeDraft { name: Field::Given(Name::parse(name)?), detail, ..NodeDraft::default() })
}

async fn add(
    catalog: &dyn Catalog,
    caller: &Caller,
    added: &mut Added,
    sync_id: &str,
    draft: ScopeDraft,
) -> Result<()> {
    let sync_id = SyncId::parse(sync_id)?;
    let scopes: &dyn Nodes<Scope> = catalog;
    let found = scopes.list_nodes(caller, Some(sync_id.clone()), Page::FIRST).await?;
    if found.count > 0 {
        added.present += 1;
        return Ok(());
    }
    scopes.add_node(caller, NodeDraft { sync_id: Field::Given(sync_id), ..draft }).await?;
    added.created += 1;
    Ok(())
}
