//! The log of a service as lines of JSON.

use serde_json::Value;

use super::run::{Place, Served};

#[test]
fn lines_of_json_name_request_and_credential() {
    let place = Place::new();
    place.file("tonne.toml", "[log]\nformat = \"json\"\nlevel = \"info,tonne_http=debug\"\n");
    let key = place.json(&["key", "create", "--name", "a", "--permissions", "admin"]);
    let (secret, id) = (key["key"].as_str().unwrap(), key["uuid"].as_str().unwrap());
    let served = Served::start(place.command(&["serve", "--listen", "127.0.0.1:0", "--config", "tonne.toml"]));
    let headers = [format!("Authorization: Bearer {secret}"), "X-Request-Id: request-7".to_owned()];
    assert_eq!(served.get("/v1/scope", &headers.each_ref().map(String::as_str)).0, 200);
    let log = served.log();
    // What is printed for whoever starts it, such as a link to sign in with, is no part of the log.
    let lines: Vec<Value> =
        log.lines().filter(|line| line.starts_with('{')).map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(lines.iter().all(|line| line["timestamp"].is_string() && line["level"].is_string()), "{log}");
    let answered = lines.iter().find(|line| line["message"] == "Answered.").unwrap();
    assert_eq!(answered["request.id"], "request-7", "{answered}");
    assert_eq!(answered["credential"], format!("key:{id}"), "{answered}");
    assert_eq!((&answered["route"], &answered["status"]), (&"/api/v1/scope".into(), &200.into()), "{answered}");
    assert!(!log.contains(secret), "{log}");
}
