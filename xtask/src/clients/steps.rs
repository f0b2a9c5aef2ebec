//! What the clients do: every operation of the document once, with the document's own examples as bodies.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One call. `$name` in it stands for what an earlier step saved under that name.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(super) struct Step {
    /// The `operationId` that the step calls.
    pub(super) r#do: String,
    /// With whose credentials: the demo's `key` unless said, the new `client`'s, the `partner`'s or its token's, or `nobody`'s.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    r#as: Option<String>,
    #[serde(default)]
    path: BTreeMap<String, Value>,
    #[serde(default)]
    query: BTreeMap<String, Value>,
    /// The document's example unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    body: Option<Value>,
    /// Members of the answer that must be exactly so.
    #[serde(default)]
    expect: BTreeMap<String, Value>,
    /// Members of the answer that are numbers, equal in their first 15 digits.
    #[serde(default)]
    number: BTreeMap<String, String>,
    /// What later steps take from the answer: by name, the member.
    #[serde(default)]
    save: BTreeMap<String, String>,
    /// Filled in from the document.
    #[serde(default)]
    status: u16,
    #[serde(default)]
    typed: bool,
    #[serde(default)]
    method: String,
    #[serde(default)]
    address: String,
    #[serde(default)]
    media: String,
    #[serde(default)]
    accepts: String,
}

/// The steps, which name every operation of the document and no other.
pub(super) fn steps(document: &Value) -> Result<Vec<Step>> {
    let mut steps: Vec<Step> =
        serde_json::from_str(include_str!("scenario.json")).context("cannot read clients/scenario.json")?;
    let operations = operations(document);
    let named: BTreeSet<_> = steps.iter().map(|step| step.r#do.as_str()).collect();
    let known: BTreeSet<_> = operations.keys().copied().collect();
    ensure!(
        named == known,
        "xtask/src/clients/scenario.json must name every operation: it lacks {:?}, and names besides {:?}",
        known.difference(&named),
        named.difference(&known)
    );
    for step in &mut steps {
        let (method, address, operation) = operations[step.r#do.as_str()];
        step.complete(method, address, operation).with_context(|| format!("the step {}", step.r#do))?;
    }
    Ok(steps)
}

/// By id: the method, the path and the operation.
fn operations(document: &Value) -> BTreeMap<&str, (&str, &str, &Value)> {
    let paths = document["paths"].as_object().into_iter().flatten();
    let all = paths.flat_map(|(path, item)| {
        let methods = item.as_object().into_iter().flatten();
        methods.map(move |(method, operation)| (method.as_str(), path.as_str(), operation))
    });
    all.map(|one| (one.2["operationId"].as_str().unwrap_or_default(), one)).collect()
}

impl Step {
    fn complete(&mut self, method: &str, address: &str, operation: &Value) -> Result<()> {
        self.method = method.to_ascii_uppercase();
        address.clone_into(&mut self.address);
        let answers = operation["responses"].as_object().context("no answers")?;
        let (status, answer) = answers.iter().find(|(status, _)| status.starts_with('2')).context("no good answer")?;
        self.status = status.parse()?;
        let content = answer["content"].as_object();
        let json = content.is_some_and(|content| content.contains_key("application/json"));
        if content.is_none() || json { "json" } else { "text" }.clone_into(&mut self.accepts);
        self.typed = json && self.r#do != "get_document";
        if let Some((media, content)) =
            operation["requestBody"]["content"].as_object().and_then(|all| all.iter().next())
        {
            self.media.clone_from(media);
            if self.body.is_none() {
                self.body = Some(content.get("example").context("no example of its body")?.clone());
            }
        }
        Ok(())
    }
}

/// The step as a statement of TypeScript, which the compiler checks against the generated types.
pub(super) fn in_typescript(step: &Step) -> String {
    let client = match step.r#as.as_deref() {
        Some("client") => "login()",
        Some("partner") => "partner()",
        Some("partnerToken") => "partnerToken()",
        Some("nobody") => "nobody",
        _ => "ours",
    };
    let mut options = Vec::new();
    let parameters: Vec<_> = [("path", &step.path), ("query", &step.query)]
        .into_iter()
        .filter(|(_, values)| !values.is_empty())
        .map(|(place, values)| format!("{place}: {}", expression(&serde_json::json!(values))))
        .collect();
    if !parameters.is_empty() {
        options.push(format!("params: {{ {} }}", parameters.join(", ")));
    }
    if let Some(body) = &step.body {
        options.push(format!("body: {}", expression(body)));
    }
    if step.media == "application/x-www-form-urlencoded" {
        options.push("...form".to_owned());
    } else if !step.media.is_empty() {
        if step.media == "application/x-ndjson" {
            options.push("bodySerializer: (body: string) => body".to_owned());
        }
        options.push(format!("headers: {{ \"Content-Type\": {:?} }}", step.media));
    }
    if step.accepts == "text" {
        options.push("parseAs: \"text\", headers: { Accept: \"text/html\" }".to_owned());
    }
    let checks = serde_json::json!({
        "status": step.status, "expect": step.expect, "number": step.number, "save": step.save,
    });
    format!(
        "  check({:?}, await {client}.{}({:?}, {{ {} }}), {checks});\n",
        step.r#do,
        step.method,
        step.address,
        options.join(", ")
    )
}

/// The value as an expression of TypeScript.
fn expression(value: &Value) -> String {
    match value {
        Value::String(text) => match text.strip_prefix('$') {
            Some(name) => format!("saved.{name}"),
            None => value.to_string(),
        },
        Value::Array(items) => format!("[{}]", items.iter().map(expression).collect::<Vec<_>>().join(", ")),
        Value::Object(members) => {
            let members = members.iter().map(|(name, value)| format!("{name:?}: {}", expression(value)));
            format!("{{ {} }}", members.collect::<Vec<_>>().join(", "))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_steps_name_every_operation_of_the_kept_document() {
        let kept = std::fs::read_to_string(crate::cargo::root().join("docs/openapi.json")).unwrap();
        let steps = steps(&serde_json::from_str(&kept).unwrap()).unwrap();
        assert!(steps.len() > 60);
        assert!(steps.iter().all(|step| (200..300).contains(&step.status)));
    }

    #[test]
    fn what_was_saved_stands_in_the_place_of_its_name() {
        let value = serde_json::json!({ "uuid": "$org", "list": ["a", 1, null] });
        assert_eq!(expression(&value), r#"{ "list": ["a", 1, null], "uuid": saved.org }"#);
    }
}
