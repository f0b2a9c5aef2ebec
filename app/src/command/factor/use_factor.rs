//! `tonne factor use`: a published factor becomes one of a product of the company.

use anyhow::{Result, anyhow};
use clap::Args;
use domain::{Day, Digest, GwpSet, Intensity, Name, PublishedUse, SyncId, parse_uuid};
use files::Json;
use ports::Caller;
use ports::inbound::{
    Error, FactorDraft, FactorUse, FactorUses as _, Field, PublishedDraft, Reference, SetPrefix, UsedFactor, UsedFor,
    Written,
};

use super::super::context::{Context, IfAbsent};
use super::super::json::{count, object, optional, text};
use super::super::{Ending, output};
use crate::App;

/// Copy a published factor into a product of the company, or into a new one.
///
/// The copy keeps all that is known of the factor: its set, its gases, its source rows. It holds on the days of its set,
/// or on those of --from and --to, which need --other-days where
/// the set was not published for them. What is emitted before a fuel or energy is used (well-to-tank, losses of grids) needs
/// a product of its own, whose activities are of scope 3, category 3. Used again, nothing changes.
#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("for").required(true).multiple(true).args(["product", "new"]))]
pub(in crate::command) struct UseFactor {
    /// The set: its id, or at least the first eight digits of it.
    #[arg(value_parser = SetPrefix::parse)]
    set: SetPrefix,
    /// The cell of the factor, as searches print it.
    #[arg(value_parser = Name::parse)]
    cell: Name,
    /// The product: its syncId, its one matching name or its uuid; with --new the name of the new one.
    #[arg(long, value_name = "PRODUCT")]
    product: Option<String>,
    /// Make a product for it, which is called like the factor unless --product names it.
    #[arg(long)]
    new: bool,
    /// What another system calls the new product.
    #[arg(long, value_name = "SYNCID", value_parser = SyncId::parse, requires = "new")]
    sync_id: Option<SyncId>,
    /// The set of global warming potentials to read its gases under, such as AR6; else it is taken as it was published.
    #[arg(long, value_name = "GWP", value_parser = GwpSet::parse)]
    gwp: Option<GwpSet>,
    /// The first day it holds on.
    #[arg(long, value_name = "DAY", value_parser = Day::parse)]
    from: Option<Day>,
    /// The day before which it ends.
    #[arg(long, value_name = "DAY", value_parser = Day::parse)]
    to: Option<Day>,
    /// Let it hold on days for which its set was not published.
    #[arg(long)]
    other_days: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl UseFactor {
    pub(super) async fn run(self, context: &Context) -> Result<Ending> {
        let Self { set, cell, product, new, sync_id, gwp, from, to, other_days, json } = self;
        let product = match product {
            name if new => UsedFor::New { name: name.as_deref().map(Name::parse).transpose()?, sync_id },
            Some(word) => UsedFor::Existing(parse_uuid(&word).map_or(Reference::Word(word), Reference::Id)),
            None => return Err(anyhow!("--product or --new says which product it is for")),
        };
        let (app, operator) = context.operated_app(IfAbsent::Refuse).await?;
        let set = find_set(&app, &operator, &set, &cell).await?;
        let published = PublishedDraft { set: Field::Given(set.into()), cell: Field::Given(cell) };
        let factor = FactorDraft {
            published: Field::Given(published),
            gwp: Field::of(gwp),
            valid_from: Field::of(from),
            valid_to: Field::of(to),
            other_days: Field::Given(other_days),
            ..FactorDraft::default()
        };
        let used = app.factor_uses().use_factor(&operator, FactorUse { product, factor }).await?;
        output::say(&if json { as_json(&used).to_string() } else { told(&used) })?;
        Ok(Ending::Done)
    }
}

/// The whole id of the set that begins so and has that cell.
async fn find_set(app: &App, operator: &Caller, set: &SetPrefix, cell: &Name) -> Result<Digest> {
    let found = app.published_factors().get_published_factor(operator, set, cell).await;
    let found = found.map_err(|error| {
            if matches!(error, Error::NotFound) {
                anyhow!(
            "there is no factor at {cell:?} of one set whose id begins with {set}; `tonne factor search` prints sets and cells",
            cell = cell.as_str()
        )
            } else {
                error.into()
            }
        })?;
    Ok(found.installed.set.id)
}

fn told(used: &UsedFactor) -> String {
    let UsedFactor { product, factor, written, fills } = used;
    let data = factor.value.data();
    let what = match written {
        Written::Product => format!("made the product {:?}", product.name.as_str()),
        Written::Factor => format!("the product {:?} has a new factor", product.name.as_str()),
        Written::Nothing => format!("nothing changed: the product {:?} has that factor", product.name.as_str()),
    };
    let part = |name: &str, part: Option<Intensity>| {
        part.map(|co2e| format!("{co2e} kg CO2e per {}, {name}", data.unit)).into_iter()
    };
    let end = data.valid_to.map_or_else(|| "on".to_owned(), |end| format!("to before {end}"));
    let mut lines = vec![what];
    lines.extend(part("upstream part", data.upstream).chain(part("downstream part", data.downstream)));
    lines.push(format!("valid from {} {end}", data.valid_from));
    lines.push(format!("source: {}", data.source));
    if data.origin.as_ref().is_some_and(|origin| origin.factor.usage.is_before_use()) {
        lines.push("its activities are of scope 3, category 3".to_owned());
    }
    lines.extend(super::completable(*fills));
    lines.join("\n")
}

fn as_json(used: &UsedFactor) -> Json {
    let UsedFactor { product, factor, written, fills } = used;
    let data = factor.value.data();
    let written = match written {
        Written::Product => "product",
        Written::Factor => "factor",
        Written::Nothing => "nothing",
    };
    let origin = data.origin.as_deref();
    object([
        ("written", text(written)),
        ("product", object([("uuid", text(product.id)), ("name", text(&product.name)), ("unit", text(product.unit))])),
        ("uuid", text(factor.value.id())),
        ("unit", text(data.unit)),
        ("upstream", optional(data.upstream)),
        ("downstream", optional(data.downstream)),
        ("validFrom", text(data.valid_from)),
        ("validTo", optional(data.valid_to)),
        ("source", text(&data.source)),
        ("gwp", optional(data.gwp)),
        ("set", optional(origin.map(|origin| origin.set.id))),
        ("cell", optional(origin.map(|origin| &origin.factor.cell))),
        ("use", optional(origin.map(|origin| PublishedUse::as_str(origin.factor.usage)))),
        ("fills", count(*fills)),
    ])
}
