//! Pages on paper, where nobody can scroll.

use super::demo::Demo;
use super::session::{Scripts, Session};

/// The pixels of A4 between its margins.
const WIDTH: u32 = 688;
/// What is cut off, or has something that is, a line each.
const CUT: &str = "return [...document.querySelectorAll('main, main *')].filter(one => one.clientWidth > 0 && !one.closest('svg') && \
    !one.classList.contains('aloud') && (getComputedStyle(one).overflowX != 'visible' && one.scrollWidth > one.clientWidth + 1 || \
    one.getBoundingClientRect().right > document.documentElement.clientWidth + 1)).map(one => one.outerHTML.slice(0, 160))";

#[test]
fn nothing_is_cut_off_on_paper() {
    let demo = Demo::start();
    let session = Session::start(Scripts::On);
    demo.sign_in(&session);
    session.show_on_paper(WIDTH);
    let mut cut = Vec::new();
    for page in
        ["", "statement/2025", "report?by=org&date=2025", "activities", "completeness?date=2025", "periods", "history"]
    {
        session.open(&format!("{}{page}", demo.pages()));
        let is_paper = session.run("return matchMedia('print').matches");
        assert_eq!(is_paper, serde_json::json!(true));
        let found = session.run(CUT);
        let found: Vec<String> = serde_json::from_value(found).unwrap();
        cut.extend(found.into_iter().take(3).map(|what| format!("/{page}: {what}")));
    }
    assert!(cut.is_empty(), "{}", cut.join("\n"));
}
