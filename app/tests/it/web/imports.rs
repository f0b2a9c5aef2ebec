//! Importing a file step by step, as a browser without scripts does it.

use std::io::{Read as _, Write as _};
use std::time::{Duration, Instant};

use super::browser::{Browser, add_user, link, signed_in, token};
use crate::http::harness::{Answer, Service};

const SAME: &[(&str, &str)] = &[("Sec-Fetch-Site", "same-origin")];
pub(super) const ROWS: &[u8] =
    b"syncId,name,startDate,UpstreamCO2e\na,Van,2025-01-02,1.5\nb,Van,2025-02-30,1\nc,<b>Boiler</b>,2025-01-03,2\n";

/// Sends a file as the page's form does, and gives the path of its next step.
#[track_caller]
pub(super) fn staged(browser: &mut Browser, name: &str, rows: &[u8]) -> String {
    let token = token(browser.get("/imports/new").expect(200).text()).unwrap();
    let parts = [("form_token", None, token.as_bytes()), ("file", Some(name), rows)];
    let answer = browser.upload("/imports/new", &parts, SAME).expect(303);
    let to = answer.header("location").unwrap().to_owned();
    to.strip_suffix("/table").unwrap().split_once("/imports/").map(|(_, id)| format!("/imports/{id}")).unwrap()
}

/// Loads the page anew until it does not ask for that any more, as a browser does.
#[track_caller]
pub(super) fn settled(browser: &mut Browser, path: &str) -> Answer {
    let began = Instant::now();
    loop {
        let answer = browser.get(path).expect(200);
        if !answer.text().contains("http-equiv=\"refresh\"") {
            return answer;
        }
        assert!(began.elapsed() < Duration::from_mins(1), "it does not end: {}", answer.text());
        std::thread::park_timeout(Duration::from_millis(20));
    }
}

/// Checks all rows by that map.
#[track_caller]
pub(super) fn checked(browser: &mut Browser, at: &str, map: &str) -> String {
    let to = format!("{at}/map");
    browser.send(&to, &to, &[("do", "check"), ("map", map)]).expect(303);
    checked_page(browser, at)
}

/// What the check that was begun found.
#[track_caller]
pub(super) fn checked_page(browser: &mut Browser, at: &str) -> String {
    settled(browser, &format!("{at}/check")).text().to_owned()
}

pub(super) fn plain(page: &str) -> String {
    let mut text = String::new();
    let mut is_tag = false;
    for letter in page.chars() {
        match letter {
            '<' => is_tag = true,
            '>' => is_tag = false,
            letter if !is_tag => text.push(letter),
            _ => {}
        }
    }
    text
}

#[test]
fn a_file_goes_through_the_steps_and_is_undone() {
    let service = Service::start();
    let mut browser = signed_in(&service, "ana", "editor");
    let at = staged(&mut browser, "../fleet.csv", ROWS);
    let page = browser.get(&format!("{at}/table")).expect(200);
    assert!(page.text().contains("Import fleet.csv") && page.text().contains("commas"), "{}", page.text());
    assert!(!page.text().contains("<b>Boiler</b>"), "cells are text: {}", page.text());
    browser.get("/imports").expect(200).text().contains("fleet.csv");
    let page = browser.get(&format!("{at}/map")).expect(200);
    assert!(page.text().contains("No map is needed"), "{}", page.text());
    let page = checked(&mut browser, &at, "");
    assert!(plain(&page).contains("2 new · 0 changed · 0 same · 1 rejected"), "{}", plain(&page));
    let rejected = browser.get(&format!("{at}/rejected")).expect(200);
    assert!(rejected.text().contains("2025-02-30") && !rejected.text().contains("2025-01-02"), "{}", rejected.text());
    let check = format!("{at}/check");
    browser.send(&check, &check, &[("do", "good")]).expect(303);
    let page = settled(&mut browser, &format!("{at}/run")).text().to_owned();
    assert!(plain(&page).contains("2 new · 0 changed · 0 same · 1 rejected"), "{}", plain(&page));
    let (_, behind) = page.split_once("name=\"import\" value=\"").unwrap();
    let import = behind.split('"').next().unwrap();
    // The same file once more says what it would do, and is refused unless that is meant.
    let again = staged(&mut browser, "fleet.csv", ROWS);
    let page = checked(&mut browser, &again, "");
    assert!(plain(&page).contains("0 new · 0 changed · 2 same · 1 rejected"), "{}", plain(&page));
    let check = format!("{again}/check");
    let refused = browser.send(&check, &check, &[("do", "good")]).expect(409);
    assert!(refused.text().contains("imported before"), "{}", refused.text());
    browser.send("/imports", "/imports", &[("import", import)]).expect(303);
    let page = checked(&mut browser, &again, "");
    assert!(plain(&page).contains("2 new"), "{}", plain(&page));
    browser.send(&check, &format!("{again}/discard"), &[]).expect(303);
    browser.get(&check).expect(404);
}

#[test]
fn a_table_of_its_own_columns_is_read_by_the_map_of_the_page() {
    let service = Service::start();
    let mut browser = signed_in(&service, "ana", "editor");
    let at = staged(&mut browser, "own.csv", "Nummer;Was;Tag;kg\n1;Köln;03.04.2025;1,5\n".as_bytes());
    let map = "[table]\ndelimiter = \";\"\ndecimal = \",\"\ndates = [\"DD.MM.YYYY\"]\n[[activity]]\nname = \"{Was}\"\nsyncId = \"{Nummer}\"\nstartDate = \"{Tag}\"\nUpstreamCO2e = \"{kg}\"\n";
    let to = format!("{at}/map");
    let page = browser.send(&to, &to, &[("do", "check"), ("map", "[table]\nwat = 1\n")]).expect(422);
    assert!(page.text().contains("wat"), "{}", page.text());
    let page = browser.send(&to, &to, &[("do", "try"), ("map", map)]).expect(200);
    assert!(page.text().contains("2025-04-03"), "{}", page.text());
    let page = checked(&mut browser, &at, map);
    assert!(plain(&page).contains("1 new · 0 changed · 0 same · 0 rejected"), "{}", plain(&page));
    assert_eq!(browser.get(&format!("{at}/map.toml")).expect(200).text(), map);
}

#[test]
fn a_form_with_a_file_needs_the_token_of_its_session_before_the_file_and_this_origin() {
    let service = Service::start();
    let mut browser = signed_in(&service, "ana", "editor");
    let mut other = signed_in(&service, "bo", "editor");
    let own = token(browser.get("/imports/new").text()).unwrap();
    let others = token(other.get("/imports/new").text()).unwrap();
    let file: (&str, Option<&str>, &[u8]) = ("file", Some("a.csv"), ROWS);
    let own_token = ("form_token", None, own.as_bytes());
    for (what, parts, headers) in [
        ("no token", vec![file], SAME),
        ("a token behind the file", vec![file, own_token], SAME),
        ("another session's token", vec![("form_token", None, others.as_bytes()), file], SAME),
        ("another site", vec![own_token, file], &[("Sec-Fetch-Site", "cross-site")][..]),
        ("nothing that says where from", vec![own_token, file], &[]),
    ] {
        let answer = browser.upload("/imports/new", &parts, headers);
        assert_eq!(answer.status, 403, "{what}: {}", answer.text());
    }
    assert_eq!(browser.upload("/imports", &[own_token, file], SAME).status, 415, "files are taken at one address");
    let empty: (&str, Option<&str>, &[u8]) = ("file", Some(""), b"");
    browser.upload("/imports/new", &[own_token, empty], SAME).expect(422);
    browser.upload("/imports/new", &[own_token], SAME).expect(400);
    let listed = browser.get("/imports").expect(200);
    assert!(!listed.text().contains("a.csv"), "nothing is left behind: {}", listed.text());
}

#[test]
fn a_file_that_drips_is_given_up() {
    let service = Service::with(|config| config.limits.body_s = 1);
    let mut browser = signed_in(&service, "ana", "editor");
    let token = token(browser.get("/imports/new").text()).unwrap();
    let client = service.anybody();
    let (host, path, cookies) = (client.host(), browser.path("/imports/new"), browser.cookies().unwrap());
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: {host}\r\nCookie: {cookies}\r\nSec-Fetch-Site: same-origin\r\n\
         Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 100000\r\n\r\n\
         --b\r\nContent-Disposition: form-data; name=\"form_token\"\r\n\r\n{token}\r\n\
         --b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.csv\"\r\n\r\nname,"
    );
    let mut stream = std::net::TcpStream::connect(service.address()).unwrap();
    stream.write_all(head.as_bytes()).unwrap();
    let dripping = stream.try_clone().unwrap();
    std::thread::spawn(move || {
        let mut dripping = dripping;
        // Far more often than anything may be silent.
        while dripping.write_all(b"x").is_ok() {
            std::thread::park_timeout(Duration::from_millis(50));
        }
    });
    let began = Instant::now();
    let mut answer = [0; 12];
    stream.set_read_timeout(Some(Duration::from_secs(25))).unwrap();
    stream.read_exact(&mut answer).unwrap();
    assert!(answer.starts_with(b"HTTP/1.1 4"), "{answer:?}");
    assert!(began.elapsed() < Duration::from_secs(20), "long before half a minute of silence");
    let listed = browser.get("/imports").expect(200);
    assert!(!listed.text().contains("a.csv"), "nothing is left behind: {}", listed.text());
}

#[test]
fn whoever_may_not_import_and_another_company_see_no_step() {
    let service = Service::of(tonne::config::Mode::Path, |_| {});
    let mut editor = signed_in(&service, "ed", "editor");
    let at = staged(&mut editor, "a.csv", ROWS);
    let pages = ["table", "map", "map.toml", "check", "rejected", "run"].map(|step| format!("{at}/{step}"));
    for rights in ["viewer", "auditor"] {
        let mut browser = signed_in(&service, rights, rights);
        browser.get("/imports/new").expect(403);
        for page in &pages {
            browser.get(page).expect(403);
        }
        let token = token(browser.get("/settings/me").text()).unwrap();
        let parts = [("form_token", None, token.as_bytes()), ("file", Some("a.csv"), ROWS)];
        browser.upload("/imports/new", &parts, SAME).expect(403);
        for step in ["table", "map", "check", "discard"] {
            browser.send("/settings/me", &format!("{at}/{step}"), &[("do", "check")]).expect(403);
        }
    }
    for page in &pages {
        Browser::new(&service).get(page).expect(303);
    }
    let user = add_user(&service, "cy", "editor");
    let other = service.company("umbrella");
    let slug = other.tenant.slug.to_string();
    let mut stranger = Browser::new(&service);
    let link = link(&service, &user);
    stranger.send(&link, &link, &[]).expect(303);
    let mut stranger = stranger.at(&format!("/{slug}"));
    for page in &pages {
        stranger.get(page).expect(303);
    }
    editor.get(&pages[0]).expect(200);
}
