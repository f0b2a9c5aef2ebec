//! Digests of rows that are no records, the head and the series: stored beside the row, they show a column that was edited.

use domain::{CanonicalWriter, Digest, SeriesKey};

use crate::TenantId;
use crate::change::ChainHead;
use crate::envelope::write_form;

/// The digest beside a tenant's head, which also holds the highest number that a footprint ever had.
#[must_use]
pub fn head_seal(tenant: TenantId, head: &ChainHead, footprints: u64) -> Digest {
    CanonicalWriter::digest_of(|to| {
        write_form(to);
        to.text("tenant", tenant);
        to.integer("number", head.number);
        to.text("digest", head.digest);
        to.text("epoch", head.epoch);
        to.integer("catalog", head.catalog);
        to.integer("footprints", footprints);
    })
}

/// The digest beside the series of that index.
#[must_use]
pub fn series_seal(index: u32, key: &SeriesKey) -> Digest {
    CanonicalWriter::digest_of(|to| {
        write_form(to);
        to.integer("series", index);
        to.optional("scope", key.scope);
        to.optional("org", key.org);
        to.optional("taxonomy", key.taxonomy);
    })
}
