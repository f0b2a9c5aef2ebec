//! Texts that would be markup or scripts if pages let them: in every field of every record that pages show.

mod file;
mod fill;
mod markup;
mod strings;

use super::visitor::Visitor;
use crate::http::harness::{Company, Service, json};
use fill::Filled;
use markup::Elements;

/// The text of a page that has that text, as pages write it.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Every page of those records, and pages that repeat what they were asked or sent.
fn opened(company: &Company<'_>, filled: &Filled) -> Vec<(String, String)> {
    let visitor = Visitor::signed_in(company, "admin");
    let mut pages: Vec<_> = filled.pages().into_iter().map(|path| (path.clone(), visitor.page(&path))).collect();
    for text in &filled.texts {
        let wrong =
            [("name", text.as_str()), ("startDate", text), ("quantity", text), ("unit", text), ("description", text)];
        let sent = visitor.send("/activities/new", &wrong).expect(422);
        pages.push(("/activities/new, sent".to_owned(), sent.text().to_owned()));
        let sent = visitor.send("/settings/users", &[("name", text), ("display", text), ("role", text)]).expect(422);
        pages.push(("/settings/users, sent".to_owned(), sent.text().to_owned()));
        let asked = visitor.get(&format!("/report?org={}", super::visitor::encoded(text))).expect(400);
        pages.push(("/report, asked".to_owned(), asked.text().to_owned()));
        let to = format!("{}/map", filled.files[0].path);
        let of_no_column = format!("[[activity]]\nname = {}\n", json!(format!("{{no {text}}}")));
        for map in [text, &of_no_column] {
            let sent = visitor.send(&to, &[("do", "try"), ("map", map)]).expect(422);
            pages.push((format!("{to}, sent"), sent.text().to_owned()));
        }
    }
    pages
}

/// Fills the service's own company with three texts that hold several of the strings each, and gives the paths of its pages.
pub(crate) fn few(service: &Service) -> Vec<String> {
    let packed = strings::packed(&strings::all());
    let few: Vec<_> = packed.into_iter().step_by(9).take(3).collect();
    Filled::new(&service.own(), &few).pages()
}

#[test]
fn no_text_of_a_record_becomes_markup_on_any_page() {
    let strings = strings::all();
    assert!(strings.len() >= 200, "{}", strings.len());
    let packed = strings::packed(&strings);

    let service = Service::of(tonne::config::Mode::Path, |_| {});
    let harmless = service.company_called("harmless", "A company");
    let plain: Vec<_> = (0..packed.len()).map(|number| format!("text {number}")).collect();
    let known: Elements =
        opened(&harmless, &Filled::new(&harmless, &plain)).iter().map(|(_, page)| page.as_str()).collect();

    let evil = service.company_called("evil", &packed[0]);
    let filled = Filled::new(&evil, &packed);
    let pages = opened(&evil, &filled);
    for (path, page) in &pages {
        let found: Elements = std::iter::once(page.as_str()).collect();
        let new = found.beyond(&known);
        assert!(new.is_empty(), "{path} has what no page of harmless texts has: {new:?}");
        let elsewhere = found.elsewhere();
        assert!(elsewhere.is_empty(), "{path} leads elsewhere: {elsewhere:?}");
    }
    // Whatever was filled in is seen somewhere, or nothing would be shown by the above.
    let unseen: Vec<_> =
        filled.shown.iter().filter(|text| !pages.iter().any(|(_, page)| page.contains(&escaped(text)))).collect();
    assert!(unseen.is_empty(), "on no page: {unseen:#?}");
}
