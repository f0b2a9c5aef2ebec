//! Pages on paper, where nobody can scroll.

use serde_json::json;

use super::demo::Demo;
use super::pdf;
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
        assert_eq!(is_paper, json!(true));
        let found = session.run(CUT);
        let found: Vec<String> = serde_json::from_value(found).unwrap();
        cut.extend(found.into_iter().take(3).map(|what| format!("/{page}: {what}")));
    }
    assert!(cut.is_empty(), "{}", cut.join("\n"));
}

/// The text without its blanks, which lines that are broken have fewer of.
pub(super) fn bare(text: &str) -> String {
    text.chars().filter(|one| !one.is_whitespace()).collect()
}

#[test]
fn a_statement_that_is_printed_has_its_title_its_digest_and_every_figure_and_cell_of_its_page() {
    let demo = Demo::start();
    let session = Session::start(Scripts::On);
    demo.sign_in(&session);
    session.open(&format!("{}statement/2025", demo.pages()));
    let shown = |selector: &str| -> Vec<String> {
        let script = format!("return [...document.querySelectorAll({})].map(one => one.textContent)", json!(selector));
        let found: Vec<String> = serde_json::from_value(session.run(&script)).unwrap();
        found.iter().map(|text| bare(text)).collect()
    };
    let (titles, figures) = (shown("main h1"), shown("main data"));
    let (cells, digest) = (shown("main :is(th, td):not(.noprint)"), shown("main p:has(> code)"));
    assert!(titles.len() == 1 && figures.len() > 20 && cells.len() > figures.len(), "{titles:?} {figures:?} {cells:?}");
    assert!(digest.len() == 1 && digest[0].contains("hasthedigest"), "{digest:?}");

    let printed: Vec<_> = pdf::texts(&session.printed()).iter().map(|text| bare(text)).collect();
    let count = |texts: &[String], one: &String| texts.iter().filter(|text| *text == one).count();
    for figure in &figures {
        assert!(count(&printed, figure) >= count(&figures, figure), "{figure} is missing: {printed:?}");
    }
    let whole = printed.concat();
    for text in titles.iter().chain(&cells).chain(&digest) {
        assert!(whole.contains(text), "{text} is missing: {printed:?}");
    }
}
