//! How errors of the use cases become problems. Every error chooses its status here, by name.

use actix_web::http::header;
use domain::{FaultCode, Faults};
use files::WorkbookError;
use ports::inbound::{AccessError, Error};

use super::{Kind, Problem};

impl From<Error> for Problem {
    fn from(error: Error) -> Self {
        match error {
            Error::Denied(denied) => {
                let challenge = format!(r#"Bearer error="insufficient_scope", scope="{}""#, denied.0);
                let detail = format!("This needs the permission {}, which these credentials lack.", denied.0);
                Self::new(Kind::Forbidden, detail).with_header(header::WWW_AUTHENTICATE, &challenge)
            }
            Error::NotFound => Self::new(Kind::NotFound, "There is no such record."),
            Error::Parameters(faults) => Self::parameters(faults),
            Error::Invalid(faults) => Self::invalid(faults),
            // The sentences are in `ports/src/conflict.rs`.
            Error::Conflict { pointer, detail } => {
                let problem = Self::new(Kind::Conflict, &detail);
                if pointer.is_empty() {
                    problem
                } else {
                    problem.with_faults(Faults::one_coded(FaultCode::Conflict, pointer, detail))
                }
            }
            Error::PeriodClosed(closed) => {
                let mut faults = Faults::new();
                for pointer in &closed.pointers {
                    faults.add_coded(FaultCode::Conflict, *pointer, "alters figures of the closed period");
                }
                let problem = Self::new(Kind::PeriodClosed, closed.to_string());
                if faults.is_empty() { problem } else { problem.with_faults(faults) }
            }
            Error::Refused(detail) => Self::new(Kind::Forbidden, detail),
            Error::Gone(detail) => Self::new(Kind::Gone, detail),
            Error::Stale => {
                Self::new(Kind::Stale, "Read the record again and repeat the change with its new ETag in If-Match.")
            }
            Error::KeyReused => Self::new(
                Kind::KeyReused,
                "Send the request as it was first sent under this Idempotency-Key, or another one under a key of its own.",
            ),
            Error::Busy(cause) => Self::busy(cause),
            Error::Unknown(cause) => Self::unknown(cause),
            Error::Failed(cause) => Self::internal(cause),
        }
    }
}

impl From<AccessError> for Problem {
    fn from(error: AccessError) -> Self {
        const INVALID: &str = r#"Bearer error="invalid_token""#;
        match error {
            AccessError::Invalid => Self::unauthenticated("The key or token is not valid at this address.", INVALID),
            AccessError::Expired => {
                Self::unauthenticated("The key or token has run out; get a new one.", INVALID).expired()
            }
            AccessError::Busy(cause) => Self::busy(cause),
            AccessError::Failed(cause) => Self::internal(cause),
        }
    }
}

impl From<WorkbookError> for Problem {
    fn from(error: WorkbookError) -> Self {
        match error {
            WorkbookError::TooManyRows | WorkbookError::TooLong { .. } => {
                Self::new(Kind::Invalid, format!("A workbook cannot hold this: {error}."))
            }
            WorkbookError::Failed(cause) => Self::internal(cause),
        }
    }
}

#[cfg(test)]
mod tests {
    use ports::store::{DiskFailed, LogFull, NoRoom, StoreError};

    use super::*;

    #[test]
    fn an_unknown_outcome_invites_nobody_to_repeat_it() {
        let problem = Problem::from(Error::Unknown("the connection was cut".into()));
        assert_eq!((problem.kind(), problem.kind().status().as_u16()), (Kind::Unknown, 503));
        assert!(problem.headers.is_empty(), "no Retry-After");
    }

    #[test]
    fn a_log_without_room_is_answered_503_with_who_keeps_it_full() {
        let full = LogFull("the log is full until a read by another process has ended".to_owned());
        let problem = Problem::from(Error::from(StoreError::Busy(Some(Box::new(full)))));
        assert_eq!((problem.kind(), problem.kind().status().as_u16()), (Kind::Busy, 503));
        assert_eq!(
            problem.detail,
            "Nothing was changed: the log is full until a read by another process has ended. Repeat the request after the \
             seconds that Retry-After says."
        );
        let retry_after: Vec<_> = problem.headers.iter().map(|(_, seconds)| seconds.to_str().unwrap()).collect();
        assert_eq!(retry_after, ["10"]);
        let other = Problem::from(Error::from(StoreError::Busy(None)));
        assert_eq!(other.detail, "Repeat the request after the seconds that Retry-After says.");
    }

    #[test]
    fn a_disk_that_is_full_is_answered_503_with_retry_after() {
        let failed = StoreError::Failed(Box::new(DiskFailed("database or disk is full".to_owned())));
        let problem = Problem::from(Error::from(failed));
        assert_eq!((problem.kind(), problem.headers.len()), (Kind::Busy, 1));
        assert!(problem.detail.contains("disk of the service is full"), "{}", problem.detail);
        assert_eq!(Problem::from(Error::Failed("a bug".into())).kind(), Kind::Internal);
    }

    #[test]
    fn a_disk_without_room_for_all_rows_is_answered_503_with_the_bytes() {
        let failed = StoreError::Failed(Box::new(NoRoom { rows: 7, needed: 9_000, free: 8_000 }));
        let problem = Problem::from(Error::from(failed));
        assert_eq!((problem.kind(), problem.headers.len()), (Kind::Busy, 1));
        assert!(problem.detail.contains("7 rows at once need 9000 bytes"), "{}", problem.detail);
        assert!(problem.detail.contains("8000 bytes are free"), "{}", problem.detail);
    }
}
