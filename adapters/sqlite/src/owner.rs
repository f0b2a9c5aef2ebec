//! Whose records a file must hold, whatever was put in its place.

use std::path::PathBuf;

use ports::TenantId;

use crate::error::OpenError;
use crate::session::HeadRow;

/// The tenant that a file was opened for. Each transaction asks whether the file is still that tenant's.
#[derive(Clone, Debug)]
pub(crate) struct Owner {
    pub(crate) id: TenantId,
    pub(crate) path: PathBuf,
}

impl Owner {
    /// Refuses a file whose head names another tenant, or none since it was removed.
    pub(crate) fn check(&self, head: &HeadRow) -> Result<(), OpenError> {
        if head.tenant == self.id {
            return Ok(());
        }
        let path = self.path.clone();
        if head.is_removed() {
            return Err(OpenError::Removed(path));
        }
        Err(OpenError::OtherTenant { path, found: head.tenant, expected: self.id })
    }
}
