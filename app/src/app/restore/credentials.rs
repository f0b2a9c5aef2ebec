//! The clients, keys and users that a restore brings back.

use anyhow::Result;
use ports::directory::{Client, Directory, Key, Tenant, Versioned};
use ports::people::{People, User};
use ports::repo::Page;

use super::super::operator::{installation, maintenance};

/// How many credentials are read at a time.
const PAGE: u32 = 1_000;

/// Clients, keys and users with the companies that they belong to.
#[derive(Clone, Debug, Default)]
pub(crate) struct RestoredCredentials {
    pub(crate) clients: Vec<(Tenant, Client)>,
    pub(crate) keys: Vec<(Tenant, Key)>,
    pub(crate) users: Vec<(Tenant, Versioned<User>)>,
}

impl RestoredCredentials {
    /// All that the directory knows.
    pub(super) async fn list(directory: &dyn Directory, people: &dyn People) -> Result<Self> {
        let mut all = Self::default();
        for tenant in directory.list_tenants(&installation()).await? {
            let grant = maintenance(tenant.id).to_read_credentials();
            for number in 1.. {
                let page = Page { number, size: PAGE };
                let clients = directory.list_clients(&grant, page).await?;
                let keys = directory.list_keys(&grant, page).await?;
                let users = people.list_users(&grant, page).await?;
                let most = clients.count.max(keys.count).max(users.count);
                let is_last = most <= page.offset() + u64::from(PAGE);
                all.clients.extend(clients.data.into_iter().map(|client| (tenant.clone(), client.value)));
                all.keys.extend(keys.data.into_iter().map(|key| (tenant.clone(), key.value)));
                all.users.extend(users.data.into_iter().map(|user| (tenant.clone(), user)));
                if is_last {
                    break;
                }
            }
        }
        Ok(all)
    }

    /// Removes the clients and keys, and the passwords of the users and who they are at a provider. The users stay:
    /// `tonne user link` lets them in again.
    pub(super) async fn revoke(&mut self, directory: &dyn Directory, people: &dyn People) -> Result<()> {
        for (tenant, client) in self.clients.drain(..) {
            directory.remove_client(&maintenance(tenant.id).to_write_credentials(), client.id, None).await?;
        }
        for (tenant, key) in self.keys.drain(..) {
            directory.remove_key(&maintenance(tenant.id).to_write_credentials(), key.id, None).await?;
        }
        for (tenant, Versioned { value, version }) in &mut self.users {
            let taken = (value.password.take(), value.identity.take());
            if taken != (None, None) {
                let grant = maintenance(tenant.id).to_write_credentials();
                *version = people.update_user(&grant, value.clone(), *version).await?;
            }
        }
        Ok(())
    }
}
