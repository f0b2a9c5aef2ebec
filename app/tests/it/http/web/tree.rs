//! Rows of the report that are nodes of a tree: each opens and closes by itself, and comes to the same.

use domain::Total;

use super::visitor::{Books, Visitor, plain};
use crate::http::harness::{Service, json, to};

/// A row as a page shows it.
#[derive(Clone, Debug)]
struct Row {
    name: String,
    /// Its exact total, in kg.
    total: String,
    /// Where the mark leads that opens or closes it.
    twist: Option<String>,
}

fn rows(page: &str) -> Vec<Row> {
    let body = page.split("<tbody>").nth(1).unwrap().split("</tbody>").next().unwrap();
    let until_quote = |text: &str| text.split('"').next().unwrap().replace("&amp;", "&");
    let row = |row: &str| {
        let (head, cells) = row.split_once("</th>").unwrap();
        let total = cells.split("<td class=\"r sub\">").nth(1).unwrap().split("<data value=\"").nth(1).unwrap();
        Row {
            name: plain(head).replace(['▸', '▾'], "").trim().to_owned(),
            total: until_quote(total),
            twist: head.split("class=\"twist\" href=\"").nth(1).map(until_quote),
        }
    };
    body.split("<tr data-row>").skip(1).map(row).collect()
}

fn names(rows: &[Row]) -> Vec<&str> {
    let mut names: Vec<_> = rows.iter().map(|row| row.name.as_str()).collect();
    names.sort_unstable();
    names
}

/// The rows behind the mark of the row of that name.
#[track_caller]
fn flipped(visitor: &Visitor, shown: &[Row], name: &str) -> Vec<Row> {
    let row = shown.iter().find(|row| row.name == name).unwrap_or_else(|| panic!("no {name}: {shown:?}"));
    rows(&visitor.page(row.twist.as_deref().unwrap_or_else(|| panic!("{name} does not open: {shown:?}"))))
}

#[test]
fn a_node_of_the_report_opens_and_closes_by_itself_and_comes_to_the_same() {
    let service = Service::start();
    let (admin, books) = (service.admin(), Books::new(&service));
    let yard = admin.org("Yard", Some(&books.site));
    admin.activity(json!({
        "name": "Crane", "org": to(&yard), "scope": to(&books.scope), "DownstreamCO2e": "1.000000000000000001",
    }));
    let visitor = Visitor::signed_in(&service.own(), "viewer");
    let closed = rows(&visitor.page("/report?by=org&date=2025"));
    assert_eq!(names(&closed), ["Group"]);

    let open = flipped(&visitor, &closed, "Group");
    assert_eq!(names(&open), ["Bergen", "Group", "Group, directly", "Oslo"]);
    let below: Total = open.iter().filter(|row| row.name != "Group").map(|row| Total::parse(&row.total).unwrap()).sum();
    assert_eq!([&open[0].total, &below.to_string()], [&closed[0].total; 2]);
    let deep = flipped(&visitor, &open, "Oslo");
    assert_eq!(names(&deep), ["Bergen", "Group", "Group, directly", "Oslo", "Oslo, directly", "Yard"]);
    assert_eq!(names(&flipped(&visitor, &deep, "Oslo")), names(&open), "the same mark closes it");

    let again = flipped(&visitor, &deep, "Group");
    assert_eq!((names(&again), &again[0].total), (vec!["Group"], &closed[0].total), "closed with all below it");
    let levels = rows(&visitor.page("/report?by=org&date=2025&depth=2"));
    assert_eq!(names(&levels), names(&open), "as many levels are open as are asked for");
    assert_eq!(names(&flipped(&visitor, &levels, "Group")), ["Group"], "and of these one is closed by itself");
}

#[test]
fn nodes_that_are_opened_change_no_file_and_too_many_or_none_of_that_id_are_refused() {
    let service = Service::start();
    let books = Books::new(&service);
    let visitor = Visitor::signed_in(&service.own(), "viewer");
    let file =
        |flip: &str| visitor.get(&format!("/report?by=org&date=2025{flip}&form=csv")).expect(200).text().to_owned();
    assert_eq!(file(&format!("&flip={}", books.org)), file(""));
    for wrong in ["here".to_owned(), vec![books.org.as_str(); 101].join(",")] {
        let page = visitor.get(&format!("/report?by=org&flip={wrong}")).expect(400);
        assert!(page.text().contains("<code>flip</code>") && !page.text().contains("<data "), "{}", page.text());
    }
}
