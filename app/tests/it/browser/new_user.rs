//! What somebody new does in the browser alone, from the first link to the statement on paper.

use super::company::SignedIn;
use super::figures::exact;
use super::paper::bare;
use super::pdf;
use super::session::{Scripts, Session};
use crate::http::harness::Service;

/// The table of a company as it keeps it: 2,399 kg in 2025.
const TABLE: &str = "Number,What,Scope,Date,kg CO2e\n\
    A-1,Gas boiler,Scope 1,2025-01-31,1234\n\
    A-2,Company cars,Scope 1,2025-02-28,765\n\
    A-3,Electricity,Scope 2,2025-03-31,400\n";
const TOTAL_KG: &str = "2399";
/// As the statement has it.
const TOTAL_T: &str = "2.399";
/// What each of its columns is.
const COLUMNS: [(&str, &str); 5] = [
    ("column-0", "syncId"),
    ("column-1", "name"),
    ("column-2", "scope"),
    ("column-3", "startDate"),
    ("column-4", "DownstreamCO2e"),
];

/// Chooses a page below a word of the navigation.
fn go_to(session: &Session, page: &str) {
    session.click(&format!("details.group:has([href$='{page}']) > summary"));
    session.follow(&format!("details.group [href$='{page}']"));
}

fn text(session: &Session) -> String {
    session.texts("main").concat()
}

/// Imports [`TABLE`] through all steps, from the page that asks for a file to the dashboard.
fn import(session: &Session) {
    let file = tempfile::Builder::new().suffix(".csv").tempfile().unwrap();
    std::fs::write(file.path(), TABLE).unwrap();
    session.keys("input[type=file]", &file.path().display().to_string());
    session.follow("form[enctype] button");
    session.follow("button[value=next]");
    for (column, field) in COLUMNS {
        session.choose(column, field);
    }
    session.follow("button[value=check]");
    session.wait("the check", || !session.elements("button[value=good]").is_empty());
    assert!(session.texts("main .lead").concat().starts_with("3 new"), "{}", text(session));
    assert_eq!(exact(session, "main td.r:last-child"), TOTAL_KG, "what the year would come to");
    session.follow("button[value=good]");
    session.wait("the end", || session.texts("main .notice.ok").concat().contains("3 new"));
    session.follow("main a[href$='/']");
}

/// From the dashboard to what the total is made of, and to how one of its figures comes about.
fn explain(session: &Session) {
    assert_eq!(exact(session, "main a.total"), TOTAL_KG);
    session.follow("main .head a.small");
    assert_eq!(exact(session, "main .sum"), TOTAL_KG);
    assert!(text(session).contains("added up again, one by one: the same digits"), "{}", text(session));
    let mut names = session.texts("tr[data-row] th");
    names.sort_unstable();
    assert_eq!(names, ["Company cars", "Electricity", "Gas boiler"]);
    session.follow("tr[data-row] td.link a");
    assert!(text(session).contains("the same digits"), "{}", text(session));
}

#[test]
fn somebody_new_imports_a_table_explains_its_total_closes_the_year_and_prints_the_statement_by_the_pages_alone() {
    let here = SignedIn::start(Service::start(), "admin", Scripts::On);
    let session = &here.session;
    assert_eq!(here.path(), "/login/password", "the link signs in and offers to set a password");
    session.follow("main form p a");
    assert!(text(session).contains("No activities yet"), "{}", text(session));
    session.follow("main button[value=add]");
    assert!(text(session).contains("Scope 1"), "{}", text(session));
    session.follow("header a.company");
    session.follow("main a[href$='/imports/new']");

    import(session);
    explain(session);

    go_to(session, "/periods");
    session.keys("main [name=days]", "2025");
    session.follow("main button[value=close]");
    assert!(session.texts("main .notice.ok").concat().starts_with("Closed."), "{}", text(session));
    assert!(session.texts("tbody th").concat().contains("2025-01-01 to 2025-12-31"), "{}", text(session));
    assert_eq!(exact(session, "tbody td.r"), TOTAL_KG, "as it was frozen");

    go_to(session, "/statement");
    assert!(text(session).contains("closed; the frozen report has the digest"), "{}", text(session));
    assert!(session.texts("main tr.sub data").iter().any(|figure| figure == TOTAL_T), "{}", text(session));
    let title = session.texts("main h1").concat();
    let printed: Vec<_> = pdf::texts(&session.printed()).iter().map(|piece| bare(piece)).collect();
    assert!(title.contains("2025") && printed.concat().contains(&bare(&title)), "{title}: {printed:?}");
    assert!(printed.iter().any(|piece| piece == TOTAL_T), "{TOTAL_T}: {printed:?}");
}
