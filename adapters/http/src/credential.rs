//! Clients and keys: who may call. All of it needs the permission admin.

mod client;
mod key;

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use actix_web::http::header::{self, HeaderValue};
use domain::{Moment, MomentError, Name, Timestamp};
use files::{Json, Members, Reader, Wrong};
use ports::Permissions;
use ports::inbound::CredentialDraft;
use serde::Serialize;
use utoipa::ToSchema;

pub(crate) use client::Document as ClientDocument;
pub(crate) use key::Document as KeyDocument;

use crate::answer;
use crate::operation::Operation;
use crate::problem::Problem;

/// So many permissions are read at the most; there are fewer.
const MOST_PERMISSIONS: usize = 100;

/// What this area does.
pub(crate) fn operations() -> Vec<Operation> {
    client::operations().into_iter().chain(key::operations()).collect()
}

/// A new client or key.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "describes the body")]
pub(crate) struct CredentialBody {
    /// What it is called: 1 to 255 characters.
    name: String,
    /// What it may do; at least one permission.
    #[schema(example = json!(["activity:read"]))]
    permissions: Vec<String>,
    /// When it runs out; never unless given.
    #[schema(format = DateTime)]
    expires: Option<String>,
}

/// A change of a client or key.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "describes the body")]
pub(crate) struct CredentialChange {
    /// What it is called: 1 to 255 characters.
    name: Option<String>,
    /// What it may do; at least one permission.
    permissions: Option<Vec<String>>,
    /// When it runs out; null for never.
    #[schema(format = DateTime)]
    expires: Option<String>,
}

fn draft(json: &Json, read_only: &[&'static str]) -> Result<CredentialDraft, Problem> {
    let mut members = Reader::new(json, Members::Given).map_err(Problem::invalid)?;
    let mut draft = CredentialDraft {
        name: members.text("name", Name::parse),
        permissions: match members.list("permissions", MOST_PERMISSIONS, permission) {
            ports::inbound::Field::Given(sets) => {
                ports::inbound::Field::Given(sets.into_iter().flat_map(Permissions::iter).collect())
            }
            ports::inbound::Field::Absent => ports::inbound::Field::Absent,
            ports::inbound::Field::Null => ports::inbound::Field::Null,
            ports::inbound::Field::Faulty => ports::inbound::Field::Faulty,
        },
        expires: members.text("expires", expiry),
        ..CredentialDraft::default()
    };
    members.read_only(read_only);
    draft.faults = members.finish();
    Ok(draft)
}

/// One permission. Several in one text would be a slip, so each is read alone.
fn permission(json: &Json) -> Result<Permissions, String> {
    json.text(|word| {
        ports::Permission::parse(word)
            .map(|permission| Permissions::from_iter([permission]))
            .ok_or_else(|| ports::UnknownPermission(vec![word.to_owned()]))
    })
    .map_err(|wrong: Wrong| wrong.to_string())
}

/// A moment, or a date: that day's last second.
fn expiry(text: &str) -> Result<Timestamp, MomentError> {
    Moment::parse_end(text).and_then(|moment| Timestamp::new(moment.instant()))
}

fn words(permissions: Permissions) -> Vec<&'static str> {
    permissions.iter().map(ports::Permission::as_str).collect()
}

/// Answers 201 with new credentials at that address and with their secret, which no cache may keep.
fn shown_once(location: &str, fresh: &impl Serialize) -> Result<HttpResponse, Problem> {
    let mut answer = answer::secret(StatusCode::CREATED, fresh)?;
    let location = HeaderValue::from_str(location).map_err(Problem::internal)?;
    answer.headers_mut().insert(header::LOCATION, location);
    Ok(answer)
}
