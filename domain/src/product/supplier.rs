//! The supplier's footprint that a factor was made of.

use crate::amount::decimal::Decimal;
use crate::id::FootprintId;
use crate::text::{Name, Source};

/// The supplier's footprint that a factor was made of.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SupplierFootprint {
    /// The company that it is of, and that published it.
    pub company: Name,
    /// What it is called there.
    pub footprint: FootprintId,
    /// The base address of the host that it came from.
    pub host: Source,
    /// What the supplier calls the product: a URN.
    pub product: Source,
    primary_data_share: Option<Decimal>,
}

/// A share that is none: it must lie between 0 and 100 percent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the share of primary data must be between 0 and 100 percent")]
pub struct NoShare;

impl SupplierFootprint {
    /// The footprint of that name, with no share of primary data known.
    #[must_use]
    pub const fn new(company: Name, footprint: FootprintId, host: Source, product: Source) -> Self {
        Self { company, footprint, host, product, primary_data_share: None }
    }

    /// The same with a share of primary data, in percent of its emissions.
    pub fn with_primary_data_share(self, share: Option<Decimal>) -> Result<Self, NoShare> {
        let hundred = Decimal::from_integer(100);
        match share {
            Some(share) if share < Decimal::ZERO || share > hundred => Err(NoShare),
            share => Ok(Self { primary_data_share: share, ..self }),
        }
    }

    /// How much of its emissions is computed from primary data, in percent, 0 to 100; `None` where it does not say.
    #[must_use]
    pub const fn primary_data_share(&self) -> Option<Decimal> {
        self.primary_data_share
    }

    /// The same from another host.
    #[must_use]
    pub fn with_host(self, host: Source) -> Self {
        Self { host, ..self }
    }

    /// What stands as the source of its factor; `None` where that would be too long.
    #[must_use]
    pub fn source(&self) -> Option<Source> {
        let Self { company, footprint, host, .. } = self;
        Source::parse(&format!("{}, footprint {footprint} at {}", company.as_str(), host.as_str())).ok()
    }
}
