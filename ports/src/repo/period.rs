//! What closed periods need besides: what they are closed for, without their reports.

use async_trait::async_trait;
use domain::{ClosedPeriod, PeriodSpan};

use super::Reader;
use crate::store::StoreError;

/// What can be read of closed periods beside what all records have.
#[async_trait]
pub trait PeriodReader: Reader<ClosedPeriod> {
    /// What every period is closed for that was not opened again, in the order of their identifiers. No report is read for it.
    async fn closed(&mut self) -> Result<Vec<PeriodSpan>, StoreError>;
}
