//! The cases of V2.0 to V2.3.

use super::judge::{
    Judged, NOBODY, error, follows_the_link, footprint_needs_a_token, gets_a_footprint, gives_a_token,
    gives_a_token_at_the_fixed_path, list_needs_a_token, lists_all_in_the_form, no_footprint_by_http, no_list_by_http,
    no_token_by_http, refuses_wrong_credentials, refuses_wrong_credentials_there,
};
use super::{Run, cases, event};

cases! { V2_3;
    case_01_a_token_is_given = gives_a_token;
    case_02_wrong_credentials_are_refused = refuses_wrong_credentials;
    case_03_a_footprint_is_got = gets_a_footprint;
    case_04_the_list_has_the_form = lists_all_in_the_form;
    case_05_the_first_link_leads_on = follows_the_link;
    case_06_a_list_needs_a_token = list_needs_a_token;
    case_07_a_footprint_needs_a_token = footprint_needs_a_token;
    case_08_there_is_no_such_footprint = |run| {
        let answer = run.get(&format!("/footprints/{NOBODY}"))?;
        error(&answer, &[400, 404], &["NoSuchFootprint", "BadRequest"])
    };
    case_09_there_is_no_token_by_http = no_token_by_http;
    case_10_there_is_no_list_by_http = no_list_by_http;
    case_11_there_is_no_footprint_by_http = no_footprint_by_http;
    case_12_a_request_is_taken = event::takes_a_request;
    case_13_it_is_fulfilled = event::fulfils_the_request;
    case_14a_a_request_for_nothing_is_taken = event::takes_a_request_for_nothing;
    case_14b_it_is_refused = event::refuses_the_request;
    case_15_what_is_published_is_taken = event::takes_what_is_published;
    case_16_an_event_needs_a_token = event::event_needs_a_token;
    case_17_there_is_no_event_by_http = event::no_event_by_http;
    case_18_a_token_is_given_at_the_fixed_path = gives_a_token_at_the_fixed_path;
    case_19_wrong_credentials_are_refused_there = refuses_wrong_credentials_there;
    case_20_by_creation = by_creation;
    case_21_a_footprint_is_named_by_its_uuid = event::refuses_a_urn;
}

/// The filter is not encoded but for its blanks, and times are compared as texts.
fn by_creation(run: &Run) -> Judged<()> {
    let created = run.raw("/created").unwrap_or_default();
    run.finds(&format!("$filter=created%20ge%20'{created}'"), |one| {
        one["created"].as_str().is_some_and(|other| other >= created)
    })
}
