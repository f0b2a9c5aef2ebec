//! `[memory]`: what may be kept in memory.

use super::load::reader::Settings;

/// What may be kept in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Memory {
    /// Mebibytes that the read models which reports are made from may take; the one in use always has room.
    pub read_model_budget_mb: u64,
}

impl Default for Memory {
    fn default() -> Self {
        Self { read_model_budget_mb: 256 }
    }
}

impl Memory {
    /// The budget in bytes.
    #[must_use]
    pub fn read_model_budget(self) -> usize {
        usize::try_from(self.read_model_budget_mb.saturating_mul(1024 * 1024)).unwrap_or(usize::MAX)
    }

    pub(super) fn read(settings: &mut Settings<'_>) -> Self {
        let mut section = settings.section("memory");
        let read_model_budget_mb =
            section.number("read_model_budget_mb", Self::default().read_model_budget_mb, 1..=1_048_576);
        section.finish();
        Self { read_model_budget_mb }
    }
}
