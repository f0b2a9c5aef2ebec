//! Conditional requests on a single record.

use crate::api::get_with;
use crate::fake::SWITCH;

async fn status(headers: &[(&str, &str)]) -> u16 {
    get_with(&format!("/api/v1/switch/{SWITCH}"), "switch:read", headers).await.status
}

async fn tag() -> String {
    let answer = get_with(&format!("/api/v1/switch/{SWITCH}"), "switch:read", &[]).await;
    answer.header("etag").unwrap().to_owned()
}

#[actix_web::test]
async fn the_tag_is_the_epoch_the_version_and_a_digest() {
    let tag = tag().await;
    assert!(tag.starts_with("\"00000000.7-") && tag.len() == 29, "{tag}");
    assert_eq!(self::tag().await, tag);
}

#[actix_web::test]
async fn a_reader_that_has_it_gets_304_without_a_body() {
    let tag = tag().await;
    let path = format!("/api/v1/switch/{SWITCH}");
    for value in [tag.clone(), "*".to_owned(), format!("\"x\", W/{tag}")] {
        let answer = get_with(&path, "switch:read", &[("If-None-Match", &value)]).await;
        assert_eq!((answer.status, answer.text.as_str()), (304, ""), "{value}");
        assert_eq!(answer.header("etag"), Some(tag.as_str()));
    }
    assert_eq!(status(&[("If-None-Match", "\"00000000.7-other\"")]).await, 200);
}

#[actix_web::test]
async fn if_match_compares_epoch_and_version_and_weak_tags_never_match() {
    for (value, expected) in [
        ("\"00000000.7-whatever\"", 200),
        ("*", 200),
        ("\"00000000.1-a\", \"00000000.7-b\"", 200),
        ("\"00000000.6-a\"", 412),
        ("\"00000001.7-a\"", 412),
        ("\"7-a\"", 412),
        ("W/\"00000000.7-a\"", 412),
        ("\"x\"", 412),
    ] {
        assert_eq!(status(&[("If-Match", value)]).await, expected, "{value}");
    }
}

#[actix_web::test]
async fn a_condition_that_is_no_list_of_tags_is_400() {
    for name in ["If-Match", "If-None-Match"] {
        for value in ["7", "\"open", "", "\"a\" \"b\""] {
            assert_eq!(status(&[(name, value)]).await, 400, "{name}: {value}");
        }
    }
}
