//! The clients and keys that a restore brings back.

use anyhow::Result;
use ports::directory::{Client, Directory, Key, Tenant};
use ports::repo::Page;

use super::super::operator::{installation, maintenance};

/// How many credentials are read at a time.
const PAGE: u32 = 1_000;

/// Clients and keys with the companies that they belong to.
#[derive(Clone, Debug, Default)]
pub(crate) struct RestoredCredentials {
    pub(crate) clients: Vec<(Tenant, Client)>,
    pub(crate) keys: Vec<(Tenant, Key)>,
}

impl RestoredCredentials {
    /// All that the directory knows.
    pub(super) async fn list(directory: &dyn Directory) -> Result<Self> {
        let mut all = Self::default();
        for tenant in directory.list_tenants(&installation()).await? {
            let grant = maintenance(tenant.id).to_read_credentials();
            for number in 1.. {
                let page = Page { number, size: PAGE };
                let clients = directory.list_clients(&grant, page).await?;
                let keys = directory.list_keys(&grant, page).await?;
                let is_last = clients.count.max(keys.count) <= page.offset() + u64::from(PAGE);
                all.clients.extend(clients.data.into_iter().map(|client| (tenant.clone(), client.value)));
                all.keys.extend(keys.data.into_iter().map(|key| (tenant.clone(), key.value)));
                if is_last {
                    break;
                }
            }
        }
        Ok(all)
    }

    /// Removes them.
    pub(super) async fn revoke(&mut self, directory: &dyn Directory) -> Result<()> {
        for (tenant, client) in self.clients.drain(..) {
            directory.remove_client(&maintenance(tenant.id).to_write_credentials(), client.id, None).await?;
        }
        for (tenant, key) in self.keys.drain(..) {
            directory.remove_key(&maintenance(tenant.id).to_write_credentials(), key.id, None).await?;
        }
        Ok(())
    }
}
