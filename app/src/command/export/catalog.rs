//! `tonne export catalog`: scopes, orgs, taxonomies, products and factors, for `tonne import catalog` here or elsewhere.

use std::collections::HashMap;
use std::fmt::Display;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use clap::Args;
use domain::{Factor, FactorBasis, FactorData, FactorSet, Org, Scope, SyncId, Taxonomy, TreeNode, corrected_by};
use files::{CatalogKind, CatalogRecord, catalog_csv, catalog_toml, factor_rule_json};
use ports::inbound::{Catalog, DraftedNode, Error, NodeView, Nodes, ProductView};
use ports::repo::{Listing, Page};
use ports::{Caller, Entity};
use uuid::Uuid;

use super::super::context::Context;
use super::super::{Ending, Usage, output};
use crate::counted::counted;

/// How often the catalog is read before it is said to change too fast.
const READINGS: u32 = 5;
/// The most records of a page.
const PAGE: u32 = 1_000;

/// Export scopes, orgs, taxonomies, products and factors, for `tonne import catalog`.
///
/// With a name that ends in .toml, or - for standard output, everything is one file; else a folder gets a table of each kind:
/// scopes.csv, orgs.csv, taxonomies.csv, products.csv, factors.csv. Imported again it changes nothing; imported into another
/// installation it makes the same records, which are found again by their syncIds, else by their place or name. Factors that
/// were corrected are left out, their corrections are there; those that a product's rule chose are left out too.
#[derive(Debug, Args)]
pub(super) struct ExportCatalog {
    /// A .toml file, - for standard output, or a folder.
    #[arg(long, value_name = "FILE")]
    to: PathBuf,
    /// Replace files that are there.
    #[arg(long)]
    force: bool,
}

type Kinds = Vec<(CatalogKind, Vec<CatalogRecord>)>;

impl ExportCatalog {
    pub(super) async fn run(self, context: &Context) -> Result<Ending> {
        let (app, operator) = context.operated_app_to_read().await?;
        let mut kinds = None;
        for _ in 0..READINGS {
            let before = app.areas().activities.revision(&operator).await?;
            let read = read(app.areas().catalog.as_ref(), &operator).await?;
            if app.areas().activities.revision(&operator).await? == before {
                kinds = Some(read);
                break;
            }
        }
        let kinds = kinds.context("the records changed faster than they were read; try again")?;
        let count: usize = kinds.iter().map(|(_, records)| records.len()).sum();
        let said = counted(count as u64, "record", "records");
        if self.to == Path::new("-") {
            output::say(catalog_toml(&kinds).trim_end())?;
            output::note(&said);
            return Ok(Ending::Done);
        }
        if self.to.extension().is_some_and(|ending| ending == "toml") {
            self.write(&self.to, catalog_toml(&kinds).as_bytes())?;
        } else {
            std::fs::create_dir_all(&self.to)
                .with_context(|| format!("the folder {} cannot be made", self.to.display()))?;
            for (kind, records) in &kinds {
                if let Some(table) = catalog_csv(*kind, records)? {
                    self.write(&self.to.join(format!("{}.csv", kind.plural())), &table)?;
                }
            }
        }
        output::say(&format!("{said} in {}", self.to.display()))?;
        Ok(Ending::Done)
    }

    fn write(&self, path: &Path, bytes: &[u8]) -> Result<()> {
        let mut options = std::fs::OpenOptions::new();
        options.write(true).create(true).truncate(true).create_new(!self.force);
        let mut file = options.open(path).map_err(|error| {
            if error.kind() == std::io::ErrorKind::AlreadyExists {
                return Usage(format!("{} is there already: --force replaces it", path.display())).into();
            }
            anyhow::Error::new(error).context(format!("{} cannot be written", path.display()))
        })?;
        file.write_all(bytes).with_context(|| format!("{} cannot be written", path.display()))
    }
}

async fn read(catalog: &dyn Catalog, caller: &Caller) -> Result<Kinds, Error> {
    let scopes = nodes::<Scope>(catalog, caller).await?;
    let orgs = nodes::<Org>(catalog, caller).await?;
    let taxonomies = nodes::<Taxonomy>(catalog, caller).await?;
    let products: Vec<ProductView> = all(async |page| catalog.list_products(caller, None, page).await).await?;
    let mut factors = Vec::new();
    for product in &products {
        let id = product.product.value.id;
        let of_it: Vec<Factor> = all(async |page| catalog.list_factors(caller, id, page).await)
            .await?
            .into_iter()
            .map(|stored| stored.value)
            .collect();
        // What a rule chose is chosen again where it is imported.
        let is_own = |factor: &&Factor| !factor.is_chosen() && corrected_by(&of_it, factor.id()).is_none();
        let valid = of_it.iter().filter(is_own);
        factors.extend(valid.map(|valid| factor(product, valid)));
    }
    let class = |view: &NodeView<Scope>| {
        let class = view.node.value.class;
        vec![("kind", class.kind().as_str().to_owned()), ("category", shown(class.category()))]
    };
    let slug = |view: &NodeView<Taxonomy>| vec![("slug", view.node.value.slug.to_string())];
    Ok(vec![
        (CatalogKind::Scope, records(&scopes, class)),
        (CatalogKind::Org, records(&orgs, |view| vec![("region", shown(view.node.value.region.as_ref()))])),
        (CatalogKind::Taxonomy, records(&taxonomies, slug)),
        (CatalogKind::Product, products.iter().map(product).collect()),
        (CatalogKind::Factor, factors),
    ])
}

async fn nodes<T: DraftedNode>(nodes: &(impl Nodes<T> + ?Sized), caller: &Caller) -> Result<Vec<NodeView<T>>, Error> {
    all(async |page| nodes.list_nodes(caller, None, page).await).await
}

/// All records, page by page.
async fn all<T>(list: impl AsyncFn(Page) -> Result<Listing<T>, Error>) -> Result<Vec<T>, Error> {
    let mut found = Vec::new();
    for number in 1.. {
        let Listing { data, .. } = list(Page { number, size: PAGE }).await?;
        let is_last = data.len() < PAGE as usize;
        found.extend(data);
        if is_last {
            break;
        }
    }
    Ok(found)
}

fn shown(value: Option<impl Display>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

/// The nodes of a tree, each with its place.
fn records<T: DraftedNode + Entity<SyncId = SyncId>>(
    nodes: &[NodeView<T>],
    details: impl Fn(&NodeView<T>) -> CatalogRecord,
) -> Vec<CatalogRecord> {
    let known: HashMap<Uuid, &NodeView<T>> =
        nodes.iter().map(|view| (TreeNode::id(&view.node.value).into(), view)).collect();
    let path = |view: &NodeView<T>| {
        if let Some(path) = &view.path {
            return path.clone();
        }
        let (mut names, mut above) = (vec![view.node.value.name().to_string()], view.parent.as_ref());
        while let Some(parent) = above.and_then(|parent| known.get(&parent.id)).filter(|_| names.len() <= known.len()) {
            names.push(parent.node.value.name().to_string());
            above = parent.parent.as_ref();
        }
        names.reverse();
        names.join(" / ")
    };
    let record = |view: &NodeView<T>| {
        let (node, above) = (&view.node.value, view.parent.as_ref());
        let above_sync_id = above.and_then(|above| known.get(&above.id)?.node.value.sync_id());
        let mut record = vec![
            ("uuid", TreeNode::id(node).to_string()),
            ("syncId", shown(node.sync_id())),
            ("name", node.name().to_string()),
            ("parent", shown(above.map(|above| above.id))),
            ("parentSyncId", shown(above_sync_id)),
        ];
        record.extend(details(view));
        record.push(("path", path(view)));
        record
    };
    nodes.iter().map(record).collect()
}

fn product(view: &ProductView) -> CatalogRecord {
    let product = &view.product.value;
    vec![
        ("uuid", product.id.to_string()),
        ("syncId", shown(product.sync_id.as_ref())),
        ("name", product.name.to_string()),
        ("unit", product.unit.code().to_owned()),
        ("factorRule", shown(product.rule.as_ref().map(factor_rule_json))),
    ]
}

/// Whether the copy holds on days for which its set was not published.
fn is_beyond(set: &FactorSet, data: &FactorData) -> bool {
    let ends_behind = set.valid_to.is_some_and(|end| data.valid_to.is_none_or(|to| to > end));
    data.valid_from < set.valid_from || ends_behind
}

fn factor(of: &ProductView, factor: &Factor) -> CatalogRecord {
    let (product, data) = (&of.product.value, factor.data());
    let origin = data.origin.as_ref();
    vec![
        ("uuid", factor.id().to_string()),
        ("product", product.id.to_string()),
        ("productSyncId", shown(product.sync_id.as_ref())),
        ("productName", product.name.to_string()),
        ("unit", data.unit.code().to_owned()),
        ("upstream", shown(data.upstream)),
        ("downstream", shown(data.downstream)),
        ("validFrom", data.valid_from.to_string()),
        ("validTo", shown(data.valid_to)),
        ("source", data.source.to_string()),
        ("gwp", shown(data.gwp)),
        ("basis", shown(Some(data.basis).filter(|basis| *basis != FactorBasis::Location).map(FactorBasis::word))),
        ("set", shown(origin.map(|origin| origin.set.id))),
        ("cell", shown(origin.map(|origin| &origin.factor.cell))),
        ("otherDays", shown(origin.filter(|origin| is_beyond(&origin.set, data)).map(|_| true))),
    ]
}
