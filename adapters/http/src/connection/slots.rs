//! How many connections there may be: in all, and of one address.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};

use ipnet::IpNet;
use metrics::{counter, gauge};
use ports::metric;

use crate::forwarded::source;

/// The slots that connections take. Clones share them.
#[derive(Clone, Debug)]
pub(crate) struct ConnectionSlots(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    most: usize,
    most_per_address: usize,
    /// Whose number is not bounded: many clients are behind each of them.
    proxies: Vec<IpNet>,
    /// Whether metrics count them.
    is_counted: bool,
    taken: Mutex<Taken>,
}

#[derive(Debug, Default)]
struct Taken {
    all: usize,
    by_source: HashMap<IpAddr, usize>,
}

/// A connection's slot; free again when it is dropped.
#[derive(Debug)]
pub(crate) struct ConnectionSlot {
    slots: ConnectionSlots,
    source: Option<IpAddr>,
}

impl ConnectionSlots {
    /// So many slots, so many of them for each address that is no trusted proxy's.
    pub(crate) fn new(most: usize, most_per_address: usize, proxies: Vec<IpNet>) -> Self {
        Self(Arc::new(Inner { most, most_per_address, proxies, is_counted: false, taken: Mutex::default() }))
    }

    /// The same, of which metrics say how many are taken.
    pub(crate) fn counted(most: usize, most_per_address: usize, proxies: Vec<IpNet>) -> Self {
        Self(Arc::new(Inner { most, most_per_address, proxies, is_counted: true, taken: Mutex::default() }))
    }

    /// A slot for a connection from that address, if one is free.
    pub(crate) fn take(&self, peer: Option<IpAddr>) -> Option<ConnectionSlot> {
        let peer = peer.map(|peer| peer.to_canonical());
        let is_proxy = |peer: &IpAddr| self.0.proxies.iter().any(|network| network.contains(peer));
        let source = peer.filter(|peer| !is_proxy(peer)).map(source);
        let mut taken = self.0.taken.lock().unwrap_or_else(PoisonError::into_inner);
        let of_source = source.and_then(|source| taken.by_source.get(&source)).copied().unwrap_or(0);
        if taken.all >= self.0.most || of_source >= self.0.most_per_address {
            if self.0.is_counted {
                counter!(metric::HTTP_CONNECTIONS_REFUSED.name).increment(1);
            }
            return None;
        }
        taken.all += 1;
        if self.0.is_counted {
            gauge!(metric::HTTP_CONNECTIONS.name).increment(1.0);
        }
        if let Some(source) = source {
            taken.by_source.insert(source, of_source + 1);
        }
        Some(ConnectionSlot { slots: self.clone(), source })
    }
}

impl Drop for ConnectionSlot {
    fn drop(&mut self) {
        let mut taken = self.slots.0.taken.lock().unwrap_or_else(PoisonError::into_inner);
        taken.all = taken.all.saturating_sub(1);
        if self.slots.0.is_counted {
            gauge!(metric::HTTP_CONNECTIONS.name).decrement(1.0);
        }
        let Some(source) = self.source else { return };
        if let Some(of_source) = taken.by_source.get_mut(&source) {
            *of_source -= 1;
            if *of_source == 0 {
                taken.by_source.remove(&source);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slots(most: usize, most_per_address: usize) -> ConnectionSlots {
        ConnectionSlots::new(most, most_per_address, vec!["10.0.0.0/8".parse().unwrap()])
    }

    fn take(slots: &ConnectionSlots, address: &str) -> Option<ConnectionSlot> {
        slots.take(Some(address.parse().unwrap()))
    }

    #[test]
    fn an_address_has_its_share_and_the_others_theirs() {
        let slots = slots(3, 2);
        let (first, _second) = (take(&slots, "192.0.2.1").unwrap(), take(&slots, "::ffff:192.0.2.1").unwrap());
        assert!(take(&slots, "192.0.2.1").is_none());
        let _other = take(&slots, "192.0.2.2").unwrap();
        assert!(take(&slots, "192.0.2.3").is_none(), "there are three in all");
        drop(first);
        take(&slots, "192.0.2.1").unwrap();
    }

    #[test]
    fn a_network_of_64_bits_counts_as_one_address() {
        let slots = slots(10, 1);
        let _first = take(&slots, "2001:db8::1").unwrap();
        assert!(take(&slots, "2001:db8::ffff:2").is_none());
        take(&slots, "2001:db8:0:1::1").unwrap();
    }

    #[test]
    fn a_trusted_proxy_is_bounded_by_all_places_alone() {
        let slots = slots(3, 1);
        let held: Vec<_> = (0..3).map(|_| take(&slots, "10.1.2.3").unwrap()).collect();
        assert!(take(&slots, "10.1.2.3").is_none());
        drop(held);
        assert!(slots.0.taken.lock().unwrap().by_source.is_empty());
    }
}
