//! What a page costs whoever opens it: so many requests, so many bytes.

use std::collections::BTreeMap;
use std::io::Write as _;

use super::demo::Demo;
use super::session::{Scripts, Session};

/// The bytes of the page that is open and of all that it loads, before they are compressed, by address.
const LOADED: &str = "const done = arguments[arguments.length - 1];
    const entries = ['navigation', 'resource'].flatMap((kind) => performance.getEntriesByType(kind));
    const icons = [...document.querySelectorAll('link[rel=icon]')];
    const addresses = new Set([...entries.map((one) => one.name), ...icons.map((one) => one.href)]);
    const sized = async (address) => [address, (await (await fetch(address)).arrayBuffer()).byteLength];
    Promise.all([...addresses].map(sized)).then((all) => done(Object.fromEntries(all)), (error) => done(String(error)));";

/// The milliseconds until something of the page that is open was first seen; null where nothing was within ten seconds.
const PAINTED: &str = "const done = arguments[arguments.length - 1];
    const first = (list) => list.getEntriesByName('first-contentful-paint').forEach((one) => done(Math.round(one.startTime)));
    new PerformanceObserver(first).observe({ type: 'paint', buffered: true });
    setTimeout(() => done(null), 10_000);";

#[test]
fn the_dashboard_comes_by_six_requests_at_most_and_in_120_kilobytes() {
    let demo = Demo::start();
    let session = Session::start(Scripts::On);
    demo.sign_in(&session);
    session.open(demo.pages());
    let painted = session.run_to_end(PAINTED);
    // The output of macros is kept from whoever runs the tests. Nothing is judged: how long it takes is the machine's.
    writeln!(std::io::stderr(), "the dashboard's first contentful paint: {painted} ms").unwrap();
    let loaded: BTreeMap<String, u64> = serde_json::from_value(session.run_to_end(LOADED)).unwrap();
    for ending in ["/tonne.css", "/tonne.js", "/icon.svg"] {
        assert!(loaded.keys().any(|address| address.ends_with(ending)), "no {ending}: {loaded:?}");
    }
    assert!(loaded.len() <= 6, "{loaded:?}");
    assert!(loaded.values().sum::<u64>() <= 120 << 10, "{loaded:?}");
}
