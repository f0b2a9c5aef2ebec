//! Texts that would be scripts, seen by a browser: none runs, and its rules have nothing to refuse.

use super::company::SignedIn;
use super::session::Scripts;
use crate::http::harness::Service;
use crate::http::web::evil;

#[test]
fn no_text_of_a_record_runs_or_is_refused_by_the_rules_of_pages() {
    let service = Service::start();
    let paths = evil::few(&service);
    let here = SignedIn::start(service, "admin", Scripts::On);
    assert_eq!(here.session.console(), Vec::<String>::new());
    for path in paths {
        here.open(&path);
        // What ran would have changed it, or asked the network.
        assert_eq!(here.session.console(), Vec::<String>::new(), "{path}");
        let asked =
            here.session.run("return performance.getEntriesByType('resource').map(one => new URL(one.name).pathname)");
        let asked: Vec<String> = serde_json::from_value(asked).unwrap();
        assert!(asked.iter().all(|path| path.starts_with("/assets/")), "{path}: {asked:?}");
    }
}
