//! Filling an empty tenant from a file: all of it or nothing.

use std::fmt;

use files::{TenantCounts, TenantEnd, TenantError};
use ports::credential::PasswordHash;
use ports::directory::{Client, Directory, Key};
use ports::load::Load;
use ports::people::{People, User};
use ports::store::{Conflict, Store, StoreError};
use ports::{ChainHead, ClientId, Grant, KeyId, Maintenance, UserId};
use tokio::sync::mpsc::Receiver;

use super::source::{CarriedCredentials, History, Incoming, Portion};
use super::{Credentials, WithPeople};

/// What a finished import has loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Imported {
    /// How much of what the file holds.
    pub counts: TenantCounts,
    /// How many clients, keys and users were restored.
    pub credentials: u64,
    /// The tenant's head now.
    pub head: ChainHead,
}

/// Why a tenant was not imported. Nothing of it was stored.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// The file is refused; completes "`<file>` ...".
    #[error(transparent)]
    File(#[from] TenantError),
    /// The file was exported without credentials.
    #[error("holds no credentials: export it --with-credentials, or leave that out here")]
    NoCredentials,
    /// A client, key or user of the file belongs to another tenant already.
    #[error("holds the {0}, which belongs to another company here: import it without --with-credentials")]
    Taken(Credential),
    /// The tenant has a client, key or user of the file already, and not as it is there.
    #[error(
        "holds the {0}, which the company here has with other content: import it without --with-credentials, or remove \
         what is here first"
    )]
    Differs(Credential),
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

/// A client, a key or a user, by its identifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Credential {
    /// A client with that id.
    Client(ClientId),
    /// A key with that id.
    Key(KeyId),
    /// A user with that id.
    User(UserId),
}

impl fmt::Display for Credential {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Client(id) => write!(f, "client {id}"),
            Self::Key(id) => write!(f, "key {id}"),
            Self::User(id) => write!(f, "user {id}"),
        }
    }
}

impl From<StoreError> for ImportError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Conflict(Conflict::NotEmpty) => Self::NotEmpty,
            StoreError::Conflict(conflict) => Self::Refused(conflict),
            StoreError::Stale
            | StoreError::Corrupt { .. }
            | StoreError::Busy(_)
            | StoreError::Unknown(_)
            | StoreError::Failed(_) => Self::Store(error),
        }
    }
}

/// A file that was read to its end and fits together, its records in a transaction that is still open.
struct Received {
    load: Box<dyn Load>,
    end: TenantEnd,
    credentials: CarriedCredentials,
}

/// Fills the tenant that the grant is for, which the directory knows and which is empty, with what comes in. The chain of
/// the directory names the grant's actor as who restored the credentials.
pub async fn import(
    store: &dyn Store,
    to: WithPeople<'_>,
    grant: &Grant<Maintenance>,
    credentials: Credentials,
    incoming: Incoming,
) -> Result<Imported, ImportError> {
    if credentials != Credentials::LeftOut && !incoming.header().credentials {
        return Err(ImportError::NoCredentials);
    }
    let mut received = Received::read(store, grant, incoming).await?;
    received.credentials = match credentials {
        Credentials::Carried => received.credentials,
        Credentials::UsersAlone => received.credentials.users_alone(),
        Credentials::LeftOut => CarriedCredentials::default(),
    };
    received.keep(to, grant).await
}

impl Received {
    async fn read(store: &dyn Store, grant: &Grant<Maintenance>, incoming: Incoming) -> Result<Self, ImportError> {
        let mut load = store.load(grant).await?;
        let mut portions = incoming.portions();
        while let Some(portion) = portions.recv().await {
            let loaded = match portion? {
                Portion::Series(series) => load.series(series).await,
                Portion::Records(records) => load.records(records).await,
                Portion::History(history) => load_history(&mut *load, history).await,
                Portion::End(end, mut credentials) => {
                    for client in &mut credentials.clients {
                        client.tenant = grant.tenant();
                    }
                    for key in &mut credentials.keys {
                        key.tenant = grant.tenant();
                    }
                    for (user, _) in &mut credentials.users {
                        user.tenant = grant.tenant();
                    }
                    return Ok(Self { load, end: *end, credentials });
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
    async fn keep(self, to: WithPeople<'_>, grant: &Grant<Maintenance>) -> Result<Imported, ImportError> {
        let Self { load, end, credentials: CarriedCredentials { clients, keys, users } } = self;
        let credentials = (clients.len() + keys.len() + users.len()) as u64;
        let mut restored = Vec::new();
        let back = async {
            restore(to.directory, grant, clients, keys, &mut restored).await?;
            restore_users(to.people, grant, users, &mut restored).await
        };
        let finished = match back.await {
            Ok(()) => load.finish(end.end).await.map_err(ImportError::from),
            Err(error) => Err(error),
        };
        match finished {
            Ok(head) => Ok(Imported { counts: end.counts, credentials, head }),
            Err(error) => {
                take_back(to, grant, &restored).await;
                Err(error)
            }
        }
    }
}

async fn load_history(load: &mut dyn Load, history: History) -> Result<(), StoreError> {
    let History { changes, items, postings, lines, imports } = history;
    load.changes(changes).await?;
    load.items(items).await?;
    load.postings(postings).await?;
    load.lines(lines).await?;
    load.imports(imports).await
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

/// Adds the credentials that are not here yet, and notes each that it added. Those that are here as they are in the
/// file, of an import that was broken off, stay as they are.
async fn restore(
    directory: &dyn Directory,
    grant: &Grant<Maintenance>,
    clients: Vec<Client>,
    keys: Vec<Key>,
    restored: &mut Vec<Credential>,
) -> Result<(), ImportError> {
    let (read, write) = (grant.to_read_credentials(), grant.to_write_credentials());
    for client in clients {
        let credential = Credential::Client(client.id);
        match directory.find_client(&read, client.id).await?.map(|here| here.value) {
            Some(here) if client == (Client { last_used: None, ..here.clone() }) => {}
            Some(_) => return Err(ImportError::Differs(credential)),
            None => {
                directory.add_client(&write, client).await.map_err(|error| taken(error, credential))?;
                restored.push(credential);
            }
        }
    }
    for key in keys {
        let credential = Credential::Key(key.id);
        if directory.find_key_by_hash(key.hash).await?.is_some_and(|found| found.tenant != grant.tenant()) {
            return Err(ImportError::Taken(credential));
        }
        match directory.find_key(&read, key.id).await?.map(|here| here.value) {
            Some(here) if key == (Key { last_used: None, ..here.clone() }) => {}
            Some(_) => return Err(ImportError::Differs(credential)),
            None => {
                directory.add_key(&write, key).await.map_err(|error| taken(error, credential))?;
                restored.push(credential);
            }
        }
    }
    Ok(())
}

/// The same of users, each with its password.
async fn restore_users(
    people: &dyn People,
    grant: &Grant<Maintenance>,
    users: Vec<(User, Option<PasswordHash>)>,
    restored: &mut Vec<Credential>,
) -> Result<(), ImportError> {
    let (read, write) = (grant.to_read_credentials(), grant.to_write_credentials());
    for (user, password) in users {
        let credential = Credential::User(user.id);
        match people.find_user(&read, user.id).await?.map(|here| here.value) {
            Some(here) if user == (User { last_seen: None, ..here.clone() }) => {}
            Some(_) => return Err(ImportError::Differs(credential)),
            None => {
                people.add_user(&write, user, password).await.map_err(|error| taken(error, credential))?;
                restored.push(credential);
            }
        }
    }
    Ok(())
}

/// A credential that cannot be added because its identifier is taken is another tenant's: this one does not have it.
fn taken(error: StoreError, credential: Credential) -> ImportError {
    match error {
        StoreError::Conflict(Conflict::Exists(_)) => ImportError::Taken(credential),
        StoreError::Conflict(_)
        | StoreError::Stale
        | StoreError::Corrupt { .. }
        | StoreError::Busy(_)
        | StoreError::Unknown(_)
        | StoreError::Failed(_) => error.into(),
    }
}

async fn take_back(to: WithPeople<'_>, maintenance: &Grant<Maintenance>, restored: &[Credential]) {
    let grant = maintenance.to_write_credentials();
    for credential in restored {
        let removed = match *credential {
            Credential::Client(id) => to.directory.remove_client(&grant, id, None).await,
            Credential::Key(id) => to.directory.remove_key(&grant, id, None).await,
            Credential::User(id) => to.people.take_back_user(maintenance, id).await,
        };
        if let Err(error) = removed {
            tracing::error!(%error, %credential, "a credential of a failed import was not taken back");
        }
    }
}
