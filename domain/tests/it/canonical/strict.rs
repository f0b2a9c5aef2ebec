//! What is no canonical text is refused, and the refusal names the member.

use tonne_domain::{
    Activity, ActivityId, Canonical, CanonicalError, CanonicalReader, Factor, FactorId, Product, ProductId,
};

use crate::sample;

fn product(text: &str) -> String {
    Product::from_canonical(sample::id::<ProductId>(1), text).unwrap_err().to_string()
}

#[test]
fn each_spelling_but_one_is_refused_by_the_members_name() {
    assert!(Product::from_canonical(sample::id::<ProductId>(1), r#"{"name":"A","unit":"kg"}"#).is_ok());
    let elsewhere = "is missing or stands elsewhere";
    let unknown = "is not known, stands twice, or does not stand in its place";
    let spelling = "has a character that is not written in the canonical form";
    for (text, detail) in [
        ("", "the text is cut off".to_owned()),
        ("[]", "the text is not an object".to_owned()),
        (r#" {"name":"A","unit":"kg"}"#, "the text is not an object".to_owned()),
        (r#"{"name":"A","unit":"kg"} "#, "the text goes on behind its end".to_owned()),
        (r#"{"name":"A","unit":"kg""#, "the text is cut off".to_owned()),
        (r#"{"name":"A","unit":"kg","unit":"kg"}"#, format!("/unit {unknown}")),
        (r#"{"name":"A","unit":"kg","more":1}"#, format!("/more {unknown}")),
        (r#"{"name":"A","unit":"kg",}"#, "the text does not end where its members do".to_owned()),
        (r#"{"unit":"kg","name":"A"}"#, format!("/name {elsewhere}")),
        (r#"{"name":"A"}"#, format!("/unit {elsewhere}")),
        (r#"{"name": "A","unit":"kg"}"#, "/name is not a text".to_owned()),
        (r#"{"name" :"A","unit":"kg"}"#, format!("/name {elsewhere}")),
        (r#"{"syncId":null,"name":"A","unit":"kg"}"#, "/syncId is not a text".to_owned()),
        (r#"{"name":7,"unit":"kg"}"#, "/name is not a text".to_owned()),
        (r#"{"name":"","unit":"kg"}"#, "/name is refused: the text must not be empty".to_owned()),
        (r#"{"name":" A","unit":"kg"}"#, "/name is not written in the canonical form, which is \"A\"".to_owned()),
        (r#"{"name":"A","unit":"kilogram"}"#, "/unit is not written in the canonical form, which is \"kg\"".to_owned()),
        (r#"{"name":"\u0041","unit":"kg"}"#, format!("/name {spelling}")),
        (r#"{"name":"\/","unit":"kg"}"#, format!("/name {spelling}")),
        (r#"{"name":"\t","unit":"kg"}"#, format!("/name {spelling}")),
        ("{\"name\":\"\t\",\"unit\":\"kg\"}", format!("/name {spelling}")),
        (r#"{"name":"\u0000","unit":"kg"}"#, "/name must not contain U+0000".to_owned()),
        (r#"{"name":"A"#, "/name is cut off".to_owned()),
    ] {
        assert_eq!(product(text), detail, "{text}");
    }
}

#[test]
fn a_refusal_names_the_member_at_every_depth_and_the_byte() {
    let text = r#"{"name":"A","span":{"start":"2025-01-01"},"calculation":{"incomplete":"no_product"}}"#;
    let refused = Activity::from_canonical(sample::id::<ActivityId>(1), text).unwrap_err();
    assert_eq!((refused.path(), refused.at()), ("/span/start", text.find("\"2025").unwrap()));

    let text = r#"{"items":[{"a":1},{"a":"1"}]}"#;
    let read = |from: &mut CanonicalReader<'_>| from.objects("items", |from| from.integer::<i64>("a"));
    assert_eq!(CanonicalReader::read(text, read).unwrap_err().to_string(), "/items/1/a is not a whole number");
}

#[test]
fn whole_numbers_have_one_spelling_and_stay_within_their_bounds() {
    let read = |digits: &str| {
        CanonicalReader::read(&format!("{{\"a\":{digits}}}"), |from| from.integer::<u64>("a"))
            .map_err(|error| error.to_string())
    };
    assert_eq!(read("0"), Ok(0));
    assert_eq!(read("18446744073709551615"), Ok(u64::MAX));
    for beyond in ["18446744073709551616", "-1"] {
        assert_eq!(read(beyond), Err("/a is a whole number beyond its bounds".to_owned()));
    }
    for wrong in [
        "",
        "00",
        "01",
        "-0",
        "-",
        "--1",
        "+1",
        "1.0",
        "1e3",
        "\"1\"",
        "null",
        "1-",
        "99999999999999999999999999999999999999999",
    ] {
        assert!(read(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn what_is_empty_is_left_out() {
    let read = |text: &str| {
        CanonicalReader::read(text, |from| from.texts("list", str::parse::<u8>)).map_err(|error| error.to_string())
    };
    assert_eq!(read("{}"), Ok(Vec::new()));
    assert_eq!(read(r#"{"list":["1","2"]}"#), Ok(vec![1, 2]));
    assert!(read(r#"{"list":[]}"#).is_err());
    assert!(read(r#"{"list":["1",]}"#).is_err());
    assert!(read(r#"{"list":["1" ,"2"]}"#).is_err());
    assert_eq!(
        read(r#"{"list":["1","02"]}"#),
        Err("/list/1 is not written in the canonical form, which is \"2\"".into())
    );
}

#[test]
fn members_that_contradict_each_other_are_refused() {
    let activity = |members: &str| -> Result<Activity, CanonicalError> {
        let text = format!(r#"{{"name":"A",{members}}}"#);
        Activity::from_canonical(sample::id::<ActivityId>(1), &text)
    };
    let span = r#""span":{"start":"2025-01-02T00:00:00Z"}"#;
    let incomplete = r#""calculation":{"incomplete":"no_product"}"#;
    assert!(activity(&format!("{span},{incomplete}")).is_ok());
    for wrong in [
        format!(r#""supplied":{{}},{span},{incomplete}"#),
        format!(r#""span":{{"start":"2025-01-02T00:00:00Z","end":"2025-01-01T00:00:00Z"}},{incomplete}"#),
        format!(r#"{span},"calculation":{{}}"#),
        format!(r#"{span},"calculation":{{"upstream":"1"}}"#),
        format!(r#"{span},"calculation":{{"incomplete":"because"}}"#),
        format!(r#""supplied":{{"upstream":"2"}},{span},"calculation":{{"upstream":"1"}}"#),
        format!(r#""supplied":{{"upstream":"1"}},{span},"calculation":{{"upstream":"1","incomplete":"no_product"}}"#),
    ] {
        assert!(activity(&wrong).is_err(), "{wrong}");
    }
    let factor = r#"{"product":"00000000-0000-0000-0000-000000000001","data":{"unit":"kg","validFrom":"2025-01-01","source":"S"}}"#;
    let refused = Factor::from_canonical(sample::id::<FactorId>(1), factor).unwrap_err();
    assert!(refused.detail().contains("is refused: neither an upstream nor a downstream intensity"), "{refused}");
}
