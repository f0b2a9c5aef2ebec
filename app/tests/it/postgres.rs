//! What holds where PostgreSQL is behind the service.

mod isolation;
mod load;
mod node;
mod relay;
mod restart;
mod server;
mod silence;
mod wire;
