//! A record of any kind.

use domain::{
    Activity, ClosedPeriod, Exclusion, Factor, Footprint, Input, Model, Org, Partner, Product, Scope, Sharing, Switch,
    Taxonomy,
};
use uuid::Uuid;

use crate::entity::{Entity as _, Refers};
use crate::record::{RecordKind, Stored, Version};

macro_rules! any_record {
    ($($(#[$doc:meta])* $kind:ident)*) => {
        /// A record of any kind.
        #[expect(clippy::large_enum_variant, reason = "most are activities, which are the largest")]
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub enum AnyRecord {
            $($(#[$doc])* $kind(Stored<$kind>),)*
        }

        impl AnyRecord {
            /// What the record is.
            #[must_use]
            pub const fn kind(&self) -> RecordKind {
                match self {
                    $(Self::$kind(_) => RecordKind::$kind,)*
                }
            }

            /// The identifier, unique within the kind.
            #[must_use]
            pub fn id(&self) -> Uuid {
                match self {
                    $(Self::$kind(record) => record.value.id().into(),)*
                }
            }

            /// The change that last wrote the record.
            #[must_use]
            pub const fn version(&self) -> Version {
                match self {
                    $(Self::$kind(record) => record.version,)*
                }
            }

            /// The records that it refers to.
            #[must_use]
            pub fn references(&self) -> Vec<Refers> {
                match self {
                    $(Self::$kind(record) => record.value.references(),)*
                }
            }
        }

        $(impl From<Stored<$kind>> for AnyRecord {
            fn from(record: Stored<$kind>) -> Self {
                Self::$kind(record)
            }
        })*
    };
}

any_record! {
    /// A node of the scope tree.
    Scope
    /// A node of the org tree.
    Org
    /// A node of the taxonomy tree.
    Taxonomy
    /// A product, without its factors.
    Product
    /// A factor of a product.
    Factor
    /// A model, without its inputs.
    Model
    /// An input of a model.
    Input
    /// A switch with its sources.
    Switch
    /// A footprint with its number.
    Footprint
    /// A closed period with its frozen report.
    ClosedPeriod
    /// An exclusion with its reason.
    Exclusion
    /// A partner, without its secret.
    Partner
    /// With whom a footprint is shared.
    Sharing
    /// An activity with its calculation.
    Activity
}
