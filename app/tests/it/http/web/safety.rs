//! What pages let nobody do: strangers, other companies' people, other sites' forms, and texts that would be markup.

use super::visitor::{Books, Visitor, links};
use crate::http::harness::{Service, json};

const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; \
                      base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types tonne";

fn paths(books: &Books) -> Vec<String> {
    let activity = format!("/activities/{}", books.activity);
    let with = |end: &str| format!("{activity}{end}");
    let rest = [activity.clone(), with("/explanation"), with("/edit"), format!("/report?scope={}", books.scope)];
    let fixed = [
        "/",
        "/report",
        "/report?form=csv",
        "/report/explanation",
        "/activities",
        "/activities?form=csv",
        "/activities/new",
        "/products",
        "/products?form=csv",
        "/footprints",
        "/footprints?form=csv",
        "/models?form=csv",
        "/switches?form=csv",
        "/periods?form=csv",
        "/imports?form=csv",
        "/history?form=csv",
    ];
    fixed.into_iter().map(str::to_owned).chain(rest).collect()
}

#[test]
fn strangers_are_sent_to_sign_in_and_back() {
    let service = Service::start();
    let books = Books::new(&service);
    let stranger = Visitor::stranger(&service.own());
    let base = service.own().pages();
    for path in paths(&books) {
        let answer = stranger.get(&path).expect(303);
        let asked = super::visitor::encoded(&format!("{base}{path}"));
        assert_eq!(answer.header("location"), Some(format!("{base}/login?return_to={asked}").as_str()));
        assert!(answer.body.is_empty());
    }
}

#[test]
fn a_session_is_worth_nothing_at_another_companys_address() {
    let service = Service::of(tonne::config::Mode::Path, |_| {});
    let (own, other) = (service.own(), service.company("other"));
    let visitor = Visitor::signed_in(&own, "admin");
    visitor.get("/").expect(200);
    for path in ["/", "", "/report", "/activities", "/activities?form=csv", "/activities/new"] {
        visitor.at(&other).get(path).expect(303);
    }
    visitor.at(&other).send("/activities/new", &[("name", "x"), ("startDate", "2025-01-01")]).expect(303);
    let stranger = Visitor::stranger(&own);
    stranger.request("GET", "").send().expect(303);
}

#[test]
fn pages_of_no_company_are_not_there() {
    let service = Service::of(tonne::config::Mode::Path, |_| {});
    let page = service.anybody().outside("GET", "/nobody/report").header("Accept", "text/html").send().expect(404);
    assert_eq!(page.header("content-type"), Some("text/html; charset=utf-8"));
    service.anybody().outside("GET", "/nobody/report").send().expect(404).json();
}

#[test]
fn every_page_has_the_policy_and_no_page_has_inline_style_or_script() {
    let service = Service::start();
    let books = Books::new(&service);
    let visitor = Visitor::signed_in(&service.own(), "admin");
    for path in paths(&books).into_iter().chain(["/nothing".to_owned(), "/report?by=colour".to_owned()]) {
        let answer = visitor.get(&path);
        assert_eq!(answer.header("content-security-policy"), Some(POLICY), "{path}");
        for (name, value) in [
            ("x-content-type-options", "nosniff"),
            ("cross-origin-opener-policy", "same-origin"),
            ("cross-origin-resource-policy", "same-origin"),
            ("referrer-policy", "same-origin"),
            ("cache-control", "private, no-cache"),
        ] {
            assert_eq!(answer.header(name), Some(value), "{path}: {name}");
        }
        if answer.header("content-type") == Some("text/html; charset=utf-8") {
            let text = answer.text();
            assert!(!text.contains(" style=") && !text.contains("<style") && !text.contains("javascript:"), "{path}");
            assert_eq!(
                text.matches("<script").count(),
                text.matches("<script type=\"module\" src=\"/assets/").count(),
                "{path}"
            );
        }
    }
}

#[test]
fn assets_are_kept_for_ever_at_addresses_of_their_content() {
    let service = Service::start();
    let stranger = Visitor::stranger(&service.own());
    let page = stranger.get("/login").expect(200);
    let assets: Vec<_> = links(page.text()).into_iter().filter(|link| link.starts_with("/assets/")).collect();
    assert!(assets.len() >= 2, "{assets:?}");
    for asset in assets {
        let answer = service.anybody().outside("GET", &asset).send().expect(200);
        assert_eq!(answer.header("cache-control"), Some("public, max-age=31536000, immutable"), "{asset}");
        let other = asset.replacen(asset.split('/').nth(2).unwrap(), "0000000000000000", 1);
        service.anybody().outside("GET", &other).send().expect(404);
    }
}

#[test]
fn forms_of_other_sites_and_sessions_are_refused() {
    let service = Service::start();
    let visitor = Visitor::signed_in(&service.own(), "editor");
    let fields = "name=Forged&startDate=2025-01-01";
    let post = || visitor.request("POST", "/activities/new");
    // Neither where it comes from nor the token, one of them, or a wrong one.
    post().form(fields).send().expect(403);
    post().header("Sec-Fetch-Site", "same-origin").form(fields).send().expect(403);
    post().header("Sec-Fetch-Site", "same-origin").form(&format!("{fields}&form_token=wrong")).send().expect(403);
    let other = Visitor::signed_in(&service.own(), "activity:write");
    let token = super::visitor::field(&other.page("/activities/new"), "form_token");
    post().header("Sec-Fetch-Site", "same-origin").form(&format!("{fields}&form_token={token}")).send().expect(403);
    let token = super::visitor::field(&visitor.page("/activities/new"), "form_token");
    let whole = format!("{fields}&form_token={token}");
    for site in ["cross-site", "same-site"] {
        post().header("Sec-Fetch-Site", site).form(&whole).send().expect(403);
    }
    post().header("Origin", "https://evil.example").form(&whole).send().expect(403);
    post().header("Origin", "null").form(&whole).send().expect(403);
    post().header("Sec-Fetch-Site", "same-origin").json_text("{}").send().expect(415);
    assert_eq!(service.admin().get("/v1/activity").ok()["count"], 0);
    // Without Sec-Fetch-Site, as over plain http on a name of the network, the origin counts.
    post().header("Origin", format!("http://{}", service.address())).form(&whole).send().expect(303);
    assert_eq!(service.admin().get("/v1/activity").ok()["count"], 1);
}

#[test]
fn no_page_writes_when_it_is_read() {
    let service = Service::start();
    let books = Books::new(&service);
    let visitor = Visitor::signed_in(&service.own(), "admin");
    let newest = || service.admin().get("/v1/change?limit=1").ok()["newest"].clone();
    let before = newest();
    for path in paths(&books) {
        visitor.get(&path).expect(200);
    }
    assert_eq!(newest(), before);
}

#[test]
fn the_api_takes_no_cookie() {
    let service = Service::start();
    let visitor = Visitor::signed_in(&service.own(), "admin");
    let api = format!("{}/api/v1/activity", service.own().pages());
    visitor.request("GET", &api).send().expect(401);
    let key = service.key("activity:report");
    let answers = [Visitor::stranger(&service.own()), visitor]
        .map(|visitor| {
            visitor
                .request("GET", &api)
                .header("Authorization", format!("Bearer {key}"))
                .header("Accept", "application/json")
        })
        .map(|request| request.send().expect(200).json());
    assert_eq!(answers[0], answers[1]);
}

#[test]
fn texts_of_records_never_become_markup() {
    const EVIL: &str = "\"><img src=x onerror=alert(1)><script>alert(2)</script>'{{7*7}}";
    let service = Service::start();
    let admin = service.admin();
    let (org, taxonomy) = (admin.org(EVIL, None), admin.taxonomy(EVIL, None));
    let product = admin.post("/v1/product", &json!({ "name": EVIL, "unit": "L" })).uuid();
    admin
        .post(
            &format!("/v1/product/{product}/factor"),
            &json!({ "unit": "L", "upstream": "1", "validFrom": "2000-01-01", "source": EVIL }),
        )
        .uuid();
    let scope = admin.post("/v1/scope", &json!({ "name": EVIL, "kind": "scope1" })).uuid();
    let id = admin.activity(json!({
        "name": EVIL, "syncId": EVIL, "description": EVIL, "org": { "uuid": org }, "taxonomy": { "uuid": taxonomy },
        "scope": { "uuid": scope }, "product": { "uuid": product }, "quantity": "2", "unit": "L",
    }));
    admin.patch(&format!("/v1/activity/{id}"), &json!({ "description": format!("{EVIL}!") })).ok();
    let visitor = Visitor::signed_in(&service.own(), "admin");
    let evil = super::visitor::encoded(EVIL);
    let mut asked =
        vec![format!("/activities/{id}"), format!("/activities/{id}/explanation"), format!("/activities/{id}/edit")];
    asked.extend(
        ["/", "/report?by=org,taxonomy&depth=3", "/report?by=product&view=chart", "/activities", "/report/explanation"]
            .map(str::to_owned),
    );
    asked.extend(
        [
            "/?date=",
            "/report?org=",
            "/activities?name=",
            "/activities?after=",
            "/report?by=",
            "/report/explanation?line=",
            "/report?x=",
        ]
        .map(|path| format!("{path}{evil}")),
    );
    for path in asked {
        let page = visitor.get(&path);
        let text = page.text();
        assert!(!text.contains("<img") && !text.contains("<script>"), "{path}: {text}");
    }
}

#[test]
fn unknown_paths_are_pages_to_browsers_and_problems_to_programs() {
    let service = Service::start();
    let visitor = Visitor::signed_in(&service.own(), "viewer");
    let page = visitor.get("/nothing").expect(404);
    assert_eq!(page.header("content-type"), Some("text/html; charset=utf-8"));
    assert!(
        page.text().contains("There is nothing at this address.") && page.text().contains("/report"),
        "{}",
        page.text()
    );
    let base = service.own().pages();
    let problem = service.anybody().outside("GET", &format!("{base}/nothing")).send().expect(404);
    assert_eq!(problem.header("content-type"), Some("application/problem+json"));
    let api = visitor.request("GET", &format!("{base}/api/nothing")).send().expect(404);
    assert_eq!(api.header("content-type"), Some("application/problem+json"));
    let method = visitor.request("DELETE", "/report").header("Sec-Fetch-Site", "same-origin").form("").send();
    assert!(method.status == 405 || method.status == 403, "{method:?}");
}
