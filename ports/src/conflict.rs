//! What stands in the way of a write, and the sentence that says so: the same in logs, in answers (409) and on the
//! command line.

use domain::{ClosedPeriodId, ClosedSpan, Day, FactorId, OrgId, Overlap, Timestamp};
use uuid::Uuid;

use crate::credential_kind::CredentialKind;
use crate::id::{TenantId, UserId};
use crate::record::{RecordKind, Use};

/// What stands in the way of a write.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Conflict {
    /// Another record of the kind has the syncId.
    #[error("the {kind} {holder} already has this syncId")]
    SyncId {
        /// The kind of the record that has the syncId.
        kind: RecordKind,
        /// The record that has it.
        holder: Uuid,
    },
    /// Another taxonomy node below the same parent has the slug.
    #[error("the taxonomy {holder} below the same parent already has this slug")]
    Slug {
        /// The node that has it.
        holder: Uuid,
    },
    /// Another tenant has the slug.
    #[error("the company {holder} already has this slug")]
    TenantSlug {
        /// The tenant that has it.
        holder: Uuid,
    },
    /// Another user of the tenant signs in with the name.
    #[error("the user {holder} already signs in with this name, whatever its case")]
    UserName {
        /// The user that has it.
        holder: Uuid,
    },
    /// Another user of the tenant has the identity.
    #[error("the user {holder} already signs in as this subject of the provider")]
    UserIdentity {
        /// The user that has it.
        holder: Uuid,
    },
    /// The user is the last that may administer the tenant.
    #[error("this is the last user who may administer the company; give another one the role admin first")]
    LastAdmin,
    /// The user of a link that is to be made is not there.
    #[error("there is no user {0}")]
    NoUser(UserId),
    /// The tenant of a credential that is to be added is not there.
    #[error("there is no company {0}")]
    NoTenant(TenantId),
    /// A record with the id exists.
    #[error("a record with the id {0} exists")]
    Exists(Uuid),
    /// The tenant that is to be filled has records or a history.
    #[error("the company is not empty")]
    NotEmpty,
    /// The record is referred to by others.
    #[error("it is used by {}; remove or change those first", list(.0))]
    InUse(Vec<Use>),
    /// The record refers to one that does not exist.
    #[error("the record refers to {kind} {id}, which does not exist")]
    Missing {
        /// Kind of the missing record.
        kind: RecordKind,
        /// The identifier that the reference names.
        id: Uuid,
    },
    /// Another factor of the product holds in the same days.
    #[error(transparent)]
    Overlap(Overlap),
    /// The factor that is to be corrected was corrected before, by this one.
    #[error("factor {0} corrects this one already; correct that one")]
    Corrected(FactorId),
    /// The footprint that is to be removed is valid.
    #[error(
        "the footprint is valid, so partners may know it; change its status to Deprecated instead, or write a new \
         footprint whose precedingPfIds names it"
    )]
    Shared,
    /// Another request with the same `Idempotency-Key` was answered, or is about to be.
    #[error(
        "a request with the same Idempotency-Key is under way or was just answered; send this one again in a moment to \
         get its answer"
    )]
    Repeated,
    /// The request with this `Idempotency-Key` made that credential, whose secret is shown once.
    #[error(
        "this Idempotency-Key was used already, for the {kind} {id}; its secret was shown in the first answer and is not \
         shown again: remove it and use another key if the answer was lost"
    )]
    ShownOnce {
        /// What it made, or gave a new secret.
        kind: CredentialKind,
        /// The identifier of what it made.
        id: Uuid,
    },
    /// The `Idempotency-Key` was used for another request.
    #[error("the Idempotency-Key was used for another request")]
    KeyReused,
    /// The write would alter a figure of a period that is closed.
    #[error(transparent)]
    Closed(#[from] PeriodClosed),
    /// What was previewed is not what would be written.
    #[error("something changed since the preview: {}; look at a preview again", written_so_far(*.written))]
    Previewed {
        /// How many records were written before that was found, as the preview said.
        written: u64,
    },
}

/// That a period is closed: which, who closed it and when, and how it is opened again.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the period {first} to {last} is closed{}: {by} closed it at {at} (period {id}); whoever holds the permission \
     period:close can open it again: POST /v1/period/{id}/reopen with a reason, or tonne period reopen {id} --reason ...",
    closed_for(*.org)
)]
pub struct PeriodClosed {
    /// The closed period.
    pub id: ClosedPeriodId,
    /// The org that it is closed for; `None` is the whole company.
    pub org: Option<OrgId>,
    /// Its first day.
    pub first: Day,
    /// Its last day, included.
    pub last: Day,
    /// Who closed it.
    pub by: String,
    /// When it was closed.
    pub at: Timestamp,
    /// The members of the record that was written which alter a figure: JSON pointers into it. None where it is the whole record.
    pub pointers: Vec<&'static str>,
}

impl PeriodClosed {
    /// That this period is closed.
    #[must_use]
    pub fn of(span: &ClosedSpan) -> Self {
        let ClosedSpan { id, org, first, last, closed, .. } = span;
        let (by, at) = (closed.by.to_string(), closed.at);
        Self { id: *id, org: *org, first: *first, last: *last, by, at, pointers: Vec::new() }
    }

    /// The same, of those members of the record.
    #[must_use]
    pub fn altered_by(self, pointers: Vec<&'static str>) -> Self {
        Self { pointers, ..self }
    }
}

fn closed_for(org: Option<OrgId>) -> String {
    org.map(|org| format!(" for the org {org} and all below it")).unwrap_or_default()
}

fn written_so_far(written: u64) -> String {
    match written {
        0 => "nothing was written".to_owned(),
        1 => "1 record was written as it said, no other".to_owned(),
        more => format!("{more} records were written as it said, no others"),
    }
}

/// The records that a record is used by, in words.
fn list(uses: &[Use]) -> String {
    let count = |one: &Use| {
        let kind = one.kind;
        match (one.count, kind.as_str()) {
            (1, _) => format!("1 {kind}"),
            (count, "activity" | "taxonomy") => format!("{count} {}ies", kind.as_str().trim_end_matches('y')),
            (count, "switch") => format!("{count} switches"),
            (count, _) => format!("{count} {kind}s"),
        }
    };
    uses.iter().map(count).collect::<Vec<_>>().join(" and ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_in_use_says_by_how_many_of_which_kind() {
        let uses = [(RecordKind::Activity, 2), (RecordKind::Switch, 3), (RecordKind::Org, 1), (RecordKind::Input, 4)];
        let uses = uses.map(|(kind, count)| Use { kind, count }).to_vec();
        assert_eq!(
            Conflict::InUse(uses).to_string(),
            "it is used by 2 activities and 3 switches and 1 org and 4 inputs; remove or change those first"
        );
    }

    #[test]
    fn users_read_of_companies() {
        let holder = Uuid::nil();
        let told = [Conflict::TenantSlug { holder }, Conflict::NoTenant(TenantId::new(holder)), Conflict::NotEmpty];
        for conflict in told {
            let told = conflict.to_string();
            assert!(told.contains("company") && !told.contains("tenant"), "{told}");
        }
    }
}
