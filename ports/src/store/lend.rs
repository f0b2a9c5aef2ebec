//! Where each kind of record is lent in a transaction: by its type, and once for all stores.

use domain::{Activity, Factor, Footprint, Input, Model, Org, Product, Scope, Switch, Taxonomy};

use super::{ReadTx, WriteTx};
use crate::Entity;
use crate::repo::{Reader, Writer};

/// A kind of record that transactions lend a reader and a writer of.
pub trait Lent: Entity {
    /// Its reader.
    fn reader(tx: &mut dyn ReadTx) -> &mut dyn Reader<Self>;
    /// Its writer.
    fn writer(tx: &mut dyn WriteTx) -> &mut dyn Writer<Self>;
}

macro_rules! lent {
    ($($kind:ty, $reader:ident, $writer:ident;)*) => {$(
        impl Lent for $kind {
            fn reader(tx: &mut dyn ReadTx) -> &mut dyn Reader<Self> {
                tx.$reader()
            }

            fn writer(tx: &mut dyn WriteTx) -> &mut dyn Writer<Self> {
                tx.$writer()
            }
        }
    )*};
}

lent! {
    Activity, activities, activities_mut;
    Scope, scopes, scopes_mut;
    Org, orgs, orgs_mut;
    Taxonomy, taxonomies, taxonomies_mut;
    Product, products, products_mut;
    Factor, factors, factors_mut;
    Model, models, models_mut;
    Input, inputs, inputs_mut;
    Switch, switches, switches_mut;
    Footprint, footprints, footprints_mut;
}

/// The lending methods of an `impl ReadTx` whose type implements every reader itself: all but
/// [`head`](super::ReadTx::head).
#[macro_export]
macro_rules! lend_readers {
    () => {
        $crate::lend! {
            activities: dyn $crate::repo::ActivityReader,
            scopes: dyn $crate::repo::TreeReader<$crate::lent_kind::Scope>,
            orgs: dyn $crate::repo::TreeReader<$crate::lent_kind::Org>,
            taxonomies: dyn $crate::repo::TaxonomyReader,
            products: dyn $crate::repo::ProductReader,
            factors: dyn $crate::repo::FactorReader,
            models: dyn $crate::repo::Reader<$crate::lent_kind::Model>,
            inputs: dyn $crate::repo::Reader<$crate::lent_kind::Input>,
            switches: dyn $crate::repo::Reader<$crate::lent_kind::Switch>,
            footprints: dyn $crate::repo::FootprintReader,
            ledger: dyn $crate::repo::LedgerReader,
        }
    };
}

/// The lending methods of an `impl WriteTx` whose type implements every writer itself.
#[macro_export]
macro_rules! lend_writers {
    () => {
        $crate::lend! {
            activities_mut: dyn $crate::repo::ActivityWriter,
            scopes_mut: dyn $crate::repo::Writer<$crate::lent_kind::Scope>,
            orgs_mut: dyn $crate::repo::Writer<$crate::lent_kind::Org>,
            taxonomies_mut: dyn $crate::repo::Writer<$crate::lent_kind::Taxonomy>,
            products_mut: dyn $crate::repo::Writer<$crate::lent_kind::Product>,
            factors_mut: dyn $crate::repo::Writer<$crate::lent_kind::Factor>,
            models_mut: dyn $crate::repo::Writer<$crate::lent_kind::Model>,
            inputs_mut: dyn $crate::repo::Writer<$crate::lent_kind::Input>,
            switches_mut: dyn $crate::repo::Writer<$crate::lent_kind::Switch>,
            footprints_mut: dyn $crate::repo::Writer<$crate::lent_kind::Footprint>,
        }
    };
}

/// Methods that lend the value itself.
#[doc(hidden)]
#[macro_export]
macro_rules! lend {
    ($($name:ident: $lent:ty,)*) => {$(
        fn $name(&mut self) -> &mut $lent {
            self
        }
    )*};
}
