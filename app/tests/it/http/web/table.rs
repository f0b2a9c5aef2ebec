//! A view as a file is what the API gives.

use super::visitor::{Books, Visitor};
use crate::http::harness::Service;

#[test]
fn activities_as_a_file_are_byte_for_byte_the_apis() {
    let service = Service::start();
    let books = Books::new(&service);
    let visitor = Visitor::signed_in(&service.own(), "auditor");
    let site = books.site.as_str();
    for query in [
        "date=2025".to_owned(),
        format!("org={site}"),
        "incomplete=true".to_owned(),
        "attribution=daily&sd=2025-03-02".to_owned(),
    ] {
        let page = visitor.get(&format!("/activities?{query}&form=csv")).expect(200);
        let api = service
            .admin()
            .request("GET", &format!("/v1/activity?{query}"))
            .header("Accept", "text/csv")
            .send()
            .expect(200);
        assert_eq!(page.text(), api.text(), "{query}");
        assert_eq!(page.header("content-type"), api.header("content-type"));
    }
}

#[test]
fn a_report_as_a_file_is_the_apis() {
    let service = Service::start();
    Books::new(&service);
    let visitor = Visitor::signed_in(&service.own(), "viewer");
    for query in ["by=org,month&date=2025", "by=scope&depth=2&compare=2024&date=2025", "by=product"] {
        let page = visitor.get(&format!("/report?{query}&form=csv")).expect(200);
        let api = service
            .admin()
            .request("GET", &format!("/v1/report?{query}&cells=text"))
            .header("Accept", "text/csv")
            .send();
        assert_eq!(page.text(), api.expect(200).text(), "{query}");
    }
}

#[test]
fn pages_of_activities_are_walked_in_both_directions() {
    let service = Service::start();
    let admin = service.admin();
    for day in 1..=28 {
        for number in 0..8 {
            admin.activity(
                serde_json::json!({ "name": format!("a{day}-{number}"), "startDate": format!("2025-01-{day:02}") }),
            );
        }
    }
    let visitor = Visitor::signed_in(&service.own(), "auditor");
    let rows = |page: &str| page.matches("<tr data-row").count();
    let next = |page: &str, rel: &str| {
        page.split(&format!("rel=\"{rel}\" href=\""))
            .nth(1)
            .map(|rest| rest.split('"').next().unwrap().replace("&amp;", "&"))
    };
    let first = visitor.page("/activities");
    let second = visitor.page(&next(&first, "next").unwrap());
    let third = visitor.page(&next(&second, "next").unwrap());
    assert_eq!([rows(&first), rows(&second), rows(&third)], [100, 100, 24]);
    assert!(next(&third, "next").is_none() && next(&first, "prev").is_none());
    assert_eq!(visitor.page(&next(&third, "prev").unwrap()).matches("a13-").count(), second.matches("a13-").count());
}

#[test]
fn everything_wrong_with_an_address_is_said_on_the_page_at_once() {
    let service = Service::start();
    Books::new(&service);
    let visitor = Visitor::signed_in(&service.own(), "auditor");
    let missing = "0193d3c5-0000-7000-8000-00000000dead";
    for path in ["/", "/report", "/activities", "/report/explanation"] {
        let page = visitor.get(&format!("{path}?date=2025-13&org=here&colour=red")).expect(400);
        for name in ["date", "org", "colour"] {
            assert!(page.text().contains(&format!("<code>{name}</code>")), "{path}: {}", page.text());
        }
        let page = visitor.get(&format!("{path}?org={missing}")).expect(400);
        assert!(page.text().contains(missing) && !page.text().contains("<data "), "{path}: {}", page.text());
    }
}
