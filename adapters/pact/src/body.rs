//! The bodies that hosts answer with: what stands in `data`, and what errors and tokens say.

use domain::{FaultCode, Faults};
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::json::{Kind, RawMembers};

/// The most footprints of one answer.
const MOST: usize = 100_000;

/// The footprints of a list, each as the JSON that it came as.
pub fn listed(body: &[u8]) -> Result<Vec<String>, Faults> {
    let data = data(body, Kind::Array, "an array")?;
    let items: Vec<&RawValue> = serde_json::from_str(data).map_err(|error| Faults::one("/data", error.to_string()))?;
    if items.len() > MOST {
        let detail = format!("has {} footprints; at most {MOST} are read", items.len());
        return Err(Faults::one_coded(FaultCode::TooMuch, "/data", detail));
    }
    Ok(items.into_iter().map(|item| item.get().to_owned()).collect())
}

/// The footprint of an answer, as the JSON that it came as.
pub fn single(body: &[u8]) -> Result<String, Faults> {
    data(body, Kind::Object, "an object").map(str::to_owned)
}

/// The text of a member of the object; `None` where the body is no object that has one, or has it twice.
#[must_use]
pub fn text_member(body: &[u8], name: &str) -> Option<String> {
    let RawMembers(members) = serde_json::from_slice(body).ok()?;
    let mut found = members.into_iter().filter(|(own, _)| own == name);
    match (found.next(), found.next()) {
        (Some((_, raw)), None) => String::deserialize(raw).ok(),
        _ => None,
    }
}

/// The member `data`, which is of that kind and stands there once.
fn data<'a>(body: &'a [u8], kind: Kind, expected: &str) -> Result<&'a str, Faults> {
    let not_json = |detail: String| Faults::one("", detail);
    let text = std::str::from_utf8(body).map_err(|_| not_json("is not UTF-8".to_owned()))?;
    let raw: &RawValue = serde_json::from_str(text).map_err(|error| not_json(format!("is not JSON: {error}")))?;
    if Kind::of(raw) != Kind::Object {
        return Err(Faults::one_coded(FaultCode::Type, "", "must be an object with the member data"));
    }
    let RawMembers(members) = serde_json::from_str(raw.get()).map_err(|error| not_json(error.to_string()))?;
    let mut found = members.into_iter().filter(|(name, _)| name == "data");
    match (found.next(), found.next()) {
        (Some((_, raw)), None) if Kind::of(raw) == kind => Ok(raw.get()),
        (Some((_, raw)), None) => {
            let detail = format!("must be {expected}, not {}", Kind::of(raw).words());
            Err(Faults::one_coded(FaultCode::Type, "/data", detail))
        }
        (Some(_), Some(_)) => Err(Faults::one_coded(FaultCode::Repeated, "/data", "stands twice in the same object")),
        (None, _) => Err(Faults::one_coded(FaultCode::Required, "/data", "is missing")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn footprints_come_as_they_were_written() {
        assert_eq!(listed(br#" {"data": [ {"a": 1.0}, 2 ], "x": 1} "#).unwrap(), [r#"{"a": 1.0}"#, "2"]);
        assert_eq!(listed(br#"{"data":[]}"#).unwrap(), [] as [&str; 0]);
        assert_eq!(single(br#"{"data":{"a":1}}"#).unwrap(), r#"{"a":1}"#);
    }

    #[test]
    fn what_is_no_answer_is_told_with_its_place() {
        for (body, place) in [
            ("", ""),
            ("[]", ""),
            ("{", ""),
            ("{}", "/data"),
            (r#"{"data":null}"#, "/data"),
            (r#"{"data":{}}"#, "/data"),
            (r#"{"data":[],"data":[]}"#, "/data"),
        ] {
            let faults = listed(body.as_bytes()).unwrap_err();
            assert_eq!(faults.as_slice()[0].pointer, place, "{body}: {faults:?}");
        }
        assert!(single(br#"{"data":[]}"#).is_err());
        assert!(listed(b"{\"data\":[\"\xff\"]}").is_err());
    }

    #[test]
    fn a_text_is_found_by_its_name() {
        let body = br#"{"code":"Not\u0046ound","message":1,"a":"1","a":"2"}"#;
        assert_eq!(text_member(body, "code").as_deref(), Some("NotFound"));
        for name in ["message", "a", "b"] {
            assert_eq!(text_member(body, name), None, "{name}");
        }
        assert_eq!(text_member(b"[]", "code"), None);
    }
}
