//! Identifiers, each of a type of its own. The domain never makes one up.

use uuid::Uuid;

/// Why a text is not an identifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a UUID of the form xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx")]
pub struct IdError;

/// Reads the hyphenated 36-character form of a UUID, in any case; no other form.
pub fn parse_uuid(text: &str) -> Result<Uuid, IdError> {
    if text.len() == 36 { Uuid::try_parse(text).map_err(|_| IdError) } else { Err(IdError) }
}

/// Makes types of identifiers, each around a UUID. The types do not convert into each other.
#[macro_export]
macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name($crate::uuid::Uuid);

        impl $name {
            /// The identifier of that UUID.
            #[must_use]
            pub const fn new(uuid: $crate::uuid::Uuid) -> Self {
                Self(uuid)
            }

            /// The UUID itself, for stores and interfaces.
            #[must_use]
            pub const fn uuid(self) -> $crate::uuid::Uuid {
                self.0
            }
        }

        impl From<$crate::uuid::Uuid> for $name {
            fn from(uuid: $crate::uuid::Uuid) -> Self {
                Self(uuid)
            }
        }

        impl From<$name> for $crate::uuid::Uuid {
            fn from(id: $name) -> Self {
                id.0
            }
        }

        impl ::std::str::FromStr for $name {
            type Err = $crate::IdError;
            fn from_str(text: &str) -> Result<Self, $crate::IdError> {
                $crate::parse_uuid(text).map(Self)
            }
        }

        impl ::std::fmt::Display for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                self.0.as_hyphenated().fmt(f)
            }
        }
    )*};
}

ids! {
    /// Identifies a node of the scope tree.
    ScopeId;
    /// Identifies a node of the org tree.
    OrgId;
    /// Identifies a node of the taxonomy tree.
    TaxonomyId;
    /// Identifies one activity of a tenant. Version 7, so it sorts by creation.
    ActivityId;
    /// Identifies a product within a tenant.
    ProductId;
    /// Identifies a factor of a product.
    FactorId;
    /// Identifies a model within a tenant.
    ModelId;
    /// Identifies an input of a model.
    InputId;
    /// Identifies a block of a model.
    BlockId;
    /// Identifies a switch within a tenant.
    SwitchId;
    /// Identifies a footprint towards PACT partners. Version 4, as PACT asks.
    FootprintId;
    /// Identifies a closed period of a tenant.
    ClosedPeriodId;
    /// Identifies an exclusion of a tenant.
    ExclusionId;
    /// Identifies a partner of a tenant.
    PartnerId;
}
