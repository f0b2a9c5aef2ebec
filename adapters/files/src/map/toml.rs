//! A mapping file as a tree, and the places in it as TOML spells them.

use domain::{Fault, Faults};

use crate::json::Json;

/// The tree of a TOML text; where it is none, the fault that says why.
pub(crate) fn read(text: &str) -> Result<Json, Faults> {
    match ::toml::from_str::<::toml::Table>(text) {
        Ok(table) => Ok(object(table)),
        Err(error) => {
            let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
            let line = before.matches('\n').count() + 1;
            Err(Faults::one(format!("line {line}"), error.message()))
        }
    }
}

fn object(table: ::toml::Table) -> Json {
    Json::Object(table.into_iter().map(|(name, value)| (name, tree(value))).collect())
}

fn tree(value: ::toml::Value) -> Json {
    match value {
        ::toml::Value::String(text) => Json::Text(text),
        ::toml::Value::Integer(number) => Json::Number(number.to_string()),
        // Amounts are written as texts; a float, which has lost digits already, is a number of the wrong kind anywhere.
        ::toml::Value::Float(number) => Json::Number(number.to_string()),
        ::toml::Value::Boolean(flag) => Json::Bool(flag),
        ::toml::Value::Datetime(moment) => Json::Text(moment.to_string()),
        ::toml::Value::Array(items) => Json::Array(items.into_iter().map(tree).collect()),
        ::toml::Value::Table(table) => object(table),
    }
}

/// The same faults, their JSON pointers as TOML paths: `/activity/0/quantity` is `activity[0].quantity`.
pub(crate) fn with_paths(faults: Faults) -> Faults {
    let mut paths = Faults::new();
    for Fault { pointer, code, detail } in faults {
        paths.add_coded(code, path(&pointer), detail);
    }
    paths
}

fn path(pointer: &str) -> String {
    pointer.split('/').skip(1).fold(String::new(), |path, part| {
        let name = part.replace("~1", "/").replace("~0", "~");
        let bare = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
        let dot = if path.is_empty() { "" } else { "." };
        if !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit()) {
            format!("{path}[{name}]")
        } else if !name.is_empty() && name.bytes().all(bare) {
            format!("{path}{dot}{name}")
        } else {
            format!("{path}{dot}{name:?}")
        }
    })
}
