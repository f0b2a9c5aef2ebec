//! Reading a host's list to its end.

use std::collections::{BTreeMap, HashSet};
use std::fmt::Write as _;

use domain::footprint::{Edition, Reference};
use domain::{FootprintId, SuppliedFactor, parse_uuid, supplied_factor};
use pact::Received;
use ports::inbound::{Pull, Pulled, RefusedFootprint};
use ports::partner_host::{HostError, PartnerAddress, PartnerHost};
use time::OffsetDateTime;

use super::super::query::encoded;
use super::Supplier;

/// The most parts of a list that are read.
const MOST_PARTS: usize = 10_000;
/// How many footprints a part is asked for.
const LIMIT: u32 = 100;
/// The most bytes, about, that are kept of a list until it is written.
pub const MOST_BYTES: usize = 256 << 20;
/// What a footprint takes beside its product ids, in bytes: its factor with its source, or the reason why there is none.
const FRAME: usize = 2_048;

/// What a factor needs of a footprint of a host's list. The footprint itself may be of a megabyte, and is not kept.
#[derive(Clone, Debug)]
pub(super) struct Listed {
    pub(super) id: FootprintId,
    pub(super) products: Vec<String>,
    /// Those that it takes the place of.
    pub(super) preceding: Vec<FootprintId>,
    pub(super) created: Option<OffsetDateTime>,
    pub(super) is_deprecated: bool,
    /// The factor's members, or why there are none.
    pub(super) supplied: Result<SuppliedFactor, String>,
    version: i64,
}

impl Listed {
    /// How much memory it takes, about.
    fn bytes(&self) -> usize {
        FRAME + self.products.iter().map(|product| product.len() + 32).sum::<usize>() + self.preceding.len() * 16
    }
}

/// The footprints asked for, those created first before the others. Those that cannot be read are refused.
pub(super) async fn all(
    host: &dyn PartnerHost,
    at: &PartnerAddress,
    supplier: &Supplier,
    wanted: &Pull,
    most_bytes: usize,
    pulled: &mut Pulled,
) -> Result<Vec<Listed>, HostError> {
    let mut page = host.list(at, wanted.edition, &query(wanted)).await?;
    let mut links = HashSet::new();
    let mut found = Found { by_id: BTreeMap::new(), bytes: 0 };
    loop {
        let items = pact::listed(page.body.as_bytes())
            .map_err(|faults| HostError::Answer(format!("its list: {}", super::super::words(&faults))))?;
        for item in items {
            pulled.came += 1;
            match pact::read(item.as_bytes(), wanted.edition) {
                Ok(received) => found.keep(listed(received, wanted.edition, supplier), wanted, pulled),
                Err(faults) => {
                    let id = pact::text_member(item.as_bytes(), "id").and_then(|id| parse_uuid(&id).ok());
                    let reason = format!("it cannot be read: {}", super::super::words(&faults));
                    found.bytes += FRAME + reason.len();
                    pulled.refused.push(RefusedFootprint { id: id.map(FootprintId::new), product: None, reason });
                }
            }
        }
        if found.bytes > most_bytes {
            let why = format!(
                "its list has more than is taken over at once, which is {} MiB; ask for less, by product ids or by when \
                 footprints were created",
                most_bytes >> 20
            );
            return Err(HostError::Answer(why));
        }
        let Some(next) = page.next else { break };
        if links.len() >= MOST_PARTS || !links.insert(next.clone()) {
            return Err(HostError::Answer("its list has no end: a Link leads back, or there are too many".to_owned()));
        }
        page = host.next(at, &next).await?;
    }
    let mut found: Vec<_> = found.by_id.into_values().collect();
    found.sort_by_key(|one: &Listed| (one.created, one.id));
    Ok(found)
}

/// What was found so far.
struct Found {
    by_id: BTreeMap<FootprintId, Listed>,
    bytes: usize,
}

impl Found {
    /// Keeps a footprint that is asked for; of one that stands twice, the newer version.
    fn keep(&mut self, one: Listed, wanted: &Pull, pulled: &mut Pulled) {
        let is_product = wanted.product_ids.is_empty()
            || one.products.iter().any(|own| wanted.product_ids.iter().any(|asked| own.eq_ignore_ascii_case(asked)));
        let is_recent = wanted.since.is_none_or(|since| one.created.is_some_and(|created| created >= since.instant()));
        if !is_product || !is_recent {
            pulled.left_out += 1;
            return;
        }
        if let Some(there) = self.by_id.get(&one.id) {
            pulled.left_out += 1;
            if there.version >= one.version {
                return;
            }
        }
        self.bytes += one.bytes();
        let before = self.by_id.insert(one.id, one);
        self.bytes -= before.map_or(0, |before| before.bytes());
    }
}

/// A footprint as it was read.
pub(super) fn listed(Received { id, fields, .. }: Received, edition: Edition, supplier: &Supplier) -> Listed {
    let preceding = fields.references("precedingPfIds").iter().filter_map(|reference| match reference {
        Reference::Text(text) => parse_uuid(text).ok().map(FootprintId::new),
        Reference::Number(_) => None,
    });
    let products = fields.texts("productIds").to_vec();
    let supplied = match products.first() {
        Some(first) => supplied_factor(id, &fields, edition, &supplier.host, first).map_err(|error| error.to_string()),
        None => Err("it has no productIds".to_owned()),
    };
    Listed {
        id,
        preceding: preceding.collect(),
        created: fields.moment("created").map(domain::Moment::instant),
        is_deprecated: fields.text("status") == Some("Deprecated"),
        version: fields.integer("version").unwrap_or_default(),
        products,
        supplied,
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
