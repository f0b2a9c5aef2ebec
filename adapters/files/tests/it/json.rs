//! The tree: what is read, what is refused, and that digits stay.

use proptest::prelude::*;
use tonne_files::{Json, parse};

use crate::support::json;

fn refusal(bytes: &[u8], depth: usize) -> (String, String) {
    let fault = parse(bytes, depth).unwrap_err().into_iter().next().unwrap();
    (fault.pointer, fault.detail)
}

#[test]
fn a_number_keeps_the_digits_it_came_with() {
    for digits in ["0", "-0", "1E5", "1.7429600000000001", "12345678901234567890.123456789012345678", "1e-400"] {
        assert_eq!(json(digits), Json::Number(digits.to_owned()));
        assert_eq!(json(digits).to_string(), digits);
    }
}

#[test]
fn members_keep_their_order_and_escapes_are_resolved() {
    let text = r#"{"z":[true,false,null,"\ud83d\ude00\n"],"a":{}}"#;
    let Json::Object(members) = json(text) else { panic!("an object") };
    assert_eq!(members[0].0, "z");
    assert_eq!(members[0].1.to_string(), "[true,false,null,\"\u{1f600}\\n\"]");
    assert_eq!(json(text).get("a"), Some(&Json::Object(vec![])));
}

#[test]
fn a_doubled_name_is_refused_where_it_stands() {
    assert_eq!(
        refusal(br#"{"a": {"b/c": 1, "x": 2, "b/c": 3}}"#, 32),
        ("/a/b~1c".to_owned(), "stands twice in the same object".to_owned())
    );
    assert_eq!(refusal(br#"[{"a": 1, "\u0061": 2}]"#, 32).0, "/0/a");
}

#[test]
fn a_long_name_before_very_many_faults_is_cut_and_the_faults_beyond_a_thousand_are_counted() {
    let name = "n".repeat(400_000);
    let text = format!(r#"{{"{name}":[{}1]}}"#, r#""\ud800","#.repeat(50_000));
    let faults: Vec<_> = parse(text.as_bytes(), 32).unwrap_err().into_iter().collect();
    assert_eq!(faults.len(), 1_001);
    assert!(faults.iter().all(|fault| fault.pointer.len() < 300));
    assert!(faults[0].pointer.ends_with("n.../0"));
    assert_eq!(faults[1_000].detail, "has 49000 more faults of this kind");
}

#[test]
fn every_doubled_name_and_half_character_is_told_but_depth_once() {
    let faults = |text: &str| -> Vec<String> {
        let faults = parse(text.as_bytes(), 3).unwrap_err().into_iter();
        faults.map(|fault| format!("{} {}", fault.pointer, fault.code.as_str())).collect()
    };
    let text = r#"{"a": 1, "a": {"b": 1, "b": 2, "b": 3}, "c": "\ud800"}"#;
    assert_eq!(faults(text), ["/a repeated", "/a/b repeated", "/c invalid"]);
    assert_eq!(faults("[[[[1], [2]]], [[[3]]]]"), ["/0/0/0 too_much"]);
}

#[test]
fn the_depth_is_bounded_and_the_bound_itself_is_fine() {
    let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    assert!(parse(nested(32).as_bytes(), 32).is_ok());
    assert_eq!(refusal(nested(33).as_bytes(), 32).1, "is nested too deeply");
    assert_eq!(refusal(nested(200_000).as_bytes(), 32).1, "is nested too deeply");
    assert!(parse(b"1", 0).is_ok());
}

#[test]
fn what_is_no_json_says_line_and_column() {
    assert_eq!(refusal(b"{\n  \"a\" 1\n}", 32).1, "is not JSON: expected `:` at line 2 column 7");
    for text in ["", "{", "{} {}", "[1,]", "{\"a\":}", "01", "1.", "NaN", "'a'", "\"\n\"", "\u{feff}1"] {
        assert!(refusal(text.as_bytes(), 32).1.starts_with("is not JSON: "), "{text}");
    }
}

#[test]
fn half_characters_are_refused() {
    assert_eq!(refusal(b"\"\xff\"", 32).1, "is not UTF-8 from byte 2 on");
    assert_eq!(refusal(br#"{"a": ["\ud800"]}"#, 32).0, "/a/0");
    assert_eq!(refusal(br#"{"\udc00": 1}"#, 32).0, "");
}

proptest! {
    #[test]
    fn no_bytes_make_it_panic(bytes: Vec<u8>) {
        let _ = parse(&bytes, 32);
    }

    #[test]
    fn no_text_of_json_letters_makes_it_panic(text in r#"[\[\]{}",:0-9eE.+\-\\untrfalsd ]{0,60}"#) {
        if let Ok(json) = parse(text.as_bytes(), 32) {
            prop_assert_eq!(parse(json.to_string().as_bytes(), 32), Ok(json));
        }
    }

    #[test]
    fn numbers_print_as_they_were_read(text in r"-?(0|[1-9][0-9]{0,30})(\.[0-9]{1,30})?([eE][+-]?[0-9]{1,3})?") {
        prop_assert_eq!(json(&format!("[{text}]")).to_string(), format!("[{text}]"));
    }
}
