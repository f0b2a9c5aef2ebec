//! `tonne user`: people who sign in to the pages, and the links that let them.

use serde_json::{Value, json};

use super::run::{Base, Place, Reply};

#[cfg(unix)]
const USERS: &str = include_str!("../../../../docs/howto/users.md");

/// What browsers send with a form of their own page.
const OWN: [&str; 3] =
    ["Accept: text/html", "Sec-Fetch-Site: same-origin", "Content-Type: application/x-www-form-urlencoded"];

/// The answer to pressing the button of a link at a running service.
fn press(base: &str, link: &str) -> Reply {
    let (_, text) = link.split_once("/login/once/").unwrap();
    pages(base, "login").ask("POST", &format!("/once/{text}"), &OWN, "")
}

/// The pages below a path of a service whose API is at that base address.
fn pages(base: &str, path: &str) -> Base {
    Base::new(&format!("{}/{path}", base.strip_suffix("/api").unwrap()))
}

/// The header with which a browser shows the session that this answer began.
fn session(begun: &Reply) -> String {
    let cookie = begun.header("set-cookie").unwrap().split(';').next().unwrap();
    format!("Cookie: {cookie}")
}

/// The status of a page for who is signed in.
fn own_page(base: &str, session: &str) -> u16 {
    pages(base, "settings").ask("GET", "/me", &["Accept: text/html", session], "").status
}

/// The links in what was printed.
fn links(printed: &str) -> Vec<&str> {
    printed.split_whitespace().filter(|word| word.contains("/login/once/")).collect()
}

#[test]
fn a_user_is_added_listed_changed_and_removed() {
    let place = Place::new();
    let added = place.json(&["user", "add", "Ana@Example.org", "--display", "Ana A", "--role", "editor"]);
    assert_eq!([&added["name"], &added["display"], &added["role"]], ["ana@example.org", "Ana A", "editor"]);
    assert_eq!([&added["hasPassword"], &added["lastSeen"]], [&json!(false), &Value::Null]);
    assert!(added.get("link").is_none(), "no link that nobody asked for: {added}");

    assert_eq!(place.json(&["user", "list"]), json!([added]));
    let table = place.ok(&["user", "list"]);
    assert!(table.contains("ana@example.org") && table.contains("link alone"), "{table}");

    let flags = ["--rename", "ana", "--permissions", "activity:read,catalog:read", "--locale", "de-CH", "--disable"];
    let changed = place.json(&[&["user", "set", "ANA@example.org"], &flags[..]].concat());
    assert_eq!(changed["uuid"], added["uuid"]);
    assert_eq!(
        [&changed["name"], &changed["locale"], &changed["role"]],
        [&json!("ana"), &json!("de-CH"), &Value::Null]
    );
    assert_eq!(changed["permissions"], json!(["activity:read", "catalog:read"]));
    assert!(changed["disabled"].is_string() && place.ok(&["user", "list"]).contains("disabled"));

    assert_eq!(place.ok(&["user", "remove", "ana"]), "the user ana is removed\n");
    assert_eq!(place.json(&["user", "list"]), json!([]));
}

#[test]
fn what_cannot_be_is_refused_with_what_to_do() {
    let place = Place::new();
    let refused = |arguments: &[&str], said: &[&str]| {
        let ended = place.run(arguments);
        assert_ne!(ended.status, 0, "{arguments:?}: {}", ended.stdout);
        for word in said {
            assert!(ended.stderr.contains(word), "{arguments:?}: {}", ended.stderr);
        }
    };
    refused(&["user", "add", "ana"], &["--role", "viewer, auditor, editor or admin"]);
    refused(&["user", "add", "ana", "--role", "owner"], &["owner", "viewer, auditor, editor and admin"]);
    refused(&["user", "add", "a b", "--role", "viewer"], &["a b"]);
    refused(&["user", "add", "ana", "--role", "viewer", "--permissions", "catalog:read"], &["cannot be used with"]);
    refused(&["user", "add", "ana", "--role", "viewer", "--issuer", "https://id.example"], &["--subject"]);
    place.ok(&["user", "add", "ana", "--role", "admin"]);
    refused(&["user", "add", "ANA", "--role", "viewer"], &["already signs in with this name"]);
    for command in ["link", "remove", "set"] {
        let nobody: &[&str] =
            if command == "set" { &["user", "set", "bo", "--enable"] } else { &["user", command, "bo"] };
        refused(nobody, &["there is no user bo", "`tonne user list`"]);
    }
    refused(&["user", "set", "ana"], &["nothing is to be changed"]);
    refused(&["user", "remove", "ana"], &["ana was not removed", "last user who may administer"]);
    refused(&["user", "set", "ana", "--role", "viewer"], &["ana was not changed", "last user who may administer"]);
}

#[test]
fn a_link_signs_in_once_beside_a_running_service_and_a_later_one_ends_it() {
    let place = Place::new();
    place.ok(&["user", "add", "ana", "--role", "admin"]);
    let served = place.serve();
    let earlier = place.json(&["user", "link", "ana"]);
    let made = place.json(&["user", "link", "ana"]);
    assert_eq!(made["name"], "ana");
    let expires = made["expires"].as_str().unwrap();
    assert!(expires.ends_with('Z'), "{expires}");
    let (earlier, link) = (earlier["link"].as_str().unwrap(), made["link"].as_str().unwrap());
    assert_eq!(press(&served.base, earlier).status, 410, "an earlier link is worth nothing");
    let begun = press(&served.base, link);
    assert_eq!((begun.status, begun.header("location")), (303, Some("/login/password")));
    assert!(begun.header("set-cookie").unwrap().starts_with("tonne="));
    let again = press(&served.base, link);
    assert_eq!((again.status, again.header("set-cookie")), (410, None), "a second use is refused");

    let session = session(&begun);
    let page = || own_page(&served.base, &session);
    assert_eq!(page(), 200);
    place.ok(&["user", "add", "bo", "--role", "admin"]);
    place.ok(&["user", "remove", "ana"]);
    let (removed, within) = (std::time::Instant::now(), std::time::Duration::from_mins(1));
    while page() == 200 {
        assert!(removed.elapsed() < within, "still signed in");
    }
}

#[test]
fn a_link_comes_with_a_new_user_where_it_is_asked_for() {
    let place = Place::new();
    let printed = place.ok(&["user", "add", "ana", "--role", "viewer", "--link"]);
    assert_eq!(links(&printed).len(), 1, "{printed}");
    let served = place.serve();
    assert_eq!(press(&served.base, links(&printed)[0]).status, 303);
    let added = place.json(&["user", "add", "bo", "--role", "viewer", "--link"]);
    assert_eq!(press(&served.base, added["link"].as_str().unwrap()).status, 303);
}

#[cfg(unix)]
#[test]
fn serve_tells_a_link_on_standard_error_until_somebody_signed_in() {
    let place = Place::new();
    let first = place.serve().log();
    assert_eq!(links(&first).len(), 1, "{first}");
    let (served, old) = (place.serve(), links(&first)[0].to_owned());
    assert_eq!(press(&served.base, &old).status, 410, "the next start made another");
    let again = served.log();
    assert_eq!(links(&again).len(), 1, "nobody signed in yet: {again}");
    let log = {
        let mut served = place.serve();
        let line = served.told("/login/once/");
        let link = links(&line)[0];
        assert_eq!(press(&served.base, link).status, 303);
        served.log()
    };
    assert!(!log.contains("tonnelink_"), "no log holds a link: {log}");
    let last = place.serve().log();
    assert!(links(&last).is_empty(), "somebody signed in: {last}");
}

/// The page has the usual port, another moment, and the link without its secret.
#[cfg(unix)]
#[test]
fn the_page_about_users_prints_what_a_first_start_prints() {
    let place = Place::new();
    let served = place.serve();
    let base = served.base.clone();
    let log = served.log();
    let mut told = log.lines().skip_while(|line| !line.starts_with("Nobody has signed in"));
    let (whom, until) = told.next().unwrap_or_else(|| panic!("{log}")).split_once("until ").unwrap();
    let (link, _) = told.next().unwrap().split_once("tonnelink_").unwrap();
    let (_, block) = USERS.split_once("no-run=what a first start prints\n").unwrap();
    let mut shown = block.split_once("```").unwrap().0.lines();
    assert_eq!(shown.next(), Some("Tonne serves http://127.0.0.1:8080/api"));
    assert!(base.ends_with("/api"), "{base}");
    let (shown_whom, shown_until) = shown.next().unwrap().split_once("until ").unwrap();
    assert_eq!(shown_whom, whom);
    assert_eq!(shown_until.len(), until.len(), "{shown_until} is no {until}");
    let origin = base.strip_suffix("/api").unwrap();
    assert_eq!(shown.next(), Some(&*format!("{}tonnelink_...", link.replace(origin, "http://127.0.0.1:8080"))));
    assert_eq!(shown.next(), None);
}

#[cfg(unix)]
#[test]
fn serve_tells_no_link_where_a_user_was_added() {
    let place = Place::new();
    place.ok(&["user", "add", "ana", "--role", "admin"]);
    let log = place.serve().log();
    assert!(links(&log).is_empty(), "{log}");
}

#[test]
fn a_session_and_a_link_of_before_a_restore_are_worth_nothing_after_it() {
    let source = Place::new();
    source.ok(&["user", "add", "ana", "--role", "admin"]);
    source.ok(&["user", "add", "bo", "--role", "viewer"]);
    let link = |place: &Place, name: &str| place.json(&["user", "link", name])["link"].as_str().unwrap().to_owned();
    let served = source.serve();
    let before = session(&press(&served.base, &link(&source, "ana")));
    let unused = link(&source, "bo");
    assert_eq!(own_page(&served.base, &before), 200);
    source.ok(&["backup", "--to", "a.backup"]);

    let place = Place::new();
    place.ok(&["restore", &source.path().join("a.backup").display().to_string()]);
    let restored = place.serve();
    assert_eq!(own_page(&restored.base, &before), 303, "it leads to the page that signs in");
    assert_eq!(press(&restored.base, &unused).status, 410);
    let after = session(&press(&restored.base, &link(&place, "ana")));
    assert_eq!(own_page(&restored.base, &after), 200);
    assert_eq!(own_page(&served.base, &before), 200, "where nothing was restored it goes on");
}

#[test]
fn a_provider_signs_nobody_in_behind_a_restore_that_revokes_until_users_are_named_to_it_again() {
    let source = Place::new();
    let identity = ["--issuer", "https://id.example", "--subject", "248289761001"];
    source.ok(&[&["user", "add", "ana", "--role", "admin"], &identity[..]].concat());
    source.ok(&["user", "add", "bo", "--role", "viewer"]);
    source.ok(&["backup", "--to", "a.backup"]);
    let backup = source.path().join("a.backup").display().to_string();
    let subjects = |place: &Place| {
        let users = place.json(&["user", "list"]);
        users.as_array().unwrap().iter().map(|user| user["subject"].as_str().map(str::to_owned)).collect::<Vec<_>>()
    };
    let ana = Some("248289761001".to_owned());

    let place = Place::new();
    place.ok(&["restore", &backup]);
    assert_eq!(subjects(&place), [ana.clone(), None]);

    let place = Place::new();
    let told = place.ok(&["restore", &backup, "--revoke-credentials"]);
    assert!(told.contains("keys, clients, and the passwords and provider sign-ins of 2 users were left out"), "{told}");
    assert_eq!(subjects(&place), [None, None]);
    place.ok(&["user", "link", "ana"]);
    place.ok(&[&["user", "set", "ana"], &identity[..]].concat());
    assert_eq!(subjects(&place), [ana, None]);
    assert!(place.ok(&["verify"]).starts_with("OK: "));
}
