//! Switches with their footprints, kept until a switch, a model or an input is written.
//!
//! A view depends on nothing else: the CO2e of an input is stored with it, so that later factors leave it as it was. What
//! changes activities or the catalog advances the views that are kept to its revision.

use std::mem::size_of;
use std::sync::Arc;

use domain::{Issue, SwitchId};
use ports::inbound::{Error, Named, SwitchView};
use ports::ledger::PartPlace;
use ports::store::ReadTx;
use ports::{ChangeItem, RecordKind, Revision, TenantId};

use super::draft;
use super::sources::Models;
use crate::usecase::answers::{Answer, Answers, Limits};

const LIMITS: Limits = Limits { of_tenant: 10_000, bytes: 20_000_000 };
/// Views are computed anew rather than more parts of later changes read.
const PARTS: u32 = 8;
/// Bytes that the texts of a source or an issue take.
const TEXTS: usize = 50;

impl Answer for SwitchView {
    fn size(&self) -> usize {
        let sources = self.sources.len() * (size_of::<Named>() + TEXTS);
        let issues = self.footprint.issues.len() * (size_of::<Issue>() + TEXTS);
        2 * size_of::<Self>() + sources + issues
    }
}

/// Views that were read, by switch.
#[derive(Debug)]
pub struct SwitchViews(Answers<SwitchId, SwitchView>);

impl Default for SwitchViews {
    fn default() -> Self {
        Self(Answers::new(LIMITS))
    }
}

impl SwitchViews {
    /// The switch as it is at that revision, with its footprint, if it is kept.
    pub(super) fn find(&self, tenant: TenantId, revision: Revision, id: SwitchId) -> Option<SwitchView> {
        self.0.find(tenant, revision, &id).map(|view| SwitchView::clone(&view))
    }

    /// The switch as that transaction's snapshot has it, with its footprint.
    pub(super) async fn get(&self, tx: &mut dyn ReadTx, tenant: TenantId, id: SwitchId) -> Result<SwitchView, Error> {
        let revision = tx.head().await?.revision();
        self.advance(tx, tenant, revision).await?;
        if let Some(view) = self.find(tenant, revision, id) {
            return Ok(view);
        }
        let switch = draft::find(tx, id).await?;
        let view = Models::default().view(tx, switch).await?;
        self.0.put(tenant, revision, id, Arc::new(view.clone()));
        Ok(view)
    }

    /// Advances the views that are kept to that revision, if none of them can have changed since.
    async fn advance(&self, tx: &mut dyn ReadTx, tenant: TenantId, to: Revision) -> Result<(), Error> {
        let Some(from) = self.0.revision(tenant) else { return Ok(()) };
        if from.epoch == to.epoch && from.number < to.number && !is_touched(tx, from.number).await? {
            self.0.advance(tenant, from, to);
        }
        Ok(())
    }
}

/// Whether a later change than `number` wrote what views depend on, or may have.
async fn is_touched(tx: &mut dyn ReadTx, number: u64) -> Result<bool, Error> {
    let parts = tx.ledger().items_since(PartPlace::behind(number), PARTS).await?;
    let touches = |item: &ChangeItem| match item.kind {
        RecordKind::Model | RecordKind::Input | RecordKind::Switch => true,
        RecordKind::Activity
        | RecordKind::Scope
        | RecordKind::Org
        | RecordKind::Taxonomy
        | RecordKind::Product
        | RecordKind::Factor
        | RecordKind::Footprint
        | RecordKind::ClosedPeriod
        | RecordKind::Exclusion
        | RecordKind::Partner
        | RecordKind::Sharing => false,
    };
    // Of items that cannot be read nothing is known.
    let is_touched = parts.iter().flat_map(|(_, items)| items.items()).any(|item| item.as_ref().map_or(true, touches));
    Ok(is_touched || parts.len() >= PARTS as usize)
}

#[cfg(test)]
mod tests {
    use domain::{InputCalculation, Model, Switch};
    use memory::MemoryStore;
    use ports::contract::sample::{self, SampleIds};
    use ports::contract::tenant::Tenant;
    use ports::store::{HasRepository, Store};

    use super::*;

    /// A switch of one model with one input that was computed from a factor.
    async fn filled(store: &dyn Store) -> Tenant<'_> {
        let (tenant, material, model) = (Tenant::prepare(store).await, sample::product(1), sample::model(3));
        let factor = sample::factor(2, &material, "2024-01-01");
        tenant.add(material.clone()).await;
        tenant.add(factor.clone()).await;
        tenant.add(model.clone()).await;
        tenant.add(sample::filled_input(4, &model, &material, &factor)).await;
        tenant.add(sample::switch(5, &[model.id])).await;
        tenant
    }

    async fn get(views: &SwitchViews, tenant: &Tenant<'_>) -> SwitchView {
        let mut tx = tenant.read().await;
        views.get(tx.as_mut(), tenant.reading().tenant(), sample::id(5)).await.unwrap()
    }

    /// Whether the view is known at the newest revision before it is computed.
    async fn is_kept(views: &SwitchViews, tenant: &Tenant<'_>) -> bool {
        let (mut tx, id) = (tenant.read().await, tenant.reading().tenant());
        let revision = tx.head().await.unwrap().revision();
        views.advance(tx.as_mut(), id, revision).await.unwrap();
        views.0.find(id, revision, &sample::id(5)).is_some()
    }

    async fn update<T: HasRepository>(tenant: &Tenant<'_>, record: T) {
        let seen = tenant.find::<T>(record.id()).await.unwrap().version;
        tenant.update(record, seen).await;
    }

    #[tokio::test]
    async fn a_view_is_kept_while_activities_the_catalog_and_footprints_change() {
        let store = MemoryStore::new(SampleIds::shared());
        let (tenant, views) = (filled(&store).await, SwitchViews::default());
        assert!(!is_kept(&views, &tenant).await);
        let view = get(&views, &tenant).await;
        tenant.add(sample::activity(10)).await;
        tenant.add_trees().await;
        update(&tenant, sample::product(1).with_name(sample::name("Renamed"))).await;
        tenant.add(sample::factor(11, &sample::product(1), "2024-06-01")).await;
        tenant.add(sample::footprint(1)).await;
        assert!(is_kept(&views, &tenant).await);
        assert_eq!((get(&views, &tenant).await, get(&SwitchViews::default(), &tenant).await), (view.clone(), view));
    }

    #[tokio::test]
    async fn a_view_is_computed_anew_behind_every_write_of_a_switch_a_model_or_an_input() {
        let store = MemoryStore::new(SampleIds::shared());
        let (tenant, views) = (filled(&store).await, SwitchViews::default());
        let (model, material) = (sample::model(3), sample::product(1));
        let input = sample::filled_input(4, &model, &material, &sample::factor(2, &material, "2024-01-01"));
        let mut seen = vec![get(&views, &tenant).await];
        for step in 0..8 {
            assert!(is_kept(&views, &tenant).await, "before step {step}");
            match step {
                0 => update(&tenant, sample::switch(5, &[model.id]).with_unit(None)).await,
                1 => update(&tenant, sample::switch(5, &[model.id])).await,
                2 => update(&tenant, model.clone().with_name(sample::name("Renamed"))).await,
                3 => update(&tenant, input.clone().with_stage(None)).await,
                4 => {
                    let calculation = InputCalculation::Incomplete(domain::Incomplete::NoFactor);
                    update(&tenant, input.clone().with_calculation(calculation)).await;
                }
                5 => drop(tenant.add(sample::input(6, &model, &material, 2)).await),
                6 => tenant.remove(&tenant.find::<domain::Input>(input.id).await.unwrap()).await,
                _ => {
                    update(&tenant, sample::switch(5, &[])).await;
                    tenant.remove(&tenant.find::<Model>(model.id).await.unwrap()).await;
                }
            }
            assert!(!is_kept(&views, &tenant).await, "behind step {step}");
            let view = get(&views, &tenant).await;
            assert_eq!(view, get(&SwitchViews::default(), &tenant).await, "behind step {step}");
            assert!(!seen.contains(&view), "step {step} changes nothing that is seen");
            seen.push(view);
        }
        tenant.remove(&tenant.find::<Switch>(sample::id(5)).await.unwrap()).await;
        let mut tx = tenant.read().await;
        let gone = views.get(tx.as_mut(), tenant.reading().tenant(), sample::id(5)).await;
        assert!(matches!(gone, Err(Error::NotFound)), "{gone:?}");
    }

    #[tokio::test]
    async fn behind_more_changes_than_are_looked_through_views_are_computed_anew() {
        let store = MemoryStore::new(SampleIds::shared());
        let (tenant, views) = (filled(&store).await, SwitchViews::default());
        let view = get(&views, &tenant).await;
        for number in 0..u64::from(PARTS) {
            assert!(is_kept(&views, &tenant).await);
            tenant.add(sample::activity(10 + number)).await;
        }
        assert!(is_kept(&views, &tenant).await, "each was looked through when it was there");
        for number in 0..u64::from(PARTS) {
            tenant.add(sample::activity(20 + number)).await;
        }
        assert!(!is_kept(&views, &tenant).await);
        assert_eq!(get(&views, &tenant).await, view);
        assert!(is_kept(&views, &tenant).await);
    }

    #[tokio::test]
    async fn a_snapshot_of_before_a_change_shows_the_switch_as_it_was() {
        let store = MemoryStore::new(SampleIds::shared());
        let (tenant, views) = (filled(&store).await, SwitchViews::default());
        let before = get(&views, &tenant).await;
        let mut old = tenant.read().await;
        update(&tenant, sample::switch(5, &[])).await;
        let after = get(&views, &tenant).await;
        assert_ne!(before, after);
        let id = tenant.reading().tenant();
        assert_eq!(views.get(old.as_mut(), id, sample::id(5)).await.unwrap(), before);
        assert_eq!(get(&views, &tenant).await, after);
    }
}
