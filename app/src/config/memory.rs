//! `[memory]`: what may be kept in memory.

use super::reader::Settings;

/// What may be kept in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Memory {
    /// Mebibytes that the read models which reports are made from may take; the one in use always has room.
    pub picture_budget_mb: u64,
}

impl Default for Memory {
    fn default() -> Self {
        Self { picture_budget_mb: 256 }
    }
}

impl Memory {
    /// The budget in bytes.
    #[must_use]
    pub fn picture_budget(self) -> usize {
        usize::try_from(self.picture_budget_mb.saturating_mul(1024 * 1024)).unwrap_or(usize::MAX)
    }

    pub(super) fn read(settings: &mut Settings<'_>) -> Self {
        let mut section = settings.section("memory");
        let picture_budget_mb = section.number("picture_budget_mb", Self::default().picture_budget_mb, 1..=1_048_576);
        section.finish();
        Self { picture_budget_mb }
    }
}
