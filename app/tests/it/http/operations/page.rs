//! The page of the API: what it shows is what the document says, its lines for `curl` work, and a browser that opens an
//! address of the service lands on it.

use std::collections::BTreeSet;

use ports::Permission;

use super::anything::{is_of_pact, partner};
use super::examples::{FIRST, changed, example, place};
use super::shown::told_base;
use crate::http::harness::{Answer, DOCUMENT, Service, json};
use crate::http::token;

/// What browsers send.
const BROWSER: &str = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

/// The record that the example of a blanking names.
const BLANKED: &str = "01a206f7-4de2-7394-9e43-b6b2ab129b4b";

fn page(service: &Service) -> Answer {
    service.anybody().request("GET", "/docs").header("Accept", BROWSER).send().expect(200)
}

/// What stands between each pair of marks.
fn between<'a>(text: &'a str, start: &str, end: &str) -> Vec<&'a str> {
    text.split(start).skip(1).map(|rest| rest.split(end).next().unwrap()).collect()
}

fn plain(html: &str) -> String {
    html.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&")
}

/// The words of a line, as a shell takes it apart, with what it holds in the place of variables.
fn words(line: &str, variables: &[(&str, &str)]) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), String::new(), None);
    let mut letters = line.chars();
    while let Some(letter) = letters.next() {
        match (letter, quote) {
            ('\\', None) => word.extend(letters.next()),
            ('\'' | '"', None) => quote = Some(letter),
            (letter, Some(open)) if letter == open => quote = None,
            (' ', None) => words.push(std::mem::take(&mut word)),
            _ => word.push(letter),
        }
    }
    words.push(word);
    let filled = |word: String| variables.iter().fold(word, |word, (name, value)| word.replace(name, value));
    words.into_iter().map(filled).collect()
}

#[test]
fn the_page_shows_every_operation_with_its_permission_parameters_and_examples() {
    let service = Service::start();
    let page = page(&service).text().to_owned();
    for (path, item) in DOCUMENT["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let id = operation["operationId"].as_str().unwrap();
            let start = format!("<details class=\"op\" id=\"{id}\" data-method=\"{}\"", method.to_uppercase());
            let [section] = between(&page, &start, "</details>")[..] else {
                panic!("{method} {path} is not shown once")
            };
            assert!(section.contains(&format!("<code>{path}</code>")), "{id}");
            if let Some(permission) = operation["security"][0]["oauth2"][0].as_str() {
                assert!(section.contains(&format!("<em>{permission}</em>")), "{id}");
            }
            for parameter in operation["parameters"].as_array().into_iter().flatten() {
                let row = format!("data-name=\"{}\"", parameter["name"].as_str().unwrap());
                assert!(section.contains(&row), "{id}: {row}");
            }
            let has_body = operation.get("requestBody").is_some();
            assert_eq!(section.contains("<pre class=\"body\""), has_body, "{id}");
            let has_answer = operation["responses"].to_string().contains("\"example\":");
            assert_eq!(section.contains("<pre class=\"answer\">"), has_answer, "{id}");
        }
    }
}

#[test]
fn the_table_of_permissions_names_them_all_and_every_operation_that_asks_for_one() {
    let service = Service::start();
    let page = page(&service).text().to_owned();
    let [table] = between(&page, "<table class=\"permissions\">", "</table>")[..] else { panic!("no table") };
    let mut listed = BTreeSet::new();
    let rows = between(table, "<tr><th><code>", "</tr>");
    assert_eq!(rows.len(), Permission::ALL.len());
    for (row, permission) in rows.iter().zip(Permission::ALL) {
        let plain = row.replace("<code>", "`").replace("</code>", "`");
        assert!(row.starts_with(permission.as_str()) && plain.contains(permission.what_for()), "{row}");
        listed.extend(between(row, "href=\"#", "\"").into_iter().map(|id| (permission.to_string(), id.to_owned())));
    }
    let mut asked = BTreeSet::new();
    for item in DOCUMENT["paths"].as_object().unwrap().values() {
        for operation in item.as_object().unwrap().values() {
            if let Some(permission) = operation["security"][0]["oauth2"][0].as_str() {
                asked.insert((permission.to_owned(), operation["operationId"].as_str().unwrap().to_owned()));
            }
        }
    }
    assert_eq!(listed, asked);
}

#[test]
fn every_line_for_curl_works_with_a_key_in_the_environment() {
    let service = Service::start();
    let admin = service.admin();
    let page = page(&service).text().to_owned();
    for collection in FIRST {
        admin.post(collection, example(collection, "post").unwrap().1).expect(201);
    }
    let client = admin.post("/v1/client", &json!({ "name": "ERP", "permissions": ["admin"] })).created();
    let (id, secret) = (client["client_id"].as_str().unwrap(), client["client_secret"].as_str().unwrap());
    let variables =
        [("$TONNE_KEY", service.key("admin")), ("$CLIENT_ID", id.to_owned()), ("$CLIENT_SECRET", secret.to_owned())];
    let variables = variables.each_ref().map(|(name, value)| (*name, value.as_str()));
    let base = told_base(&service);
    let mut made = 0;
    for section in between(&page, "<details class=\"op\"", "</details>") {
        let value = |name: &str| plain(between(section, &format!(" {name}=\""), "\"")[0]);
        let (method, path) = (value("data-method"), value("data-path"));
        if method == "POST" && FIRST.contains(&path.as_str()) {
            continue;
        }
        let line = plain(between(section, "<pre class=\"curl\">", "</pre>")[0]);
        let (mut verb, mut headers, mut body, mut url) = (None, Vec::new(), None, String::new());
        let mut words = words(&line, &variables).into_iter().skip(1);
        while let Some(word) = words.next() {
            match word.as_str() {
                "-X" => verb = words.next(),
                "-H" => headers.extend(words.next()),
                "-u" => {
                    let (id, secret) =
                        words.next().unwrap().split_once(':').map(|(a, b)| (a.to_owned(), b.to_owned())).unwrap();
                    headers.push(format!("Authorization: {}", token::basic(&id, &secret)));
                    headers.push("Content-Type: application/x-www-form-urlencoded".to_owned());
                }
                "--data-binary" => body = words.next(),
                _ => url = word,
            }
        }
        assert_eq!(verb.unwrap_or_else(|| if body.is_some() { "POST" } else { "GET" }.to_owned()), method, "{line}");
        assert_eq!(
            url,
            format!(
                "{base}{}",
                path.replace("{uuid}", "UUID")
                    .replace("{id}", "UUID")
                    .replace("{set}", "SET")
                    .replace("{cell}", "CELL")
            ),
            "{line}"
        );
        // Only a partner sends events; its token stands in the place of the key.
        let by = (is_of_pact(&path) && method == "POST").then(|| partner(&service));
        let mut request = by.as_ref().unwrap_or(&service.anybody()).request(&method, &place(&admin, &path));
        for header in headers {
            let (name, value) = header.split_once(": ").unwrap();
            if by.is_some() && name == "Authorization" {
                assert_eq!(value, format!("Bearer {}", variables[0].1));
                continue;
            }
            request = request.header(name, value);
        }
        // The example names a record that is not there.
        let body = body.unwrap_or_default();
        let body = if path == "/v1/change/blank" { body.replace(BLANKED, &changed(&admin)) } else { body };
        let answer = request.body(body).send();
        assert!((200..300).contains(&answer.status), "{line}: {answer:?}");
        made += 1;
    }
    assert!(made > 60, "{made}");
}

#[test]
fn the_page_runs_nothing_but_its_own_script_and_takes_nothing_from_elsewhere() {
    let service = Service::start();
    let answer = page(&service);
    let policy = answer.header("content-security-policy").unwrap();
    let says: Vec<_> = policy.split("; ").collect();
    for part in [
        "default-src 'none'",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    ] {
        assert!(says.contains(&part), "{policy}");
    }
    assert!(!policy.contains("unsafe") && !policy.contains("http"), "{policy}");
    let text = answer.text();
    for (tag, name) in [("script", "script-src"), ("style", "style-src")] {
        let [inline] = between(text, &format!("<{tag}>"), &format!("</{tag}>"))[..] else { panic!("not one {tag}") };
        assert!(says.contains(&format!("{name} {}", hash(inline)).as_str()), "{policy}");
    }
    for outside in ["src=", " style=", " onclick=", " onload=", "<iframe", "<img", "<link", "<form", "href=\"http"] {
        assert!(!text.contains(outside), "{outside}");
    }
    let script = between(text, "<script>", "</script>")[0];
    let style = between(text, "<style>", "</style>")[0];
    assert!(script.len() <= 12 << 10 && style.len() <= 24 << 10, "{} {}", script.len(), style.len());
    // What would make markup of a text, or keep a key longer than the page.
    for forbidden in
        ["innerHTML", "outerHTML", "insertAdjacent", "document.write", "eval(", "Storage", "cookie", "indexedDB"]
    {
        assert!(!script.contains(forbidden), "{forbidden}");
    }
    assert_eq!(script.matches("fetch(").count(), 1, "requests leave the page in one place");
    let [base] = between(text, "data-base=\"", "\"")[..] else { panic!("not one base") };
    assert!(base.starts_with('/') && !base.starts_with("//"), "they go to the service itself: {base}");
}

/// The hash of an inline text, as a Content-Security-Policy names it.
fn hash(text: &str) -> String {
    use base64::Engine as _;
    use sha2::Digest as _;
    format!("'sha256-{}'", base64::engine::general_purpose::STANDARD.encode(sha2::Sha256::digest(text)))
}

#[test]
fn a_browser_that_opens_a_printed_address_lands_on_the_page() {
    let service = Service::start();
    let base = service.base_path();
    let above = base.strip_suffix("api").unwrap();
    for path in [base.as_str(), &format!("{base}/")] {
        for method in ["GET", "HEAD"] {
            let answer = service.anybody().outside(method, path).header("Accept", BROWSER).send();
            let place = (answer.status, answer.header("location"), answer.header("vary"));
            assert_eq!((place.0, place.1), (303, Some(format!("{base}/docs").as_str())), "{method} {path}");
            assert!(place.2.is_some_and(|vary| vary.contains("Accept")), "{place:?}");
        }
        for accept in ["*/*", "application/json", "application/json, text/html;q=0.5"] {
            let answer = service.anybody().outside("GET", path).header("Accept", accept).send();
            assert_eq!(answer.problem(), "404 not-found", "{path} {accept}");
        }
        assert_eq!(
            service.anybody().outside("POST", path).header("Accept", BROWSER).json_text("{}").send().status,
            404
        );
    }
    let answer = service.anybody().outside("GET", above).header("Accept", BROWSER).send();
    let sign_in = format!("{above}login?return_to=");
    assert!(answer.status == 303 && answer.header("location").is_some_and(|place| place.starts_with(&sign_in)));
    assert_eq!(service.anybody().outside("GET", above).header("Accept", "*/*").send().problem(), "404 not-found");
    service.anybody().outside("GET", "/nobody/api").header("Accept", BROWSER).send().expect(404);
}
