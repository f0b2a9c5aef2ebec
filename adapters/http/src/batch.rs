//! Activities in bulk: the rows of a body of any size, on the same way as those of the command line.
//!
//! The body goes through a thread that inflates, hashes and reads it; the rows are imported by a task of its own, so that
//! what was committed is told apart from what was not, whether the client stays or leaves.

mod answer;
mod broken;
mod feed;
mod import;
mod rows;
mod spool;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use actix_web::http::header::HeaderName;
use actix_web::{HttpRequest, HttpResponse, web};
use domain::Digest;
use ports::Permission;
use ports::inbound::{Outcome, Repeats};
use serde_json::json;

use crate::caller::Caller;
use crate::credential_watch::CredentialWatch;
use crate::media;
use crate::operation::{BodyAbout, Operation};
use crate::problem::{HeadFaults, Kind as Problems, Problem};
use crate::query::{InQuery, Queried, Query};
use crate::request_part::{Ask, Parameter, Part, Place};
use crate::schema::Kind;
use crate::service::Service;
use answer::RESULT;
use feed::BulkBody;
use import::Asked;

/// The media types of a body.
const MEDIA: &[&str] = &[media::NDJSON, media::CSV];

/// The operation that imports activities.
pub(crate) fn operations() -> Vec<Operation> {
    let body = BodyAbout {
        media: MEDIA,
        schema: |_| json!({ "type": "string", "description": "Rows: one JSON object a line, or CSV with a header." }),
        example: Some(json!(concat!(
            r#"{"syncId":"invoice-1","name":"Van 7","startDate":"2025-01-01","UpstreamCO2e":"12.5"}"#,
            "\n"
        ))),
    };
    let post = Operation::post(Permission::ActivityWrite, "/v1/activity/batch", post_batch)
        .named("import_activities", "Activities")
        .does("Imports activities: a body of any size, one activity a row.")
        .noting(
            "A row is the whole record: in NDJSON a member that is absent is null, a CSV column that is absent is kept. It \
             adds an activity, or changes the one of its `syncId`, or is left when nothing changed, or is rejected. Rows \
             that are not rejected are committed every 20,000 rows or 250 ms; a row has at most 64 KiB. The import is \
             listed under `/v1/import`, also when it breaks off: what was committed stays, and the same body can be sent \
             again. `Content-Encoding: gzip` is taken. A client sends at least 64 KiB in any 30 s. \
             409 while another import is being undone.",
        )
        .taking(body)
        .answers_with(&RESULT)
        .refused_with(Problems::MediaType)
        .refused_with(Problems::Timeout)
        .refused_with(Problems::Conflict)
        .refused_with(Problems::TooLarge)
        .refused_with(Problems::Busy);
    vec![post]
}

/// How a body is imported.
#[derive(Clone, Debug)]
struct BatchQuery {
    outcome: Outcome,
    repeats: Repeats,
    name: Option<String>,
    again: bool,
}

impl Queried for BatchQuery {
    fn parameters() -> Vec<Parameter> {
        let flag = |name, doc| Parameter::query(name, Kind::Flag, doc);
        vec![
            flag(
                "atomic",
                "true: all rows or none, in one change of at most `limits.atomic_rows` rows; other writers wait meanwhile. \
                 Where one is rejected it is 422, with the faults line by line.",
            ),
            flag("dryRun", "true: write nothing, and answer as the real run would, to the last count and line."),
            Parameter::query(
                "repeats",
                Kind::Word(|| vec!["fault", "last"]),
                "What becomes of a second row about the same activity: it is rejected, or counts. fault unless given.",
            ),
            Parameter::query(
                "name",
                Kind::Text(1, 255),
                "What the import is listed under, such as the name of a file.",
            ),
            flag("again", "true: import the body though the same one was imported before."),
        ]
    }

    fn take(query: &mut Query) -> Self {
        let mut flag = |name| {
            query.read(name, |word| word.parse::<bool>().map_err(|_| "must be true or false")).unwrap_or_default()
        };
        let (atomic, dry_run, again) = (flag("atomic"), flag("dryRun"), flag("again"));
        let repeats = query.read("repeats", |word| match word {
            "fault" => Ok(Repeats::Fault),
            "last" => Ok(Repeats::Last),
            _ => Err("must be fault or last"),
        });
        let name = query.read("name", |text| domain::Name::parse(text).map(|name| name.to_string()));
        let outcome = match (dry_run, atomic) {
            (true, _) => Outcome::Nothing,
            (false, true) => Outcome::AllOrNothing,
            (false, false) => Outcome::KeepGood,
        };
        Self { outcome, repeats: repeats.unwrap_or_default(), name, again }
    }
}

/// The SHA-256 of the body as it is sent, if the client says it (RFC 9530).
struct ContentDigest(Option<Digest>);

/// The header that says it.
const CONTENT_DIGEST: HeaderName = HeaderName::from_static("content-digest");

impl Part for ContentDigest {
    fn parameters() -> Vec<Parameter> {
        vec![Parameter {
            name: "Content-Digest",
            place: Place::Header,
            doc: "The SHA-256 of the body, as `sha-256=:BASE64:`. With it a body that was imported before is refused before \
                  a row is written, and one that came otherwise breaks off.",
            kind: Kind::Text(1, 1_000),
            more: &[],
        }]
    }

    fn read(request: &HttpRequest, faults: &mut HeadFaults) -> Option<Self> {
        let Some(value) = request.headers().get(CONTENT_DIGEST) else { return Some(Self(None)) };
        let digest = value.to_str().ok().and_then(sha_256);
        if digest.is_none() {
            faults.malformed("Content-Digest", "must be sha-256=:BASE64:, the SHA-256 of the body");
        }
        digest.map(|digest| Self(Some(digest)))
    }
}

/// The SHA-256 in a list of digests.
fn sha_256(value: &str) -> Option<Digest> {
    use base64::Engine as _;
    let own = value.split(',').find_map(|one| one.trim().strip_prefix("sha-256="))?;
    let text = own.strip_prefix(':')?.strip_suffix(':')?;
    let bytes = base64::engine::general_purpose::STANDARD.decode(text).ok()?;
    bytes.try_into().map(Digest::from_stored).ok()
}

/// Handles POST of rows.
async fn post_batch(
    caller: Caller,
    Ask((InQuery(query), ContentDigest(digest)), _): Ask<(InQuery<BatchQuery>, ContentDigest)>,
    body: BulkBody,
    request: HttpRequest,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let watch = CredentialWatch::of(&request, Permission::ActivityWrite)?;
    let slot = service.stream_slots().take(&caller).await?;
    let is_lost = Arc::new(AtomicBool::new(false));
    let asked = Asked {
        service: service.clone().into_inner(),
        caller: caller.caller.clone(),
        query,
        digest,
        form: body.form,
        is_lost: Arc::clone(&is_lost),
    };
    let lost = async {
        watch.lost().await;
        // Before the body ends for want of somebody who feeds it.
        is_lost.store(true, Ordering::Relaxed);
    };
    tokio::select! {
        answered = import::run(asked, slot, body) => answered,
        () = lost => Err(lost_problem()),
    }
}

/// That the credential of a body is good no more.
fn lost_problem() -> Problem {
    Problem::unauthenticated(
        "The credential was revoked, ran out or lost its permission while the body was read; what was committed stays.",
        r#"Bearer error="invalid_token""#,
    )
    .closing()
}
