//! Which addresses may be called: those of the public internet, and those of networks nearby where a partner's record
//! allows them.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Why an address is not called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unreached {
    /// It is of a network nearby: loopback, private, shared by a provider.
    Nearby(&'static str),
    /// It is no address of one host anywhere: multicast, reserved, documentation; or link-local, where
    /// clouds tell a machine its own credentials.
    Special(&'static str),
}

impl Unreached {
    /// What the address is, in words that follow "is".
    pub(crate) const fn words(self) -> &'static str {
        match self {
            Self::Nearby(words) | Self::Special(words) => words,
        }
    }
}

/// Special blocks of IPv4 (IANA registry of special-purpose addresses): first address, length of the prefix, what it is.
const BLOCKS_4: [(Ipv4Addr, u32, Unreached); 16] = [
    (Ipv4Addr::UNSPECIFIED, 8, Unreached::Special("an address of no network")),
    (Ipv4Addr::new(10, 0, 0, 0), 8, Unreached::Nearby("a private address")),
    (Ipv4Addr::new(100, 64, 0, 0), 10, Unreached::Nearby("an address that a provider shares out")),
    (Ipv4Addr::new(127, 0, 0, 0), 8, Unreached::Nearby("a loopback address")),
    (Ipv4Addr::new(169, 254, 0, 0), 16, Unreached::Special("a link-local address")),
    (Ipv4Addr::new(172, 16, 0, 0), 12, Unreached::Nearby("a private address")),
    (Ipv4Addr::new(192, 0, 0, 0), 24, Unreached::Special("an address of a protocol")),
    (Ipv4Addr::new(192, 0, 2, 0), 24, Unreached::Special("an address for documentation")),
    (Ipv4Addr::new(192, 88, 99, 0), 24, Unreached::Special("an address of a relay")),
    (Ipv4Addr::new(192, 168, 0, 0), 16, Unreached::Nearby("a private address")),
    (Ipv4Addr::new(198, 18, 0, 0), 15, Unreached::Special("an address for measurements")),
    (Ipv4Addr::new(198, 51, 100, 0), 24, Unreached::Special("an address for documentation")),
    (Ipv4Addr::new(203, 0, 113, 0), 24, Unreached::Special("an address for documentation")),
    (Ipv4Addr::new(224, 0, 0, 0), 4, Unreached::Special("a multicast address")),
    (Ipv4Addr::BROADCAST, 32, Unreached::Special("the broadcast address")),
    (Ipv4Addr::new(240, 0, 0, 0), 4, Unreached::Special("a reserved address")),
];

/// The same of IPv6. What holds an address of IPv4 is judged by that one, before this table.
const BLOCKS_6: [(Ipv6Addr, u32, Unreached); 11] = [
    (Ipv6Addr::UNSPECIFIED, 128, Unreached::Special("an address of no network")),
    (Ipv6Addr::LOCALHOST, 128, Unreached::Nearby("a loopback address")),
    (Ipv6Addr::new(0x64, 0xff9b, 1, 0, 0, 0, 0, 0), 48, Unreached::Nearby("a translated private address")),
    (Ipv6Addr::new(0x2001, 0, 0, 0, 0, 0, 0, 0), 23, Unreached::Special("an address of a protocol")),
    (Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 0), 32, Unreached::Special("an address for documentation")),
    (Ipv6Addr::new(0x3fff, 0, 0, 0, 0, 0, 0, 0), 20, Unreached::Special("an address for documentation")),
    (Ipv6Addr::new(0xfc00, 0, 0, 0, 0, 0, 0, 0), 7, Unreached::Nearby("a private address")),
    (Ipv6Addr::new(0xfe80, 0, 0, 0, 0, 0, 0, 0), 10, Unreached::Special("a link-local address")),
    (Ipv6Addr::new(0xfec0, 0, 0, 0, 0, 0, 0, 0), 10, Unreached::Nearby("a private address")),
    (Ipv6Addr::new(0xff00, 0, 0, 0, 0, 0, 0, 0), 8, Unreached::Special("a multicast address")),
    (Ipv6Addr::new(0x100, 0, 0, 0, 0, 0, 0, 0), 64, Unreached::Special("an address that nothing answers at")),
];

/// Blocks of IPv6 that hold an address of IPv4, and the first bit of it: mapped, compatible, translated, 6to4.
const HOLDING_4: [(Ipv6Addr, u32, u32); 4] = [
    (Ipv6Addr::new(0, 0, 0, 0, 0, 0xffff, 0, 0), 96, 96),
    (Ipv6Addr::UNSPECIFIED, 96, 96),
    (Ipv6Addr::new(0x64, 0xff9b, 0, 0, 0, 0, 0, 0), 96, 96),
    (Ipv6Addr::new(0x2002, 0, 0, 0, 0, 0, 0, 0), 16, 16),
];

/// What keeps the address from being called, if anything does.
pub(crate) fn judge(address: IpAddr) -> Option<Unreached> {
    match address {
        IpAddr::V4(address) => judge_4(address),
        IpAddr::V6(address) => judge_6(address),
    }
}

fn judge_4(address: Ipv4Addr) -> Option<Unreached> {
    let is_in = |block: Ipv4Addr, length: u32| (u32::from(address) ^ u32::from(block)) >> (32 - length) == 0;
    BLOCKS_4.iter().find(|(block, length, _)| is_in(*block, *length)).map(|(.., what)| *what)
}

fn judge_6(address: Ipv6Addr) -> Option<Unreached> {
    let bits = u128::from(address);
    let is_in = |block: Ipv6Addr, length: u32| (bits ^ u128::from(block)) >> (128 - length) == 0;
    if !matches!(address, Ipv6Addr::UNSPECIFIED | Ipv6Addr::LOCALHOST)
        && let Some((.., first)) = HOLDING_4.iter().find(|(block, length, _)| is_in(*block, *length))
    {
        let [.., a, b, c, d] = (bits >> (96 - first)).to_be_bytes();
        return judge_4(Ipv4Addr::new(a, b, c, d));
    }
    let special = BLOCKS_6.iter().find(|(block, length, _)| is_in(*block, *length)).map(|(.., what)| *what);
    let is_global = bits >> 125 == 1;
    special.or((!is_global).then_some(Unreached::Special("a reserved address")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn judged(address: &str) -> Option<Unreached> {
        judge(address.parse().unwrap())
    }

    #[test]
    fn addresses_of_the_internet_are_called() {
        for address in [
            "1.1.1.1",
            "9.255.255.255",
            "11.0.0.0",
            "100.63.255.255",
            "100.128.0.0",
            "172.15.255.255",
            "172.32.0.0",
            "192.167.0.1",
            "223.255.255.255",
            "2a00:1450::1",
            "2606:4700::1111",
            "::ffff:1.1.1.1",
            "64:ff9b::101:101",
            "2002:101:101::1",
        ] {
            assert_eq!(judged(address), None, "{address}");
        }
    }

    #[test]
    fn addresses_of_networks_nearby_need_to_be_allowed() {
        for address in [
            "10.0.0.1",
            "10.255.255.255",
            "100.64.0.0",
            "100.127.255.255",
            "127.0.0.1",
            "127.255.0.1",
            "172.16.0.1",
            "172.31.255.255",
            "192.168.0.1",
            "::1",
            "fc00::1",
            "fdff::1",
            "fec0::1",
            "::ffff:127.0.0.1",
            "::ffff:10.0.0.1",
            "::10.0.0.1",
            "64:ff9b::7f00:1",
            "64:ff9b:1::1",
            "2002:7f00:1::",
            "2002:a00:1::1",
        ] {
            assert!(matches!(judged(address), Some(Unreached::Nearby(_))), "{address}: {:?}", judged(address));
        }
    }

    #[test]
    fn what_is_no_address_of_one_host_is_never_called() {
        for address in [
            "0.0.0.0",
            "0.1.2.3",
            "169.254.169.254",
            "::ffff:169.254.169.254",
            "fe80::1",
            "febf::1",
            "192.0.0.1",
            "192.0.2.1",
            "192.88.99.1",
            "198.18.0.1",
            "198.19.255.255",
            "198.51.100.1",
            "203.0.113.1",
            "224.0.0.1",
            "239.255.255.255",
            "240.0.0.1",
            "255.255.255.255",
            "::",
            "::ffff:0.0.0.0",
            "::ffff:224.0.0.1",
            "2001::1",
            "2001:db8::1",
            "3fff::1",
            "ff02::1",
            "100::1",
            "5f00::1",
            "4000::1",
            "8000::",
        ] {
            assert!(matches!(judged(address), Some(Unreached::Special(_))), "{address}: {:?}", judged(address));
        }
    }
}
