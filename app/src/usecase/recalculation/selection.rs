//! Which of the pending activities a recalculation is about: those of an org, of a scope, or for one cause.

use std::collections::HashSet;

use domain::{Activity, FaultCode, Faults, Forest, Org, OrgId, Scope, ScopeId, TreeNode};
use ports::inbound::{Cause, Error, Field, Recalculation, RecalculationOf, Reference};
use ports::store::ReadTx;

use crate::usecase::draft::pointer;
use crate::usecase::resolve::{Referred, Resolver};
use crate::usecase::tree::IdOf;

/// Which activities are computed anew; all that are pending unless narrowed.
#[derive(Clone, Debug, Default)]
pub(super) struct Selection {
    orgs: Option<HashSet<OrgId>>,
    scopes: Option<HashSet<ScopeId>>,
    cause: Option<Cause>,
}

impl Selection {
    /// What is asked for; faults name the members that ask for what is not there.
    pub(super) async fn read(tx: &mut dyn ReadTx, asked: &Recalculation, faults: &mut Faults) -> Result<Self, Error> {
        let org = find::<Org>(tx, "/org", &asked.org, faults).await?;
        let scope = find::<Scope>(tx, "/scope", &asked.scope, faults).await?;
        let orgs = match org {
            Some(org) => Some(below(tx.orgs().all().await?.into_iter().map(|stored| stored.value), org)),
            None => None,
        };
        let scopes = match scope {
            Some(scope) => Some(below(tx.scopes().all().await?.into_iter().map(|stored| stored.value), scope)),
            None => None,
        };
        let cause = asked.only.clone().into_option();
        let causes: &[Cause] = match asked.of {
            RecalculationOf::Incomplete => &[Cause::Factor],
            RecalculationOf::Outdated => &Cause::OUTDATED,
        };
        if cause.is_some_and(|cause| !causes.contains(&cause)) {
            let words: Vec<_> = causes.iter().map(|cause| cause.as_str()).collect();
            faults.add("/cause", format!("is {} of what is {}", words.join(", "), asked.of.as_str()));
        }
        Ok(Self { orgs, scopes, cause })
    }

    /// The same for one cause.
    pub(super) fn of_cause(&self, cause: Cause) -> Self {
        Self { cause: Some(cause), ..self.clone() }
    }

    /// Whether it is about the activity, if it changes for the right cause.
    pub(super) fn selects(&self, activity: &Activity) -> bool {
        self.orgs.as_ref().is_none_or(|orgs| activity.org.is_some_and(|org| orgs.contains(&org)))
            && self.scopes.as_ref().is_none_or(|scopes| activity.scope.is_some_and(|scope| scopes.contains(&scope)))
    }

    /// Whether it is about what changes for that cause.
    pub(super) fn takes(&self, cause: Cause) -> bool {
        self.cause.is_none_or(|only| only == cause)
    }
}

async fn find<T: Referred>(
    tx: &mut dyn ReadTx,
    name: &str,
    asked: &Field<Reference>,
    faults: &mut Faults,
) -> Result<Option<IdOf<T>>, Error> {
    let Field::Given(reference) = asked else { return Ok(None) };
    match Resolver::default().node::<T>(tx, reference).await? {
        Ok(id) => Ok(Some(id)),
        Err(detail) => {
            faults.add_coded(FaultCode::NotFound, pointer(name, reference), detail);
            Ok(None)
        }
    }
}

/// The node and all below it.
fn below<T: TreeNode>(nodes: impl Iterator<Item = T>, top: T::Id) -> HashSet<T::Id> {
    Forest::new(nodes.map(|node| (node.id(), node.parent()))).subtree(top)
}
