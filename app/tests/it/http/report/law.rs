//! The law of the report: whatever the filters, it is what its activities, taken one by one, come to.

use std::collections::BTreeMap;

use super::{form, report, sum};
use crate::http::harness::{Client, Service, Value, json};

/// A node: its uuid, and the names of itself and everything below it.
pub(in crate::http) type Node = (String, Vec<&'static str>);
pub(in crate::http) type Tree = BTreeMap<&'static str, Node>;

const MEMBERS: [&str; 3] = ["org", "scope", "taxonomy"];
const TOTALS: [&str; 4] = ["CO2e", "uncategorizedCO2e", "creditsCO2e", "outsideCO2e"];

/// Numbers that look like chance and are the same every time.
pub(in crate::http) struct Dice(pub(in crate::http) u64);

impl Dice {
    pub(in crate::http) fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % limit
    }

    /// A node of the tree, or none.
    fn node(&mut self, tree: &Tree) -> Value {
        let place = self.below(tree.len() + 1);
        tree.values().nth(place).map_or(Value::Null, |(uuid, _)| json!({ "uuid": uuid }))
    }
}

/// Three trees: orgs, scopes, taxonomies.
pub(in crate::http) fn trees(admin: &Client) -> [Tree; 3] {
    let group = admin.org("Group", None);
    let works = admin.org("Works", Some(&group));
    let hall = admin.org("Hall", Some(&works));
    let other = admin.org("Other", None);
    let [scope1, scope3, credit, outside] = ["scope1", "scope3", "credit", "outside"].map(|kind| admin.scope(kind));
    let (goods, capital) = (admin.category(&scope3, 1), admin.category(&scope3, 2));
    let energy = admin.taxonomy("Energy", None);
    let gas = admin.taxonomy("Gas", Some(&energy));
    [
        BTreeMap::from([
            ("Group", (group, vec!["Group", "Works", "Hall"])),
            ("Works", (works, vec!["Works", "Hall"])),
            ("Hall", (hall, vec!["Hall"])),
            ("Other", (other, vec!["Other"])),
        ]),
        BTreeMap::from([
            ("scope1", (scope1, vec!["scope1"])),
            ("scope3", (scope3, vec!["scope3", "Category 1", "Category 2"])),
            ("Category 1", (goods, vec!["Category 1"])),
            ("Category 2", (capital, vec!["Category 2"])),
            ("credit", (credit, vec!["credit"])),
            ("outside", (outside, vec!["outside"])),
        ]),
        BTreeMap::from([("Energy", (energy, vec!["Energy", "Gas"])), ("Gas", (gas, vec!["Gas"]))]),
    ]
}

/// Activities of 2024 and 2025 of up to 100 days, some incomplete, some removals, on any nodes; some changed and some
/// removed again.
pub(in crate::http) fn fill(service: &Service, admin: &Client, trees: &[Tree; 3]) {
    let mut dice = Dice(7);
    let mut activity = |number: usize| {
        let (year, month, day) = (2024 + dice.below(2), 1 + dice.below(12), 1 + dice.below(28));
        let (later, sign) = (dice.below(4), if dice.below(5) == 0 { "-" } else { "" });
        let amount = format!("{sign}{}.{:018}", dice.below(1_000_000), dice.below(1 << 31));
        json!({
            "name": format!("{number}"),
            "syncId": format!("a-{number}"),
            "startDate": format!("{year}-{month:02}-{day:02}"),
            "endDate": format!("{}-{:02}-28", year + (month + later) / 13, (month + later - 1) % 12 + 1),
            "DownstreamCO2e": if dice.below(8) == 0 { Value::Null } else { json!(amount) },
            "org": dice.node(&trees[0]),
            "scope": dice.node(&trees[1]),
            "taxonomy": dice.node(&trees[2]),
        })
    };
    let lines: Vec<_> = (0..150).map(|number| activity(number).to_string()).collect();
    let outcome = service.import(service.operator(), form::ndjson(lines.join("\n").into_bytes()));
    assert_eq!((outcome.created, outcome.rejected), (150, 0), "{outcome:?}");
    let changed: Vec<_> = (20..60).map(|number| activity(number).to_string()).collect();
    service.import(service.operator(), form::ndjson(changed.join("\n").into_bytes()));
    for one in report(admin, "page=3&pageSize=10")["data"].as_array().unwrap() {
        admin.delete(&format!("/v1/activity/{}", one["uuid"].as_str().unwrap())).expect(204);
    }
}

/// Every node of the tree, and none.
fn choices(tree: &Tree) -> impl Iterator<Item = Option<&Node>> {
    std::iter::once(None).chain(tree.values().map(Some))
}

/// Every choice of an org, a scope and a taxonomy to ask for.
fn filters(trees: &[Tree; 3]) -> impl Iterator<Item = [Option<&Node>; 3]> {
    choices(&trees[0]).flat_map(move |org| {
        choices(&trees[1]).flat_map(move |scope| choices(&trees[2]).map(move |taxonomy| [org, scope, taxonomy]))
    })
}

/// Whether the activity carries the nodes that are asked for, or ones below them.
fn passes(activity: &Value, nodes: [Option<&Node>; 3]) -> bool {
    let carried = MEMBERS.map(|member| activity[member]["name"].as_str());
    let within = |(node, name): (Option<&Node>, Option<&str>)| {
        node.is_none_or(|(_, names)| name.is_some_and(|name| names.contains(&name)))
    };
    nodes.into_iter().zip(carried).all(within)
}

/// The totals of those items: in the scopes, without one, credits, outside.
fn totals(items: &[&Value], amount: &str) -> [String; 4] {
    let of = |wanted: fn(Option<&str>) -> bool| {
        let counted = items.iter().filter(|item| wanted(item["scope"]["name"].as_str()) && !item[amount].is_null());
        sum(counted.map(|item| &item[amount]))
    };
    [
        of(|scope| scope.is_some_and(|name| !["credit", "outside"].contains(&name))),
        of(|scope| scope.is_none()),
        of(|scope| scope == Some("credit")),
        of(|scope| scope == Some("outside")),
    ]
}

#[test]
fn a_report_is_what_its_activities_come_to_under_any_filter() {
    let service = Service::start();
    let admin = service.admin();
    let trees = trees(&admin);
    fill(&service, &admin, &trees);
    let all = report(&admin, "");
    let all = all["data"].as_array().unwrap();
    assert_eq!(all.len(), 140);
    let periods = [
        ("", "0001".."9999"),
        ("date=2024", "2024".."2024~"),
        ("date=2025-03", "2025-03".."2025-03~"),
        ("sd=2024-11-15&ed=2025-02-03", "2024-11-15".."2025-02-03~"),
    ];
    for (period, days) in periods {
        for nodes in filters(&trees) {
            let asked = MEMBERS.into_iter().zip(nodes);
            let asked = asked.filter_map(|(name, node)| node.map(|(uuid, _)| format!("{name}={uuid}")));
            let query = std::iter::once(period.to_owned()).chain(asked).collect::<Vec<_>>().join("&");
            let day = |one: &Value| days.contains(&one["startDate"].as_str().unwrap());
            let expected: Vec<_> = all.iter().filter(|one| day(one) && passes(one, nodes)).collect();
            let start = report(&admin, &query);
            assert_eq!(json!(expected), start["data"], "{query}");
            assert_eq!(TOTALS.map(|total| start[total].as_str().unwrap()), totals(&expected, "CO2e"), "{query}");
            let incomplete = expected.iter().filter(|one| one["CO2e"].is_null()).count();
            assert_eq!([&start["count"], &start["incompleteCount"]], [expected.len(), incomplete], "{query}");

            let daily = report(&admin, &format!("{query}&attribution=daily"));
            let items: Vec<_> = daily["data"].as_array().unwrap().iter().collect();
            assert_eq!(TOTALS.map(|total| daily[total].as_str().unwrap()), totals(&items, "periodCO2e"), "{query}");
            assert_eq!(daily["count"], items.len(), "{query}");
        }
    }
}
