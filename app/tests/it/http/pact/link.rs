//! Links to the rest of a list: at the host that was asked, with the filter, good for any number of uses.

use super::{Host, Value, data, json, rest, v3, with};
use tonne::config::{Mode, PublicOrigin};

use crate::http::harness::{Answer, Client, Service};

/// The ids of a list, part by part, and the answers that it took.
fn walk(client: &Client, path: &str, mut between: impl FnMut(usize)) -> (Vec<String>, Vec<Answer>) {
    let (mut ids, mut answers) = (Vec::new(), vec![client.get(path)]);
    loop {
        let answer = answers.last().unwrap();
        ids.extend(data(answer).iter().map(|one| one["id"].as_str().unwrap().to_owned()));
        let Some(next) = rest(answer) else { return (ids, answers) };
        between(answers.len());
        answers.push(client.get(&next));
    }
}

fn sorted(mut ids: Vec<String>) -> Vec<String> {
    ids.sort();
    ids
}

#[test]
fn a_walk_meets_each_record_of_its_beginning_once_whatever_happens_meanwhile() {
    let host = Host::start();
    let admin = host.service.admin();
    for _ in 0..30 {
        admin.post("/v1/footprint", &v3()).expect(201);
    }
    let (before, _) = walk(&host.client, "/3/footprints?limit=1000", |_| {});
    assert_eq!(before.len(), 34);
    let target = format!("/v1/footprint/{}", before[20]);
    let (met, answers) = walk(&host.client, "/3/footprints?limit=7", |turn| {
        // One is added before all others, one behind, and one that is still to come is deprecated.
        let early = with(v3(), "/created", Some(json!("2020-01-01T00:00:00Z")));
        for record in [early, v3()] {
            admin.post("/v1/footprint", &record).expect(201);
        }
        admin.patch(&target, &json!({ "statusComment": format!("Changed {turn}") })).expect(200);
        if turn == 1 {
            admin.patch(&target, &json!({ "status": "Deprecated" })).expect(200);
        }
    });
    assert_eq!(met, before);
    assert!(answers.iter().all(|answer| data(answer).len() <= 7));
    // Each link is good for the same again.
    for answer in &answers[..answers.len() - 1] {
        let link = rest(answer).unwrap();
        let ids = |answer: &Answer| data(answer).iter().map(|one| one["id"].clone()).collect::<Vec<_>>();
        assert_eq!(ids(&host.client.get(&link)), ids(&host.client.get(&link)));
        assert_eq!(rest(&host.client.get(&link)), rest(&host.client.get(&link)));
    }
    assert_eq!(sorted(met.clone()).windows(2).filter(|pair| pair[0] == pair[1]).count(), 0);
}

#[test]
fn a_link_keeps_the_filter() {
    let host = Host::start();
    for path in [
        "/3/footprints?limit=1&productId=urn%3Agtin%3A4712345060507&status=active&validOn=2026-06-01T00:00:00%2B00:00",
        "/2/footprints?limit=1&$filter=productCategoryCpc%20eq%20'24410'",
    ] {
        let (found, answers) = walk(&host.client, path, |_| {});
        let (all, _) = walk(&host.client, &path.replace("limit=1&", ""), |_| {});
        assert_eq!(found, all, "{path}");
        assert!((2..4).contains(&found.len()) && answers.len() == found.len(), "{path}: {found:?}");
    }
}

#[test]
fn a_link_is_absolute_and_at_the_host_that_was_asked() {
    let host = Host::start();
    let base = host.service.base();
    let link = rest(&host.client.get("/3/footprints?limit=1")).unwrap();
    assert!(link.starts_with(&format!("{base}/3/footprints?limit=1&next=")), "{link}");
    let port = base.split(':').nth(2).unwrap().split('/').next().unwrap().to_owned();
    let local = host.client.at_host(&format!("localhost:{port}")).get("/3/footprints?limit=1");
    let link = rest(&local).unwrap();
    assert!(link.starts_with(&format!("http://localhost:{port}{}/3/footprints?", host.service.base_path())), "{link}");
}

#[test]
fn a_host_that_is_no_name_of_the_service_is_refused_and_one_that_is_allowed_is_linked_to() {
    let service = Service::of(Mode::Single, |config| {
        config.server.public_url = Some(PublicOrigin::parse("https://carbon.example").unwrap());
        config.server.allowed_hosts = vec!["pact.example".to_owned(), "other.example:8443".to_owned()];
    });
    let admin = service.admin();
    for _ in 0..2 {
        admin.post("/v1/footprint", &v3()).expect(201);
    }
    let asked = |host: &str| service.caller("footprint:read").at_host(host).get("/3/footprints?limit=1");
    let own = service.address().to_string();
    let leads = [
        ("Carbon.example", "carbon.example"),
        ("carbon.example:443", "carbon.example"),
        (&own, "carbon.example"),
        ("pact.example", "pact.example"),
        ("pact.example:8443", "pact.example:8443"),
        ("other.example:8443", "other.example:8443"),
    ];
    for (host, expected) in leads {
        let link = rest(&asked(host)).unwrap();
        assert!(link.starts_with(&format!("https://{expected}/api/3/footprints?limit=1&next=")), "{host}: {link}");
    }
    for host in ["evil.example", "other.example", "carbon.example.evil.example", "carbon.example:8080", "10.0.0.1"] {
        let answer = asked(host);
        assert_eq!(answer.pact_error(), "400 BadRequest", "{host}");
        assert!(answer.text().contains("server.allowed_hosts"), "{answer:?}");
    }
}

#[test]
fn a_link_is_good_for_its_own_list_alone() {
    let host = Host::start();
    let link = rest(&host.client.get("/3/footprints?limit=1&status=Active")).unwrap();
    let mark = link.split("next=").nth(1).unwrap();
    let (end, start) = (&mark[mark.len() - 1..], &mark[..mark.len() - 1]);
    let other = if end == "A" { "B" } else { "A" };
    for path in [
        format!("/3/footprints?next={mark}"),
        format!("/3/footprints?limit=2&status=Active&next={mark}"),
        format!("/3/footprints?limit=1&status=Deprecated&next={mark}"),
        format!("/2/footprints?limit=1&next={mark}"),
        format!("/3/footprints?limit=1&status=Active&next={}", mark.replacen('6', "7", 1).replacen('4', "5", 1)),
        format!("/3/footprints?limit=1&status=Active&next=9{mark}"),
        format!("/3/footprints?limit=1&status=Active&next={start}{other}x"),
        "/3/footprints?limit=1&status=Active&next=1".to_owned(),
    ] {
        assert_eq!(host.client.get(&path).pact_error(), "400 BadRequest", "{path}");
    }
    assert_eq!(host.list(&link).len(), 1);
    // Another caller may use it: what is seen is the caller's own.
    assert_eq!(data(&host.service.admin().get(&link)).len(), 1);
    assert_eq!(host.service.caller("switch:read").get(&link).pact_error(), "403 AccessDenied");
}

#[test]
fn a_list_that_ends_has_no_link() {
    let host = Host::start();
    for path in ["/3/footprints", "/3/footprints?limit=4", "/2/footprints?limit=100", "/3/footprints?companyId=x"] {
        assert_eq!(rest(&host.client.get(path)), None, "{path}");
    }
}

#[test]
fn records_stand_by_creation_then_number() {
    let host = Host::start();
    let created: Vec<Value> = host.list("/3/footprints").iter().map(|one| one["created"].clone()).collect();
    assert!(created.is_sorted_by_key(Value::to_string), "{created:?}");
    assert_eq!(created[0], "2025-03-01T08:00:00.000Z");
}
