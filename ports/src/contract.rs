//! What every store and directory promises, as cases: one list, one named test each.
//!
//! A case is a `pub async fn` of a module below over `&dyn Store` or `&dyn Directory`; it fails by panicking. A crate
//! that has a store says once how to make a fresh one and gets the tests (it needs `tokio` with `macros` and `rt`, and
//! this crate's feature `contract`, among its dev-dependencies):
//!
//! ```ignore
//! // tests/it/contract.rs
//! struct OnDisk { store: SqliteStore, _dir: TempDir } // the harness keeps what must be dropped after the store
//!
//! #[async_trait]
//! impl ports::contract::StoreHarness for OnDisk {
//!     async fn open() -> Self { /* a new store, without a tenant */ }
//!     fn store(&self) -> &dyn Store { &self.store }
//! }
//!
//! ports::store_contract!(OnDisk); // and ports::directory_contract!(..) for a `DirectoryHarness`
//! ```
//!
//! Beside the traits' docs the cases hold to this:
//! - A record's digest, and the canonical text of a replaced one, are those of the [`Stored`](domain::Stored) record.
//! - Each write is an item of its change, in order, also when a record is written twice. The inputs that go with a model
//!   stand before it, in their order.
//! - A transaction of a tenant that was not prepared fails with [`StoreError::Failed`](crate::store::StoreError::Failed).
//! - A footprint added with a number keeps it, and numbers given later are above it.

#![expect(
    clippy::expect_used,
    clippy::missing_panics_doc,
    missing_docs,
    reason = "cases fail by panicking, and their names say what they check"
)]

use async_trait::async_trait;

use crate::directory::Directory;
use crate::store::Store;

pub mod conflict;
pub mod record;
pub mod sample;
pub mod tenant;
pub mod transaction;

/// A store of its own for one case, with all that has to be dropped after it.
#[async_trait]
pub trait StoreHarness {
    /// A new store without a tenant.
    async fn open() -> Self;

    /// The store.
    fn store(&self) -> &dyn Store;
}

/// A directory of its own for one case, with all that has to be dropped after it.
#[async_trait]
pub trait DirectoryHarness {
    /// A new directory without a tenant.
    async fn open() -> Self;

    /// The directory.
    fn directory(&self) -> &dyn Directory;
}

/// Makes a test of every case for a [`StoreHarness`].
#[macro_export]
macro_rules! store_contract {
    ($harness:ty) => {
        $crate::contract_tests! { $harness, StoreHarness, store;
            record {
                a_record_of_each_kind_is_found_as_it_was_added
                a_filled_record_of_each_kind_comes_back_exactly
                an_unknown_id_is_nothing
                find_all_gives_each_existing_record_once
                a_sync_id_finds_its_record_of_that_kind_only
                created_and_updated_are_the_intents_time
                the_version_is_the_transactions_number
                an_update_keeps_created_and_raises_version_and_updated
                an_update_replaces_every_field
                an_update_of_an_old_version_is_stale_and_changes_nothing
                an_update_of_a_missing_record_is_stale
                a_removed_record_is_gone
                a_removal_of_an_old_version_is_stale_and_changes_nothing
                a_removal_of_a_missing_record_is_stale
                a_removed_records_id_and_sync_id_are_free_again
            }
            transaction {
                a_prepared_tenant_is_empty
                preparing_again_changes_nothing
                a_tenant_that_was_not_prepared_fails
                a_write_transaction_reads_what_it_wrote
                a_snapshot_does_not_see_later_commits
                nothing_is_seen_before_the_commit
                a_dropped_transaction_leaves_nothing
                a_dropped_transactions_number_is_given_again
                a_commit_of_nothing_changes_nothing
                a_transaction_goes_on_after_a_conflict
                numbers_have_no_gaps
                the_catalogue_number_moves_with_nodes_and_products_alone
                writers_at_the_same_time_lose_nothing
                tenants_are_apart
            }
            conflict {
                an_id_that_is_taken_is_refused_for_each_kind
                a_sync_id_that_is_taken_names_its_holder
                an_update_to_a_taken_sync_id_names_its_holder
                a_record_may_keep_its_own_sync_id_and_slug
                kinds_and_trees_have_sync_ids_of_their_own
                a_slug_is_refused_among_siblings_only
                roots_are_siblings_of_each_other
                an_activity_needs_what_it_refers_to
                a_node_needs_its_parent
                a_factor_an_input_and_a_switch_need_what_they_refer_to
                an_update_needs_what_it_refers_to
                a_refused_write_leaves_nothing
                a_node_in_use_is_kept_and_says_by_what
                a_product_in_use_is_kept_and_says_by_what
                a_factor_in_use_is_kept_and_says_by_what
                a_model_in_use_by_a_switch_is_kept
                what_is_referred_to_no_more_can_be_removed
            }
        }
    };
}

/// Makes a test of every case for a [`DirectoryHarness`].
#[macro_export]
macro_rules! directory_contract {
    ($harness:ty) => {
        $crate::contract_tests! { $harness, DirectoryHarness, directory;
        }
    };
}

/// One test for each case.
#[doc(hidden)]
#[macro_export]
macro_rules! contract_tests {
    ($harness:ty, $kind:ident, $what:ident; $($area:ident { $($case:ident)* })*) => {$($(
        #[::tokio::test]
        async fn $case() {
            let harness = <$harness as $crate::contract::$kind>::open().await;
            $crate::contract::$area::$case($crate::contract::$kind::$what(&harness)).await;
        }
    )*)*};
}
