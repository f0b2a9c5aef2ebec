//! Who may see and send what: a table over every route there is, for nobody, another company's people, and each role.

use super::forms::{ADMINS, ALL, CHANGES, EDITORS, Form, forms, prepared, prepared_to_change};
use super::records::{MARK, Records, state};
use super::registered::routes;
use super::visitor::{Visitor, encoded, plain};
use crate::http::harness::{Answer, Service};

const AUDITORS: &[&str] = &["auditor", "editor", "admin"];

/// Who reads the page of a route.
const READERS: [(&str, &[&str]); 43] = [
    ("", ALL),
    ("/", ALL),
    ("/report", ALL),
    ("/report/explanation", ALL),
    ("/activities", ALL),
    ("/activities/new", ALL),
    ("/activities/{uuid}", AUDITORS),
    ("/activities/{uuid}/explanation", AUDITORS),
    ("/activities/{uuid}/edit", AUDITORS),
    ("/completeness", ALL),
    ("/statement", ALL),
    ("/statement/{year}", ALL),
    ("/periods", ALL),
    ("/history", AUDITORS),
    ("/history/{kind}/{uuid}", AUDITORS),
    ("/imports", AUDITORS),
    ("/imports/new", EDITORS),
    ("/imports/{id}/table", EDITORS),
    ("/imports/{id}/map", EDITORS),
    ("/imports/{id}/map.toml", EDITORS),
    ("/imports/{id}/check", EDITORS),
    ("/imports/{id}/rejected", EDITORS),
    ("/imports/{id}/run", EDITORS),
    ("/catalog/{tree}", ALL),
    ("/models", AUDITORS),
    ("/models/{uuid}", AUDITORS),
    ("/products", ALL),
    ("/products/{uuid}", ALL),
    ("/footprints", AUDITORS),
    ("/footprints/{uuid}", AUDITORS),
    ("/switches", AUDITORS),
    ("/switches/{uuid}", AUDITORS),
    ("/login/password", ALL),
    ("/settings/me", ALL),
    ("/settings/users", ADMINS),
    ("/settings/users/{uuid}", ADMINS),
    ("/settings/keys", ADMINS),
    ("/settings/clients", ADMINS),
    ("/settings/partners", AUDITORS),
    ("/settings/sign-in", ADMINS),
    ("/login", ALL),
    ("/login/once/{text}", ALL),
    ("/login/oidc", ALL),
];

/// Those of whoever is not signed in yet; others are led on from there.
const OUTSIDE: [&str; 3] = ["/login", "/login/once/{text}", "/login/oidc"];

/// What leads on to the step of an import that is next.
const LEADING_ON: &str = "/imports/{id}/run";

/// What is sent where no form of a page alone is: to sign in, with a file, and what writes nothing but leads on.
const OTHERS: [&str; 4] = ["/login", "/login/once/{text}", "/imports/new", "/imports/{id}/table"];

/// Where a provider sends people back to; without one there is nothing.
const CALLBACK: &str = "/login/oidc/callback";

/// Checks that a refusal names a permission that the role lacks.
#[track_caller]
fn is_told_what_is_missing(answer: &Answer, role: &str, what: &str) {
    assert_eq!(answer.status, 403, "{role}: {what}: {}", plain(answer.text()));
    let text = plain(answer.text());
    let named = text.split("This needs the permission ").nth(1).and_then(|rest| rest.split(',').next());
    let named = named.unwrap_or_else(|| panic!("{role}: {what}: {text}"));
    let permission = ports::Permission::ALL.iter().find(|one| one.as_str() == named).unwrap();
    let rights = ports::people::Rights::parse(role).unwrap();
    assert!(!rights.permissions().allows(*permission), "{role} holds {named}, and is told to need it: {what}");
}

#[test]
fn every_route_is_in_the_tables() {
    let mut read: Vec<_> = routes().iter().filter(|route| route.is_read).map(|route| route.path).collect();
    let mut known: Vec<_> = READERS.iter().map(|(path, _)| *path).chain([CALLBACK]).collect();
    read.sort_unstable();
    known.sort_unstable();
    assert_eq!(read, known, "who reads a page is said in READERS");
    let signed_in = |path: &&str| !OTHERS.contains(path);
    let mut written: Vec<_> =
        routes().iter().filter(|route| route.is_written).map(|route| route.path).filter(signed_in).collect();
    let mut known: Vec<_> = forms().map(|form| form.route).collect();
    written.sort_unstable();
    known.sort_unstable();
    assert_eq!(written, known, "who sends a form is said in FORMS");
}

#[test]
fn strangers_are_sent_to_sign_in_and_back_to_every_page() {
    let (service, records) = prepared();
    let base = service.own().pages();
    let stranger = Visitor::stranger(&service.own());
    let admin = service.admin();
    let before = state(&service.own(), &admin);
    for route in routes() {
        let path = records.fill(route.path);
        if route.is_open {
            let answer = stranger.get(&path);
            assert!(!answer.text().contains(MARK), "{path}: {}", answer.text());
            continue;
        }
        if route.is_read {
            let answer = stranger.get(&path).expect(303);
            let asked = encoded(&format!("{base}{path}"));
            let asked = if asked.is_empty() { "%2F".to_owned() } else { asked };
            assert_eq!(answer.header("location"), Some(&*format!("{base}/login?return_to={asked}")));
            assert!(answer.body.is_empty());
            let program = service.anybody().outside("GET", &format!("{base}/{}", path.trim_start_matches('/'))).send();
            assert_eq!(program.status, 404, "a program at {path}");
        }
        if route.is_written {
            let answer = stranger.send(&path, &[("name", "x"), ("startDate", "2025-01-01")]).expect(303);
            assert_eq!(answer.header("location"), Some(&*format!("{base}/login")), "{path}");
        }
    }
    assert_eq!(state(&service.own(), &admin), before, "nothing is written");
}

#[test]
fn a_session_of_another_company_is_worth_nothing_and_its_own_pages_show_nothing_of_this_one() {
    let service = Service::of(tonne::config::Mode::Path, |_| {});
    let records = Records::new(&service);
    let (own, other) = (service.own(), service.company("other"));
    let theirs = Visitor::signed_in(&other, "admin");
    let (here, admin) = (theirs.at(&own), service.admin());
    let before = state(&own, &admin);
    for route in routes() {
        let path = records.fill(route.path);
        if route.is_read {
            let answer = here.get(&path);
            let expected = if route.is_open { answer.status } else { 303 };
            assert_eq!(answer.status, expected, "{path}: {}", answer.text());
            assert!(!answer.text().contains(MARK), "{path}: {}", answer.text());
            let answer = theirs.get(&path);
            assert!(!answer.text().contains(MARK), "{path} at the other company: {}", answer.text());
        }
        if route.is_written {
            let answer = here.send(&path, &[("do", "remove")]);
            assert!(answer.status == 303 || route.is_open, "{path}: {}", answer.text());
            // Not the own account: the session is still needed.
            if !route.is_open && route.path != "/login/password" {
                let answer = theirs.send(&path, &[("do", "remove"), ("name", "x")]);
                assert!(!answer.text().contains(MARK) && answer.status != 303, "{path}: {answer:?}");
            }
        }
    }
    assert_eq!(state(&own, &admin), before, "nothing is written here");
}

#[test]
fn each_role_reads_what_it_may_and_is_told_which_permission_the_rest_needs() {
    let (service, records) = prepared();
    for role in ALL {
        let visitor = Visitor::signed_in(&service.own(), role);
        for (path, roles) in READERS.iter().filter(|(path, _)| !OUTSIDE.contains(path)) {
            let answer = visitor.get(&records.fill(path));
            if roles.contains(role) {
                let expected = if *path == LEADING_ON { 303 } else { 200 };
                assert_eq!(answer.status, expected, "{role} at {path}: {}", plain(answer.text()));
            } else {
                is_told_what_is_missing(&answer, role, path);
            }
        }
    }
}

#[test]
fn each_role_writes_what_it_may_and_is_told_which_permission_the_rest_needs() {
    for form in forms() {
        is_sent_by_every_role(&form, prepared);
    }
}

#[test]
fn each_role_changes_and_takes_back_what_it_may_and_is_told_which_permission_the_rest_needs() {
    for form in CHANGES {
        is_sent_by_every_role(&form, prepared_to_change);
    }
}

/// Sends the form as each role, wherever it may be sent to what is prepared anew.
#[track_caller]
fn is_sent_by_every_role(form: &Form, prepare: fn() -> (Service, Records)) {
    let (mut service, mut records) = prepare();
    for role in ALL {
        let is_allowed = writes(&service, &records, form, role);
        // What was removed or undone is gone for the next role.
        if is_allowed && *role != "admin" {
            (service, records) = prepare();
        }
    }
}

/// Sends the form as somebody of that role: it writes, or is refused and writes nothing. Whether the role may.
#[track_caller]
fn writes(service: &Service, records: &Records, form: &Form, role: &str) -> bool {
    let reader = Visitor::named(&service.own(), &format!("reads-for-{role}"), "admin");
    let admin = service.admin();
    let visitor = Visitor::named(&service.own(), &format!("{role}-writes"), role);
    let (to, fields) = form.filled(records, &reader);
    let fields: Vec<_> = fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let before = state(&service.own(), &admin);
    let answer = visitor.send(&to, &fields);
    let is_changed = state(&service.own(), &admin) != before;
    if !form.roles.contains(&role) {
        is_told_what_is_missing(&answer, role, form.route);
        assert!(!is_changed, "{role} writes at {}", form.route);
        return false;
    }
    assert!([200, 303].contains(&answer.status), "{role}: {}: {}", form.route, plain(answer.text()));
    assert!(is_changed, "{role} writes nothing at {}", form.route);
    true
}
