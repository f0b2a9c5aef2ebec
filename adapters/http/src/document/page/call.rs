//! How an operation is called: its line for `curl`, and the text of a body.

use serde_json::Value;

use super::html::members;
use super::operation::{Credentials, Operation};
use crate::media;

/// What stands in a path for the identifier of a record.
const RECORD: &str = "UUID";

/// The line for a shell that calls the operation with its example. The key comes from the environment, so that no history
/// of commands keeps it.
pub(super) fn curl(operation: Operation<'_>, base: &str) -> String {
    let mut words = vec!["curl".to_owned()];
    let method = operation.method.to_ascii_uppercase();
    if method != "GET" && !(method == "POST" && operation.body().is_some()) {
        words.push(format!("-X {method}"));
    }
    match operation.credentials() {
        Credentials::Key => words.push("-H \"Authorization: Bearer $TONNE_KEY\"".to_owned()),
        Credentials::Client => words.push("-u \"$CLIENT_ID:$CLIENT_SECRET\"".to_owned()),
        Credentials::Nothing => {}
    }
    if let Some((media, content)) = operation.body() {
        if media != media::FORM {
            words.push(format!("-H 'Content-Type: {media}'"));
        }
        let example = &content["example"];
        let is_text = example.is_string() || example.is_null() || media == media::FORM;
        let text = if is_text { body_text(media, example) } else { example.to_string() };
        words.push(format!("--data-binary {}", quoted(&text)));
    }
    words.push(quoted(&format!("{base}{}", with_records(operation.path))));
    words.join(" ")
}

/// The example of a body as it is sent.
pub(super) fn body_text(media: &str, example: &Value) -> String {
    match example {
        Value::Null => String::new(),
        Value::String(rows) => rows.clone(),
        Value::Object(_) if media == media::FORM => {
            let fields = members(example).map(|(name, value)| format!("{name}={}", value.as_str().unwrap_or_default()));
            fields.collect::<Vec<_>>().join("&")
        }
        Value::Object(_) | Value::Array(_) | Value::Bool(_) | Value::Number(_) => {
            serde_json::to_string_pretty(example).unwrap_or_default()
        }
    }
}

fn with_records(path: &str) -> String {
    path.replace("{uuid}", RECORD).replace("{id}", RECORD).replace("{set}", "SET").replace("{cell}", "CELL")
}

/// The text as one word of a shell.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_ends_its_quotes() {
        assert_eq!(quoted("a'b; rm -r ~"), r"'a'\''b; rm -r ~'");
    }

    #[test]
    fn a_form_is_written_as_a_form() {
        let example = serde_json::json!({ "grant_type": "client_credentials" });
        assert_eq!(body_text(media::FORM, &example), "grant_type=client_credentials");
        assert_eq!(body_text(media::NDJSON, &Value::from("{}\n")), "{}\n");
        assert_eq!(body_text(media::JSON, &Value::Null), "");
    }
}
