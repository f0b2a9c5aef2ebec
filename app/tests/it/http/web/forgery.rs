//! Forms that come from elsewhere: each of the pages' own, filled in so that it would write, is refused and writes nothing.

use super::forms::{forms, prepared};
use super::records::state;
use super::visitor::Visitor;

/// Names with their values.
type Pairs<'a> = &'a [(&'a str, &'a str)];

#[test]
fn every_form_needs_the_token_of_its_session_and_this_origin() {
    let (service, records) = prepared();
    let (admin, origin) = (service.admin(), format!("http://{}", service.address()));
    let reader = Visitor::signed_in(&service.own(), "admin");
    let other = Visitor::named(&service.own(), "other", "admin");
    let (own, others) = (reader.token(), other.token());
    assert_ne!(own, others);
    let same = ("Sec-Fetch-Site", "same-origin");
    let refused: [(&str, Pairs<'_>, Pairs<'_>); 11] = [
        ("no token", &[], &[same]),
        ("an empty token", &[("form_token", "")], &[same]),
        ("a wrong token", &[("form_token", "x")], &[same]),
        ("another session's token", &[("form_token", others)], &[same]),
        ("another session's token first", &[("form_token", others), ("form_token", own)], &[same]),
        ("another site", &[("form_token", own)], &[("Sec-Fetch-Site", "cross-site")]),
        (
            "another site that names this origin",
            &[("form_token", own)],
            &[("Sec-Fetch-Site", "cross-site"), ("Origin", &origin)],
        ),
        ("another host of the site", &[("form_token", own)], &[("Sec-Fetch-Site", "same-site")]),
        ("another origin", &[("form_token", own)], &[("Origin", "https://evil.example")]),
        ("no origin", &[("form_token", own)], &[("Origin", "null")]),
        ("nothing that says where from", &[("form_token", own)], &[]),
    ];
    let before = state(&service.own(), &admin);
    for form in forms() {
        let (to, fields) = form.filled(&records, &reader);
        let fields: Vec<_> = fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        for (what, token, headers) in refused {
            let request = reader.form(&to, &[token, &fields].concat());
            let answer = headers.iter().fold(request, |request, (name, value)| request.header(name, value)).send();
            assert_eq!(answer.status, 403, "{to}: {what}: {}", answer.text());
        }
    }
    assert_eq!(state(&service.own(), &admin), before, "nothing is written");
    reader.get("/settings/me").expect(200);
}

#[test]
fn what_is_sent_without_a_body_of_a_form_writes_nothing() {
    let (service, records) = prepared();
    let (admin, reader) = (service.admin(), Visitor::signed_in(&service.own(), "admin"));
    let before = state(&service.own(), &admin);
    for form in forms() {
        let to = records.fill(form.route);
        for method in ["PUT", "PATCH", "DELETE"] {
            let request = reader.request(method, &to).form(&format!("form_token={}", reader.token()));
            let answer = request.header("Sec-Fetch-Site", "same-origin").send();
            assert_eq!(answer.status, 405, "{method} {to}: {}", answer.text());
        }
        let request = reader.request("POST", &to).header("Sec-Fetch-Site", "same-origin");
        request.json_text(&format!("{{\"form_token\":\"{}\"}}", reader.token())).send().expect(415);
    }
    assert_eq!(state(&service.own(), &admin), before, "nothing is written");
}
