//! An operation on the page: what it takes, an example of what is sent and of what comes back, and its line for `curl`.

use std::fmt::Write as _;

use serde_json::Value;

use super::Base;
use super::call;
use super::html::{escaped, kind, members, row, table, text};

/// An operation of the document.
#[derive(Clone, Copy)]
pub(super) struct Operation<'a> {
    /// In lower case.
    pub(super) method: &'a str,
    pub(super) path: &'a str,
    /// What the document says of it.
    pub(super) about: &'a Value,
}

/// Whose credentials an operation asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Credentials {
    /// A key or an access token.
    Key,
    /// A client's id and secret.
    Client,
    /// None.
    Nothing,
}

/// Every operation of the document.
pub(super) fn all(document: &Value) -> impl Iterator<Item = Operation<'_>> {
    members(&document["paths"]).flat_map(|(path, item)| {
        members(item).map(move |(method, about)| Operation { method: method.as_str(), path: path.as_str(), about })
    })
}

impl<'a> Operation<'a> {
    /// What programs call it, and its anchor on the page.
    pub(super) fn id(&self) -> &'a str {
        self.about["operationId"].as_str().unwrap_or_default()
    }

    /// The permission that it needs.
    pub(super) fn permission(&self) -> Option<&'a str> {
        self.about["security"][0]["oauth2"][0].as_str()
    }

    pub(super) fn credentials(&self) -> Credentials {
        match (self.permission(), self.about["security"][0].get("client")) {
            (Some(_), _) => Credentials::Key,
            (None, Some(_)) => Credentials::Client,
            (None, None) => Credentials::Nothing,
        }
    }

    /// The media type of its body, and what the document says of it.
    pub(super) fn body(&self) -> Option<(&'a str, &'a Value)> {
        let content = self.about["requestBody"]["content"].as_object()?.iter().next()?;
        Some((content.0.as_str(), content.1))
    }

    /// Writes its part of the page.
    pub(super) fn write(self, out: &mut String, document: &'a Value, base: Base<'_>) {
        let credentials = match self.credentials() {
            Credentials::Key => "key",
            Credentials::Client => "client",
            Credentials::Nothing => "nothing",
        };
        let old = if self.about["deprecated"] == true { " <em class=\"old\">deprecated</em>" } else { "" };
        let _ = writeln!(
            out,
            "<details class=\"op\" id=\"{id}\" data-method=\"{verb}\" data-path=\"{path}\" \
             data-credentials=\"{credentials}\"><summary><b class=\"{method}\">{verb}</b> <code>{path}</code> \
             <span>{summary}</span> <em>{permission}</em>{old}</summary>\n<p>{about}</p>",
            id = text(self.id()),
            verb = text(&self.method.to_ascii_uppercase()),
            method = text(self.method),
            path = text(self.path),
            summary = escaped(&self.about["summary"]),
            permission = text(self.permission().unwrap_or_default()),
            about = escaped(&self.about["description"]),
        );
        self.parameters(out, document);
        if let Some((media, content)) = self.body() {
            let example = call::body_text(media, &content["example"]);
            let _ = write!(
                out,
                "<h4>Body</h4>\n<p>{} {}</p>\n<pre class=\"body\" data-media=\"{0}\">{}</pre>\n",
                text(media),
                kind(&content["schema"]),
                text(&example),
            );
        }
        let line = call::curl(self, base.url);
        let _ = write!(out, "<h4>curl</h4>\n<pre class=\"curl\">{}</pre>\n", text(&line));
        self.answers(out, document);
        out.push_str("</details>\n");
    }

    fn parameters(self, out: &mut String, document: &'a Value) {
        let parameters: Vec<_> = self.about["parameters"].as_array().into_iter().flatten().collect();
        if parameters.is_empty() {
            return;
        }
        out.push_str("<table class=\"parameters\">\n<caption>Parameters</caption>\n");
        for one in parameters {
            let one = resolved(document, one);
            let (name, place) = (one["name"].as_str().unwrap_or_default(), one["in"].as_str().unwrap_or_default());
            let words = one["schema"]["enum"].as_array().map(|words| words.iter().map(escaped).collect::<Vec<_>>());
            let kind = words.map_or_else(|| kind(&one["schema"]), |words| words.join(", "));
            let marks = format!(" data-in=\"{}\" data-name=\"{}\"", text(place), text(name));
            row(out, &marks, name, &format!("{}<br>{kind}", text(place)), one);
        }
        out.push_str("</table>\n");
    }

    fn answers(self, out: &mut String, document: &'a Value) {
        let (mut answers, mut problems, mut example) = (Vec::new(), Vec::new(), None);
        for (status, answer) in members(&self.about["responses"]) {
            let answer = resolved(document, answer);
            if answer["content"].get("application/problem+json").is_some() {
                problems.push(format!("{} ({})", text(status), escaped(&answer["description"]).trim_end_matches('.')));
                continue;
            }
            example = example.or_else(|| members(&answer["content"]).find_map(|(_, content)| content.get("example")));
            answers.push((status.as_str(), media(answer), answer));
        }
        table(out, "Answers", answers.into_iter());
        if let Some(example) = example {
            let example = serde_json::to_string_pretty(example).unwrap_or_default();
            let _ = write!(out, "<h4>An answer</h4>\n<pre class=\"answer\">{}</pre>\n", text(&example));
        }
        if !problems.is_empty() {
            let _ = writeln!(out, "<p>Problems: {}.</p>", problems.join(", "));
        }
    }
}

/// What a reference into the document leads to, or the value itself.
fn resolved<'a>(document: &'a Value, value: &'a Value) -> &'a Value {
    let target = value["$ref"].as_str().and_then(|path| document.pointer(path.trim_start_matches('#')));
    target.unwrap_or(value)
}

/// What an answer holds, by media type.
fn media(answer: &Value) -> String {
    let kinds: Vec<_> = members(&answer["content"])
        .map(|(name, content)| format!("<code class=\"media\">{}</code> {}", text(name), kind(&content["schema"])))
        .collect();
    kinds.join("<br>")
}
