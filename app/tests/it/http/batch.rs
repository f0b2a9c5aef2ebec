//! `POST /v1/activity/batch` and `/v1/import`: rows of a body, what became of them, and taking them back.

mod at_once;
mod recorded;
mod told;

use std::time::{Duration, Instant};

use super::harness::{Answer, Client, Service, Value};

const CSV: &str = "text/csv";
const NDJSON: &str = "application/x-ndjson";

fn send(client: &Client, query: &str, media: &str, body: impl Into<Vec<u8>>) -> Answer {
    client.request("POST", &format!("/v1/activity/batch{query}")).header("Content-Type", media).body(body).send()
}

fn row(sync_id: &str, kilograms: &str) -> String {
    format!(r#"{{"syncId":"{sync_id}","name":"Van","startDate":"2025-01-01","UpstreamCO2e":"{kilograms}"}}"#)
}

fn rows(count: usize, kilograms: &str) -> String {
    (0..count).map(|number| row(&number.to_string(), kilograms) + "\n").collect()
}

fn counts(answer: &Value) -> [u64; 4] {
    ["created", "updated", "unchanged", "rejected"].map(|name| answer[name].as_u64().unwrap())
}

/// What is asked for until it is there.
fn until<T>(mut ask: impl FnMut() -> Option<T>) -> T {
    let end = Instant::now() + Duration::from_mins(1);
    loop {
        if let Some(found) = ask() {
            return found;
        }
        assert!(Instant::now() < end, "it does not come");
    }
}

fn total(admin: &Client) -> Value {
    admin.get("/v1/activity?pageSize=1").ok()["uncategorizedCO2e"].clone()
}

#[test]
fn rows_are_added_changed_left_or_rejected_with_line_and_pointer() {
    let service = Service::start();
    let admin = service.admin();
    let first = send(&admin, "", NDJSON, format!("{}\n{}\n", row("a", "1"), row("b", "2"))).ok();
    assert_eq!(counts(&first), [2, 0, 0, 0]);
    let bad = r#"{"syncId":"c","name":"Van","startDate":"2025-02-30"}"#;
    let again = send(&admin, "", NDJSON, format!("{}\n\n{}\n{bad}\n", row("a", "1"), row("b", "3"))).ok();
    assert_eq!(counts(&again), [0, 1, 1, 1]);
    assert_eq!((&again["errors"][0]["line"], &again["errors"][0]["pointer"]), (&4.into(), &"/startDate".into()));
    let csv = "name,syncId,startDate,UpstreamCO2e\nVan,a,2025-01-01,7\n";
    assert_eq!(counts(&send(&admin, "", CSV, csv).ok()), [0, 1, 0, 0]);
    assert_eq!(total(&admin), "10");
    assert_eq!(send(&admin, "", CSV, "nonsense\nx\n").problem(), "422 invalid-input (all) (all) (all)");
    assert_eq!(send(&service.caller("activity:read"), "", CSV, csv).status, 403);
}

#[test]
fn a_dry_run_says_what_the_real_run_does() {
    let service = Service::start();
    let admin = service.admin();
    let body = format!("{}\n{}\n{{\"name\":1}}\n{}\n", row("a", "1"), row("a", "2"), row("b", "3"));
    let told = |query: &str| {
        let mut answer = send(&admin, query, NDJSON, body.clone()).ok();
        for name in ["import", "written"] {
            answer.as_object_mut().unwrap().remove(name);
        }
        answer
    };
    let dry = told("?dryRun=true");
    assert_eq!(total(&admin), "0");
    assert_eq!(told(""), dry);
    assert_eq!(counts(&dry), [2, 0, 0, 2]);
    let last = send(&admin, "?repeats=last&again=true", NDJSON, body.clone()).ok();
    assert_eq!(counts(&last), [0, 1, 2, 1]);
}

#[test]
fn all_rows_or_none_are_one_change() {
    let service = Service::with(|config| config.limits.atomic_rows = 3_000);
    let admin = service.admin();
    let body = format!("{}{{}}\n", rows(10, "1"));
    let broken = send(&admin, "?atomic=true", NDJSON, body.clone());
    assert_eq!(broken.problem(), "422 invalid-input /name /startDate");
    let text = broken.text();
    assert!(text.contains("of 11 rows, 1 is rejected") && text.contains("line 11: "), "{text}");
    assert_eq!(counts(&send(&admin, "?atomic=true&dryRun=true", NDJSON, body).ok()), [10, 0, 0, 1]);
    assert_eq!(admin.get("/v1/import").ok()["count"], 0);
    assert_eq!(total(&admin), "0");
    let written = send(&admin, "?atomic=true", NDJSON, rows(3_000, "1")).ok();
    assert_eq!(counts(&written), [3_000, 0, 0, 0]);
    let import = admin.get(&format!("/v1/import/{}", written["import"].as_str().unwrap())).ok();
    assert_eq!((&import["state"], &import["changes"]["first"]), (&"done".into(), &import["changes"]["last"]));
    assert_eq!(send(&admin, "?atomic=true", NDJSON, rows(3_001, "1")).problem(), "413 too-large");
    assert_eq!(send(&admin, "?atomic=true", NDJSON, rows(3_000, "1")).problem(), "409 conflict");
    assert_eq!(counts(&send(&admin, "?atomic=true&again=true", NDJSON, rows(3_000, "1")).ok()), [0, 0, 3_000, 0]);
}

#[test]
fn the_same_body_again_is_told_and_with_its_digest_refused_before_it_is_written() {
    use base64::Engine as _;
    let service = Service::start();
    let admin = service.admin();
    let body = r#"{"name":"Van","startDate":"2025-01-01","UpstreamCO2e":"1"}"#;
    let hash = domain::Digest::of(body.as_bytes());
    let digest = format!("sha-256=:{}:", base64::engine::general_purpose::STANDARD.encode(hash.as_bytes()));
    let with_digest = |query: &str, digest: &str, body: &str| {
        let request = admin.request("POST", &format!("/v1/activity/batch{query}")).header("Content-Type", NDJSON);
        request.header("Content-Digest", digest).body(body).send()
    };
    let first = with_digest("", &digest, body).ok();
    assert_eq!((counts(&first), &first["sameAs"]), ([1, 0, 0, 0], &Value::Null));
    assert_eq!(with_digest("", &digest, body).problem(), "409 conflict");
    assert_eq!(total(&admin), "1");
    assert_eq!(send(&admin, "", NDJSON, body).ok()["sameAs"], first["import"]);
    assert_eq!(counts(&with_digest("?again=true", &digest, body).ok()), [1, 0, 0, 0]);
    assert_eq!(with_digest("", &digest, "{}").problem(), "409 conflict");
    assert_eq!(with_digest("?again=true", &digest, "{}").problem(), "400 malformed-request");
    let other = row("other", "2");
    let told = |query: &str| with_digest(query, &digest, &other).text().contains("1 row before was taken and stays");
    assert!(!told("?again=true&dryRun=true"), "nothing was written");
    assert!(told("?again=true"));
    assert_eq!(with_digest("", "md5=:AAAA:", body).problem(), "400 malformed-request Content-Digest");
}

#[test]
fn rows_of_another_body_that_are_recorded_already_are_counted() {
    let service = Service::start();
    let admin = service.admin();
    let row = |name: &str, kilograms: u8| format!("{name},2025-01-01,{kilograms}\n");
    let csv = |rows: &[String]| format!("name,startDate,UpstreamCO2e\n{}", rows.concat());
    let first = send(&admin, "", CSV, csv(&[row("Van", 1), row("Bus", 2)])).ok();
    assert_eq!((&first["alreadyRecorded"], &first["warnings"]), (&0.into(), &0.into()));
    let later = csv(&[row("Bike", 1), row("Van", 1), row("Van", 3), row("Bus", 2)]);
    for query in ["?dryRun=true", ""] {
        let answer = send(&admin, query, CSV, later.clone()).ok();
        assert_eq!((counts(&answer), &answer["alreadyRecorded"]), ([4, 0, 0, 0], &2.into()), "{query}");
        let told = answer["warningDetails"].as_array().unwrap();
        assert_eq!(told.iter().map(|told| &told["line"]).collect::<Vec<_>>(), [3, 5], "{query}");
        assert!(told[0]["detail"].as_str().unwrap().starts_with("says the same as the recorded activity "), "{told:?}");
    }
    // With a syncId it is another activity by its own word.
    let named = send(&admin, "", CSV, "name,syncId,startDate,UpstreamCO2e\nVan,v,2025-01-01,1\n").ok();
    assert_eq!((&named["alreadyRecorded"], &named["created"]), (&0.into(), &1.into()));
}

#[test]
fn a_packed_body_that_no_header_tells_of_is_told_how_to_be_sent() {
    use std::io::Write as _;
    let service = Service::start();
    let mut packing = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    packing.write_all(rows(3, "1").as_bytes()).unwrap();
    let answer = send(&service.admin(), "", NDJSON, packing.finish().unwrap());
    assert_eq!(answer.problem(), "400 malformed-request");
    assert!(answer.text().contains("send it with Content-Encoding: gzip"), "{}", answer.text());
}

#[test]
fn a_packed_body_is_inflated_but_not_without_bound() {
    let service = Service::start();
    let admin = service.admin();
    let packed = |text: &[u8]| {
        use std::io::Write as _;
        let mut packing = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        packing.write_all(text).unwrap();
        packing.finish().unwrap()
    };
    let post = |body: Vec<u8>| {
        let request = admin.request("POST", "/v1/activity/batch").header("Content-Type", NDJSON);
        request.header("Content-Encoding", "gzip").body(body).send()
    };
    assert_eq!(counts(&post(packed(rows(500, "1").as_bytes())).ok()), [500, 0, 0, 0]);
    assert_eq!(post(packed(&vec![b' '; 8 << 20])).problem(), "413 too-large");
    assert_eq!(post(b"no gzip at all".to_vec()).problem(), "400 malformed-request");
    let mut cut = packed(rows(500, "2").as_bytes());
    cut.truncate(cut.len() / 2);
    assert_eq!(post(cut).problem(), "400 malformed-request");
}

#[test]
fn a_body_that_breaks_off_leaves_what_was_committed_and_can_be_sent_again() {
    use std::io::Write as _;
    let service = Service::with(|config| config.limits.requests_per_minute = 0);
    let admin = service.admin();
    let body = rows(30_000, "1");
    let mut stream = std::net::TcpStream::connect(service.address()).unwrap();
    let head = format!(
        "POST {}/v1/activity/batch HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {}\r\nContent-Type: {NDJSON}\r\n\
         Content-Length: {}\r\n\r\n",
        service.base_path(),
        service.key("activity:write"),
        body.len()
    );
    stream.write_all(head.as_bytes()).unwrap();
    stream.write_all(&body.as_bytes()[..body.len() - 100_000]).unwrap();
    stream.shutdown(std::net::Shutdown::Both).unwrap();
    drop(stream);
    let import = until(|| {
        let listed = admin.get("/v1/import").ok();
        let newest = listed["data"][0].clone();
        (newest["state"] == "brokenOff").then_some(newest)
    });
    let kept = import["counts"]["created"].as_u64().unwrap();
    assert!((20_000..30_000).contains(&kept), "{kept}");
    assert_eq!(total(&admin), kept.to_string());
    let again = send(&admin, "", NDJSON, body).ok();
    assert_eq!(counts(&again), [30_000 - kept, 0, kept, 0]);
}

#[test]
fn a_body_that_is_cut_is_told_how_many_rows_stay() {
    use std::io::{Read as _, Write as _};
    let service = Service::with(|config| config.limits.body_silence_s = 1);
    let body = rows(100, "1");
    let mut stream = std::net::TcpStream::connect(service.address()).unwrap();
    let head = format!(
        "POST {}/v1/activity/batch HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {}\r\nContent-Type: {NDJSON}\r\n\
         Content-Length: {}\r\n\r\n{body}",
        service.base_path(),
        service.key("activity:write"),
        body.len() + 1
    );
    stream.write_all(head.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let import = service.admin().get("/v1/import").ok()["data"][0].clone();
    assert_eq!((&import["state"], &import["counts"]["created"]), (&"brokenOff".into(), &100.into()));
    assert!(answer.starts_with("HTTP/1.1 408"), "{answer}");
    let told = format!("100 rows before were taken and stay, as the import {}", import["uuid"].as_str().unwrap());
    assert!(answer.contains(&told), "{answer}");
}

#[test]
fn an_import_is_undone_unless_somebody_edited_what_it_left() {
    let service = Service::start();
    let admin = service.admin();
    let one = send(&admin, "?name=one", NDJSON, format!("{}\n{}\n", row("a", "1"), row("b", "2"))).ok();
    let two = send(&admin, "?name=two", NDJSON, format!("{}\n{}\n", row("a", "5"), row("c", "7"))).ok();
    let [one, two] = [one, two].map(|answer| format!("/v1/import/{}", answer["import"].as_str().unwrap()));
    let refused = admin.delete(&one);
    assert_eq!(refused.problem(), "409 conflict");
    assert!(refused.text().contains("edited since"), "{refused:?}");
    assert_eq!(total(&admin), "14");
    let undone = admin.delete(&two).ok();
    assert_eq!((&undone["state"], &undone["name"]), (&"undone".into(), &"two".into()));
    assert_eq!(total(&admin), "3");
    assert_eq!(service.caller("activity:read").delete(&one).status, 403);
    admin.delete(&one).ok();
    assert_eq!(total(&admin), "0");
    let listed = admin.get("/v1/import?pageSize=1").ok();
    assert_eq!((&listed["count"], &listed["data"][0]["name"]), (&2.into(), &"two".into()));
}

#[test]
fn a_large_import_is_undone_in_batches_beside_the_request() {
    let service = Service::with(|config| {
        config.limits.atomic_rows = 1;
        config.limits.requests_per_minute = 0;
    });
    let admin = service.admin();
    let import = send(&admin, "", NDJSON, rows(100, "1")).ok();
    let at = format!("/v1/import/{}", import["import"].as_str().unwrap());
    let begun = admin.delete(&at).expect(202).json();
    assert_eq!(begun["state"], "undoing");
    until(|| (admin.get(&at).ok()["state"] == "undone").then_some(()));
    assert_eq!(total(&admin), "0");
}
