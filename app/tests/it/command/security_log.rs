//! Security events in the log of a service that nobody configured.

use super::run::{Place, Reply, Served};

const FORM: &str = "Content-Type: application/x-www-form-urlencoded";

#[test]
fn what_is_refused_is_in_the_log_of_a_service_without_any_configuration() {
    let place = Place::new();
    let key = place.json(&["key", "create", "--name", "k", "--permissions", "activity:read"]);
    let key = format!("Authorization: Bearer {}", key["key"].as_str().unwrap());
    let client = place.json(&["client", "create", "--name", "c", "--permissions", "activity:read"]);
    let (id, secret) = (client["client_id"].as_str().unwrap(), client["client_secret"].as_str().unwrap());
    // Not `Place::serve`, which asks for less than is logged by default.
    let served = Served::start(place.command(&["serve", "--listen", "127.0.0.1:0"]));
    let ask = |secret: &str, form: &str| -> Reply {
        let basic = base64::Engine::encode(&base64::engine::general_purpose::STANDARD, format!("{id}:{secret}"));
        served.ask("POST", "/auth/token", &[&format!("Authorization: Basic {basic}"), FORM], form)
    };

    assert_eq!(served.get("/v1/activity", &["Authorization: Bearer tonne_hush"]).0, 401);
    assert_eq!(served.get("/v1/switch", &[&key]).0, 403);
    assert_eq!(ask("hush", "grant_type=client_credentials").status, 401);
    let token = ask(secret, "grant_type=client_credentials").json();
    let refresh = token["refresh_token"].as_str().unwrap();
    let renewal = format!("grant_type=refresh_token&refresh_token={refresh}");
    assert_eq!((ask(secret, &renewal).status, ask(secret, &renewal).status), (200, 400));

    let log = served.log();
    for event in ["credential_refused", "permission_missing", "secret_wrong", "refresh_token_reused"] {
        let lines: Vec<_> = log.lines().filter(|line| line.contains(event)).collect();
        assert!(matches!(lines[..], [line] if line.contains("WARN") && line.contains("127.0.0.1")), "{event}: {log}");
    }
    for hidden in ["hush", secret, refresh, &key["Authorization: Bearer ".len()..]] {
        assert!(!log.contains(hidden), "{hidden} is in {log}");
    }
}
