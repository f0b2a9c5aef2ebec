//! `/health`.

use super::harness::Service;

#[test]
fn whoever_watches_needs_no_credentials() {
    let service = Service::start();
    for path in ["/health/live", "/health/ready"] {
        assert_eq!(service.anybody().outside("GET", path).send().expect(200).text(), r#"{"status":"ok"}"#);
    }
}
