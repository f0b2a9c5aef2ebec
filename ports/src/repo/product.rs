//! What products need besides: their names alone.

use async_trait::async_trait;
use domain::{Name, Product, ProductId};

use super::Reader;
use crate::Stored;
use crate::store::StoreError;

/// What can be read of products beside what all records have.
#[async_trait]
pub trait ProductReader: Reader<Product> {
    /// The names of all products, in no order.
    async fn names(&mut self) -> Result<Vec<(ProductId, Name)>, StoreError>;

    /// Up to `limit` products with an id behind `after`, by id; from the first where it is `None`. Fewer than `limit` means that
    /// there are no more. Implementations MUST NOT read others.
    async fn after(&mut self, after: Option<ProductId>, limit: u32) -> Result<Vec<Stored<Product>>, StoreError>;
}
