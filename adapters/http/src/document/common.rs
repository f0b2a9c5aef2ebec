//! What the document says once for all operations: problems, credentials, headings.

use ports::Permission;
use serde_json::{Map, Value, json};

use crate::problem::{Kind, MEDIA_TYPE, OAUTH_ERROR, PACT_2_ERROR, PACT_3_ERROR, PROBLEM};
use crate::schema::{Components, Side, reference};

/// The answer of every kind of problem, as problems and as the token endpoints have it.
pub(super) fn responses(components: &mut Components) -> Map<String, Value> {
    let problem = json!({ MEDIA_TYPE: { "schema": reference(&PROBLEM, Side::Answer, components) } });
    let error = json!({ "application/json": { "schema": reference(&OAUTH_ERROR, Side::Answer, components) } });
    let pact_2 = json!({ "application/json": { "schema": reference(&PACT_2_ERROR, Side::Answer, components) } });
    let pact_3 = json!({ "application/json": { "schema": reference(&PACT_3_ERROR, Side::Answer, components) } });
    let used = |kind: Kind| {
        // At the token endpoints too many attempts are too many requests, which have the same status.
        let never = [
            Kind::TooMany,
            Kind::Parameters,
            Kind::NotImplemented,
            Kind::Unknown,
            Kind::KeyReused,
            Kind::MethodNotAllowed,
        ];
        !never.contains(&kind)
    };
    // What cannot be read as a request has no path yet by which its answer could have another form.
    let in_form = |kind: Kind, form: &Value| {
        let mut content = form.clone();
        if kind == Kind::Malformed {
            content[MEDIA_TYPE] = problem[MEDIA_TYPE].clone();
        }
        content
    };
    let mut all = Map::new();
    for kind in Kind::ALL.iter().copied().filter(|kind| used(*kind)) {
        let description = format!("{}.", kind.title());
        let mut answer = json!({ "description": description, "content": problem });
        if kind == Kind::Stale {
            let says = "The tag that it has now, to repeat the request with; not there where it is gone by now.";
            answer["headers"] =
                json!({ "ETag": { "description": says, "required": false, "schema": { "type": "string" } } });
        }
        all.insert(format!("{kind:?}"), answer);
        let of_tokens = [
            Kind::Malformed,
            Kind::NotAcceptable,
            Kind::QueryTooLong,
            Kind::Internal,
            Kind::Busy,
            Kind::Unauthenticated,
            Kind::TooFast,
            Kind::Timeout,
            Kind::TooLarge,
            Kind::MediaType,
        ];
        if of_tokens.contains(&kind) {
            all.insert(
                format!("Token{kind:?}"),
                json!({ "description": description, "content": in_form(kind, &error) }),
            );
        }
        let of_pact = [
            Kind::Malformed,
            Kind::NotAcceptable,
            Kind::QueryTooLong,
            Kind::Internal,
            Kind::Busy,
            Kind::Unauthenticated,
            Kind::Forbidden,
            Kind::TooFast,
            Kind::NotFound,
            Kind::NotImplemented,
            Kind::Timeout,
            Kind::TooLarge,
            Kind::MediaType,
            Kind::Unknown,
        ];
        if of_pact.contains(&kind) {
            for (name, content) in [("Pact2", &pact_2), ("Pact3", &pact_3)] {
                all.insert(
                    format!("{name}{kind:?}"),
                    json!({ "description": description, "content": in_form(kind, content) }),
                );
            }
        }
    }
    all
}

/// How callers prove who they are, at that base path.
pub(super) fn security_schemes(base: &str) -> Value {
    let scopes: Map<_, _> = Permission::ALL.iter().map(|one| (one.to_string(), Value::from(one.what_for()))).collect();
    let token_url = format!("{base}/auth/token");
    json!({
        "bearer": {
            "type": "http",
            "scheme": "bearer",
            "description": "An API key, or an access token of the token endpoint.",
        },
        "client": {
            "type": "http",
            "scheme": "basic",
            "description": "A client's id and secret; they may stand in the form instead.",
        },
        "oauth2": {
            "type": "oauth2",
            "description": "An access token for a client's id and secret.",
            "flows": {
                "clientCredentials": { "tokenUrl": token_url, "refreshUrl": token_url, "scopes": scopes },
            },
        },
    })
}

/// What is under a heading.
pub(super) fn heading(tag: &str) -> &'static str {
    match tag {
        "Activities" => "Recorded causes of emissions, and the report of what they add up to.",
        "Changes" => "What changed, in order.",
        "Credentials" => "Clients and keys: who may call.",
        "Documentation" => "What the service can do.",
        "Partners" => "Companies that footprints are exchanged with, their credentials, and what is shared with them.",
        "Exclusions" => "What is left out of the inventory on purpose, and why.",
        "Footprints" => "Product carbon footprints, valid by PACT's rules or not.",
        "Imports" => "Activities that came in bulk, by the file they came in.",
        "Models" => "Bills of inputs that make an amount of something.",
        "PACT" => "The exchange with partners, in the forms of PACT 2.3 and 3.0.",
        "Orgs" => "The tree of organisation units.",
        "Periods" => "Periods that are closed, whose figures stay as they were reported, and the base year.",
        "Products" => "What is consumed, and the factors that say what it emits.",
        "Scopes" => "The tree of GHG scopes.",
        "Switches" => "Named items whose footprint is computed from models.",
        "Taxonomies" => "The tree of categories of activity.",
        "Tokens" => "Getting and revoking tokens, and checking them.",
        "Factors" => "Emission factors as their publishers give them.",
        "Units" => "What quantities can be given in.",
        _ => "",
    }
}
