//! The key, the client and the link that the lines of the demo call with: those of this start alone.

use anyhow::Result;
use domain::{Faults, Name};
use ports::inbound::{CredentialDraft, Credentials, Error, Field, UserDraft, Users};
use ports::people::{Rights, Role, SignInName};
use ports::repo::Page;
use ports::{Caller, ClientId, KeyId, Permissions, UserId};

use crate::demo::CREDENTIAL;

/// What the key may do: all there is to try.
const KEY_PERMISSIONS: &str = "admin";

/// What the client may do.
const CLIENT_PERMISSIONS: &str = "activity:read switch:read model:read footprint:read catalog:read";

/// The most records of a page.
const PAGE: u32 = 1_000;

/// The user whom the printed link signs in.
const USER: &str = "demo";

/// What the printed lines call with.
pub(super) struct Access {
    pub(super) key: String,
    pub(super) client_id: String,
    pub(super) client_secret: String,
    /// What stands behind `/login/once/` in the link.
    pub(super) link: String,
}

impl Access {
    /// A key that may do everything and a client that may read, in the place of those of earlier starts. A key is kept as its
    /// hash alone, so an earlier one cannot be printed again; it is revoked, so that there is one key for one printed line.
    pub(super) async fn renewed(credentials: &dyn Credentials, users: &dyn Users, caller: &Caller) -> Result<Self> {
        for key in keys(credentials, caller).await? {
            credentials.remove_key(caller, key, None).await?;
        }
        for client in clients(credentials, caller).await? {
            credentials.remove_client(caller, client, None).await?;
        }
        let key = credentials.add_key(caller, draft(KEY_PERMISSIONS)?).await?;
        let client = credentials.add_client(caller, draft(CLIENT_PERMISSIONS)?).await?;
        let link = users.make_link(caller, user(users, caller).await?).await?.text.0;
        let client_id = client.view.client.id.to_string();
        Ok(Self { key: key.secret.0, client_id, client_secret: client.secret.0, link })
    }
}

/// The user of the demo, who is added at its first start.
async fn user(users: &dyn Users, caller: &Caller) -> Result<UserId> {
    let name = SignInName::parse(USER)?;
    match users.find_user(caller, &name).await {
        Ok(found) => Ok(found.user.id),
        Err(Error::NotFound) => {
            let (name, rights) = (Field::Given(name), Field::Given(Rights::Role(Role::Admin)));
            let display = Field::Given(Name::parse(CREDENTIAL)?);
            Ok(users.add_user(caller, UserDraft { name, display, rights, ..UserDraft::default() }).await?.user.id)
        }
        Err(error) => Err(error.into()),
    }
}

/// The keys of earlier starts.
async fn keys(credentials: &dyn Credentials, caller: &Caller) -> Result<Vec<KeyId>, Error> {
    let (mut found, mut number) = (Vec::new(), 1);
    loop {
        let data = credentials.list_keys(caller, Page { number, size: PAGE }).await?.data;
        if data.is_empty() {
            return Ok(found);
        }
        found.extend(data.into_iter().filter(|view| view.key.name.as_str() == CREDENTIAL).map(|view| view.key.id));
        number += 1;
    }
}

/// The clients of earlier starts.
async fn clients(credentials: &dyn Credentials, caller: &Caller) -> Result<Vec<ClientId>, Error> {
    let (mut found, mut number) = (Vec::new(), 1);
    loop {
        let data = credentials.list_clients(caller, Page { number, size: PAGE }).await?.data;
        if data.is_empty() {
            return Ok(found);
        }
        found
            .extend(data.into_iter().filter(|view| view.client.name.as_str() == CREDENTIAL).map(|view| view.client.id));
        number += 1;
    }
}

fn draft(permissions: &str) -> Result<CredentialDraft> {
    Ok(CredentialDraft {
        name: Field::Given(Name::parse(CREDENTIAL)?),
        permissions: Field::Given(Permissions::parse(permissions)?),
        expires: Field::Absent,
        faults: Faults::new(),
    })
}
