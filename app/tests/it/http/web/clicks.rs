//! Three clicks lead from every figure of the dashboard to the row of a publication.

use super::visitor::{Visitor, paths, plain};
use crate::http::harness::{Service, json, to};
use crate::http::origin::with_sets;
use crate::published_sample::id;

/// The pages that figures lead to on the way.
const PAGES: [&str; 4] = ["/", "/activities", "/report", "/report/explanation"];
/// The row that every factor of the company is a copy of, as an explanation names it.
const ROW: &str = "A ministry, 2025 v1, cell A1, row 7";

/// A fuel burnt at two sites every month but June, and once without a scope.
fn company(service: &Service) {
    let admin = service.admin();
    let group = admin.org("Group", None);
    let sites = [admin.org("Oslo", Some(&group)), admin.org("Bergen", Some(&group))];
    let categories = [admin.taxonomy("Fleet", None), admin.taxonomy("Heating", None)];
    let (scope, fuel) = (admin.scope("scope1"), admin.product("L"));
    let copy = json!({ "published": { "set": id(2025, 1).to_string(), "cell": "A1" } });
    admin.post(&format!("/v1/product/{fuel}/factor"), &copy).expect(201);
    for month in (1..=12).filter(|month| *month != 6) {
        for (site, category) in sites.iter().zip(&categories) {
            admin.activity(json!({
                "name": "Fuel", "org": to(site), "taxonomy": to(category), "scope": to(&scope), "product": to(&fuel),
                "quantity": month.to_string(), "unit": "L", "startDate": format!("2025-{month:02}-10"),
            }));
        }
    }
    admin.activity(json!({
        "name": "Unsorted", "org": to(&sites[0]), "product": to(&fuel), "quantity": "3", "unit": "L", "startDate": "2025-03-01",
    }));
}

/// What the page itself has, without its header, filter and footer.
fn content(html: &str) -> &str {
    html.split("<main").nth(1).unwrap()
}

fn path(link: &str) -> &str {
    link.split('?').next().unwrap()
}

/// Whether that page, or one that so many clicks lead to from there, is an explanation that names the row.
fn leads_to_the_row(service: &Service, visitor: &Visitor, page: &str, clicks: usize) -> bool {
    let html = visitor.page(page);
    let links = paths(&service.own(), content(&html));
    let is_explanation = |link: &&String| link.starts_with("/activities/") && link.ends_with("/explanation");
    let next = links.iter().find(is_explanation);
    let next = next.or_else(|| links.iter().find(|link| path(link) == "/activities" && link.contains("date=")));
    plain(&html).contains(ROW)
        || clicks > 0 && next.is_some_and(|next| leads_to_the_row(service, visitor, next, clicks - 1))
}

/// The exact amount that stands first.
fn first_amount(html: &str) -> Option<&str> {
    html.split("<data value=\"").nth(1)?.split('"').next()
}

#[test]
fn three_clicks_lead_from_every_figure_of_the_dashboard_to_the_row_of_a_publication() {
    let service = with_sets();
    company(&service);
    let visitor = Visitor::signed_in(&service.own(), "auditor");
    let dashboard = visitor.page("/?date=2025");
    let mut figures = paths(&service.own(), content(&dashboard));
    figures.retain(|link| PAGES.contains(&path(link)) && !link.contains("form=csv"));
    figures.sort_unstable();
    figures.dedup();
    for part in ["scope=", "org=", "taxonomy=", "date=2025-03", "uncategorized=true"] {
        assert!(figures.iter().any(|link| link.contains(part)), "no figure leads to {part}: {figures:?}");
    }
    let gap = |link: &String| ["org=", "scope=", "taxonomy="].iter().all(|part| link.contains(part));
    assert!(figures.iter().any(gap), "no gap is a link: {figures:?}");
    for link in &figures {
        assert!(leads_to_the_row(&service, &visitor, link, 2), "{link}");
    }
}

#[test]
fn every_figure_of_the_dashboard_is_the_total_of_the_activities_that_it_leads_to() {
    let service = with_sets();
    company(&service);
    let visitor = Visitor::signed_in(&service.own(), "auditor");
    let dashboard = visitor.page("/?date=2025");
    let mut compared = 0;
    for anchor in content(&dashboard).split("<a ").skip(1).filter_map(|rest| rest.split("</a>").next()) {
        let Some(link) = paths(&service.own(), anchor).first().cloned() else { continue };
        // What has no scope is in no total, which stands first there.
        let Some(amount) = first_amount(anchor).filter(|_| !link.contains("uncategorized")) else { continue };
        if path(&link) == "/activities" {
            assert_eq!(first_amount(content(&visitor.page(&link))), Some(amount), "{link}");
            compared += 1;
        }
    }
    assert!(compared > 15, "the total, a scope, eleven months, orgs and categories: {compared}");
}

#[test]
fn the_market_based_figure_leads_to_activities_and_what_they_rest_on() {
    let service = Service::start();
    let admin = service.admin();
    let (scope, grid) = (admin.scope("scope2"), admin.priced("kWh", "0", "0.4"));
    let mix = json!({
        "unit": "kWh", "downstream": "0.5", "validFrom": "2025-01-01", "source": "A published mix", "basis": "residualMix",
    });
    admin.post(&format!("/v1/product/{grid}/factor"), &mix).expect(201);
    admin.activity(json!({
        "name": "Power", "startDate": "2025-06-01", "scope": to(&scope), "product": to(&grid), "quantity": "2000", "unit": "kWh",
    }));
    let visitor = Visitor::signed_in(&service.own(), "auditor");
    let dashboard = visitor.page("/?date=2025&scope2=both");
    let link = paths(&service.own(), content(&dashboard)).into_iter().find(|link| link.contains("scope2=market"));
    let activities = visitor.page(&link.expect("the market-based figure is a link"));
    let market = admin.get("/v1/activity?date=2025&scope2=both").ok()["marketCO2e"].as_str().unwrap().to_owned();
    assert_eq!(market, "1000");
    assert_eq!(first_amount(content(&activities)), Some(market.as_str()));
    let explanation =
        paths(&service.own(), content(&activities)).into_iter().find(|link| link.ends_with("/explanation")).unwrap();
    let text = plain(&visitor.page(&explanation));
    assert!(text.contains("Market-based") && text.contains("A published mix"), "{text}");
}
