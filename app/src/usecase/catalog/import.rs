//! Importing a catalog in one change: records are found by their syncIds, and all that is wrong is told at once.

mod known;
mod nodes;
mod products;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use async_trait::async_trait;
use domain::{FaultCode, Faults, Org, Period, ProductId, Scope, SyncId, Taxonomy, Timestamp};
use ports::id_source::Ids;
use ports::inbound::{
    CatalogBundle, CatalogImports, CatalogOptions, CatalogOutcome, Error, Existing, Field, KindOutcome, Outcome,
    Reference,
};
use ports::store::{StoreError, WriteTx};
use ports::{Caller, Grant, Read, RecordKind, demand, permit};
use uuid::Uuid;

use super::CatalogService;
use super::origin::Origins;
use crate::usecase::recalculation;

#[async_trait]
impl CatalogImports for CatalogService {
    async fn import_catalog(
        &self,
        caller: &Caller,
        bundles: Vec<CatalogBundle>,
        options: CatalogOptions,
    ) -> Result<CatalogOutcome, Error> {
        let grant = permit(caller, demand::CATALOG_WRITE)?;
        let drafts = bundles.iter().flat_map(|bundle| &bundle.factors).map(|placed| &placed.draft.factor);
        let origins = self.origins(&grant, drafts).await?;
        let mut import = Import {
            origins,
            tx: self.write(&grant, options.cause).await?,
            ids: Arc::clone(&self.ids),
            now: self.clock.now(),
            existing: Existing::default(),
            outcome: CatalogOutcome::default(),
            faulty: HashSet::new(),
            seen: HashSet::new(),
            made: HashMap::new(),
            new_days: HashMap::new(),
        };
        for bundle in bundles {
            let CatalogBundle { existing, scopes, orgs, taxonomies, products, factors } = bundle;
            import.existing = existing;
            import.seen.clear();
            import.nodes::<Scope>(scopes).await?;
            import.nodes::<Org>(orgs).await?;
            import.nodes::<Taxonomy>(taxonomies).await?;
            import.products(products).await?;
            import.factors(factors).await?;
        }
        let Import { tx, mut outcome, new_days, .. } = import;
        let all = outcome.all();
        let changes = all.created + all.updated > 0;
        // A transaction that is dropped undoes everything.
        if changes && outcome.faults.is_empty() && options.outcome != Outcome::Nothing {
            tx.commit().await?;
        } else {
            drop(tx);
        }
        // Counted behind the change, so that no writer waits for it. New factors leave activities as they are.
        if outcome.faults.is_empty() {
            outcome.fills = match self.fills(&grant.to_read(), &new_days).await {
                Ok(fills) => Some(fills),
                // What was written stays written.
                Err(error) => {
                    tracing::warn!(%error, "how many activities the new factors could complete was not counted");
                    None
                }
            };
        }
        Ok(outcome)
    }
}

impl CatalogService {
    /// How many activities factors of these days could complete.
    async fn fills(&self, grant: &Grant<Read>, days: &HashMap<ProductId, Vec<Period>>) -> Result<u64, Error> {
        if days.is_empty() {
            return Ok(0);
        }
        let mut tx = self.store.read(grant).await?;
        recalculation::fills_of_all(tx.as_mut(), days).await
    }
}

/// An import under way.
struct Import {
    /// The published factors that its records name.
    origins: Origins,
    tx: Box<dyn WriteTx>,
    ids: Arc<dyn Ids>,
    now: Timestamp,
    existing: Existing,
    outcome: CatalogOutcome,
    /// Records of this import that are faulty: what refers to them is not faulty for that.
    faulty: HashSet<(RecordKind, SyncId)>,
    /// Records of this bundle so far.
    seen: HashSet<(RecordKind, SyncId)>,
    /// The records here of those that the import knows by their uuid elsewhere.
    made: HashMap<Uuid, Uuid>,
    /// The days of new factors that give activities their CO2e, by product.
    new_days: HashMap<ProductId, Vec<Period>>,
}

/// What became of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Put {
    Created,
    Updated,
    Unchanged,
}

impl Import {
    /// Counts what became of a record, or keeps what is wrong with it.
    fn note(&mut self, kind: RecordKind, sync_id: Option<&SyncId>, place: String, put: Result<Put, Faults>) {
        match put {
            Ok(put) => {
                let counts = self.counts(kind);
                match put {
                    Put::Created => counts.created += 1,
                    Put::Updated => counts.updated += 1,
                    Put::Unchanged => counts.unchanged += 1,
                }
            }
            Err(faults) => {
                self.faulty.extend(sync_id.map(|sync_id| (kind, sync_id.clone())));
                if !faults.is_empty() {
                    self.outcome.faults.push((place, faults));
                }
            }
        }
    }

    fn counts(&mut self, kind: RecordKind) -> &mut KindOutcome {
        let kinds = &mut self.outcome.kinds;
        let at = kinds.iter().position(|(known, _)| *known == kind).unwrap_or_else(|| {
            kinds.push((kind, KindOutcome::default()));
            kinds.len() - 1
        });
        &mut kinds[at].1
    }

    /// The syncId of a record, which it must have and which no earlier one has; else the fault is noted.
    fn sync_id_of(&mut self, kind: RecordKind, field: &Field<SyncId>, faults: &mut Faults) -> Option<SyncId> {
        if field.is_missing() {
            let detail = "is required: it is what the record is found by when the file is imported again";
            faults.add_coded(FaultCode::Required, "/syncId", detail);
        }
        let sync_id = field.given().cloned()?;
        if !self.seen.insert((kind, sync_id.clone())) {
            faults.add_coded(
                FaultCode::Repeated,
                "/syncId",
                format!("is that of an earlier {kind} already: {sync_id}"),
            );
        }
        Some(sync_id)
    }

    /// Whether a reference leads to a record of this import that is faulty itself.
    fn is_to_a_faulty_one(&self, kind: RecordKind, reference: &Field<Reference>) -> bool {
        reference.given().and_then(own_sync_id).is_some_and(|sync_id| self.faulty.contains(&(kind, sync_id)))
    }
}

/// The syncId that a reference may mean.
fn own_sync_id(reference: &Reference) -> Option<SyncId> {
    match reference {
        Reference::SyncId(sync_id) => Some(sync_id.clone()),
        Reference::Word(word) => SyncId::parse(word).ok(),
        Reference::Id(_) | Reference::Shown(_) | Reference::Path(_) => None,
    }
}

/// What another record that stands in the way says, as a fault; other errors end the import.
fn conflict(error: StoreError) -> Result<Faults, Error> {
    let error = Error::from(error);
    if let Error::PeriodClosed(closed) = error {
        return Ok(Faults::one_coded(FaultCode::Conflict, "/parent", closed.to_string()));
    }
    if let Error::Conflict { pointer, detail } = error { Ok(Faults::one(pointer, detail)) } else { Err(error) }
}
