//! Stand-ins of the catalog and of the credentials: there is nothing but one key.

use async_trait::async_trait;
use domain::{Digest, Factor, FactorId, Name, ProductId, SyncId, Timestamp};
use ports::directory::Key;
use ports::inbound::{
    ClientView, CredentialDraft, Done, DraftedNode, Error, FactorDraft, Found, KeyView, NewClient, NewFactor, NewKey,
    NodeDraft, NodeView, Once, ProductDraft, ProductSearch, ProductView,
};
use ports::repeat::KeyedRequest;
use ports::repo::{Listing, Page};
use ports::{Caller, ClientId, KeyId, Permission, Permissions, Stored, TenantId, Version};

use super::Rest;

/// The key that exists.
pub(crate) const KEY: &str = "0193d3c5-0000-7000-8000-000000000003";

pub(crate) fn key() -> KeyView {
    let at = Timestamp::parse("2025-02-03T04:05:06.789Z").unwrap();
    let key = Key {
        id: KEY.parse().unwrap(),
        tenant: TenantId::new(uuid::Uuid::nil()),
        name: Name::parse("Gateway").unwrap(),
        permissions: Permissions::parse("activity:read").unwrap(),
        prefix: "tonne_abcd".to_owned(),
        hash: Digest::ZERO,
        created: at,
        updated: at,
        expires: None,
        last_used: None,
    };
    KeyView { key, version: Version(7) }
}

#[async_trait]
impl<T: DraftedNode> ports::inbound::Nodes<T> for Rest {
    async fn list_nodes(&self, _: &Caller, _: Option<SyncId>, _: Page) -> Result<Listing<NodeView<T>>, Error> {
        Err(Error::NotFound)
    }

    async fn get_node(&self, _: &Caller, _: T::Id) -> Result<NodeView<T>, Error> {
        Err(Error::NotFound)
    }

    async fn add_node_once(
        &self,
        _: &Caller,
        _: NodeDraft<T::Detail>,
        _: Option<Once<NodeView<T>>>,
    ) -> Result<Done<NodeView<T>>, Error> {
        Err(Error::NotFound)
    }

    async fn update_node(
        &self,
        _: &Caller,
        _: T::Id,
        _: Option<Version>,
        _: NodeDraft<T::Detail>,
    ) -> Result<NodeView<T>, Error> {
        Err(Error::NotFound)
    }

    async fn remove_node(&self, _: &Caller, _: T::Id, _: Option<Version>) -> Result<(), Error> {
        Err(Error::NotFound)
    }
}

#[async_trait]
impl ports::inbound::Catalog for Rest {
    async fn list_products(&self, _: &Caller, _: Option<SyncId>, _: Page) -> Result<Listing<ProductView>, Error> {
        Err(Error::NotFound)
    }

    async fn search_products(&self, _: &Caller, _: &ProductSearch) -> Result<Found<ProductView, ProductId>, Error> {
        Err(Error::NotFound)
    }

    async fn search_factors(
        &self,
        _: &Caller,
        _: &ports::inbound::FactorSearch,
    ) -> Result<Found<ports::inbound::ProductFactor, ports::inbound::FactorPlace>, Error> {
        Err(Error::NotFound)
    }

    async fn get_product(&self, _: &Caller, _: ProductId) -> Result<ProductView, Error> {
        Err(Error::NotFound)
    }

    async fn add_product_once(
        &self,
        _: &Caller,
        _: ProductDraft,
        _: Option<Once<ProductView>>,
    ) -> Result<Done<ProductView>, Error> {
        Err(Error::NotFound)
    }

    async fn update_product(
        &self,
        _: &Caller,
        _: ProductId,
        _: Option<Version>,
        _: ProductDraft,
    ) -> Result<ProductView, Error> {
        Err(Error::NotFound)
    }

    async fn remove_product(&self, _: &Caller, _: ProductId, _: Option<Version>) -> Result<(), Error> {
        Err(Error::NotFound)
    }

    async fn list_factors(&self, _: &Caller, _: ProductId, _: Page) -> Result<Listing<Stored<Factor>>, Error> {
        Err(Error::NotFound)
    }

    async fn get_factor(&self, _: &Caller, _: ProductId, _: FactorId) -> Result<Stored<Factor>, Error> {
        Err(Error::NotFound)
    }

    async fn add_factor_once(
        &self,
        _: &Caller,
        _: ProductId,
        _: FactorDraft,
        _: Option<Once<NewFactor>>,
    ) -> Result<Done<NewFactor>, Error> {
        Err(Error::NotFound)
    }

    async fn correct_factor_once(
        &self,
        _: &Caller,
        _: ProductId,
        _: FactorId,
        _: FactorDraft,
        _: Option<Once<Stored<Factor>>>,
    ) -> Result<Done<Stored<Factor>>, Error> {
        Err(Error::NotFound)
    }

    async fn remove_factor(&self, _: &Caller, _: ProductId, _: FactorId, _: Option<Version>) -> Result<(), Error> {
        Err(Error::NotFound)
    }
}

#[async_trait]
impl ports::inbound::Credentials for Rest {
    async fn list_clients(&self, _: &Caller, _: Page) -> Result<Listing<ClientView>, Error> {
        Err(Error::NotFound)
    }

    async fn get_client(&self, _: &Caller, _: ClientId) -> Result<ClientView, Error> {
        Err(Error::NotFound)
    }

    async fn add_client_once(
        &self,
        _: &Caller,
        _: CredentialDraft,
        _: Option<KeyedRequest>,
    ) -> Result<NewClient, Error> {
        Err(Error::NotFound)
    }

    async fn update_client(
        &self,
        _: &Caller,
        _: ClientId,
        _: Option<Version>,
        _: CredentialDraft,
    ) -> Result<ClientView, Error> {
        Err(Error::NotFound)
    }

    async fn rotate_client_once(
        &self,
        _: &Caller,
        _: ClientId,
        _: Option<Version>,
        _: Option<KeyedRequest>,
    ) -> Result<NewClient, Error> {
        Err(Error::NotFound)
    }

    async fn remove_client(&self, _: &Caller, _: ClientId, _: Option<Version>) -> Result<(), Error> {
        Err(Error::NotFound)
    }

    async fn list_keys(&self, _: &Caller, _: Page) -> Result<Listing<KeyView>, Error> {
        Err(Error::NotFound)
    }

    async fn get_key(&self, _: &Caller, _: KeyId) -> Result<KeyView, Error> {
        Err(Error::NotFound)
    }

    async fn add_key_once(&self, _: &Caller, _: CredentialDraft, _: Option<KeyedRequest>) -> Result<NewKey, Error> {
        Err(Error::NotFound)
    }

    async fn update_key(
        &self,
        caller: &Caller,
        id: KeyId,
        _: Option<Version>,
        draft: CredentialDraft,
    ) -> Result<KeyView, Error> {
        caller.check(Permission::Admin)?;
        draft.faults.into_result().map_err(Error::Invalid)?;
        let view = key();
        if view.key.id == id { Ok(view) } else { Err(Error::NotFound) }
    }

    async fn remove_key(&self, _: &Caller, _: KeyId, _: Option<Version>) -> Result<(), Error> {
        Err(Error::NotFound)
    }
}
