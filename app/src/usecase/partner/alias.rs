//! What a partner calls products, in what it asks for and in what it is shown.

use domain::Partner;
use domain::footprint::{Condition, FieldValue, FootprintFilter, Projection};

const PRODUCTS: &str = "productIds";

/// What a partner asks for, by what its products are called here too.
pub(crate) fn ours(asked: &FootprintFilter, partner: &Partner) -> FootprintFilter {
    let mut filter = asked.clone();
    for condition in &mut filter.conditions {
        if let Condition::ProductId(ids) = condition {
            let more: Vec<_> = ids.iter().map(|id| partner.our_product(id).to_owned()).collect();
            ids.extend(more);
            ids.sort_unstable();
            ids.dedup();
        }
    }
    filter
}

/// What a partner is shown, with the ids that it calls the product by behind ours, so that it finds what it asked for.
pub(crate) fn theirs(mut shown: Projection, partner: &Partner) -> Projection {
    let mut ids = shown.footprint.fields.texts(PRODUCTS).to_vec();
    let own = ids.len();
    for alias in &partner.aliases {
        let has = |id: &str| ids.iter().any(|one| one.eq_ignore_ascii_case(id));
        // Only URNs may stand there.
        let is_urn = alias.theirs.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("urn:"));
        if is_urn && has(&alias.ours) && !has(&alias.theirs) {
            ids.push(alias.theirs.clone());
        }
    }
    if ids.len() > own {
        // The field is one of the schema, and of that type.
        let _ = shown.footprint.fields.set(PRODUCTS, FieldValue::Texts(ids));
    }
    shown
}
