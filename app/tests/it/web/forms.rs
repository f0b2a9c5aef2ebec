//! Forms: whatever writes is refused unless it comes from a page of the same origin and session; and who may see which page.

use super::browser::{Browser, add_user, signed_in, token};
use crate::http::harness::Service;

/// Names with their values.
type Pairs<'a> = &'a [(&'a str, &'a str)];

/// Every address that forms are sent to by whoever is signed in.
const UNSAFE: [&str; 7] = [
    "/logout",
    "/login/password",
    "/settings/me",
    "/settings/users",
    "/settings/users/{user}",
    "/settings/keys",
    "/settings/clients",
];

#[test]
fn a_form_needs_the_token_of_its_session_and_this_origin() {
    let service = Service::start();
    let mut browser = signed_in(&service, "ana", "admin");
    let mut other = signed_in(&service, "bo", "admin");
    let user = add_user(&service, "cy", "viewer").user.id.to_string();
    let own = token(browser.get("/settings/me").text()).unwrap();
    let others = token(other.get("/settings/me").text()).unwrap();
    assert_ne!(own, others);
    let origin = browser.origin();
    let same = ("Sec-Fetch-Site", "same-origin");
    for path in UNSAFE {
        let path = path.replace("{user}", &user);
        let refused: [(&str, Pairs<'_>, Pairs<'_>); 8] = [
            ("no token", &[], &[same]),
            ("a wrong token", &[("form_token", "x")], &[same]),
            ("another session's token", &[("form_token", &others)], &[same]),
            ("another site", &[("form_token", &own)], &[("Sec-Fetch-Site", "cross-site")]),
            ("another host of the site", &[("form_token", &own)], &[("Sec-Fetch-Site", "same-site")]),
            ("another origin", &[("form_token", &own)], &[("Origin", "http://evil.example")]),
            ("no origin", &[("form_token", &own)], &[("Origin", "null")]),
            ("nothing that says where from", &[("form_token", &own)], &[]),
        ];
        for (what, fields, headers) in refused {
            let answer = browser.post(&path, fields, headers);
            assert_eq!(answer.status, 403, "{path}: {what}: {}", answer.text());
        }
        browser.get("/settings/me").expect(200);
    }
    let answer = browser.post("/settings/me", &[("form_token", &own)], &[("Origin", &origin)]);
    assert_eq!(answer.status, 400, "it is let through, and says nothing to do: {}", answer.text());
    let answer = browser.post("/settings/me", &[("form_token", &own)], &[same]);
    assert_eq!(answer.status, 400, "{}", answer.text());
}

#[test]
fn signing_in_needs_this_origin() {
    let service = Service::start();
    for headers in [&[("Sec-Fetch-Site", "cross-site")][..], &[("Origin", "http://evil.example")], &[]] {
        let mut browser = Browser::new(&service);
        browser.post("/login", &[("name", "ana"), ("password", "x")], headers).expect(403);
        browser.post("/login/once/tonnelink_x", &[], headers).expect(403);
    }
}

/// Every page of the settings, and which roles see it.
const PAGES: [(&str, &[&str]); 7] = [
    ("/settings/me", &["viewer", "auditor", "editor", "admin"]),
    ("/settings/users", &["admin"]),
    ("/settings/users/{user}", &["admin"]),
    ("/settings/keys", &["admin"]),
    ("/settings/clients", &["admin"]),
    ("/settings/partners", &["auditor", "editor", "admin"]),
    ("/settings/sign-in", &["admin"]),
];

#[test]
fn each_page_is_seen_by_whom_it_is_for() {
    let service = Service::start();
    let user = add_user(&service, "cy", "viewer").user.id.to_string();
    for role in ["viewer", "auditor", "editor", "admin"] {
        let mut browser = signed_in(&service, role, role);
        for (path, roles) in PAGES {
            let answer = browser.get(&path.replace("{user}", &user));
            let expected = if roles.contains(&role) { 200 } else { 403 };
            assert_eq!(answer.status, expected, "{role} at {path}: {}", answer.text());
        }
    }
    for (path, _) in PAGES {
        let answer = Browser::new(&service).get(&path.replace("{user}", &user));
        assert_eq!(answer.status, 303, "nobody at {path}");
    }
}

#[test]
fn what_needs_admin_is_refused_to_an_editors_form() {
    let service = Service::start();
    let mut browser = signed_in(&service, "ed", "editor");
    let user = add_user(&service, "cy", "viewer").user.id.to_string();
    let its = format!("/settings/users/{user}");
    for (path, fields) in [
        ("/settings/users", &[("name", "x"), ("role", "admin")][..]),
        (its.as_str(), &[("do", "link")]),
        (&its, &[("do", "remove")]),
        (&its, &[("do", "change"), ("name", "x"), ("role", "admin")]),
        ("/settings/keys", &[("do", "add"), ("name", "x"), ("permissions", "admin")]),
        ("/settings/clients", &[("do", "add"), ("name", "x"), ("permissions", "admin")]),
    ] {
        let answer = browser.send("/settings/me", path, fields);
        assert_eq!(answer.status, 403, "{path}: {}", answer.text());
    }
}

#[test]
fn a_session_is_worth_nothing_at_another_companys_address() {
    let service = Service::of(tonne::config::Mode::Path, |_| {});
    let mut browser = signed_in(&service, "ana", "admin");
    let other = service.company("umbrella");
    let slug = other.tenant.slug.to_string();
    assert!(browser.cookies().is_some());
    browser.get("/settings/users").expect(200);
    let mut browser = browser.at(&format!("/{slug}"));
    for (path, _) in PAGES {
        let answer = browser.get(&path.replace("{user}", "01900000-0000-7000-8000-000000000001"));
        assert_eq!(answer.status, 303, "{path}");
    }
}

#[test]
fn the_cookie_of_a_company_is_sent_to_its_own_pages_alone() {
    let service = Service::of(tonne::config::Mode::Path, |_| {});
    let user = add_user(&service, "ana", "admin");
    let (mut browser, link) = (Browser::new(&service), super::browser::link(&service, &user));
    let answer = browser.send(&link, &link, &[]).expect(303);
    let cookie = answer.header("set-cookie").unwrap();
    assert!(cookie.contains(&format!("Path={}/;", browser.path(""))), "{cookie}");
}
