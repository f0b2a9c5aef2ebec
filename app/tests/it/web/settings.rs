//! What people change in the settings.

use super::browser::{Browser, PASSWORD, add_user, signed_in};
use crate::http::harness::Service;

#[test]
fn an_admin_adds_a_user_gives_it_a_link_and_lowers_it() {
    let service = Service::start();
    let mut browser = signed_in(&service, "ana", "admin");
    let fields = [("name", "Bo@example.org"), ("display", "Bo <b>"), ("role", "editor"), ("permissions", "")];
    let answer = browser.send("/settings/users", "/settings/users", &fields).expect(303);
    let its = answer.header("location").unwrap().split('?').next().unwrap().to_owned();
    let page = browser.whole(&its).expect(200);
    assert!(page.text().contains("Bo &lt;b&gt;") && page.text().contains("bo@example.org"), "{}", page.text());
    let its = its.strip_prefix(&browser.path("")).unwrap().to_owned();
    let shown = browser.send(&its, &its, &[("do", "link")]).expect(200);
    assert_eq!(shown.header("cache-control"), Some("no-store"));
    let link = format!("/login/once/tonnelink_{}", &shown.text().split("tonnelink_").nth(1).unwrap()[..43]);
    let mut bo = Browser::new(&service);
    bo.send(&link, &link, &[]).expect(303);
    bo.get("/settings/me").expect(200);
    bo.get("/settings/users").expect(403);

    let list = browser.get(&its).expect(200);
    assert!(list.text().contains("name=\"session\""), "where it is signed in is shown");
    let lowered = [("do", "change"), ("name", "bo@example.org"), ("display", "Bo"), ("role", "viewer")];
    browser.send(&its, &its, &lowered).expect(303);
    bo.get("/settings/me").expect(303);
}

#[test]
fn a_session_that_an_admin_ends_is_over() {
    let service = Service::start();
    let mut browser = signed_in(&service, "ana", "admin");
    let mut bo = signed_in(&service, "bo", "viewer");
    bo.get("/settings/me").expect(200);
    let users = browser.get("/settings/users").expect(200).text().to_owned();
    let its = page_of(&users, "bo");
    let page = browser.whole(&its).expect(200).text().to_owned();
    let session = page.split("name=\"session\" value=\"").nth(1).unwrap()[..36].to_owned();
    let its = its.strip_prefix(&browser.path("")).unwrap().to_owned();
    browser.send(&its, &its, &[("do", "end-session"), ("session", &session)]).expect(303);
    bo.get("/settings/me").expect(303);
}

#[test]
fn what_is_wrong_in_a_form_is_told_on_its_page() {
    let service = Service::start();
    let mut browser = signed_in(&service, "ana", "admin");
    let answer = browser.send("/settings/users", "/settings/users", &[("name", "a b"), ("role", "permissions")]);
    assert_eq!(answer.status, 422);
    for label in ["Name", "Permissions"] {
        assert!(
            answer.text().contains(&format!("<li><b>{label}</b> ")),
            "by the label of its field: {}",
            answer.text()
        );
    }
    let taken = browser.send("/settings/users", "/settings/users", &[("name", "ANA"), ("role", "viewer")]);
    assert_eq!(taken.status, 409, "{}", taken.text());
    let own = browser.get("/settings/users").expect(200).text().to_owned();
    let its = page_of(&own, "ana");
    let its = its.strip_prefix(&browser.path("")).unwrap().to_owned();
    let last = browser.send(&its, &its, &[("do", "remove")]);
    assert_eq!(last.status, 409);
    assert!(last.text().contains("last user who may administer"), "{}", last.text());
    let before = [("do", "change"), ("version", "1"), ("name", "ana"), ("display", "Ana"), ("role", "admin")];
    assert_eq!(browser.send(&its, &its, &before).status, 412);
}

#[test]
fn a_key_is_shown_once_and_works_until_it_is_revoked() {
    let service = Service::start();
    let mut browser = signed_in(&service, "ana", "admin");
    let fields = [("do", "add"), ("name", "CI"), ("permissions", "catalog:read"), ("expires", "")];
    let shown = browser.send("/settings/keys", "/settings/keys", &fields).expect(200);
    assert!(shown.text().contains("curl -H"), "{}", shown.text());
    let key = shown.text().split("<code>tonne_").nth(1).unwrap();
    let key = format!("tonne_{}", &key[..43]);
    service.anybody().with_key(&key).get("/v1/unit").expect(200);
    let page = browser.get("/settings/keys").expect(200);
    assert!(!page.text().contains(&key), "it is not shown again");
    let id = page.text().split("name=\"key\" value=\"").nth(1).unwrap()[..36].to_owned();
    browser.send("/settings/keys", "/settings/keys", &[("do", "revoke"), ("key", &id)]).expect(303);
    service.anybody().with_key(&key).get("/v1/unit").expect(401);
}

#[test]
fn a_client_gets_another_secret_and_is_revoked() {
    let service = Service::start();
    let mut browser = signed_in(&service, "ana", "admin");
    let fields = [("do", "add"), ("name", "ERP"), ("permissions", "catalog:read")];
    let secret = |page: &str| {
        let text = page.split("tonnesecret_").nth(1).unwrap();
        format!("tonnesecret_{}", &text[..43])
    };
    let shown = browser.send("/settings/clients", "/settings/clients", &fields).expect(200);
    let first = secret(shown.text());
    let id = shown.text().split("name=\"client\" value=\"").nth(1).unwrap()[..36].to_owned();
    let again =
        browser.send("/settings/clients", "/settings/clients", &[("do", "rotate"), ("client", &id)]).expect(200);
    assert_ne!(secret(again.text()), first);
    browser.send("/settings/clients", "/settings/clients", &[("do", "revoke"), ("client", &id)]).expect(303);
    assert!(!browser.get("/settings/clients").expect(200).text().contains(&id));
}

#[test]
fn somebody_changes_name_locale_and_password_and_is_signed_out_elsewhere() {
    let service = Service::start();
    let mut browser = signed_in(&service, "ana", "viewer");
    let mut elsewhere = Browser::new(&service);
    elsewhere.sign_in("ana", PASSWORD).expect(303);
    let own = [("do", "own"), ("display", "Ana A"), ("locale", "de-CH")];
    browser.send("/settings/me", "/settings/me", &own).expect(303);
    let page = browser.get("/settings/me").expect(200);
    assert!(page.text().contains("Ana A") && page.text().contains("value=\"de-CH\" selected"), "{}", page.text());
    let next = "battery staple";
    let wrong = [("do", "password"), ("current", "x"), ("password", next), ("again", next)];
    elsewhere.send("/settings/me", "/settings/me", &wrong).expect(422);
    let unequal = [("do", "password"), ("current", PASSWORD), ("password", next), ("again", "other")];
    elsewhere.send("/settings/me", "/settings/me", &unequal).expect(422);
    let right = [("do", "password"), ("current", PASSWORD), ("password", next), ("again", next)];
    elsewhere.send("/settings/me", "/settings/me", &right).expect(303);
    elsewhere.get("/settings/me").expect(200);
    browser.get("/settings/me").expect(303);
    Browser::new(&service).sign_in("ana", PASSWORD).expect(401);
    Browser::new(&service).sign_in("ana", next).expect(303);
}

#[test]
fn by_its_own_page_somebody_ends_another_of_its_sessions_but_nobody_elses() {
    let service = Service::start();
    let mut browser = signed_in(&service, "ana", "viewer");
    let mut elsewhere = Browser::new(&service);
    elsewhere.sign_in("ana", PASSWORD).expect(303);
    let mut bo = signed_in(&service, "bo", "viewer");
    Browser::new(&service).sign_in("bo", PASSWORD).expect(303);
    // The page names those that it can end: all but the one that looks.
    let others = |browser: &mut Browser| {
        let page = browser.get("/settings/me").expect(200).text().to_owned();
        page.split("name=\"session\" value=\"").skip(1).map(|rest| rest[..36].to_owned()).collect::<Vec<_>>()
    };
    let (own, foreign) = (others(&mut browser), others(&mut bo));
    assert_eq!((own.len(), foreign.len()), (1, 1));
    browser.send("/settings/me", "/settings/me", &[("do", "end-session"), ("session", &foreign[0])]).expect(303);
    assert_eq!(others(&mut bo), foreign, "that of somebody else goes on");
    browser.send("/settings/me", "/settings/me", &[("do", "end-session"), ("session", &own[0])]).expect(303);
    elsewhere.get("/settings/me").expect(303);
    assert!(others(&mut browser).is_empty(), "it is signed in here alone");
    browser.send("/settings/me", "/settings/me", &[("do", "end-session")]).expect(400);
}

#[test]
fn a_user_of_another_company_is_not_found() {
    let service = Service::of(tonne::config::Mode::Path, |_| {});
    let user = add_user(&service, "ana", "admin").user.id;
    let other = service.company("umbrella");
    let (app, operator) = (service.app(), service.app().operator(&other.tenant));
    let found = service.wait(async move { app.users().get_user(&operator, user).await });
    assert!(matches!(found, Err(ports::inbound::Error::NotFound)));
}

/// The path of a user's page, as the list of users links it.
fn page_of(list: &str, name: &str) -> String {
    let link =
        list.split("href=\"").find(|part| part.contains("/settings/users/") && part.contains(&format!(">{name}<")));
    link.unwrap().split('"').next().unwrap().to_owned()
}
