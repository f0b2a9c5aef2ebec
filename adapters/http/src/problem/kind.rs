//! The kinds of problems: each has a name, a status, a title and a page that explains it.

use actix_web::http::StatusCode;

macro_rules! kinds {
    ($($(#[doc = $doc:literal])* $kind:ident = $status:ident, $name:literal, $title:literal;)*) => {
        /// What kind of problem it is. The documentation of each is the text of its page.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Kind { $($(#[doc = $doc])* $kind,)* }

        impl Kind {
            pub(crate) const ALL: &[Self] = &[$(Self::$kind),*];

            /// The last part of its address.
            pub(crate) const fn name(self) -> &'static str {
                match self { $(Self::$kind => $name,)* }
            }

            /// Its address below the service's origin.
            pub(crate) const fn path(self) -> &'static str {
                match self { $(Self::$kind => concat!("/problems/", $name),)* }
            }

            /// The status it is answered with.
            pub(crate) const fn status(self) -> StatusCode {
                match self { $(Self::$kind => StatusCode::$status,)* }
            }

            /// What it is, in a few words that never change.
            pub(crate) const fn title(self) -> &'static str {
                match self { $(Self::$kind => $title,)* }
            }

            /// The text of its page.
            pub(crate) const fn text(self) -> &'static str {
                match self { $(Self::$kind => concat!($($doc, "\n"),*),)* }
            }
        }
    };
}

kinds! {
    /// The request cannot be read: its path, a header or its body has not the form it must have. The same request will
    /// never succeed; mend it as `detail` and `errors` say.
    Malformed = BAD_REQUEST, "malformed-request", "The request is malformed";
    /// Parameters of the query are wrong: unknown, given twice, empty, or not of their form. `errors` names each of them.
    Parameters = BAD_REQUEST, "invalid-parameters", "Parameters are wrong";
    /// The request is well-formed, but asks for something that the service does not answer, such as a filter of more than the
    /// standard asks for. `detail` says what can be asked.
    NotImplemented = BAD_REQUEST, "not-implemented", "This is not answered here";
    /// The request carries no valid credentials. Send `Authorization: Bearer` with an API key or an access token of this
    /// address. Tokens run out; get a new one from the token endpoint.
    Unauthenticated = UNAUTHORIZED, "unauthenticated", "Credentials are missing or not valid";
    /// The credentials are valid, but lack the permission that `detail` names. An administrator can grant it.
    Forbidden = FORBIDDEN, "missing-permission", "A permission is missing";
    /// There is nothing at this address, or the record is gone.
    NotFound = NOT_FOUND, "not-found", "Not found";
    /// The address exists, but not for this method. The header `Allow` lists the methods it has.
    MethodNotAllowed = METHOD_NOT_ALLOWED, "method-not-allowed", "The method is not allowed here";
    /// None of the media types in `Accept` can be given here. `detail` lists those that can.
    NotAcceptable = NOT_ACCEPTABLE, "not-acceptable", "No acceptable form";
    /// The request did not arrive in time: neither its head nor its body may take longer than `detail` says.
    Timeout = REQUEST_TIMEOUT, "request-timeout", "The request did not arrive in time";
    /// Another record stands in the way, such as one with the same syncId, or one that uses this one.
    Conflict = CONFLICT, "conflict", "Another record stands in the way";
    /// The write would alter a figure of a period that is closed: it touches a day of it, for an org that it is closed for, or
    /// moves what was counted in it. `detail` says which period, who closed it and when. Book what is to be corrected in a
    /// period that is open, or have the period opened again: `POST /v1/period/{uuid}/reopen` with a reason, by somebody with
    /// the permission `period:close`. Its frozen report stays, and `GET /v1/period/{uuid}/restatement` says what differs.
    PeriodClosed = CONFLICT, "period-closed", "The period is closed";
    /// The place in the history is one of another history: the records were restored or loaded since, and their numbers do not
    /// compare with those before. Read all records anew, then go on from the place that `detail` names.
    Gone = GONE, "history-replaced", "The history was replaced";
    /// The record was changed since it was read. Read it again and repeat the change with its new `ETag`.
    Stale = PRECONDITION_FAILED, "stale", "The record has changed";
    /// The body is larger than the service takes.
    TooLarge = PAYLOAD_TOO_LARGE, "too-large", "The body is too large";
    /// The query is longer than the service takes.
    QueryTooLong = URI_TOO_LONG, "query-too-long", "The query is too long";
    /// The head of the request, which is its first line and its headers, is larger than the service takes.
    HeadTooLarge = REQUEST_HEADER_FIELDS_TOO_LARGE, "head-too-large", "The head of the request is too large";
    /// The body's `Content-Type` is missing or not one that is taken here. `detail` lists those that are.
    MediaType = UNSUPPORTED_MEDIA_TYPE, "unsupported-media-type", "The media type is not supported";
    /// The body is well-formed, but what it says is wrong. `errors` names every fault by its place.
    Invalid = UNPROCESSABLE_ENTITY, "invalid-input", "The input is wrong";
    /// The `Idempotency-Key` was sent within the last 24 hours with another query or another body to the same address. Send
    /// the same request again to get its answer, or another one under a key of its own.
    KeyReused = UNPROCESSABLE_ENTITY, "idempotency-key-reused", "The Idempotency-Key was used for another request";
    /// Too many failed attempts. Try again after the seconds that `Retry-After` says.
    TooMany = TOO_MANY_REQUESTS, "too-many-attempts", "Too many failed attempts";
    /// These credentials were used for more requests than the service takes in a minute. Repeat the request after the seconds
    /// that `Retry-After` says; `RateLimit` says in every answer how many are left.
    TooFast = TOO_MANY_REQUESTS, "too-many-requests", "Too many requests";
    /// This answer is a stream, which cannot be told whole from cut over the HTTP version of the request. Use HTTP/1.1 (a
    /// proxy in between may have to be told so), or ask for activities page by page.
    Upgrade = UPGRADE_REQUIRED, "needs-http-1-1", "HTTP/1.1 is needed";
    /// Whether the change was made is not known: the answer to its commit was lost, or the disk failed under it. All of it
    /// was made, or nothing. A request with an `Idempotency-Key` is sent again as it is: it is answered as the first time if
    /// the change was made, and carried out if not. Without a key, read the record or look for its `syncId` before you send
    /// the request again: what was made would be made twice. A change with `If-Match` and the import of rows with a `syncId`
    /// can be sent again as they are.
    Unknown = SERVICE_UNAVAILABLE, "outcome-unknown", "Whether the change was made is not known";
    /// The service failed. Its log names the cause by the request id that is in `instance`.
    Internal = INTERNAL_SERVER_ERROR, "internal-error", "The service failed";
    /// The service is busy. Repeat the request after the seconds that `Retry-After` says.
    Busy = SERVICE_UNAVAILABLE, "busy", "The service is busy";
}

impl Kind {
    /// The kind of a status without more.
    pub(crate) fn of_status(status: StatusCode) -> Self {
        match status {
            StatusCode::NOT_FOUND => Self::NotFound,
            StatusCode::METHOD_NOT_ALLOWED => Self::MethodNotAllowed,
            StatusCode::NOT_ACCEPTABLE => Self::NotAcceptable,
            StatusCode::PAYLOAD_TOO_LARGE => Self::TooLarge,
            StatusCode::SERVICE_UNAVAILABLE => Self::Busy,
            status if status.is_client_error() => Self::Malformed,
            _ => Self::Internal,
        }
    }
}
