//! Work that may wait for the disk, on a thread of its own.

use ports::store::StoreError;
use tokio::task::spawn_blocking;

use crate::error::Trouble;

/// Runs work on a thread where it may wait for the disk.
pub(crate) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, StoreError> + Send + 'static,
) -> Result<T, StoreError> {
    spawn_blocking(work).await.map_err(|error| StoreError::Failed(Box::new(Trouble(error.to_string()))))?
}
