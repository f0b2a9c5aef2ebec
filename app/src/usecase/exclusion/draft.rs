//! From a draft to an exclusion, and an exclusion with the names around it.

use domain::{ExcludedPart, ExcludedYears, Exclusion, ExclusionId, FaultCode, Faults, Org, Scope};
use ports::Stored;
use ports::inbound::{Error, ExclusionDraft, ExclusionView, Field, Reference};
use ports::repo::{Page, Query};
use ports::store::ReadTx;

use crate::usecase::draft::{pointer, required};
use crate::usecase::names::with_path;
use crate::usecase::resolve::{Referred, Resolver};
use crate::usecase::tree::IdOf;

/// How many exclusions are read at once.
const PAGE: u32 = 1_000;

/// The exclusion of that id, which must be there.
pub(super) async fn find(tx: &mut dyn ReadTx, id: ExclusionId) -> Result<Stored<Exclusion>, Error> {
    tx.exclusions().find(id).await?.ok_or(Error::NotFound)
}

/// An exclusion with the names and paths of its scope and org.
pub(in crate::usecase) async fn view(
    tx: &mut dyn ReadTx,
    exclusion: Stored<Exclusion>,
) -> Result<ExclusionView, Error> {
    let (scope, scope_path) = with_path::<Scope>(tx, exclusion.value.scope()).await?.unzip();
    let (org, org_path) = with_path::<Org>(tx, exclusion.value.org).await?.unzip();
    Ok(ExclusionView { exclusion, scope, scope_path, org, org_path })
}

/// The exclusion that a draft makes, of nothing or of `before`; or all that is wrong with it.
pub(super) async fn build(
    tx: &mut dyn ReadTx,
    id: ExclusionId,
    before: Option<&Exclusion>,
    draft: ExclusionDraft,
) -> Result<Result<Exclusion, Faults>, Error> {
    let ExclusionDraft { scope, category, org, first_year, last_year, reason, mut faults } = draft;
    let is_part_faulty = scope == Field::Faulty || category == Field::Faulty;
    let names_a_scope = scope.given().is_some();
    let scope = node::<Scope>(tx, &mut faults, "/scope", scope).await?;
    let is_scope_missing = names_a_scope && scope.given().is_none();
    let scope = scope.merge(before.and_then(Exclusion::scope));
    let part = match (scope, category.merge(before.and_then(Exclusion::category))) {
        (Some(scope), None) => Some(ExcludedPart::Scope(scope)),
        (None, Some(category)) if !is_scope_missing => Some(ExcludedPart::Category(category)),
        (Some(_), Some(_)) => {
            let detail =
                "does not go with a scope: an exclusion is of a scope or of a category, so make the other one null";
            faults.add_coded(FaultCode::Mismatch, "/category", detail);
            None
        }
        (None, None) if !is_part_faulty && !is_scope_missing => {
            faults.add_coded(FaultCode::Required, "/scope", "is required, or else a category of scope 3");
            None
        }
        (None, None | Some(_)) => None,
    };
    let org = node::<Org>(tx, &mut faults, "/org", org).await?.merge(before.and_then(|b| b.org));
    let first = required(&mut faults, "/firstYear", first_year, before.map(|b| b.years().first()));
    let last = match before {
        None => last_year.into_option().or(first),
        Some(before) => required(&mut faults, "/lastYear", last_year, Some(before.years().last())),
    };
    let years = first.zip(last).and_then(|(first, last)| faults.check("/lastYear", ExcludedYears::new(first, last)));
    let reason = required(&mut faults, "/reason", reason, before.map(|b| b.reason.clone()));
    Ok(match (part, years, reason) {
        (Some(part), Some(years), Some(reason)) if faults.is_empty() => {
            Ok(Exclusion::new(id, part, years, reason).with_org(org))
        }
        _ => Err(faults),
    })
}

/// Refuses an exclusion of what another one leaves out in the same years already.
pub(super) async fn refuse_twice(tx: &mut dyn ReadTx, exclusion: &Exclusion) -> Result<(), Error> {
    let about = |one: &Exclusion| (one.part, one.org, one.years());
    for number in 1.. {
        let page = Page { number, size: PAGE };
        let listing = tx.exclusions().list(&Query::all(page)).await?;
        let mut others = listing.data.iter().filter(|other| other.value.id != exclusion.id);
        if let Some(other) = others.find(|other| about(&other.value) == about(exclusion)) {
            let detail = format!(
                "exclusion {} leaves out the same in the same years already: change its reason, or remove it first",
                other.value.id
            );
            return Err(Error::Conflict { pointer: String::new(), detail });
        }
        if page.offset() + u64::from(PAGE) >= listing.count {
            break;
        }
    }
    Ok(())
}

/// The node that a reference names; a fault where there is none.
async fn node<T: Referred>(
    tx: &mut dyn ReadTx,
    faults: &mut Faults,
    member: &str,
    field: Field<Reference>,
) -> Result<Field<IdOf<T>>, Error> {
    Ok(match field {
        Field::Given(reference) => match Resolver::default().node::<T>(tx, &reference).await? {
            Ok(id) => Field::Given(id),
            Err(detail) => {
                faults.add_coded(FaultCode::NotFound, pointer(member, &reference), detail);
                Field::Faulty
            }
        },
        Field::Absent => Field::Absent,
        Field::Null => Field::Null,
        Field::Faulty => Field::Faulty,
    })
}
