//! What every store and directory promises, as cases: one list, one named test each.
//!
//! A case is a `pub async fn` of a module below over `&dyn Store` or `&dyn Directory`; it fails by panicking. A crate
//! that has a store says once how to make a fresh one and gets the tests (it needs `tokio` with `macros` and `rt`, and
//! this crate's feature `contract`, among its dev-dependencies):
//!
//! ```text
//! // tests/it/contract.rs
//! struct OnDisk { store: SqliteStore, _dir: TempDir } // the harness keeps what must be dropped after the store
//!
//! #[async_trait]
//! impl ports::contract::StoreHarness for OnDisk {
//!     async fn open() -> Self { /* a new store, without a tenant */ }
//!     fn store(&self) -> &dyn Store { &self.store }
//! }
//!
//! ports::store_contract!(OnDisk); // and aging_contract! for an `AgingHarness`, busy_contract! for a `BusyHarness`, nodes_contract! for a `NodesHarness`, directory_contract! for a `DirectoryHarness`,
//!                                 // directories_contract! for a `DirectoriesHarness`, factor_sets_contract! for a `FactorSetsHarness`, people_contract! for a `PeopleHarness`, spool_contract! for a `SpoolHarness`
//! ```
//!
//! Beside the traits' docs the cases hold to this:
//! - A record's digest, and the canonical text of a replaced one, are those of the [`Stored`](crate::Stored) record.
//! - Each write is an item of its change, in order, also when a record is written twice. The inputs that go with a model
//!   are before it, in their order.
//! - A transaction of a tenant that was not prepared fails with [`StoreError::Failed`](crate::store::StoreError::Failed).
//! - A footprint added with a number keeps it, and numbers given later are above it.

#![expect(
    clippy::expect_used,
    clippy::missing_panics_doc,
    missing_docs,
    reason = "cases fail by panicking, and their names say what they check"
)]

pub mod age;
pub mod answer;
pub mod batch;
pub mod busy;
pub mod cell;
pub mod change;
pub mod checkpoint;
pub mod choice;
pub mod closed_period;
pub mod conflict;
pub mod credential;
pub mod directory;
mod directory_list;
pub mod exact;
pub mod exclusion;
pub mod factor_sets;
pub mod footprint;
mod harness;
pub mod history;
pub mod import_batch;
pub mod later;
pub mod law;
pub mod list;
pub mod load;
pub mod market;
pub mod node;
pub mod once_link;
pub mod origin;
pub mod page;
pub mod partner;
pub mod people;
pub mod range;
pub mod read;
pub mod record;
pub mod reference;
pub mod remove;
pub mod sample;
pub mod session;
pub mod shown_once;
pub mod spool;
pub mod tenant;
pub mod token;
pub mod transaction;
pub mod two_directories;
pub mod verify;
pub mod with_head;

pub use harness::{
    Aging, AgingHarness, BusyHarness, ByGivenTime, DirectoriesHarness, DirectoryHarness, FactorSetsHarness,
    NodesHarness, PeopleHarness, SpoolHarness, StoreHarness,
};

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
            closed_period {
                a_closed_period_comes_back_with_its_report_byte_for_byte
                a_period_that_is_opened_again_keeps_its_frozen_report
                closing_a_period_counts_as_a_change_of_the_catalog
                an_org_that_a_period_is_closed_for_is_in_use
                what_is_closed_is_read_without_reports_until_it_is_opened_again
            }
            exclusion {
                an_exclusion_comes_back_as_it_was_written
                an_exclusion_is_changed_and_removed_by_the_version_seen
                an_exclusion_is_no_change_of_the_catalog
                a_scope_and_an_org_that_an_exclusion_names_are_in_use
            }
            partner {
                a_partner_and_a_sharing_come_back_as_they_were_written
                a_partner_is_found_by_each_client_that_it_names_now
                sharings_are_found_by_the_partners_that_they_name
                a_partners_list_has_what_is_shared_with_it_or_with_all_in_the_order_of_lists
                a_row_of_the_exchange_is_stored_with_what_it_is_about_or_not_at_all
                rows_of_the_exchange_are_found_by_partner_and_when_they_are_due
                partners_with_rows_due_are_found_once_each_however_many_they_have
                rows_of_the_exchange_are_removed_by_name_and_by_age_unless_they_are_due
            }
            exact {
                amounts_of_activities_come_back_exactly
                amounts_of_factors_models_and_inputs_come_back_exactly
                calculations_tell_zero_from_nothing_and_supplied_from_computed
                moments_come_back_as_they_were_written
                texts_come_back_as_they_were_written
                every_unit_comes_back
                every_scope_class_comes_back
                every_stage_and_reason_of_inputs_comes_back
                lists_within_a_record_keep_their_order
                footprint_fields_tell_empty_from_absent
                raw_json_of_footprints_comes_back_byte_for_byte
            }
            market {
                a_residual_mix_and_what_counts_in_the_market_come_back_as_written
                a_factor_that_counts_in_the_market_must_be_there_and_is_kept
                activities_are_found_by_the_factors_that_count_for_them_in_the_market
            }
            origin {
                a_copy_of_a_published_factor_comes_back_with_all_it_was_read_from
                a_copy_keeps_its_origin_when_its_successor_closes_it
            }
            choice {
                rules_of_products_and_regions_of_orgs_come_back_and_are_cleared
                chosen_factors_stand_beside_each_other_with_the_reason
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
                the_catalog_number_moves_with_nodes_products_and_factors_alone
                writers_at_the_same_time_lose_nothing
                a_writer_waits_until_the_one_before_ends
                a_writer_that_gives_up_waiting_holds_nobody_up
                tenants_are_apart
            }
            with_head {
                the_head_and_an_activity_are_those_of_the_newest_change
                nothing_of_a_change_is_read_before_its_commit
                an_activity_and_the_head_are_read_by_their_own_tenant_alone
            }
            conflict {
                an_id_that_is_taken_is_refused_for_each_kind
                a_sync_id_that_is_taken_names_its_holder
                an_update_to_a_taken_sync_id_names_its_holder
                a_record_may_keep_its_own_sync_id_and_slug
                kinds_and_trees_have_sync_ids_of_their_own
                a_slug_is_refused_among_siblings_only
                roots_are_siblings_of_each_other
                a_slug_finds_its_taxonomy_among_siblings_only
                kinds_and_trees_have_ids_of_their_own
                a_refused_write_leaves_nothing
            }
            reference {
                an_activity_needs_what_it_refers_to
                a_node_needs_its_parent
                a_reference_into_another_tree_is_missing
                a_factor_an_input_and_a_switch_need_what_they_refer_to
                an_update_needs_what_it_refers_to
                a_node_in_use_is_kept_and_says_by_what
                a_product_in_use_is_kept_and_says_by_what
                a_factor_in_use_is_kept_and_says_by_what
                a_model_in_use_by_a_switch_is_kept
                what_is_referred_to_no_more_can_be_removed
            }
            list {
                records_are_listed_by_id
                products_are_read_on_behind_any_id
                inputs_are_listed_by_their_order_then_id
                factors_are_listed_by_the_day_they_hold_from_then_id
                factors_of_many_products_come_at_once
                footprints_are_listed_by_their_number
                a_list_of_a_parent_has_its_own_alone
                a_tree_is_read_and_listed_apart_from_the_others
                pages_follow_each_other_and_each_counts_all
                a_list_by_sync_id_has_that_record_alone
            }
            range {
                a_range_is_in_the_order_of_first_day_then_id
                a_range_has_what_the_selection_selects
                walking_a_range_visits_each_once_in_order
                a_range_goes_on_behind_a_place_that_nobody_has
                a_range_before_a_place_is_what_is_selected_before_it_from_the_nearest_on
                activities_on_days_are_those_of_the_series_on_that_side_of_the_place
                an_activity_that_changes_its_day_changes_its_place
                pages_of_a_selection_follow_each_other
                activities_are_found_by_many_sync_ids
                pending_activities_are_those_that_the_rule_selects
            }
            batch {
                a_batch_is_written_in_order
                a_batch_that_meets_a_conflict_leaves_nothing
                a_batch_with_a_stale_update_leaves_nothing
                a_failed_batch_keeps_what_was_written_before_it
                an_empty_batch_changes_nothing
                a_batch_of_thousands_is_kept
                activities_built_in_a_snapshot_are_written_behind_other_activities
                activities_built_in_another_catalog_are_stale
                activities_built_in_a_snapshot_that_cannot_be_written_leave_nothing
                activities_built_at_once_are_each_written_once
                activities_built_at_once_are_validated_each_for_itself
                activities_built_at_once_follow_each_other
            }
            footprint {
                footprints_are_numbered_from_one
                footprints_above_a_number_come_by_number_up_to_the_limit
                a_removed_footprints_number_is_not_used_again
                a_given_number_is_kept_and_the_next_is_above_it
                a_refused_footprint_uses_no_number_up
                a_footprint_that_others_name_by_its_number_is_kept_and_says_so
                an_edition_shows_its_footprints_by_creation_then_number
                a_list_of_an_edition_is_read_on_from_a_place_up_to_a_number
                a_verdict_is_kept_and_made_anew_when_its_footprint_changes
                footprints_are_found_by_their_numbers
                the_interfaces_list_has_the_valid_footprints_by_number
                a_list_of_products_has_their_footprints_whatever_their_case
                the_newest_footprint_of_a_model_is_found
                verdicts_of_the_rules_of_now_are_not_renewed
            }
            change {
                a_change_says_when_who_and_what_for
                the_chain_adds_up_to_the_head
                an_added_record_is_an_item_with_its_digest_alone
                an_updated_record_is_an_item_with_the_text_it_replaced
                a_removed_record_is_an_item_with_the_text_it_was
                items_stand_in_the_order_they_were_written
                a_removed_model_takes_its_inputs_each_an_item
                changes_since_gives_the_later_ones_up_to_the_limit
                parts_of_items_stand_in_the_order_of_their_changes
                a_change_of_many_items_has_them_in_parts
            }
            cell {
                an_activity_posts_on_its_first_and_its_last_day
                cells_follow_every_add_update_and_removal
                a_cell_that_comes_back_to_zero_is_gone
                postings_are_those_of_later_changes
                parts_of_postings_stand_in_the_order_of_their_changes
                an_activity_that_stays_as_it_counts_posts_nothing
                a_move_to_another_series_posts_in_both
                two_measures_add_up_beside_each_other
                a_moved_node_touches_no_cell
                cells_stand_in_the_order_of_day_then_series
                a_sum_beyond_the_largest_amount_is_exact
                series_count_from_zero_and_keep_their_index
                a_series_outlives_its_nodes
            }
            checkpoint {
                a_tenant_has_no_checkpoint_before_one_is_written
                a_checkpoint_and_later_postings_are_the_cells
                a_checkpoint_makes_no_change_and_leaves_the_postings
                a_checkpoint_of_packed_cells_is_that_of_their_cube
                a_newer_checkpoint_takes_the_place_of_the_one_before
                an_older_checkpoint_changes_nothing
                a_checkpoint_of_another_epoch_or_of_a_later_change_is_stale
                a_checkpoint_of_nothing_is_kept
                a_checkpoint_of_many_parts_is_read_part_by_part
                a_snapshot_keeps_its_cells_while_checkpoints_come_and_go
                a_checkpoint_left_half_way_is_as_if_there_were_none
                writers_and_checkpoints_at_the_same_time_lose_nothing
                a_write_waits_for_no_checkpoint_under_way
                a_removed_tenant_takes_its_checkpoint
                a_renewed_epoch_leaves_everything_else_and_ends_what_was_built_before
            }
            history {
                a_record_that_never_was_has_no_history
                a_history_goes_back_through_updates_removal_and_adding_again
                what_one_change_did_to_a_record_twice_is_in_its_history_twice
                versions_and_removals_are_told_of_each_kind
                an_activity_of_a_batch_is_found_in_its_history
                a_blanked_text_is_gone_and_all_else_stands
                what_is_blank_is_not_blanked_again
                a_blanking_that_is_dropped_leaves_the_text
                one_text_of_a_batch_is_blanked_and_its_neighbours_stay
                a_replaced_text_is_the_version_that_its_item_names
            }
            law {
                cells_are_the_recount_over_random_histories
                cells_are_the_recount_over_more_random_histories
                cells_are_the_recount_over_still_more_random_histories
                cells_are_the_recount_over_the_last_random_histories
            }
            remove {
                a_removed_tenant_fails_until_it_is_prepared_again
                a_tenant_that_is_prepared_again_is_a_new_one
                a_removal_leaves_the_other_tenants_as_they_were
                removing_what_is_not_there_does_nothing
                a_tenant_whose_head_moved_is_not_removed
                a_tenant_that_nothing_was_written_in_has_the_number_zero
                a_removal_waits_for_the_writer_before_it_and_sees_what_that_wrote
                a_writer_and_a_removal_at_the_same_time_do_not_both_succeed
            }
            load {
                a_loaded_tenant_reads_as_the_one_it_came_from
                a_loaded_tenant_is_sound
                a_loaded_tenant_has_an_epoch_of_its_own
                what_a_loaded_tenant_removed_is_known_and_has_its_history
                a_loaded_tenant_has_the_postings_of_each_change
                numbers_and_series_go_on_behind_what_was_loaded
                loaded_records_can_be_changed_and_removed
                nothing_of_a_load_is_seen_before_it_is_finished
                a_dropped_load_leaves_nothing_and_can_be_tried_again
                an_empty_tenant_is_loaded_as_one
                a_tenant_with_a_history_is_not_loaded
                a_writer_waits_until_the_load_has_ended
                a_load_with_a_doubled_id_leaves_nothing
                a_load_with_a_doubled_sync_id_leaves_nothing
                postings_that_count_beyond_64_bits_are_damage
                a_load_with_a_doubled_slug_or_footprint_number_leaves_nothing
                a_load_with_a_reference_to_what_is_not_loaded_leaves_nothing
            }
            answer {
                an_answer_is_stored_with_what_it_answers_or_not_at_all
                an_answer_without_location_and_tag_comes_back_so
                a_second_answer_under_a_key_is_refused_and_leaves_the_first
                an_answer_makes_no_change_of_its_own
                answers_are_their_own_tenants_and_go_with_it
            }
            import_batch {
                an_import_is_stored_with_what_it_wrote_or_not_at_all
                an_import_comes_back_as_it_was_last_stored
                imports_are_listed_the_newest_first_and_found_by_their_file
                imports_that_are_being_undone_are_found_whatever_they_are_called
                an_import_makes_no_change_of_its_own
                imports_are_their_own_tenants_and_go_with_it
                many_activities_are_removed_at_once_with_their_postings
                of_many_activities_none_is_removed_when_one_was_changed
                each_activity_of_an_import_has_the_line_that_it_came_from
                lines_are_stored_with_their_change_or_not_at_all
                lines_are_their_own_tenants_and_go_with_it
                a_change_with_other_lines_than_activities_is_found
                lines_of_several_calls_fill_parts
            }
            verify {
                an_empty_tenant_is_sound
                a_tenant_with_a_history_is_sound_and_all_of_it_is_counted
            }
        }
    };
}

/// Makes a test of every case for a [`SpoolHarness`].
#[macro_export]
macro_rules! spool_contract {
    ($harness:ty) => {
        $crate::contract_tests! { $harness, SpoolHarness, spools;
            spool {
                an_entry_comes_back_at_every_node_as_it_was_last_written
                an_update_of_an_old_version_of_a_staged_import_is_stale
                a_tenant_has_no_more_staged_imports_than_it_may
                chunks_come_back_at_every_node_byte_for_byte
                a_part_is_cleared_and_an_entry_goes_with_its_chunks
                another_tenant_neither_reads_nor_changes_what_is_staged
            }
        }
    };
}

/// Makes a test of every case for a [`BusyHarness`].
#[macro_export]
macro_rules! busy_contract {
    ($harness:ty) => {
        $crate::contract_tests! { $harness, BusyHarness, store;
            busy {
                a_writer_that_waits_too_long_is_told_busy_and_can_come_again
                activities_that_wait_too_long_are_told_busy_and_are_not_written_later
                a_load_and_a_removal_that_wait_too_long_are_told_busy_and_change_nothing
                a_reader_waits_for_no_writer
                a_writer_of_another_tenant_is_not_busy
            }
        }
    };
}

/// Makes a test of every case for an [`AgingHarness`].
#[macro_export]
macro_rules! aging_contract {
    ($harness:ty) => {
        $crate::contract_tests! { $harness, AgingHarness, aging;
            age {
                an_answer_counts_for_a_day_and_gives_way_to_the_next
                outdated_answers_are_removed_when_others_are_stored
                a_sweep_removes_outdated_answers_and_makes_no_change
            }
        }
    };
}

/// Makes a test of every case for a [`NodesHarness`].
#[macro_export]
macro_rules! nodes_contract {
    ($harness:ty) => {
        $crate::contract_tests! { $harness, NodesHarness, nodes;
            node {
                what_one_node_writes_the_other_reads_at_once
                what_one_node_took_is_taken_on_the_other
                a_read_model_follows_what_the_other_node_writes
                a_node_that_slept_through_a_thousand_changes_catches_up
                many_writers_on_both_nodes_lose_and_double_nothing
                a_reader_never_sees_half_of_what_the_other_node_writes
                a_snapshot_stays_while_the_other_node_writes
                a_writer_waits_for_the_writer_of_the_other_node
                a_dropped_writer_frees_the_head_for_the_other_node
                a_tenant_removed_on_one_node_is_gone_on_the_other
                a_removal_waits_for_the_writer_of_the_other_node
                activities_that_both_nodes_write_in_turns_follow_each_other
            }
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
