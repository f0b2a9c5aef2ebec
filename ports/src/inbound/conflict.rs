//! What is said of a conflict (409): every sentence of one that a store finds.

use crate::repo::Use;
use crate::store::Conflict;

/// Where in the input the conflict is, as a JSON pointer or empty, and the sentence that says what stands in the way.
pub(super) fn sentence(conflict: &Conflict) -> (&'static str, String) {
    match conflict {
        Conflict::SyncId { kind, holder } => ("/syncId", format!("the {kind} {holder} already has this syncId")),
        Conflict::Slug { holder } => {
            ("/slug", format!("the taxonomy {holder} below the same parent already has this slug"))
        }
        Conflict::TenantSlug { holder } => ("/slug", format!("the company {holder} already has this slug")),
        Conflict::NoTenant(id) => ("", format!("there is no company {id}")),
        Conflict::Exists(id) => ("", format!("a record with the id {id} exists")),
        Conflict::NotEmpty => ("", "the company is not empty".to_owned()),
        Conflict::InUse(uses) => ("", in_use(uses)),
        Conflict::Missing { kind, id } => ("", format!("the record refers to {kind} {id}, which does not exist")),
    }
}

/// The sentence that says what a record is used by.
fn in_use(uses: &[Use]) -> String {
    let parts: Vec<_> = uses
        .iter()
        .map(|one| {
            let kind = one.kind;
            match (one.count, kind.as_str()) {
                (1, _) => format!("1 {kind}"),
                (count, "activity" | "taxonomy") => format!("{count} {}ies", kind.as_str().trim_end_matches('y')),
                (count, "switch") => format!("{count} switches"),
                (count, _) => format!("{count} {kind}s"),
            }
        })
        .collect();
    format!("it is used by {}; remove or change those first", parts.join(" and "))
}
