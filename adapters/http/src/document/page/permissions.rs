//! The table of permissions: what each is for, what it includes, and which operations ask for it.

use std::fmt::Write as _;

use ports::{Permission, Permissions};
use serde_json::Value;

use super::html::text;
use super::operation::{self, Operation};

/// Writes the table.
pub(super) fn section(out: &mut String, document: &Value) {
    out.push_str(
        "<h2 id=\"permissions\">Permissions</h2>\n<table class=\"permissions\">\n<thead><tr><th>Permission</th>\
         <th>What for</th><th>Includes</th><th>Asked for by</th></tr></thead>\n",
    );
    for permission in Permission::ALL {
        let asks = |one: &Operation<'_>| one.permission() == Some(permission.as_str());
        let operations: Vec<_> = operation::all(document).filter(asks).map(link).collect();
        let _ = writeln!(
            out,
            "<tr><th><code>{}</code></th><td>{}</td><td>{}</td><td>{}</td></tr>",
            permission.as_str(),
            text(permission.what_for()),
            included(*permission),
            operations.join("<br>"),
        );
    }
    out.push_str("</table>\n");
}

/// What whoever holds the permission may do besides.
fn included(permission: Permission) -> String {
    if permission == Permission::Admin {
        return "all".to_owned();
    }
    let held = Permissions::parse(permission.as_str()).map(Permissions::closure).unwrap_or_default();
    let others = held.iter().filter(|one| *one != permission);
    others.map(|one| format!("<code>{one}</code>")).collect::<Vec<_>>().join(" ")
}

fn link(operation: Operation<'_>) -> String {
    let method = operation.method.to_ascii_uppercase();
    format!("<a href=\"#{}\">{} {}</a>", text(operation.id()), text(&method), text(operation.path))
}
