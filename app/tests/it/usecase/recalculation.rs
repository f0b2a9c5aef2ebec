//! A recalculation that was confirmed writes what its preview said, whoever else writes meanwhile.

use std::sync::Arc;

use domain::{FactorId, Intensity, ProductId, Source, Unit};
use ports::RecalculationId;
use ports::inbound::{
    Activities as _, ActivityDraft, Catalog as _, Done, Error, FactorDraft, Once, Recalculated, Recalculation,
    RecalculationOf, RecalculationStep, Reference, ReportQuery, ReportRows, UndoneRecalculation,
};
use ports::repeat::{FirstAnswer, KeyedRequest, RequestKey};
use ports::store::Store;
use tonne::usecase::activity::ActivityService;
use tonne::usecase::checkpoint::Checkpoints;
use tonne::usecase::read_model::ReadModels;

use super::meddled::{Begin, Deed, Meddled};
use super::{Counting, Noon, World, conflict, factor, given, name, quantity, unit, world};

/// More activities than a step has.
pub(super) const MANY: usize = 1_200;

/// What the first step is looked up in: behind the reading of what was corrected and of the preview.
const LOOK_UP: Begin = Begin::Read(3);

pub(super) fn activities(store: Arc<dyn Store>) -> ActivityService {
    let (clock, ids) = (Arc::new(Noon), Arc::new(Counting::default()));
    let read_models = Arc::new(ReadModels::new(1 << 20, Arc::new(Checkpoints::new(Arc::clone(&store)))));
    ActivityService { store, read_models, clock, ids, lookups: Arc::default(), chooser: super::chooser() }
}

/// A company with that many activities of 10 kg each, computed at 2 kg per kg from a factor that was corrected to 3.
struct Corrected {
    world: Arc<World>,
    product: ProductId,
    /// The correction, in force.
    right: FactorId,
}

impl Corrected {
    async fn with(count: usize) -> Self {
        let world = Arc::new(world().await);
        let product = world.product("kg").await;
        let wrong = world.catalog.add_factor(&world.admin, product, factor("2", "2024-01-01")).await.unwrap();
        add_boilers(&world, product, count).await;
        let wrong = wrong.factor.value.id();
        let right = correct(&world, product, wrong, "3").await;
        Self { world, product, right }
    }

    /// Somebody corrects the correction.
    fn another_correction(&self) -> Deed {
        let (world, product, right) = (Arc::clone(&self.world), self.product, self.right);
        Box::pin(async move {
            correct(&world, product, right, "4").await;
        })
    }

    async fn preview(&self) -> Recalculated {
        let service = activities(Arc::clone(&self.world.store));
        service.recalculate(&self.world.admin, asked(RecalculationStep::Preview)).await.unwrap()
    }

    /// Confirms the preview while somebody does that before a transaction begins.
    async fn confirm(
        &self,
        preview: &Recalculated,
        deeds: impl IntoIterator<Item = (Begin, Deed)>,
    ) -> Result<u64, Error> {
        let store = Arc::clone(&self.world.store);
        let meddled = Meddled::store(store, deeds);
        let service = activities(Arc::clone(&meddled) as Arc<dyn Store>);
        let step = RecalculationStep::Write { confirm: preview.confirm.clone() };
        let done = service.recalculate(&self.world.admin, asked(step)).await;
        assert!(meddled.is_done(), "nobody meddled: {done:?}");
        done.map(|done| done.changed)
    }

    /// Undoes it, until somebody's process is gone where `until` says so, and then by another one.
    async fn undo_in_two_processes(&self, id: RecalculationId, until: Begin) -> UndoneRecalculation {
        let (gone, is_gone) = tokio::sync::oneshot::channel::<()>();
        let dies: Deed = Box::pin(async move {
            gone.send(()).unwrap();
            std::future::pending::<()>().await;
        });
        let meddled = Meddled::store(Arc::clone(&self.world.store), [(until, dies)]);
        let first = activities(Arc::clone(&meddled) as Arc<dyn Store>);
        tokio::select! {
            done = first.undo_recalculation(&self.world.admin, id) => panic!("it ended before that: {done:?}"),
            told = is_gone => told.unwrap(),
        }
        let second = activities(Arc::clone(&self.world.store));
        second.undo_recalculation(&self.world.admin, id).await.unwrap()
    }

    /// What all activities come to.
    async fn total(&self) -> String {
        let service = activities(Arc::clone(&self.world.store));
        let query = ReportQuery { rows: ReportRows::None, ..ReportQuery::default() };
        service.report(&self.world.admin, query).await.unwrap().uncategorized.to_string()
    }
}

/// Adds that many activities of 10 kg of the product.
async fn add_boilers(world: &World, product: ProductId, count: usize) {
    let service = activities(Arc::clone(&world.store));
    for _ in 0..count {
        let draft = ActivityDraft {
            name: given(name("Boiler")),
            start: given(domain::Moment::parse_start("2025-03-01").unwrap()),
            product: given(Reference::Id(product.into())),
            quantity: given(quantity("10")),
            unit: given(unit("kg")),
            ..ActivityDraft::default()
        };
        service.add(&world.admin, draft).await.unwrap();
    }
}

async fn correct(world: &World, product: ProductId, wrong: FactorId, upstream: &str) -> FactorId {
    let draft = FactorDraft {
        unit: given(Unit::parse("kg").unwrap()),
        upstream: given(Intensity::parse(upstream).unwrap()),
        source: given(Source::parse("A table").unwrap()),
        ..FactorDraft::default()
    };
    world.catalog.correct_factor(&world.admin, product, wrong, draft).await.unwrap().value.id()
}

fn asked(step: RecalculationStep) -> Recalculation {
    Recalculation { of: RecalculationOf::Outdated, step, via: "test".to_owned(), ..Recalculation::default() }
}

/// A recalculation of what had no factor, under one key, whose answer says its counts.
async fn complete(world: &World, store: Arc<dyn Store>) -> String {
    let request = KeyedRequest::new(RequestKey::new("key:1", "POST /v1/recalculation", "k"), "", b"{}");
    let render = |done: &Recalculated| {
        let body = format!("{} of {}, {} to {}", done.changed, done.activities, done.before, done.after).into_bytes();
        Ok(FirstAnswer { status: 200, location: None, etag: None, body })
    };
    let once = Once::new(request, render);
    let done = activities(store).recalculate_once(&world.admin, Recalculation::default(), Some(once)).await.unwrap();
    match done {
        Done::New(done) => format!("{} of {}, {} to {}", done.changed, done.activities, done.before, done.after),
        Done::Before(answer) => String::from_utf8(answer.body).unwrap(),
    }
}

#[tokio::test]
async fn two_recalculations_under_one_key_are_answered_with_what_both_wrote() {
    let world = Arc::new(world().await);
    let product = world.product("kg").await;
    add_boilers(&world, product, MANY).await;
    world.catalog.add_factor(&world.admin, product, factor("2", "2024-01-01")).await.unwrap();
    // The other one begins when the first has noted its name and written its first step, and comes before its second.
    let other = Arc::clone(&world);
    let both = Arc::new(std::sync::Mutex::new(String::new()));
    let (told, store) = (Arc::clone(&both), Arc::clone(&world.store));
    let deed: Deed = Box::pin(async move {
        let answer = complete(&other, store).await;
        *told.lock().unwrap() = answer;
    });
    let meddled = Meddled::store(Arc::clone(&world.store), [(Begin::Write(3), deed)]);
    let first = complete(&world, Arc::clone(&meddled) as Arc<dyn Store>).await;
    assert!(meddled.is_done());
    assert_eq!(first, "1200 of 1200, 0 to 24000");
    assert_eq!(*both.lock().unwrap(), first);
}

#[tokio::test]
async fn what_was_previewed_is_written_in_as_many_steps_as_it_takes() {
    let company = Corrected::with(MANY).await;
    let preview = company.preview().await;
    assert_eq!((preview.changed, preview.before.to_string()), (1_200, "24000".to_owned()));
    assert_eq!(company.confirm(&preview, []).await.unwrap(), 1_200);
    assert_eq!(company.total().await, preview.after.to_string());
}

#[tokio::test]
async fn nothing_is_written_when_a_factor_is_corrected_after_the_preview_was_confirmed() {
    for before in [LOOK_UP, Begin::Write(1)] {
        let company = Corrected::with(3).await;
        let preview = company.preview().await;
        let changes = company.world.changes().await;
        let (pointer, detail) = conflict(company.confirm(&preview, [(before, company.another_correction())]).await);
        assert_eq!(pointer, "/confirm");
        assert!(detail.contains("nothing was written"), "{before:?}: {detail}");
        assert_eq!(company.total().await, "60", "{before:?}");
        assert_eq!(company.world.changes().await, changes + 1, "the correction alone");
        let preview = company.preview().await;
        assert_eq!(company.confirm(&preview, []).await.unwrap(), 3);
        assert_eq!(company.total().await, "120");
    }
}

#[tokio::test]
async fn steps_behind_a_correction_are_not_written_and_the_answer_says_how_many_were() {
    // The second step is looked up in the fourth snapshot.
    for before in [Begin::Read(4), Begin::Write(2)] {
        let company = Corrected::with(MANY).await;
        let preview = company.preview().await;
        let (_, detail) = conflict(company.confirm(&preview, [(before, company.another_correction())]).await);
        assert!(detail.contains("1000 records were written as it said"), "{before:?}: {detail}");
        assert_eq!(company.total().await, (1_000 * 30 + 200 * 20).to_string(), "{before:?}");
    }
}

#[tokio::test]
async fn an_activity_that_somebody_changes_meanwhile_is_not_written_over() {
    for before in [LOOK_UP, Begin::Write(1)] {
        let company = Corrected::with(2).await;
        let preview = company.preview().await;
        let world = Arc::clone(&company.world);
        let deed: Deed = Box::pin(async move {
            let service = activities(Arc::clone(&world.store));
            let query = ReportQuery { rows: ReportRows::All, ..ReportQuery::default() };
            let mut report = service.report(&world.admin, query).await.unwrap();
            let (first, _) = report.rows.next().await.unwrap().remove(0);
            let draft = ActivityDraft {
                description: given(domain::Description::parse("Read again").unwrap()),
                ..ActivityDraft::default()
            };
            service.update(&world.admin, first.activity.value.id, None, draft).await.unwrap();
        });
        let (_, detail) = conflict(company.confirm(&preview, [(before, deed)]).await);
        assert!(detail.contains("nothing was written"), "{before:?}: {detail}");
        assert_eq!(company.total().await, "40", "{before:?}");
    }
}

#[tokio::test]
async fn an_undoing_whose_process_dies_midway_is_gone_on_with_by_another_and_restores_every_total() {
    // Two changes were made, and are taken back from the newest; a process that dies in its first turn leaves nothing.
    for (until, left) in [(Begin::Opened(1), 1_200), (Begin::Write(2), 1_000)] {
        let company = Corrected::with(MANY).await;
        let before = company.total().await;
        let preview = company.preview().await;
        let service = activities(Arc::clone(&company.world.store));
        let step = RecalculationStep::Write { confirm: preview.confirm.clone() };
        let done = service.recalculate(&company.world.admin, asked(step)).await.unwrap();
        let said = |it: &Recalculated| (it.activities, it.changed, it.before, it.after, it.groups.clone(), it.closed);
        assert_eq!(said(&done), said(&preview), "it did what its preview said");
        assert_eq!(company.total().await, done.after.to_string());
        let undone = company.undo_in_two_processes(done.id.unwrap(), until).await;
        assert_eq!((undone.activities, undone.restored, undone.kept), (1_200, left, 0), "{until:?}");
        assert_eq!(company.total().await, before, "{until:?}");
        let again = company.preview().await;
        assert_eq!((again.changed, again.before, again.after), (preview.changed, preview.before, preview.after));
    }
}
