//! Names and connections: the two things that calls ask of the network.

use std::io;
use std::net::{IpAddr, SocketAddr};

use async_trait::async_trait;
use tokio::net::{TcpStream, lookup_host};

/// Where names lead and connections are made. What is behind it is asked once for each connection, and connected to by
/// the address that was judged.
#[async_trait]
pub trait Network: Send + Sync {
    /// Every address of a name.
    async fn resolve(&self, name: &str) -> io::Result<Vec<IpAddr>>;

    /// A connection to exactly that address.
    async fn connect(&self, address: SocketAddr) -> io::Result<TcpStream>;
}

/// The network of the system: its resolver and its sockets. A proxy that the environment names is not used.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemNetwork;

#[async_trait]
impl Network for SystemNetwork {
    async fn resolve(&self, name: &str) -> io::Result<Vec<IpAddr>> {
        Ok(lookup_host((name, 0)).await?.map(|address| address.ip()).collect())
    }

    async fn connect(&self, address: SocketAddr) -> io::Result<TcpStream> {
        TcpStream::connect(address).await
    }
}
