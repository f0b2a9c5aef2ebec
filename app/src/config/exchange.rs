//! `[exchange]`: how events are sent to partners.

use super::load::reader::Settings;

/// How events are sent to partners.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exchange {
    /// Seconds that sending an event may take in all. Where a node is killed meanwhile, the event is sent again after twice as
    /// many.
    pub attempt_s: u64,
}

impl Default for Exchange {
    fn default() -> Self {
        Self { attempt_s: 60 }
    }
}

impl Exchange {
    pub(super) fn read(settings: &mut Settings<'_>) -> Self {
        let default = Self::default();
        let mut section = settings.section("exchange");
        let exchange = Self { attempt_s: section.number("attempt_s", default.attempt_s, 1..=300) };
        section.finish();
        exchange
    }
}
