//! Reading a host's list to its end.

use std::collections::{BTreeMap, HashSet};
use std::fmt::Write as _;

use domain::footprint::{Edition, Reference};
use domain::{Fields, FootprintId, parse_uuid};
use pact::Received;
use ports::inbound::{Pull, Pulled, RefusedFootprint};
use ports::partner_host::{HostError, PartnerAddress, PartnerHost};
use time::OffsetDateTime;

use super::super::query::encoded;

/// The most parts of a list that are read.
const MOST_PARTS: usize = 10_000;
/// How many footprints a part is asked for.
const LIMIT: u32 = 100;

/// A footprint of a host's list.
#[derive(Clone, Debug)]
pub(super) struct Listed {
    pub(super) id: FootprintId,
    pub(super) products: Vec<String>,
    /// Those that it takes the place of.
    pub(super) preceding: Vec<FootprintId>,
    pub(super) created: Option<OffsetDateTime>,
    pub(super) fields: Fields,
}

/// The footprints asked for, those created first before the others. Those that cannot be read are refused.
pub(super) async fn all(
    host: &dyn PartnerHost,
    at: &PartnerAddress,
    wanted: &Pull,
    pulled: &mut Pulled,
) -> Result<Vec<Listed>, HostError> {
    let mut page = host.list(at, wanted.edition, &query(wanted)).await?;
    let (mut links, mut found) = (HashSet::new(), BTreeMap::new());
    loop {
        let items = pact::listed(page.body.as_bytes())
            .map_err(|faults| HostError::Answer(format!("its list: {}", super::super::words(&faults))))?;
        for item in items {
            pulled.came += 1;
            match pact::read(item.as_bytes(), wanted.edition) {
                Ok(received) => keep(&mut found, listed(received), wanted, pulled),
                Err(faults) => {
                    let id = pact::text_member(item.as_bytes(), "id").and_then(|id| parse_uuid(&id).ok());
                    let reason = format!("it cannot be read: {}", super::super::words(&faults));
                    pulled.refused.push(RefusedFootprint { id: id.map(FootprintId::new), product: None, reason });
                }
            }
        }
        let Some(next) = page.next else { break };
        if links.len() >= MOST_PARTS || !links.insert(next.clone()) {
            return Err(HostError::Answer("its list has no end: a Link leads back, or there are too many".to_owned()));
        }
        page = host.next(at, &next).await?;
    }
    let mut found: Vec<_> = found.into_values().collect();
    found.sort_by_key(|one: &Listed| (one.created, one.id));
    Ok(found)
}

/// Keeps a footprint that is asked for; of one that stands twice, the newer version.
fn keep(found: &mut BTreeMap<FootprintId, Listed>, one: Listed, wanted: &Pull, pulled: &mut Pulled) {
    let is_product = wanted.product_ids.is_empty()
        || one.products.iter().any(|own| wanted.product_ids.iter().any(|asked| own.eq_ignore_ascii_case(asked)));
    let is_recent = wanted.since.is_none_or(|since| one.created.is_some_and(|created| created >= since.instant()));
    let version = |one: &Listed| one.fields.integer("version").unwrap_or_default();
    if !is_product || !is_recent {
        pulled.left_out += 1;
        return;
    }
    match found.get(&one.id) {
        Some(there) => {
            pulled.left_out += 1;
            if version(there) < version(&one) {
                found.insert(one.id, one);
            }
        }
        None => drop(found.insert(one.id, one)),
    }
}

/// A footprint as it was read.
pub(super) fn listed(Received { id, fields, .. }: Received) -> Listed {
    let preceding = fields.references("precedingPfIds").iter().filter_map(|reference| match reference {
        Reference::Text(text) => parse_uuid(text).ok().map(FootprintId::new),
        Reference::Number(_) => None,
    });
    Listed {
        id,
        products: fields.texts("productIds").to_vec(),
        preceding: preceding.collect(),
        created: fields.moment("created").map(domain::Moment::instant),
        fields,
    }
}

/// What the host is asked for. Version 2 has no parameter for products: there the whole list is read and chosen from.
fn query(wanted: &Pull) -> String {
    let mut query = format!("limit={LIMIT}");
    if wanted.edition == Edition::V3 {
        for id in &wanted.product_ids {
            let _ = write!(query, "&productId={}", encoded(id));
        }
    }
    query
}
