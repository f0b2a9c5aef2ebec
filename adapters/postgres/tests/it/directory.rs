//! The directory: what every directory promises, what nodes do to each other, and what is changed in it by hand.

mod kept;
mod nodes;

use async_trait::async_trait;
use ports::contract::sample;
use ports::directory::{Client, Directory};
use ports::store::StoreError;
use ports::{Grant, Installation, Maintenance, Read, TenantCredentials, Write};
use tonne_postgres::PostgresDirectory;

use crate::database_users::DatabaseWithUsers;
use crate::harness::Fresh;

/// The grant that the credentials of a tenant are read by.
fn reading(tenant: u64) -> Grant<Read, TenantCredentials> {
    crate::harness::grant(tenant).to_read_credentials()
}

/// The grant that the credentials of a tenant are written by.
fn writing(tenant: u64) -> Grant<Write, TenantCredentials> {
    crate::harness::grant(tenant).to_write_credentials()
}

/// The grant of the installation.
fn installation() -> Grant<Maintenance, Installation> {
    Grant::for_maintenance(Installation, "test")
}

struct OneNode {
    directory: PostgresDirectory,
    _fresh: Fresh,
}

#[async_trait]
impl ports::contract::DirectoryHarness for OneNode {
    async fn open() -> Self {
        let fresh = Fresh::migrated().await;
        Self { directory: PostgresDirectory::new(fresh.database().await), _fresh: fresh }
    }

    fn directory(&self) -> &dyn Directory {
        &self.directory
    }
}

#[async_trait]
impl ports::contract::FactorSetsHarness for OneNode {
    async fn open() -> Self {
        <Self as ports::contract::DirectoryHarness>::open().await
    }

    fn sets(&self) -> ports::contract::factor_sets::Sets<'_> {
        ports::contract::factor_sets::Sets { sets: &self.directory, directory: &self.directory }
    }
}

struct TwoNodes {
    nodes: [PostgresDirectory; 2],
    _fresh: Fresh,
}

#[async_trait]
impl ports::contract::DirectoriesHarness for TwoNodes {
    async fn open() -> Self {
        let fresh = Fresh::migrated().await;
        let nodes = [fresh.database().await, fresh.database().await].map(PostgresDirectory::new);
        Self { nodes, _fresh: fresh }
    }

    fn directories(&self) -> [&dyn Directory; 2] {
        [&self.nodes[0], &self.nodes[1]]
    }
}

#[async_trait]
impl ports::contract::PeopleHarness for TwoNodes {
    async fn open() -> Self {
        <Self as ports::contract::DirectoriesHarness>::open().await
    }

    fn people(&self) -> [ports::contract::people::Node<'_>; 2] {
        let [one, other] = &self.nodes;
        [one, other].map(|directory| ports::contract::people::Node { people: directory, directory })
    }
}

ports::people_contract!(TwoNodes);
ports::directory_contract!(OneNode);
ports::factor_sets_contract!(OneNode);
ports::directories_contract!(TwoNodes);

/// Two nodes on a directory with one tenant.
async fn two_nodes() -> ([PostgresDirectory; 2], DatabaseWithUsers) {
    let fresh = Fresh::migrated().await;
    let nodes = [fresh.database().await, fresh.database().await].map(PostgresDirectory::new);
    nodes[0].add_tenant(&installation(), sample::tenant(1, "main")).await.unwrap();
    (nodes, DatabaseWithUsers::of(fresh))
}

async fn findings(node: &PostgresDirectory) -> Vec<ports::store::Finding> {
    node.verify(&installation()).await.unwrap().findings
}

/// Changes a client as often as it takes to meet nobody's change.
async fn change_client(node: &PostgresDirectory, client: Client) {
    loop {
        let seen = node.find_client(&reading(1), client.id).await.unwrap().unwrap().version;
        match node.update_client(&writing(1), client.clone(), seen).await {
            Err(StoreError::Stale) => {}
            done => {
                done.unwrap();
                return;
            }
        }
    }
}
