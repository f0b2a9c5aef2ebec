//! Signing in and out in a browser.

use super::browser::{Browser, PASSWORD, add_user, link, signed_in};
use crate::http::harness::Service;

#[test]
fn a_link_signs_in_without_typing_and_a_second_use_is_refused() {
    let service = Service::start();
    let user = add_user(&service, "ana@example.org", "admin");
    let (mut browser, link) = (Browser::new(&service), link(&service, &user));
    assert!(browser.get(&link).expect(200).text().contains("<button"), "opening it shows a button");
    assert_eq!(browser.cookies(), None, "and signs nobody in, since whatever scans mails opens links");
    let answer = browser.send(&link, &link, &[]).expect(303);
    assert_eq!(answer.header("location"), Some(browser.path("/login/password").as_str()));
    let cookie = answer.header("set-cookie").unwrap();
    assert!(cookie.contains("; HttpOnly; SameSite=Lax") && cookie.contains("Max-Age=604800"), "{cookie}");
    assert!(browser.get("/login/password").expect(200).text().contains("go to the dashboard"));
    browser.get("/").expect(200);

    let mut another = Browser::new(&service);
    another.get(&link).expect(410);
    another.post(&link, &[], &[("Sec-Fetch-Site", "same-origin")]).expect(410);
    assert_eq!(another.cookies(), None);
}

#[test]
fn whoever_is_not_signed_in_is_sent_to_where_they_are_and_back() {
    let service = Service::start();
    drop(signed_in(&service, "ana", "admin"));
    let mut browser = Browser::new(&service);
    let answer = browser.get("/report?by=org").expect(303);
    let to = answer.header("location").unwrap().to_owned();
    assert!(to.starts_with(&browser.path("/login?return_to=")), "{to}");
    let page = browser.whole(&to).expect(200);
    assert!(page.text().contains("name=\"return_to\""), "{}", page.text());
    assert_eq!(page.header("cache-control"), Some("no-store"));
    let back = browser.path("/report?by=org");
    let fields = [("name", "ana"), ("password", PASSWORD), ("return_to", back.as_str())];
    let answer = browser.send("/login", "/login", &fields).expect(303);
    assert_eq!(answer.header("location"), Some(back.as_str()));
}

#[test]
fn a_form_that_does_not_come_to_its_end_is_given_up() {
    let service = Service::with(|config| config.limits.body_silence_s = 1);
    let path = Browser::new(&service).path("/login");
    let head = format!("POST {path} HTTP/1.1\r\nHost: {}\r\nSec-Fetch-Site: same-origin\r\n", service.anybody().host());
    let form = "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 1000\r\n\r\nname=ana";
    let answer = service.anybody().raw(format!("{head}{form}").as_bytes());
    assert_eq!(answer.status, 408, "{answer:?}");
    assert_eq!(answer.header("connection"), Some("close"));
}

#[test]
fn nobody_is_sent_to_another_host() {
    let service = Service::start();
    drop(signed_in(&service, "ana", "admin"));
    for back in ["https://evil.example/", "//evil.example/", "/\\evil.example", "javascript:alert(1)", "/login", ""] {
        let mut browser = Browser::new(&service);
        let fields = [("name", "ana"), ("password", PASSWORD), ("return_to", back)];
        let answer = browser.send("/login", "/login", &fields).expect(303);
        assert_eq!(answer.header("location"), Some(browser.path("/").as_str()), "{back}");
    }
}

#[test]
fn a_wrong_password_and_an_unknown_name_are_answered_alike_and_so_is_one_try_too_many() {
    let service = Service::start();
    drop(signed_in(&service, "ana", "admin"));
    let body = |answer: &crate::http::harness::Answer| answer.text().to_owned();
    let wrong = Browser::new(&service).sign_in("ana", "incorrect horse").expect(401);
    let unknown = Browser::new(&service).sign_in("nobody", "incorrect horse").expect(401);
    assert_eq!(body(&wrong), body(&unknown));
    for _ in 0..9 {
        Browser::new(&service).sign_in("ana", "incorrect horse").expect(401);
    }
    let mut browser = Browser::new(&service);
    let held = browser.sign_in("ana", PASSWORD).expect(429);
    assert_eq!(body(&held), body(&wrong), "the right one is held back too, and the page says no more");
    assert!(held.header("retry-after").is_some());
    assert_eq!(browser.cookies(), None);
    assert_eq!(Browser::new(&service).sign_in("nobody", "x").expect(401).status, 401, "others are not");
}

#[test]
fn signing_out_ends_the_session_and_not_the_cookie_alone() {
    let service = Service::start();
    let mut browser = signed_in(&service, "ana", "admin");
    let kept = browser.cookies().unwrap();
    browser.send("/settings/me", "/logout", &[]).expect(303);
    assert_eq!(browser.cookies(), None);
    browser.carry(&kept);
    browser.get("/").expect(303);
}

#[test]
fn signing_in_again_ends_the_earlier_session_of_the_browser_and_no_other() {
    let service = Service::start();
    let (mut browser, mut elsewhere) = (signed_in(&service, "ana", "admin"), Browser::new(&service));
    let fields = [("name", "ana"), ("password", PASSWORD)];
    elsewhere.send("/login", "/login", &fields).expect(303);
    let first = browser.cookies().unwrap();
    browser.send("/settings/me", "/login", &fields).expect(303);
    assert_ne!(browser.cookies().unwrap(), first);
    browser.get("/settings/me").expect(200);
    elsewhere.get("/settings/me").expect(200);
    // Who kept what the browser had before has nothing.
    let mut thief = Browser::new(&service);
    thief.carry(&first);
    thief.get("/settings/me").expect(303);

    // Another person's link in the same browser.
    let bo = add_user(&service, "bo", "viewer");
    let (link, second) = (link(&service, &bo), browser.cookies().unwrap());
    browser.send(&link, &link, &[]).expect(303);
    thief.carry(&second);
    thief.get("/settings/me").expect(303);
    assert!(browser.get("/settings/me").expect(200).text().contains("bo"));
}

#[test]
fn where_there_is_no_user_the_page_says_how_one_is_made() {
    let service = Service::start();
    let page = Browser::new(&service).get("/login").expect(200);
    assert!(page.text().contains("tonne user add"), "{}", page.text());
    add_user(&service, "ana", "admin");
    let page = Browser::new(&service).get("/login").expect(200);
    assert!(!page.text().contains("tonne user add"), "{}", page.text());
}

#[test]
fn plain_http_is_warned_of_but_on_the_machine_itself() {
    let service = Service::start();
    let warned = |host: &str| {
        let client = service.anybody().at_host(host);
        let path = Browser::new(&service).path("/login");
        client.outside("GET", &path).header("Accept", "text/html").send().text().contains("not encrypted")
    };
    assert!(!warned(&service.address().to_string()) && !warned("localhost:8080"));
    assert!(warned("tonne.lan") && warned("localhost.evil.example"));
}

#[test]
fn the_api_reads_no_cookie() {
    let service = Service::start();
    let browser = signed_in(&service, "ana", "admin");
    let cookie = browser.cookies().unwrap();
    service.anybody().request("GET", "/v1/unit").header("Cookie", &cookie).send().expect(401);
    let text = cookie.split_once('=').unwrap().1;
    service.anybody().with_key(text).get("/v1/unit").expect(401);
}

#[test]
fn no_log_line_or_answer_of_a_refusal_holds_the_link() {
    let service = Service::start();
    let user = add_user(&service, "ana", "admin");
    let (mut browser, link) = (Browser::new(&service), link(&service, &user));
    let refused = browser.post(&link, &[], &[("Sec-Fetch-Site", "cross-site")]).expect(403);
    assert!(!refused.text().contains("tonnelink_"), "{}", refused.text());
    browser.send(&link, &link, &[]).expect(303);
}
