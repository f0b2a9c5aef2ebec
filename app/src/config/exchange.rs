//! `[exchange]`: how partners are called.

use super::load::reader::{Settings, flag};

/// How partners are called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exchange {
    /// Seconds that sending an event may take in all. Where a node is killed meanwhile, the event is sent again after twice as
    /// many.
    pub attempt_s: u64,
    /// Whether the record of a partner may allow calls to private addresses, which are those of this service's own network.
    /// `None`: only where there is one company, whose administrator runs the service.
    pub private_addresses: Option<bool>,
}

impl Default for Exchange {
    fn default() -> Self {
        Self { attempt_s: 60, private_addresses: None }
    }
}

impl Exchange {
    pub(super) fn read(settings: &mut Settings<'_>) -> Self {
        let default = Self::default();
        let mut section = settings.section("exchange");
        let exchange = Self {
            attempt_s: section.number("attempt_s", default.attempt_s, 1..=300),
            private_addresses: section.optional("private_addresses", flag),
        };
        section.finish();
        exchange
    }
}
