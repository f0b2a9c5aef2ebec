//! The cases that every version has, by their numbers.

use domain::footprint::Edition;

use super::judge::{
    NOBODY, error, follows_the_link, footprint_needs_a_token, gets_a_footprint, gives_a_token,
    gives_a_token_at_the_fixed_path, list_needs_a_token, lists_all_in_the_form, no_footprint_by_http, no_list_by_http,
    no_token_by_http, refuses_wrong_credentials, refuses_wrong_credentials_there,
};
use super::{cases, event};

cases! { V2_0, V2_1, V2_2, V2_3, V3_0;
    case_01_a_token_is_given = gives_a_token;
    case_02_wrong_credentials_are_refused = refuses_wrong_credentials;
    case_03_a_footprint_is_got = gets_a_footprint;
    case_04_the_list_has_the_form = lists_all_in_the_form;
    case_05_the_first_link_leads_on = follows_the_link;
    case_06_a_list_needs_a_token = list_needs_a_token;
    case_07_a_footprint_needs_a_token = footprint_needs_a_token;
    case_08_there_is_no_such_footprint = |run| {
        let unknown = match run.version.edition() {
            Edition::V2 => "NoSuchFootprint",
            Edition::V3 => "NotFound",
        };
        error(&run.get(&format!("/footprints/{NOBODY}"))?, &[400, 404], &[unknown, "BadRequest"])
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
}
