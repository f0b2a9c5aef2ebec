//! A place in a tenant's chain with its digest, as it is written down elsewhere.

use std::fmt;
use std::str::FromStr;

use domain::Digest;
use uuid::Uuid;

/// The digest of a tenant's chain at a change. The digest covers that change and all before it, so whoever kept one outside the
/// store can tell later whether any of them was altered.
///
/// Its text is `EPOCH.NUMBER.DIGEST`, the digest in 64 hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PinnedHead {
    /// The epoch that the store had when the head was taken. A store that was restored since has another and may hold the same
    /// changes.
    pub epoch: Uuid,
    /// The number of the change; 0 before the first.
    pub number: u64,
    /// The digest of the chain there; [`Digest::ZERO`] before the first change.
    pub digest: Digest,
}

/// A text is no head of a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be EPOCH.NUMBER.DIGEST, as `tonne head` prints it")]
pub struct NoHead;

impl fmt::Display for PinnedHead {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.epoch, self.number, self.digest)
    }
}

impl FromStr for PinnedHead {
    type Err = NoHead;

    fn from_str(text: &str) -> Result<Self, NoHead> {
        let parts: Vec<_> = text.trim().split('.').collect();
        let [epoch, number, digest] = parts.as_slice() else { return Err(NoHead) };
        if number.is_empty() || !number.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(NoHead);
        }
        Ok(Self {
            epoch: domain::parse_uuid(epoch).map_err(|_| NoHead)?,
            number: number.parse().map_err(|_| NoHead)?,
            digest: Digest::parse(digest).map_err(|_| NoHead)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_is_read_as_it_is_written() {
        let head = PinnedHead { epoch: Uuid::from_u128(7), number: 41, digest: Digest::of(b"chain") };
        assert_eq!(format!(" {head}\n").parse(), Ok(head));
    }

    #[test]
    fn what_is_cut_or_no_head_is_refused() {
        let head = PinnedHead { epoch: Uuid::from_u128(7), number: 41, digest: Digest::of(b"chain") }.to_string();
        let mark = head.rsplit_once('.').unwrap().0;
        let signed = head.replacen(".41.", ".+41.", 1);
        for text in ["", "head", mark, &head[..head.len() - 1], &signed, &format!("{head}.1")] {
            assert_eq!(text.parse::<PinnedHead>(), Err(NoHead), "{text}");
        }
    }
}
