//! The standards whose scopes can be imported.

use anyhow::Result;
use clap::ValueEnum;
use ports::inbound::CatalogBundle;

/// A standard whose scopes can be imported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Standard {
    /// The GHG Protocol: scopes 1 to 3, the 15 categories of scope 3, and nodes for what is reported apart from them.
    GhgProtocol,
}

impl Standard {
    /// Its scopes, which stay as they are where they are there.
    pub(super) fn bundle(self) -> Result<CatalogBundle> {
        let Self::GhgProtocol = self;
        Ok(CatalogBundle::ghg_protocol()?)
    }
}
