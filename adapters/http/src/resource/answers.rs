//! The answers of operations on a resource.

use actix_web::HttpResponse;
use actix_web::http::header;
use files::Json;
use ports::credential::Secret;
use ports::inbound::Done;
use ports::repeat::FirstAnswer;
use uuid::Uuid;

use super::{Added, Asking, Resource, Within as _};
use crate::answer;
use crate::problem::Problem;

/// Answers with a record whose secret is shown this once, which no cache may keep.
pub(crate) fn with_secret<R: Resource>(
    status: actix_web::http::StatusCode,
    view: &R::View,
    secret: Secret,
) -> Result<HttpResponse, Problem> {
    let mut json = R::write(view)?;
    if let (Json::Object(members), Some((name, _))) = (&mut json, R::SECRET) {
        members.push((name.to_owned(), Json::Text(secret.0)));
    }
    answer::secret(status, &json)
}

/// Answers 200 with a record as a change left it.
pub(crate) fn changed<R: Resource>(by: Asking<'_>, view: &R::View) -> Result<HttpResponse, Problem> {
    Ok(answer::changed((by.epoch, R::identity(view).1), R::body(view)?))
}

/// The address of a new record, below the base address.
fn location<R: Resource>(base: &str, within: R::In, view: &R::View) -> String {
    format!("{base}{}/{}", within.path(R::LABELS.collection), R::identity(view).0)
}

/// The answer 201 with a record that was added, of a tenant at that epoch.
pub(crate) fn added<R: Resource>(
    epoch: Uuid,
    base: &str,
    within: R::In,
    view: &R::View,
) -> Result<FirstAnswer, Problem> {
    Ok(answer::created(location::<R>(base, within, view), (epoch, R::identity(view).1), R::body(view)?))
}

/// Answers 201 with a record that was added, or as it was answered before.
pub(crate) fn created<R: Resource>(
    by: Asking<'_>,
    base: &str,
    within: R::In,
    done: Done<Added<R::View>>,
) -> Result<HttpResponse, Problem> {
    let new = match done {
        Done::New(new) => new,
        Done::Before(answer) => return answer::first(answer),
    };
    let location = location::<R>(base, within, &new.view);
    let Some(secret) = new.secret else { return answer::first(added::<R>(by.epoch, base, within, &new.view)?) };
    let mut answer = with_secret::<R>(actix_web::http::StatusCode::CREATED, &new.view, secret)?;
    let location = header::HeaderValue::from_str(&location).map_err(Problem::internal)?;
    answer.headers_mut().insert(header::LOCATION, location);
    Ok(answer)
}
