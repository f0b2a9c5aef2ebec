//! The documents, the dashboard and the alert rules speak of the measurements that there are.

use std::collections::BTreeSet;

use ports::metric::{ALL, MetricKind};

fn read(path: &str) -> String {
    std::fs::read_to_string(format!("{}/../{path}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

/// The names of measurements in a text: words that begin like one, without what a histogram adds to its name.
fn named(text: &str) -> BTreeSet<String> {
    let is_of_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let words = text.split(|c: char| !is_of_word(c));
    let words = words.filter(|word| word.starts_with("tonne_") || word.starts_with("process_"));
    let histogram = |word: &str| {
        let base = ["_bucket", "_sum", "_count"].iter().find_map(|end| word.strip_suffix(end))?;
        let is_histogram = |kind| matches!(kind, MetricKind::Durations | MetricKind::Counts);
        ALL.iter().any(|metric| metric.name == base && is_histogram(metric.kind)).then(|| base.to_owned())
    };
    words.map(|word| histogram(word).unwrap_or_else(|| word.to_owned())).collect()
}

#[test]
fn every_measurement_is_on_the_dashboard_and_in_the_table_of_docs_operating() {
    let names: BTreeSet<String> = ALL.iter().map(|metric| metric.name.to_owned()).collect();
    assert_eq!(named(&read("deploy/grafana/tonne.json")), names);
    let page = read("docs/operating.md");
    for metric in ALL {
        let row = page.lines().find(|line| line.starts_with(&format!("| `{}` |", metric.name)));
        let row = row.unwrap_or_else(|| panic!("no row for {}", metric.name));
        let labels: Vec<_> = metric.labels.iter().map(|label| format!("`{label}`")).collect();
        assert!(row.contains(&format!("| {} |", labels.join(", "))), "{row}");
    }
}

#[test]
fn the_dashboard_is_json_and_every_panel_of_it_asks_for_something() {
    let dashboard: serde_json::Value = serde_json::from_str(&read("deploy/grafana/tonne.json")).unwrap();
    let panels = dashboard["panels"].as_array().unwrap();
    assert!(!panels.is_empty());
    for panel in panels {
        let targets = panel["targets"].as_array().unwrap();
        let asks = |target: &serde_json::Value| !named(target["expr"].as_str().unwrap()).is_empty();
        assert!(!targets.is_empty() && targets.iter().all(asks), "{panel}");
        assert!(panel["title"].is_string() && panel["gridPos"].is_object(), "{panel}");
    }
}

#[test]
fn alert_rules_name_measurements_that_there_are() {
    let rules = read("deploy/prometheus/alerts.yml");
    let unknown: Vec<_> =
        named(&rules).into_iter().filter(|name| !ALL.iter().any(|metric| metric.name == *name)).collect();
    assert_eq!(unknown, Vec::<String>::new());
    assert!(rules.matches("- alert:").count() > 5);
}

#[test]
fn what_is_on_the_page_is_in_the_list() {
    let place = crate::command::run::Place::new();
    let service = super::Measured::start(&place);
    service.base.get("/v1/scope", &[]);
    let page = service.page();
    let unknown: Vec<_> =
        page.names().into_iter().filter(|name| !ALL.iter().any(|metric| metric.name == *name)).collect();
    assert_eq!(unknown, Vec::<&str>::new());
    let without_labels = ALL
        .iter()
        .filter(|metric| metric.labels.is_empty() && matches!(metric.kind, MetricKind::Counter | MetricKind::Gauge));
    for metric in without_labels {
        let is_elsewhere = metric.help.ends_with("; on Linux.") && cfg!(not(target_os = "linux"));
        assert!(page.names().contains(&metric.name) || is_elsewhere, "{}", metric.name);
    }
}

#[test]
fn every_known_outcome_is_on_the_page_before_it_happened() {
    let place = crate::command::run::Place::new();
    let page = super::Measured::start(&place).page();
    for (metric, label, values) in ports::metric::KNOWN_VALUES {
        assert_eq!(metric.labels, [*label], "{}", metric.name);
        for value in *values {
            let series = format!("{}{{{label}=\"{value}\"}} ", metric.name);
            assert!(page.0.lines().any(|line| line.starts_with(&series)), "{series}: {}", page.0);
        }
    }
}
