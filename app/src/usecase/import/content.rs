//! What activities say, in few bits.

use std::hash::{DefaultHasher, Hash, Hasher};

use domain::Activity;

/// 64 bits of what an activity says, but for its identifier and its syncId.
pub(super) fn content(activity: &Activity) -> [u32; 2] {
    let mut hasher = DefaultHasher::new();
    activity.name.as_str().hash(&mut hasher);
    activity.description.as_ref().map(domain::Description::as_str).hash(&mut hasher);
    activity.measured.map(|measured| (measured.quantity, measured.unit.code())).hash(&mut hasher);
    (activity.product, activity.scope, activity.taxonomy, activity.org).hash(&mut hasher);
    (activity.span.first(), activity.span.last()).hash(&mut hasher);
    activity.co2e().hash(&mut hasher);
    let bits = hasher.finish();
    #[expect(clippy::cast_possible_truncation, reason = "the two halves of it")]
    [(bits >> 32) as u32, bits as u32]
}
