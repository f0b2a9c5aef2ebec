//! From a figure of the dashboard to the row of a publication, click by click, with the API's digits all along.

use super::company::SignedIn;
use super::session::{Scripts, Session};
use crate::http::harness::Service;
use crate::http::web::visitor::Books;

/// The exact amounts of kg that the first of those elements shows.
pub(super) fn exact(session: &Session, selector: &str) -> String {
    let script = format!("return document.querySelector({}).value", serde_json::json!(format!("{selector} data")));
    session.run(&script).as_str().unwrap().to_owned()
}

#[test]
fn three_clicks_lead_from_the_dashboard_to_a_factor_with_the_digits_of_the_api() {
    let service = Service::start();
    let books = Books::new(&service);
    let here = SignedIn::start(service, "auditor", Scripts::On);
    let (session, admin) = (&here.session, here.service.admin());
    let amount = |path: &str| admin.get(path).ok()["CO2e"].as_str().unwrap().to_owned();

    here.open("/");
    assert_eq!(exact(session, "main a.total"), amount("/v1/activity?date=2025&pageSize=1"));
    session.follow("main a.total");
    assert!(here.path().starts_with("/activities?"), "{}", here.path());
    assert_eq!(exact(session, "main"), amount("/v1/activity?date=2025&pageSize=1"));
    let row = format!("tr:has(a[href$='{}'])", books.activity);
    let own = amount(&format!("/v1/activity/{}", books.activity));
    assert_eq!(exact(session, &format!("{row} td:nth-child(6)")), own);
    session.click(&format!("{row} a[data-explain]"));
    session.wait("the explanation beside the table", || !session.texts("dialog[open] .sum").is_empty());
    let text = session.texts("dialog[open]").concat();
    for said in ["× 0.61 kg/L", "× 2.05 kg/L", "A published table", "valid from 2000-01-01", "the same digits"] {
        assert!(text.contains(said), "{said}: {text}");
    }
    assert_eq!(exact(session, "dialog[open] .sum"), own);
}

#[test]
fn an_amount_of_thirty_eight_digits_is_unchanged_in_every_locale() {
    const AMOUNT: &str = "12345678901234567890.123456789012345678";
    let service = Service::start();
    let admin = service.admin();
    let scope = serde_json::json!({ "uuid": admin.scope("scope1") });
    let activity = admin.activity(serde_json::json!({ "name": "Much", "DownstreamCO2e": AMOUNT, "scope": scope }));
    let here = SignedIn::start(service, "editor", Scripts::On);
    let digits =
        |text: &str| text.chars().filter_map(|c| c.to_digit(10)).map(|digit| digit.to_string()).collect::<String>();
    for (locale, _) in tonne_locales() {
        here.open("/settings/me");
        here.session.run(&format!("document.querySelector('select[name=locale]').value = '{locale}'"));
        here.session.follow("main form button[value=own]");
        for path in [
            "/?digits=all",
            "/report?by=scope&digits=all",
            "/activities?digits=all",
            &format!("/activities/{activity}"),
        ] {
            here.open(path);
            let values = here.session.run("return [...document.querySelectorAll('main data')].map(one => one.value)");
            assert!(values.as_array().unwrap().contains(&AMOUNT.into()), "{locale}: {path}: {values}");
            let shown = here.session.texts("main").concat();
            // A cell is on a line of its own; digits are told apart by any mark but letters.
            let is_shown = shown
                .split(|c: char| c.is_alphabetic() || c == '\n')
                .any(|part| digits(part).starts_with(&digits(AMOUNT)));
            assert!(is_shown, "{locale}: {path}: {shown}");
        }
        here.open(&format!("/activities/{activity}/edit"));
        let value = here.session.run("return document.querySelector('[name=DownstreamCO2e]').value");
        assert_eq!(value, AMOUNT, "{locale}");
    }
    here.session.follow("main form button[type=submit]");
    assert_eq!(here.service.admin().get(&format!("/v1/activity/{activity}")).ok()["CO2e"], AMOUNT, "sent as it was");
}

/// The locales that the settings offer.
fn tonne_locales() -> [(&'static str, &'static str); 14] {
    web::viewer::LOCALES
}
