//! Tabs that are closed while a file is on its way into the books.

use std::io::Write as _;
use std::net::TcpStream;
use std::time::{Duration, Instant};

use super::browser::{Browser, PASSWORD, signed_in, token};
use super::imports::{ROWS, checked, plain, settled, staged};
use crate::http::harness::Service;

/// How many activities and imports there are.
fn written(service: &Service) -> (u64, u64) {
    let count = |path: &str| service.admin().get(path).ok()["count"].as_u64().unwrap();
    (count("/v1/activity?page=1&pageSize=1"), count("/v1/import"))
}

/// Another tab of that user.
fn another_tab(service: &Service, name: &str) -> Browser {
    let mut browser = Browser::new(service);
    browser.sign_in(name, PASSWORD).expect(303);
    browser
}

fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let began = Instant::now();
    while !is_so() {
        assert!(began.elapsed() < Duration::from_mins(1), "{what}");
        std::thread::park_timeout(Duration::from_millis(20));
    }
}

/// A connection on which the first bytes of a file were sent by the page's form.
fn half_sent(service: &Service, browser: &mut Browser, name: &str) -> TcpStream {
    let token = token(browser.get("/imports/new").text()).unwrap();
    let client = service.anybody();
    let (host, path, cookies) = (client.host(), browser.path("/imports/new"), browser.cookies().unwrap());
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: {host}\r\nCookie: {cookies}\r\nSec-Fetch-Site: same-origin\r\n\
         Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 100000\r\n\r\n\
         --b\r\nContent-Disposition: form-data; name=\"form_token\"\r\n\r\n{token}\r\n\
         --b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{name}\"\r\n\r\nsyncId,name"
    );
    let mut stream = TcpStream::connect(service.address()).unwrap();
    stream.write_all(head.as_bytes()).unwrap();
    stream
}

#[test]
fn a_tab_closed_while_its_file_is_sent_leaves_nothing_and_the_file_can_be_sent_again() {
    let service = Service::start();
    let mut browser = signed_in(&service, "ana", "editor");
    let stream = half_sent(&service, &mut browser, "fleet.csv");
    let mut is_listed = || browser.get("/imports").expect(200).text().contains("fleet.csv");
    until("the file is not listed while it comes", &mut is_listed);
    drop(stream);
    until("the file is listed for ever", || !is_listed());
    assert_eq!(written(&service), (0, 0));
    let at = staged(&mut browser, "fleet.csv", ROWS);
    let page = checked(&mut browser, &at, "");
    assert!(plain(&page).contains("2 new · 0 changed · 0 same · 1 rejected"), "{}", plain(&page));
}

#[test]
fn tabs_closed_at_each_step_leave_the_file_to_another_one_and_its_rows_go_in_once() {
    let service = Service::start();
    let mut tab = signed_in(&service, "ana", "editor");
    let at = staged(&mut tab, "fleet.csv", ROWS);
    drop(tab);
    let mut tab = another_tab(&service, "ana");
    let listed = tab.get("/imports").expect(200);
    assert!(listed.text().contains(&format!("{at}/table")) && plain(listed.text()).contains("waits for its columns"));
    checked(&mut tab, &at, "");
    drop(tab);
    assert_eq!(written(&service), (0, 0), "a check writes nothing");

    let mut tab = another_tab(&service, "ana");
    let listed = tab.get("/imports").expect(200);
    assert!(listed.text().contains(&format!("{at}/check")) && plain(listed.text()).contains("nothing is written yet"));
    let check = format!("{at}/check");
    tab.send(&check, &check, &[("do", "good")]).expect(303);
    drop(tab);

    let mut tab = another_tab(&service, "ana");
    let page = settled(&mut tab, &format!("{at}/run"));
    assert!(plain(page.text()).contains("2 new · 0 changed · 0 same · 1 rejected"), "{}", plain(page.text()));
    assert_eq!(written(&service), (2, 1));
    tab.send("/imports/new", &check, &[("do", "good")]).expect(409);
    assert_eq!(written(&service), (2, 1), "what is imported is not imported again");
}
