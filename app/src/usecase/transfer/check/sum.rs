//! Sums of the digests of versions of records.

use domain::Digest;
use ports::{RecordKind, Version};
use uuid::Uuid;

/// A sum of digests, lane by lane, that does not depend on their order.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Sum([u64; 4]);

impl Sum {
    pub(super) fn add(&mut self, digest: &Digest) {
        self.each(digest, u64::wrapping_add);
    }

    pub(super) fn take(&mut self, digest: &Digest) {
        self.each(digest, u64::wrapping_sub);
    }

    fn each(&mut self, digest: &Digest, combine: impl Fn(u64, u64) -> u64) {
        let (lanes, _) = digest.as_bytes().as_chunks::<8>();
        for (sum, lane) in self.0.iter_mut().zip(lanes) {
            *sum = combine(*sum, u64::from_be_bytes(*lane));
        }
    }
}

/// The digest that stands for one version of a record in a sum.
pub(super) fn version_digest(kind: RecordKind, id: Uuid, version: Version, digest: Digest) -> Digest {
    let mut bytes = Vec::with_capacity(80);
    bytes.extend_from_slice(kind.as_str().as_bytes());
    bytes.push(0);
    bytes.extend_from_slice(id.as_bytes());
    bytes.extend_from_slice(&version.0.to_be_bytes());
    bytes.extend_from_slice(digest.as_bytes());
    Digest::of(&bytes)
}
