//! The demo's books in the pages: none of them is empty.

use tonne::demo::{UseCases, fill};

use super::registered::routes;
use super::visitor::{Visitor, plain};
use crate::http::harness::{Client, Service};

/// The books, as `tonne demo` fills them in; the set that they stand on is there.
fn fill_in(service: &Service) {
    let (app, operator) = (service.app(), service.operator());
    service.wait(async move {
        fill(UseCases::from(app.as_ref()), &operator).await.unwrap();
    });
}

/// The newest record of that collection.
fn record(admin: &Client, collection: &str) -> String {
    admin.get(&format!("{collection}?pageSize=1")).ok()["data"][0]["uuid"].as_str().unwrap().to_owned()
}

/// The pages of that route which the demo has; none where there is nothing to be shown without a file that waits or a link.
fn pages(admin: &Client, route: &str) -> Vec<String> {
    let of = |collection: &str| vec![route.replace("{uuid}", &record(admin, collection))];
    match route {
        _ if route.starts_with("/activities/{uuid}") => of("/v1/activity"),
        "/models/{uuid}" => of("/v1/model"),
        "/switches/{uuid}" => of("/v1/switch"),
        "/products/{uuid}" => of("/v1/product"),
        "/footprints/{uuid}" => of("/v1/footprint"),
        "/statement/{year}" => vec!["/statement/2025".to_owned()],
        "/catalog/{tree}" => ["org", "scope", "taxonomy"].map(|tree| format!("/catalog/{tree}")).into(),
        "/history/{kind}/{uuid}" => vec![format!("/history/product/{}", record(admin, "/v1/product"))],
        "/settings/users/{uuid}" => vec![],
        _ if route.starts_with("/imports/{id}") || route.starts_with("/login") => vec![],
        _ if route.contains('{') => panic!("say here which page of {route} the demo has"),
        route => vec![route.to_owned()],
    }
}

#[test]
fn no_page_of_the_demo_is_empty_and_each_feature_is_on_one() {
    let service = Service::start();
    fill_in(&service);
    let (admin, visitor) = (service.admin(), Visitor::signed_in(&service.own(), "admin"));
    // Keys and clients are made where the demo starts, for that start alone.
    let is_filled = |route: &str| !["/settings/keys", "/settings/clients"].contains(&route);
    for route in routes().iter().filter(|route| route.is_read && !route.is_open && is_filled(route.path)) {
        for path in pages(&admin, route.path) {
            let answer = visitor.get(&path);
            // Somebody without a link has no password to set.
            if answer.status == 200 {
                assert!(!answer.text().contains("class=\"empty\""), "{path} is empty: {}", plain(answer.text()));
            } else {
                assert!(
                    answer.status == 303 && ["", "/statement", "/login/password"].contains(&&*path),
                    "{path}: {answer:?}"
                );
            }
        }
    }
    for (path, words) in [
        ("/report?by=gas&date=2025", &["CH", "N"][..]),
        ("/report?by=quality&date=2025", &["measured", "estimated", "proxy"]),
        ("/completeness?date=2025", &["Old Mill shop", "rented by turnover"]),
        ("/statement/2025", &["rented by turnover"]),
        ("/periods", &["2023-12-01", "2024-12-31"]),
        ("/imports", &["late-bills-2023.csv", "Books of 2023"]),
        ("/settings/partners", &["Kestrel Cycle Shops", "Larkmoor Aluminium"]),
    ] {
        let page = plain(&visitor.page(path));
        for word in words {
            assert!(page.to_lowercase().contains(&word.to_lowercase()), "{path} lacks {word}: {page}");
        }
    }
}
