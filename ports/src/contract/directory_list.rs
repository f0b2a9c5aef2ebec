//! The lists of cases of directories and of the factor sets that they keep.

/// Makes a test of every case for a [`DirectoryHarness`](crate::contract::DirectoryHarness).
#[macro_export]
macro_rules! directory_contract {
    ($harness:ty) => {
        $crate::contract_tests! { $harness, DirectoryHarness, directory;
            directory {
                a_new_directory_is_empty_and_sound
                a_tenant_is_found_by_its_slug
                a_tenant_is_found_by_its_id
                tenants_are_listed_by_slug
                a_slug_or_an_id_that_is_taken_is_refused
                a_removed_tenant_takes_its_credentials_and_frees_its_slug
                renewed_epochs_end_every_token_and_leave_credentials
                a_tenant_is_called_otherwise_and_keeps_everything_else
                the_day_on_which_years_begin_is_kept_with_its_tenant
                what_a_tenant_states_is_kept_with_it_and_replaced_only_as_it_was_seen
                epochs_are_renewed_of_exactly_the_tenants_there_are
                removing_a_tenant_that_is_not_there_changes_nothing
                every_change_of_a_credential_raises_the_version
                a_touch_notes_the_use_and_keeps_every_version
                a_new_signing_key_retires_those_before_it
                a_directory_with_a_history_is_sound_and_counted
            }
            credential {
                a_client_is_found_as_it_was_added
                a_key_is_found_by_its_hash_and_by_its_id
                clients_and_keys_are_listed_by_id_within_their_tenant
                a_credential_is_added_once
                a_credential_needs_its_tenant
                a_credential_is_written_by_a_grant_of_its_tenant_alone
                an_update_replaces_what_was_seen
                an_update_of_what_was_changed_or_removed_is_stale
                a_removal_may_name_the_version_that_it_means
            }
            shown_once {
                a_request_makes_one_credential_and_names_it_from_then_on
                a_request_that_made_nothing_is_free_to_be_sent_again
                what_a_request_made_is_known_for_a_day_and_to_its_tenant_alone
            }
            token {
                a_refresh_token_is_found_as_it_was_added
                a_refresh_token_is_exchanged_once
                an_unknown_refresh_token_is_not_exchanged
                a_client_has_sixteen_live_refresh_tokens_and_the_oldest_is_forgotten
                of_many_exchanges_at_the_same_time_one_succeeds
                a_revoked_family_is_exchanged_no_more
                a_revoked_token_is_listed_whatever_the_time_is
                a_client_writes_nothing_of_anothers_tokens
                a_removed_client_takes_its_refresh_tokens
                a_sweep_forgets_what_ran_out_a_day_ago
                what_is_revoked_stays_revoked_through_twenty_jumps_of_the_clock
                what_is_revoked_after_the_clock_was_set_back_stays_revoked_when_it_jumps_again
                a_used_token_is_known_as_long_as_it_could_be_used_and_its_family_lives_on
                a_sweep_by_a_clock_that_is_too_far_behind_says_so
            }
        }
    };
}

/// Makes a test of every case for a [`DirectoriesHarness`](crate::contract::DirectoriesHarness).
#[macro_export]
macro_rules! directories_contract {
    ($harness:ty) => {
        $crate::contract_tests! { $harness, DirectoriesHarness, directories;
            two_directories {
                what_one_directory_writes_the_other_finds_at_once
                of_two_updates_of_the_same_version_one_is_stale
                an_older_copy_brings_nothing_back
                a_removed_credential_stays_removed_beside_updates
                a_lowered_permission_stays_lowered_beside_renamings
                a_rotated_secret_stays_rotated_beside_renamings
                many_updates_on_both_directories_lose_nothing
                a_removed_tenant_gets_no_credential_from_the_other_directory
                a_refresh_token_is_exchanged_on_one_directory_alone
                a_family_revoked_beside_exchanges_is_dead
            }
        }
    };
}

/// Makes a test of every case for a [`FactorSetsHarness`](crate::contract::FactorSetsHarness).
#[macro_export]
macro_rules! factor_sets_contract {
    ($harness:ty) => {
        $crate::contract_tests! { $harness, FactorSetsHarness, sets;
            factor_sets {
                an_installation_has_no_set_before_one_is_added
                a_set_comes_back_with_its_factors_exactly
                a_set_is_read_by_a_grant_of_any_tenant
                a_set_that_is_there_is_not_added_again
                a_file_that_was_read_otherwise_is_told_and_nothing_is_overwritten
                factors_are_read_by_cell_page_by_page
                cells_are_ordered_by_the_bytes_of_their_text
                factors_of_many_sets_are_found_at_once
                a_removed_set_takes_its_factors_and_leaves_the_others
                sets_are_changes_of_the_directory_which_is_sound_with_them
                sets_outlive_companies_and_epochs
                of_two_that_add_a_set_at_the_same_time_one_finds_it_there
            }
        }
    };
}

/// Makes a test of every case for a `PeopleHarness`.
#[macro_export]
macro_rules! people_contract {
    ($harness:ty) => {
        $crate::contract_tests! { $harness, PeopleHarness, people;
            people {
                a_user_is_found_as_it_was_added
                a_name_or_an_identity_that_another_user_of_the_tenant_has_is_refused
                a_user_is_written_by_a_grant_of_its_tenant_alone
                a_user_is_updated_as_it_was_seen
                the_last_user_who_may_administer_a_tenant_stays
                a_user_that_is_taken_back_is_gone_also_as_the_last
                of_two_admins_that_are_removed_at_the_same_time_one_stays
                a_user_changes_its_own_password_and_stays_signed_in_where_it_did
                a_user_changes_nothing_else_of_itself
                a_removed_tenant_takes_its_users
            }
            session {
                a_session_is_found_with_its_user_and_is_no_change
                a_session_ends_with_the_beginning_of_the_next_of_its_browser
                a_user_has_a_bounded_number_of_sessions_and_the_oldest_ends
                an_ended_session_is_gone_everywhere_and_raises_the_version
                what_a_user_is_trusted_with_ends_its_sessions_and_links_when_it_changes
                a_user_that_was_changed_begins_no_session
                a_touch_notes_that_sessions_and_users_were_seen
                renewed_epochs_end_every_session_and_link_and_leave_users
                a_sweep_forgets_sessions_and_links_that_ran_out
            }
            once_link {
                a_link_signs_in_once
                a_new_link_takes_the_place_of_the_users_earlier_ones
                of_many_uses_of_a_link_on_both_nodes_one_succeeds
            }
        }
    };
}
