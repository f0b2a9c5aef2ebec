//! A new epoch of every company, after its records were put back to an earlier state.

use std::collections::BTreeMap;

use anyhow::{Context as _, Result};
use ports::directory::{Directory, Tenant};
use ports::id_source::Ids;
use ports::store::{Store, StoreError};

use super::App;
use super::operator::{installation, maintenance};

impl App {
    /// Gives every company a new epoch, so that no number that was shown before compares with one that is shown later, and
    /// ends every token. Running servers know it within a second. Gives the companies.
    pub async fn renew_epochs(&self) -> Result<Vec<Tenant>> {
        let renewed = renew_epochs(self.store.as_ref(), self.directory.as_ref(), self.ids.as_ref()).await;
        self.version.expire();
        renewed
    }
}

/// Gives every company a new epoch, so that no number that was shown before compares with one that is shown later, and ends
/// every token. Gives the companies.
pub(super) async fn renew_epochs(store: &dyn Store, directory: &dyn Directory, ids: &dyn Ids) -> Result<Vec<Tenant>> {
    let tenants = directory.list_tenants(&installation()).await?;
    let mut epochs = BTreeMap::new();
    for tenant in &tenants {
        let epoch = ids.random();
        store.renew_epoch(&maintenance(tenant.id), epoch).await.with_context(|| format!("company {}", tenant.slug))?;
        epochs.insert(tenant.id, epoch);
    }
    match directory.renew_epochs(&installation(), &epochs).await {
        Err(StoreError::Stale) => {
            Err(anyhow::Error::msg("a company was added or removed meanwhile, and tokens are still good; run it again"))
        }
        renewed => Ok(renewed.map(|()| tenants)?),
    }
}
