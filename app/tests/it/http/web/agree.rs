//! Table, chart, file and API say the same of any filter, to the last digit.

use std::collections::BTreeMap;

use domain::Total;

use super::visitor::{Visitor, plain};
use crate::http::harness::{Client, Service, Value, json, to};
use crate::http::report::law::{Dice, Tree, fill, trees};

/// Amounts that are not zero, by what they are of.
type Amounts = BTreeMap<String, Total>;

const FILTERS: usize = 200;
const TREES: [&str; 3] = ["org", "scope", "taxonomy"];
const PERIODS: [&str; 7] = [
    "",
    "date=2024",
    "date=2025",
    "date=2025-03",
    "sd=2025-04-01&ed=2025-06-30",
    "sd=2024-11-15&ed=2025-02-03",
    "sd=2025-06-10",
];
const TIMES: [&str; 3] = ["month", "quarter", "year"];

/// The company of the test, with what is above each node.
struct Accounts {
    admin: Client,
    visitor: Visitor,
    trees: [Tree; 3],
    above: BTreeMap<String, String>,
    names: BTreeMap<String, String>,
}

/// What is asked.
struct Question {
    by: Vec<&'static str>,
    /// The node of each tree.
    nodes: [Option<String>; 3],
    filter: String,
}

impl Accounts {
    fn new(service: &Service) -> Self {
        let admin = service.admin();
        let trees = trees(&admin);
        fill(service, &admin, &trees);
        buy_power(&admin, &trees[0]);
        let (mut above, mut names) = (BTreeMap::new(), BTreeMap::new());
        for tree in TREES {
            for node in admin.get(&format!("/v1/{tree}")).ok()["data"].as_array().unwrap() {
                let text = |value: &Value| value.as_str().map(str::to_owned);
                let uuid = text(&node["uuid"]).unwrap();
                above.extend(text(&node["parent"]["uuid"]).map(|parent| (uuid.clone(), parent)));
                names.insert(uuid, text(&node["name"]).unwrap());
            }
        }
        Self { admin, visitor: Visitor::signed_in(&service.own(), "auditor"), trees, above, names }
    }

    fn question(&self, dice: &mut Dice) -> Question {
        let nodes = [0, 1, 2].map(|tree| {
            let tree = &self.trees[tree];
            // Half of all questions name none.
            tree.values().nth(dice.below(2 * tree.len())).map(|(uuid, _)| uuid.clone())
        });
        let rows = [TREES[dice.below(3)], TIMES[dice.below(3)], "product"][dice.below(3)];
        let columns = (rows != "product" && !TIMES.contains(&rows)).then(|| TIMES[dice.below(3)]);
        let by = [Some(rows), columns.filter(|_| dice.below(2) == 0)].into_iter().flatten().collect();
        let asked = TREES.iter().zip(&nodes).filter_map(|(tree, node)| Some(format!("{tree}={}", node.as_ref()?)));
        let market = ["", "scope2=market", "scope2=both"][dice.below(3)];
        let rest = [PERIODS[dice.below(PERIODS.len())], ["", "attribution=daily"][dice.below(2)], market];
        let rest = rest.map(str::to_owned);
        let filter = asked.chain(rest).filter(|part| !part.is_empty()).collect::<Vec<_>>().join("&");
        Question { by, nodes, filter }
    }

    /// The node that is shown for that one: the filter's, or the root.
    fn shown(&self, uuid: &str, filter: Option<&String>) -> String {
        match self.above.get(uuid) {
            Some(above) if filter.is_none_or(|node| node != uuid) => self.shown(above, filter),
            _ => self.names[uuid].clone(),
        }
    }

    /// What the rows of the API come to by what is in their column of that name.
    fn of_api(&self, found: &Value, by: &str, filter: Option<&String>) -> Amounts {
        let mut amounts = Amounts::new();
        for row in found["rows"].as_array().unwrap() {
            let record = &row[by];
            let key = if let Some(time) = record.as_str() {
                time.to_owned()
            } else if record.is_null() {
                "none".to_owned()
            } else if by == "product" {
                record["name"].as_str().unwrap().to_owned()
            } else {
                self.shown(record["uuid"].as_str().unwrap(), filter)
            };
            *amounts.entry(key).or_default() += total(&row["CO2e"]);
        }
        amounts.retain(|_, amount| !amount.is_zero());
        amounts
    }
}

/// Power of every month at one of the orgs, whose figure in the market is another.
fn buy_power(admin: &Client, orgs: &Tree) {
    let scope = admin.post("/v1/scope", &json!({ "name": "Bought power", "kind": "scope2" })).uuid();
    let grid = admin.post("/v1/product", &json!({ "name": "Power of the grid", "unit": "kWh" })).uuid();
    admin.factor(&grid, "kWh", [json!("0"), json!("0.4")], "2000-01-01");
    let mix = json!({
        "unit": "kWh", "downstream": "0.5", "validFrom": "2000-01-01", "source": "A published mix", "basis": "residualMix",
    });
    admin.post(&format!("/v1/product/{grid}/factor"), &mix).expect(201);
    let (org, _) = orgs.values().next().unwrap();
    for (year, month) in [2024, 2025].into_iter().flat_map(|year| (1..=12).map(move |month| (year, month))) {
        admin.activity(json!({
            "name": "Power", "org": to(org), "scope": to(&scope), "product": to(&grid), "quantity": "12.5", "unit": "kWh",
            "startDate": format!("{year}-{month:02}-07"),
        }));
    }
}

fn total(value: &Value) -> Total {
    Total::parse(value.as_str().unwrap()).unwrap()
}

/// The value of the first figure in a piece of a page.
fn value(html: &str) -> Option<Total> {
    html.split("<data value=\"").nth(1)?.split('"').next().map(|text| Total::parse(text).unwrap())
}

/// The totals of the rows of a table.
fn of_rows(page: &str) -> Amounts {
    let body = page.split("<tbody>").nth(1).unwrap().split("</tbody>").next().unwrap();
    let rows = body.split("<tr data-row>").skip(1).filter_map(|row| {
        let name = plain(row.split("</th>").next()?).replace(['▸', '▾'], "").trim().to_owned();
        Some((name, value(row.split("<td class=\"r sub\">").nth(1)?)?))
    });
    rows.filter(|(_, amount)| !amount.is_zero()).collect()
}

/// The sums of the columns of a table.
fn of_columns(page: &str) -> Amounts {
    let table = page.split("<table class=\"pivot\"").nth(1).unwrap();
    let head = table.split("</thead>").next().unwrap().split("<th class=\"r\" scope=\"col\" title=\"").skip(1);
    let foot = table.split("<tfoot>").nth(1).unwrap().split("<td class=\"r\">").skip(1);
    let names = head.map(|name| name.split('"').next().unwrap().to_owned());
    let sums = names.filter(|name| !name.starts_with("apart")).zip(foot.map(value));
    sums.filter_map(|(name, amount)| Some((name, amount?))).filter(|(_, amount)| !amount.is_zero()).collect()
}

/// What the marks of a chart say they are, in kg; of ranked bars, their figures.
fn of_chart(page: &str) -> Amounts {
    let chart = page.split("<main").nth(1).unwrap().split("<details class=\"behind\"").next().unwrap();
    let Some((_, marks)) = chart.split_once("<figure>") else {
        let rows = chart.split("<tbody>").nth(1).unwrap().split("<tr>").skip(1);
        let bars = rows.map(|row| (plain(row.split("</th>").next().unwrap()), value(row).unwrap()));
        return bars.filter(|(_, amount)| !amount.is_zero()).collect();
    };
    let says = marks.split("aria-label=\"").skip(1).map(|rest| rest.split('"').next().unwrap());
    let said = says.map(|says| {
        let (name, amount) = says.split_once(": ").unwrap();
        let (amount, unit) = amount.split_once(' ').unwrap();
        (name.to_owned(), kilograms(&amount.replace(',', ""), unit))
    });
    said.filter(|(_, amount)| !amount.is_zero()).collect()
}

/// The amount of kg that is written in that unit, digit by digit: in another unit it may have more behind the point than amounts.
fn kilograms(amount: &str, unit: &str) -> Total {
    let (sign, size) = amount.strip_prefix('\u{2212}').map_or(("", amount), |size| ("-", size));
    let (whole, rest) = size.split_once('.').unwrap_or((size, ""));
    let (digits, behind) = (format!("000{whole}{rest}"), rest.len());
    let behind = match unit {
        "g" => behind + 3,
        "kg" => behind,
        "t" if behind >= 3 => behind - 3,
        "t" => return Total::parse(&format!("{sign}{whole}{rest:0<3}")).unwrap(),
        unit => panic!("{unit} behind {amount}"),
    };
    let (whole, rest) = digits.split_at(digits.len() - behind);
    let text = format!("{sign}{}.{rest}", whole.parse::<u128>().unwrap());
    Total::parse(text.trim_end_matches('0').trim_end_matches('.')).unwrap()
}

#[test]
fn table_chart_file_and_api_say_the_same_of_two_hundred_filters() {
    let service = Service::start();
    let accounts = Accounts::new(&service);
    let mut dice = Dice(13);
    let mut compared = 0;
    for _ in 0..FILTERS {
        let question = accounts.question(&mut dice);
        let query = format!("by={}&{}", question.by.join(","), question.filter);
        // The API tells levels apart from the roots on.
        let api = accounts.admin.get(&format!("/v1/report?{query}&depth=12")).ok();
        let page = accounts.visitor.page(&format!("/report?{query}"));
        let file = accounts.visitor.get(&format!("/report?{query}&depth=12&form=csv")).expect(200);
        let request = accounts
            .admin
            .request("GET", &format!("/v1/report?{query}&depth={}&cells=text", depth(&accounts, &question)));
        assert_eq!(file.text(), request.header("Accept", "text/csv").send().expect(200).text(), "{query}");

        let list = accounts.admin.get(&format!("/v1/activity?{}&pageSize=1", question.filter)).ok();
        let activities = accounts.visitor.page(&format!("/activities?{}", question.filter));
        assert_eq!(list["CO2e"], api["CO2e"], "{query}");
        let file = accounts.visitor.get(&format!("/activities?{}&form=csv", question.filter)).expect(200);
        let request = accounts.admin.request("GET", &format!("/v1/activity?{}", question.filter));
        assert_eq!(file.text(), request.header("Accept", "text/csv").send().expect(200).text(), "{query}");
        if api["count"] == 0 {
            assert!(plain(&page).contains("No activities in this selection"), "{query}");
            continue;
        }
        compared += 1;
        for page in [&page, &activities] {
            assert_eq!(value(page.split("<main").nth(1).unwrap()), Some(total(&api["CO2e"])), "{query}");
        }
        let rows = question.by[0];
        let root = TREES.iter().position(|tree| *tree == rows).and_then(|tree| question.nodes[tree].as_ref());
        assert_eq!(of_rows(&page), accounts.of_api(&api, rows, root), "the rows of {query}");
        let chart = of_chart(&accounts.visitor.page(&format!("/report?{query}&view=chart&digits=all")));
        let drawn = question.by.get(1).copied().unwrap_or(rows);
        assert_eq!(chart, accounts.of_api(&api, drawn, root), "the chart of {query}");
        if let Some(columns) = question.by.get(1) {
            assert_eq!(of_columns(&page), accounts.of_api(&api, columns, None), "the columns of {query}");
        }
    }
    assert!(compared > FILTERS / 2, "{compared} of them had activities");
}

/// The levels that a page of twelve tells apart: so many below the node of its filter.
fn depth(accounts: &Accounts, question: &Question) -> usize {
    let level =
        |node: &String| std::iter::successors(accounts.above.get(node), |node| accounts.above.get(*node)).count();
    let rows = question.by.iter().filter_map(|by| TREES.iter().position(|tree| tree == by));
    12 + rows.filter_map(|tree| question.nodes[tree].as_ref()).map(level).max().unwrap_or(0)
}
