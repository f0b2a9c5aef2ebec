//! Factors in the market that the form of an activity finds, and footprints that name others.

use super::visitor::{Visitor, paths, plain};
use crate::http::footprint::examples::{v3, with};
use crate::http::harness::{Service, json};

/// The factors that the form offers, by id.
fn offered(page: &str) -> Vec<String> {
    let options = page.split("<select name=\"marketFactor\"").nth(1).unwrap().split("</select>").next().unwrap();
    let values = options.split("<option value=\"").skip(1);
    values.map(|rest| rest.split('"').next().unwrap().to_owned()).filter(|id| !id.is_empty()).collect()
}

#[test]
fn any_factor_is_found_by_words_a_day_or_its_uuid_however_many_its_product_has() {
    let service = Service::start();
    let admin = service.admin();
    let contract = admin.post("/v1/product", &json!({ "name": "Wind", "unit": "kWh" })).uuid();
    let mut factors = Vec::new();
    for month in 0..160 {
        let day = format!("{}-{:02}-01", 2000 + month / 12, 1 + month % 12);
        let factor = json!({ "unit": "kWh", "upstream": "0.01", "validFrom": day, "source": "Contract" });
        factors.push(admin.post(&format!("/v1/product/{contract}/factor"), &factor).uuid());
    }
    let visitor = Visitor::signed_in(&service.own(), "editor");
    let seek = |fields: &[(&str, &str)]| {
        let page = visitor.send("/activities/new", &[&[("product", contract.as_str())], fields].concat()).expect(200);
        page.text().to_owned()
    };
    let chosen = seek(&[("seek", ""), ("do", "find")]);
    assert!(offered(&chosen).len() < 110 && !offered(&chosen).contains(&factors[0]), "the last ones of the product");
    assert_eq!(offered(&seek(&[("seek", "wind 2000-01"), ("do", "find")]))[0], factors[0]);
    assert_eq!(offered(&seek(&[("seek", &factors[3]), ("do", "find")]))[0], factors[3]);

    let first = seek(&[("seek", "wind"), ("do", "find")]);
    let found = offered(&first);
    assert_eq!(found[0], factors[159], "those of the last days first");
    let further = first.split("name=\"do\" value=\"find:").nth(1).unwrap().split('"').next().unwrap();
    let second = offered(&seek(&[("seek", "wind"), ("do", &format!("find:{further}"))]));
    assert!(second.contains(&factors[0]) && second[0] != found[0], "{second:?}");
    assert!(offered(&seek(&[("seek", "wind"), ("do", "find:nothing")])).contains(&found[0]), "a place that is none");
    assert_eq!(admin.get("/v1/activity").ok()["count"], 0);
}

#[test]
fn finding_takes_the_place_of_a_stream() {
    let service = Service::with(|config| config.limits.streams = 0);
    let visitor = Visitor::signed_in(&service.own(), "editor");
    visitor.get("/activities/new").expect(200);
    visitor.send("/activities/new", &[("seek", "wind"), ("do", "find")]).expect(503);
}

#[test]
fn those_that_name_a_footprint_are_sought_among_a_bounded_number_and_further_by_a_link() {
    let service = Service::start();
    let admin = service.admin();
    let add = |body| admin.post("/v1/footprint", &body).uuid();
    let early = add(with(v3(), "/precedingPfIds", Some(json!([2]))));
    let named = add(v3());
    let others: Vec<_> = (0..250).map(|_| add(v3())).collect();
    let last = add(with(v3(), "/precedingPfIds", Some(json!([named]))));

    let visitor = Visitor::signed_in(&service.own(), "admin");
    let links = |path: &str| paths(&service.own(), &visitor.page(path));
    let to = |id: &str| format!("/footprints/{id}");
    assert!(links(&to(&last)).contains(&to(&named)), "what it names is looked up by its uuid");
    assert!(links(&to(&early)).contains(&to(&named)), "and by its number");
    let page = visitor.page(&to(&named));
    assert!(plain(&page).contains("none of those that were looked at"), "{page}");
    let links_of_named = links(&to(&named));
    assert!(!links_of_named.contains(&to(&last)) && !links_of_named.contains(&to(&early)));
    let further = links_of_named.iter().find(|path| path.contains("?behind=") && !path.ends_with("=0")).unwrap();
    assert!(links(further).contains(&to(&last)), "{further}");
    let first = links_of_named.iter().find(|path| path.ends_with("?behind=0")).unwrap();
    assert!(links(first).contains(&to(&early)));
    assert!(plain(&visitor.page(&to(&others[249]))).contains("no later footprint"));
}
