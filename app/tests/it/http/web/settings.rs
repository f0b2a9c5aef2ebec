//! The lists of the settings as files: what their pages list, for whom these are, and no secret.

use domain::Digest;

use super::csv::{cell, rows, text};
use super::forms::{ADMINS, ALL};
use super::visitor::{Visitor, paths, user};
use crate::http::harness::{Service, json};

/// The pages with a list, and who reads it.
const LISTS: [(&str, &[&str]); 5] = [
    ("/settings/me", ALL),
    ("/settings/users", ADMINS),
    ("/settings/keys", ADMINS),
    ("/settings/clients", ADMINS),
    ("/settings/partners", &["auditor", "editor", "admin"]),
];

#[test]
fn each_list_comes_as_a_file_by_a_link_of_its_page_for_whom_the_page_is() {
    let service = Service::start();
    let own = service.own();
    for role in ALL {
        let visitor = Visitor::signed_in(&own, role);
        for (page, readers) in LISTS {
            let file = format!("{page}?form=csv");
            if readers.contains(role) {
                rows(&visitor, &file);
                assert!(paths(&own, &visitor.page(page)).contains(&file), "{role}: {page}");
            } else {
                visitor.get(&file).expect(403);
            }
        }
    }
    for (page, _) in LISTS {
        Visitor::stranger(&own).get(&format!("{page}?form=csv")).expect(303);
    }
}

#[test]
fn files_of_keys_and_clients_have_what_the_api_lists_and_no_secret() {
    let service = Service::start();
    let (admin, visitor) = (service.admin(), Visitor::signed_in(&service.own(), "admin"));
    let body = json!({ "name": "=ERP", "permissions": ["activity:read", "catalog:read"], "expires": "2099-12-31" });
    for (kind, secret) in [("key", "/key"), ("client", "/client_secret")] {
        let made = admin.post(&format!("/v1/{kind}"), &body).created();
        let path = format!("/settings/{kind}s?form=csv");
        let found = rows(&visitor, &path);
        assert_eq!(admin.get(&format!("/v1/{kind}")).ok()["count"], found.len(), "{found:?}");
        let row = found.iter().find(|row| cell(row, "uuid") == text(&made, "/uuid")).unwrap();
        for (column, pointer) in [("created", "/created"), ("expires", "/expires")] {
            assert_eq!(cell(row, column), text(&made, pointer), "{kind}: {column}");
        }
        let said = ["name", "permissions", "lastUsed"].map(|column| cell(row, column));
        assert_eq!(said, ["'=ERP", "activity:read catalog:read", ""], "{kind}");
        let (file, secret) = (visitor.get(&path).expect(200), text(&made, secret));
        assert!(!secret.is_empty() && !file.text().contains(&secret), "{kind}: {}", file.text());
        assert!(!file.text().contains(&Digest::of(secret.as_bytes()).to_string()), "{kind}: {}", file.text());
    }
}

#[test]
fn the_file_of_partners_has_what_the_api_lists() {
    let service = Service::start();
    let (admin, visitor) = (service.admin(), Visitor::signed_in(&service.own(), "auditor"));
    let partner = admin.post("/v1/partner", &json!({ "name": "A partner", "baseUrl": "https://pact.example.com/" }));
    let partner = partner.created();
    let found = rows(&visitor, "/settings/partners?form=csv");
    assert_eq!(found.len(), 1, "{found:?}");
    for column in ["uuid", "name", "baseUrl", "hasSecret", "created", "heard"] {
        assert_eq!(cell(&found[0], column), text(&partner, &format!("/{column}")), "{column}");
    }
    assert_eq!(cell(&found[0], "clients"), "0");
}

#[test]
fn files_of_users_and_their_sessions_say_who_signs_in_and_where_and_have_no_hash() {
    let service = Service::start();
    let own = service.own();
    let visitor = Visitor::named(&own, "ana", "admin");
    user(&own, "bo@example.org", "viewer");
    let password = [("password", "correct horse"), ("again", "correct horse")];
    Visitor::named(&own, "cy", "activity:read").send("/login/password", &password).expect(303);
    let (app, operator) = (service.app(), service.operator());
    let known = service.wait(async move {
        let mut known = Vec::new();
        for view in app.users().list_users(&operator, ports::repo::Page { number: 1, size: 100 }).await.unwrap().data {
            let sessions = app.users().list_sessions(&operator, view.user.id).await.unwrap();
            known.push((view.user, sessions));
        }
        known
    });
    let file = visitor.get("/settings/users?form=csv").expect(200);
    let users = rows(&visitor, "/settings/users?form=csv");
    assert_eq!(users.len(), known.len());
    for (user, sessions) in &known {
        let row = users.iter().find(|row| cell(row, "uuid") == user.id.to_string()).unwrap();
        assert_eq!([cell(row, "name"), cell(row, "rights")], [user.name.to_string(), user.rights.to_string()]);
        assert_eq!(cell(row, "hasPassword"), user.password.is_some().to_string());
        assert!(user.password.is_none_or(|hash| !file.text().contains(&hash.to_string())), "{}", file.text());
        let path = format!("/settings/users/{}?form=csv", user.id);
        let found = rows(&visitor, &path);
        let found: Vec<_> = found.iter().map(|row| (cell(row, "uuid"), cell(row, "by"))).collect();
        let ids: Vec<_> = sessions.iter().map(|session| (session.id.to_string(), session.by.as_str())).collect();
        assert_eq!(found, ids.iter().map(|(id, by)| (id.as_str(), *by)).collect::<Vec<_>>(), "{}", user.name);
        let its = visitor.get(&path).expect(200);
        assert!(sessions.iter().all(|session| !its.text().contains(&session.hash.to_string())), "{}", its.text());
        if user.name.as_str() == "ana" {
            assert_eq!(rows(&visitor, "/settings/me?form=csv").len(), sessions.len(), "its own");
        }
    }
}
