//! The readers and writers of a transaction by the type of record, and the macros by which stores declare them.

use domain::{
    Activity, ClosedPeriod, Exclusion, Factor, Footprint, Input, Model, Org, Partner, Product, Scope, Sharing, Switch,
    Taxonomy,
};

use super::{ReadTx, WriteTx};
use crate::Entity;
use crate::repo::{Reader, Writer};

/// A kind of record that transactions have a reader and a writer of.
pub trait HasRepository: Entity {
    /// The reader of this kind in a transaction.
    fn reader(tx: &mut dyn ReadTx) -> &mut dyn Reader<Self>;
    /// The writer of this kind in a transaction.
    fn writer(tx: &mut dyn WriteTx) -> &mut dyn Writer<Self>;
}

macro_rules! has_repository {
    ($($kind:ty, $reader:ident, $writer:ident;)*) => {$(
        impl HasRepository for $kind {
            fn reader(tx: &mut dyn ReadTx) -> &mut dyn Reader<Self> {
                tx.$reader()
            }

            fn writer(tx: &mut dyn WriteTx) -> &mut dyn Writer<Self> {
                tx.$writer()
            }
        }
    )*};
}

has_repository! {
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
    ClosedPeriod, closed_periods, closed_periods_mut;
    Exclusion, exclusions, exclusions_mut;
    Partner, partners, partners_mut;
    Sharing, sharings, sharings_mut;
}

/// The methods of an `impl ReadTx` that return readers: all but [`head`](super::ReadTx::head). The type implements every reader
/// itself, or names its field that is a transaction, whose readers are returned.
#[macro_export]
macro_rules! reader_accessors {
    ($($field:tt)?) => {
        $crate::accessors! { [$($field)?] activities: dyn $crate::repo::ActivityReader, }
        $crate::reader_accessors_but_activities! { $($field)? }
    };
}

/// The methods of [`reader_accessors`](crate::reader_accessors) without `activities`.
#[macro_export]
macro_rules! reader_accessors_but_activities {
    ($($field:tt)?) => {
        $crate::accessors! {
            [$($field)?]
            scopes: dyn $crate::repo::TreeReader<$crate::record_kind_types::Scope>,
            orgs: dyn $crate::repo::TreeReader<$crate::record_kind_types::Org>,
            taxonomies: dyn $crate::repo::TaxonomyReader,
            products: dyn $crate::repo::ProductReader,
            factors: dyn $crate::repo::FactorReader,
            models: dyn $crate::repo::Reader<$crate::record_kind_types::Model>,
            inputs: dyn $crate::repo::Reader<$crate::record_kind_types::Input>,
            switches: dyn $crate::repo::Reader<$crate::record_kind_types::Switch>,
            footprints: dyn $crate::repo::FootprintReader,
            closed_periods: dyn $crate::repo::PeriodReader,
            exclusions: dyn $crate::repo::Reader<$crate::record_kind_types::Exclusion>,
            partners: dyn $crate::repo::PartnerReader,
            sharings: dyn $crate::repo::SharingReader,
            ledger: dyn $crate::repo::LedgerReader,
            answers: dyn $crate::repo::AnswerReader,
            imports: dyn $crate::repo::ImportReader,
            exchange: dyn $crate::repo::ExchangeReader,
        }
    };
}

/// The methods of an `impl WriteTx` that return writers. The type implements every writer itself, or names its field that is a
/// transaction, whose writers are returned.
#[macro_export]
macro_rules! writer_accessors {
    ($($field:tt)?) => {
        $crate::accessors! {
            [$($field)?]
            activities_mut: dyn $crate::repo::ActivityWriter,
            scopes_mut: dyn $crate::repo::Writer<$crate::record_kind_types::Scope>,
            orgs_mut: dyn $crate::repo::Writer<$crate::record_kind_types::Org>,
            taxonomies_mut: dyn $crate::repo::Writer<$crate::record_kind_types::Taxonomy>,
            products_mut: dyn $crate::repo::Writer<$crate::record_kind_types::Product>,
            factors_mut: dyn $crate::repo::Writer<$crate::record_kind_types::Factor>,
            models_mut: dyn $crate::repo::Writer<$crate::record_kind_types::Model>,
            inputs_mut: dyn $crate::repo::Writer<$crate::record_kind_types::Input>,
            switches_mut: dyn $crate::repo::Writer<$crate::record_kind_types::Switch>,
            footprints_mut: dyn $crate::repo::Writer<$crate::record_kind_types::Footprint>,
            closed_periods_mut: dyn $crate::repo::Writer<$crate::record_kind_types::ClosedPeriod>,
            exclusions_mut: dyn $crate::repo::Writer<$crate::record_kind_types::Exclusion>,
            partners_mut: dyn $crate::repo::Writer<$crate::record_kind_types::Partner>,
            sharings_mut: dyn $crate::repo::Writer<$crate::record_kind_types::Sharing>,
            ledger_mut: dyn $crate::repo::LedgerWriter,
            answers_mut: dyn $crate::repo::AnswerWriter,
            imports_mut: dyn $crate::repo::ImportWriter,
            exchange_mut: dyn $crate::repo::ExchangeWriter,
        }
    };
}

/// Methods that return the value itself, or what the method of that name of a field returns.
#[doc(hidden)]
#[macro_export]
macro_rules! accessors {
    ([] $($name:ident: $repository:ty,)*) => {$(
        fn $name(&mut self) -> &mut $repository {
            self
        }
    )*};
    ([$field:tt] $($name:ident: $repository:ty,)*) => {$(
        fn $name(&mut self) -> &mut $repository {
            self.$field.$name()
        }
    )*};
}
