//! `tonne pact pull`: suppliers' footprints become factors.

use std::sync::Arc;

use anyhow::Result;
use clap::Args;
use domain::Moment;
use domain::footprint::Edition;
use files::Json;
use ports::inbound::{Pull, Pulled, RefusedFootprint, SupplierFactors as _};

use super::super::context::{Context, IfAbsent};
use super::super::json::{array, count, object, optional, text};
use super::super::{Ending, Usage, output};
use super::partner::{Named, Partner, PartnerArgs, edition};
use crate::counted::counted;

/// Make factors of the footprints that a supplier's host shows.
///
/// Each product id of the host becomes a product, found again by its syncId (the uuid of the partner, or the base address of
/// a host that is no partner's, a blank and the product id); each footprint of it a factor: its emissions without the biogenic uptake per declared unit, as the upstream part, on the
/// days of its validity. Pulled again, nothing changes: a footprint that takes the place of another one ends that one's
/// factor where it begins, and a deprecated footprint's factor ends today. What cannot become a factor is listed with the
/// reason, and the command exits with 1.
#[derive(Debug, Args)]
pub(in crate::command) struct PullFootprints {
    #[command(flatten)]
    partner: PartnerArgs,
    /// The version of PACT to ask in: 2 (2.3) or 3 (3.0).
    #[arg(long, value_name = "VERSION", default_value = "3", value_parser = edition)]
    pact: Edition,
    /// Only footprints of that product id; may be given more than once.
    #[arg(long = "product-id", value_name = "URN")]
    product_ids: Vec<String>,
    /// Only footprints that were created then or later.
    #[arg(long, value_name = "TIME", value_parser = Moment::parse_start)]
    since: Option<Moment>,
    /// Only footprints that the partner announced or sent by events and that were not taken over.
    #[arg(long, conflicts_with_all = ["pact", "product_ids", "since"])]
    announced: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl PullFootprints {
    pub(super) async fn run(self, context: &Context) -> Result<Ending> {
        let Self { partner, pact, product_ids, since, announced, json } = self;
        let (client, named) = (partner.client()?, partner.named()?);
        let (app, operator) = context.operated_app(IfAbsent::Refuse).await?;
        let factors = app.supplier_factors(Arc::new(client));
        let wanted = Pull { edition: pact, product_ids, since };
        let pulled = match named {
            Named::Flags(_) if announced => {
                let words =
                    "--announced goes with a partner that is registered: name it, as `tonne partner list` shows it";
                return Err(Usage(words.to_owned()).into());
            }
            Named::Flags(address) => factors.pull(&operator, None, &address, wanted).await?,
            Named::Partner(word) => {
                let partner = Partner::find(&app, &operator, &word).await?;
                let pulled = if announced {
                    factors.pull_announced(&operator, partner.id, &partner.address).await
                } else {
                    factors.pull(&operator, Some(partner.id), &partner.address, wanted).await
                };
                match pulled {
                    Ok(pulled) => partner.answered().await.map(|()| pulled)?,
                    Err(error) => return Err(partner.explain(error).await),
                }
            }
        };
        output::say(&if json { as_json(&pulled).to_string() } else { told(&pulled) })?;
        app.close().await;
        Ok(if pulled.refused.is_empty() { Ending::Done } else { Ending::Failed })
    }
}

fn told(pulled: &Pulled) -> String {
    let Pulled { came, left_out, added, unchanged, corrected, closed, ended, deprecated, rounded, refused } = pulled;
    let all = [
        (*left_out, "not asked for"),
        (*added, "new"),
        (*unchanged, "unchanged"),
        (*corrected, "corrected"),
        (*ended, "ended, being deprecated"),
        (*deprecated, "deprecated and no factor"),
        (u64::try_from(refused.len()).unwrap_or(u64::MAX), "refused"),
    ];
    let counts = all.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}"));
    let counts: Vec<_> = counts.collect();
    let colon = if counts.is_empty() { "" } else { ": " };
    let mut lines =
        vec![format!("{}{colon}{}", counted(*came, "footprint came", "footprints came"), counts.join(", "))];
    if *closed > 0 {
        lines.push(format!("{} where a newer footprint begins", counted(*closed, "factor ended", "factors ended")));
    }
    if *rounded > 0 {
        lines.push(format!(
            "{} at the 18th fractional digit",
            counted(*rounded, "factor was rounded", "factors were rounded")
        ));
    }
    lines.extend(refused.iter().map(|RefusedFootprint { id, product, reason }| {
        let id = id.map_or_else(|| "a footprint".to_owned(), |id| id.to_string());
        let product = product.as_ref().map_or_else(String::new, |product| format!(" of {product}"));
        format!("refused: {id}{product}: {reason}")
    }));
    if *added + *corrected > 0 {
        lines.push("activities without CO2e may be completed now: tonne recalculate --incomplete".to_owned());
    }
    lines.join("\n")
}

fn as_json(pulled: &Pulled) -> Json {
    let Pulled { came, left_out, added, unchanged, corrected, closed, ended, deprecated, rounded, refused } = pulled;
    let one = |RefusedFootprint { id, product, reason }: &RefusedFootprint| {
        object([("footprint", optional(*id)), ("productId", optional(product.as_ref())), ("reason", text(reason))])
    };
    object([
        ("came", count(*came)),
        ("leftOut", count(*left_out)),
        ("new", count(*added)),
        ("unchanged", count(*unchanged)),
        ("corrected", count(*corrected)),
        ("closed", count(*closed)),
        ("ended", count(*ended)),
        ("deprecated", count(*deprecated)),
        ("rounded", count(*rounded)),
        ("refused", array(refused.iter().map(one))),
    ])
}
