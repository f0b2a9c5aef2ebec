//! What factors need besides: those of many products at once.

use async_trait::async_trait;
use domain::{Factor, ProductId};

use super::Reader;
use crate::record::Stored;
use crate::store::StoreError;

/// What can be read of factors beside what all records have.
#[async_trait]
pub trait FactorReader: Reader<Factor> {
    /// All factors of those products, in no order. Ids may repeat; a factor comes once.
    async fn of_products(&mut self, products: &[ProductId]) -> Result<Vec<Stored<Factor>>, StoreError>;
}
