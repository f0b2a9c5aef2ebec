//! Filling an empty tenant from a file: all of it or nothing.

use std::fmt;

use files::{TenantCounts, TenantEnd, TenantError};
use ports::directory::{Client, Directory, Key, Tenant};
use ports::load::Load;
use ports::store::{Conflict, Store, StoreError};
use ports::{ChainHead, ClientId, Grant, KeyId};
use tokio::sync::mpsc::Receiver;

use super::Credentials;
use super::source::{Incoming, Portion};

/// Who restores credentials, as the directory's change chain names it.
const ACTOR: &str = "command";

/// What was loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Imported {
    /// How much of what the file holds.
    pub counts: TenantCounts,
    /// How many clients and keys were restored.
    pub credentials: u64,
    /// The tenant's head now.
    pub head: ChainHead,
}

/// Why a tenant was not imported. Nothing of it was kept.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// The file is refused; completes "`<file>` ...".
    #[error(transparent)]
    File(#[from] TenantError),
    /// The file was exported without credentials.
    #[error("holds no credentials: export it --with-credentials, or leave that out here")]
    NoCredentials,
    /// A client or key of the file belongs to another tenant already.
    #[error("holds the {0}, which belongs to another company here: import it without --with-credentials")]
    Taken(Credential),
    /// The tenant has records or a history.
    #[error("cannot be imported into a company that has records or a history: an import fills an empty one")]
    NotEmpty,
    /// The store refused what the file says.
    #[error("is refused by the store: {0}")]
    Refused(Conflict),
    /// The store or the directory failed.
    #[error("cannot be imported")]
    Store(#[source] StoreError),
}

/// A client or a key, by its identifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Credential {
    /// A client.
    Client(ClientId),
    /// A key.
    Key(KeyId),
}

impl fmt::Display for Credential {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Client(id) => write!(f, "client {id}"),
            Self::Key(id) => write!(f, "key {id}"),
        }
    }
}

impl From<StoreError> for ImportError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Conflict(Conflict::NotEmpty) => Self::NotEmpty,
            StoreError::Conflict(conflict) => Self::Refused(conflict),
            StoreError::Stale | StoreError::Corrupt { .. } | StoreError::Busy(_) | StoreError::Failed(_) => {
                Self::Store(error)
            }
        }
    }
}

/// A file that was read to its end and fits together, its records in a transaction that is still open.
struct Received {
    load: Box<dyn Load>,
    end: TenantEnd,
    clients: Vec<Client>,
    keys: Vec<Key>,
}

/// Fills the tenant, which the directory knows and which is empty, with what comes in.
pub async fn import(
    store: &dyn Store,
    directory: &dyn Directory,
    tenant: &Tenant,
    credentials: Credentials,
    incoming: Incoming,
) -> Result<Imported, ImportError> {
    if credentials == Credentials::Carried && !incoming.header().credentials {
        return Err(ImportError::NoCredentials);
    }
    let mut received = Received::read(store, tenant, incoming).await?;
    if credentials == Credentials::LeftOut {
        (received.clients, received.keys) = (Vec::new(), Vec::new());
    }
    received.keep(directory, tenant).await
}

impl Received {
    async fn read(store: &dyn Store, tenant: &Tenant, incoming: Incoming) -> Result<Self, ImportError> {
        let mut load = store.load(&Grant::for_maintenance(tenant.id, ACTOR)).await?;
        let mut portions = incoming.portions();
        while let Some(portion) = portions.recv().await {
            let loaded = match portion? {
                Portion::Series(series) => load.series(series).await,
                Portion::Records(records) => load.records(records).await,
                Portion::Changes(changes) => load.changes(changes).await,
                Portion::End(end, mut clients, mut keys) => {
                    for client in &mut clients {
                        client.tenant = tenant.id;
                    }
                    for key in &mut keys {
                        key.tenant = tenant.id;
                    }
                    return Ok(Self { load, end: *end, clients, keys });
                }
            };
            if let Err(error) = loaded {
                drop(load);
                return Err(fault(portions).await.map_or_else(|| error.into(), ImportError::File));
            }
        }
        Err(ImportError::Store(StoreError::Failed("reading the file ended in a panic".into())))
    }

    /// Restores the credentials, then makes the records visible; takes the credentials back where that fails.
    async fn keep(self, directory: &dyn Directory, tenant: &Tenant) -> Result<Imported, ImportError> {
        let Self { load, end, clients, keys } = self;
        free(directory, tenant, &clients, &keys).await?;
        let restored = restore(directory, &clients, &keys).await;
        let finished = match restored {
            Ok(()) => load.finish(end.end).await,
            Err(error) => Err(error),
        };
        match finished {
            Ok(head) => {
                let credentials = (clients.len() + keys.len()) as u64;
                Ok(Imported { counts: end.counts, credentials, head })
            }
            Err(error) => {
                take_back(directory, tenant, &clients, &keys).await;
                Err(error.into())
            }
        }
    }
}

/// What is wrong with the rest of a file that the store refused. Where it was damaged, that says more than what came of
/// it.
async fn fault(mut portions: Receiver<Result<Portion, TenantError>>) -> Option<TenantError> {
    while let Some(portion) = portions.recv().await {
        if let Err(error) = portion {
            return Some(error);
        }
    }
    None
}

/// Refuses credentials that another tenant has: putting them would take them away from it.
async fn free(directory: &dyn Directory, tenant: &Tenant, clients: &[Client], keys: &[Key]) -> Result<(), ImportError> {
    for client in clients {
        let found = directory.find_client(client.id).await?;
        if found.is_some_and(|found| found.tenant != tenant.id) {
            return Err(ImportError::Taken(Credential::Client(client.id)));
        }
    }
    for key in keys {
        let found = [directory.find_key(key.id).await?, directory.find_key_by_hash(key.hash).await?];
        if found.into_iter().flatten().any(|found| found.tenant != tenant.id) {
            return Err(ImportError::Taken(Credential::Key(key.id)));
        }
    }
    Ok(())
}

async fn restore(directory: &dyn Directory, clients: &[Client], keys: &[Key]) -> Result<(), StoreError> {
    for client in clients {
        directory.put_client(client.clone(), ACTOR).await?;
    }
    for key in keys {
        directory.put_key(key.clone(), ACTOR).await?;
    }
    Ok(())
}

async fn take_back(directory: &dyn Directory, tenant: &Tenant, clients: &[Client], keys: &[Key]) {
    for client in clients {
        if let Err(error) = directory.remove_client(tenant.id, client.id, ACTOR).await {
            tracing::error!(%error, client = %client.id, "a client of a failed import was not taken back");
        }
    }
    for key in keys {
        if let Err(error) = directory.remove_key(tenant.id, key.id, ACTOR).await {
            tracing::error!(%error, key = %key.id, "a key of a failed import was not taken back");
        }
    }
}
