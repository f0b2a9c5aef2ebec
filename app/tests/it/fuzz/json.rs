//! The JSON reader, beside another one.

use files::{Json, parse};
use serde_json::Value;

use super::check;

const SAMPLES: [&str; 5] = [
    r#"{"name":"Gas","quantity":12345678901234567890.123456789012345678,"org":{"uuid":"a"}}"#,
    r#"[null,true,false,-0.0e-7,"\ud83d\ude00 \" \\ \/ \u0000",[],{}]"#,
    r#" {"a":{"a":{"a":[1,2,3]}}} "#,
    r#"{"a":1,"a":2}"#,
    r#""\ud800""#,
];
const DEPTH: usize = 32;

#[test]
fn a_json_text_says_the_same_as_another_reader_finds_in_it_digit_by_digit() {
    let words = [
        "\\u0000",
        "\\ud800",
        "\\udc00",
        "[[[[[[[[",
        "]]]]]]]]",
        "{\"a\":",
        "1e999999999",
        "\u{feff}",
        "null",
        "-",
        "\"\":",
    ];
    check("json", &SAMPLES.map(|text| text.as_bytes().to_vec()), &words, |input| {
        let other = serde_json::from_slice::<Value>(input);
        match parse(input, DEPTH) {
            Ok(json) => {
                // Numbers beyond what a float holds are the other one's to refuse.
                if let Ok(other) = other {
                    same(&json, &other);
                } else {
                    assert!(other.unwrap_err().to_string().starts_with("number out of range"));
                }
                let written = written(&json);
                assert_eq!(parse(written.as_bytes(), DEPTH).as_ref(), Ok(&json), "{written}");
                json.kind().to_owned()
            }
            Err(faults) => {
                let faults = faults.as_slice();
                assert!(!faults.is_empty() && faults.iter().all(|fault| !fault.detail.is_empty()));
                let first = &faults[0];
                let is_placed = !first.pointer.is_empty()
                    || ["column", "byte", "nested", "stands twice", "escape"]
                        .iter()
                        .any(|word| first.detail.contains(word));
                assert!(is_placed, "{first:?}");
                if other.is_ok() {
                    let known = ["stands twice in the same object", "nested"];
                    assert!(
                        faults.iter().all(|fault| known.iter().any(|word| fault.detail.contains(word))),
                        "{faults:?}"
                    );
                }
                first.detail.clone()
            }
        }
    });
}

fn same(one: &Json, other: &Value) {
    match (one, other) {
        (Json::Null, Value::Null) => {}
        (Json::Bool(one), Value::Bool(other)) => assert_eq!(one, other),
        (Json::Text(one), Value::String(other)) => assert_eq!(one, other),
        (Json::Number(one), Value::Number(other)) => {
            assert!(serde_json::from_str::<Value>(one).is_ok_and(|one| one == Value::Number(other.clone())), "{one}");
        }
        (Json::Array(one), Value::Array(other)) => {
            assert_eq!(one.len(), other.len());
            one.iter().zip(other).for_each(|(one, other)| same(one, other));
        }
        (Json::Object(one), Value::Object(other)) => {
            assert_eq!(one.len(), other.len());
            for (name, value) in one {
                same(value, &other[name]);
            }
        }
        _ => panic!("{one:?} is not {other}"),
    }
}

fn written(json: &Json) -> String {
    let quoted = |text: &String| serde_json::to_string(text).unwrap();
    match json {
        Json::Null => "null".to_owned(),
        Json::Bool(flag) => flag.to_string(),
        Json::Number(text) => text.clone(),
        Json::Text(text) => quoted(text),
        Json::Array(items) => format!("[{}]", items.iter().map(written).collect::<Vec<_>>().join(",")),
        Json::Object(members) => {
            let members = members.iter().map(|(name, value)| format!("{}:{}", quoted(name), written(value)));
            format!("{{{}}}", members.collect::<Vec<_>>().join(","))
        }
    }
}
