//! Tests: what has run out is removed, whatever company fails.

use std::io::{self, Write};
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex};

use metrics_exporter_prometheus::PrometheusBuilder;
use ports::clock::Clock;
use ports::contract::sample;
use ports::exchange::{ExchangeKind, ExchangeRow};
use ports::inbound::StagedImports as _;
use ports::repeat::{FirstAnswer, KeyedRequest, RequestKey};
use ports::store::Intent;
use ports::{TenantId, TenantSlug};
use tempfile::TempDir;
use uuid::Uuid;

use super::super::SINGLE_TENANT;
use super::super::backend::Purpose;
use super::super::secret::MissingSecret;
use super::*;
use crate::Config;

const HOUR_MS: i64 = 60 * 60 * 1_000;
const OPERATING: &str = include_str!("../../../../docs/operating.md");

/// The lines of a log.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A clock that is put forward.
struct Forward(AtomicI64);

impl Clock for Forward {
    fn now(&self) -> Timestamp {
        Timestamp::from_millis(self.0.load(Ordering::Relaxed)).unwrap()
    }
}

/// A service with one company: its folder, the clock that it reads, and itself.
async fn started() -> (TempDir, Arc<Forward>, App) {
    let folder = TempDir::new().unwrap();
    let mut config = Config::default();
    config.store.data_dir = folder.path().join("data");
    let clock = Arc::new(Forward(AtomicI64::new(1_767_225_600_000)));
    let app = App::assemble_with(clock.clone(), config, Purpose::Work, MissingSecret::Refuse).await.unwrap();
    app.settle(SINGLE_TENANT).await.unwrap();
    (folder, clock, app)
}

#[tokio::test]
async fn an_answer_and_a_waiting_file_that_ran_out_are_removed_by_hourly_sweeps_and_counted() {
    let recorder = PrometheusBuilder::new().build_recorder();
    let _guard = metrics::set_default_local_recorder(&recorder);
    let (_folder, clock, app) = started().await;
    let tenants = app.directory.list_tenants(&installation()).await.unwrap();
    let (grant, operator, start) = (maintenance(tenants[0].id), app.operator(&tenants[0]), clock.now());

    let intent = Intent { at: start, cause: "POST /v1/switch".to_owned() };
    let mut tx = app.store.write(&grant.to_write(), intent).await.unwrap();
    let request = KeyedRequest::new(RequestKey::new("key:1", "POST /v1/switch", "a"), "", b"{}");
    let answer = FirstAnswer { status: 201, location: None, etag: None, body: Vec::new() };
    tx.answers_mut().add(request, answer).await.unwrap();
    tx.commit().await.unwrap();
    let mut upload = app.staged.receive(&operator, "rows.csv").await.unwrap();
    upload.put(b"name,startDate\n").await.unwrap();
    upload.finish().await.unwrap();

    let removed = |kind: &str| {
        let series = format!("{}{{kind=\"{kind}\"}} ", metric::EXPIRED_REMOVED.name);
        let page = recorder.handle().render();
        page.lines().find_map(|line| line.strip_prefix(&series)).map(str::to_owned)
    };
    app.sweep().await;
    // Answers are not looked at before a moment is certainly past.
    assert_eq!(["answer", "staged"].map(removed), [None, Some("0".to_owned())]);
    // What ran out is kept for another day of sweeps, for clocks may be wrong.
    for _ in 0..60 {
        clock.0.fetch_add(HOUR_MS, Ordering::Relaxed);
        app.sweep().await;
    }
    assert_eq!(["answer", "staged"].map(removed), [Some("1".to_owned()), Some("1".to_owned())]);
    let mut tx = app.store.read(&grant.to_read()).await.unwrap();
    assert!(tx.answers().find(request.key, start).await.unwrap().is_none());
    assert!(app.staged.list(&operator).await.unwrap().is_empty());
}

#[tokio::test]
async fn hourly_sweeps_remove_what_is_done_of_the_exchange_once_it_is_old_and_nothing_else_of_it() {
    let recorder = PrometheusBuilder::new().build_recorder();
    let _guard = metrics::set_default_local_recorder(&recorder);
    let (_folder, clock, app) = started().await;
    let tenants = app.directory.list_tenants(&installation()).await.unwrap();
    let (grant, start) = (maintenance(tenants[0].id), clock.now());
    let row = |kind: ExchangeKind, days: i64, due: Option<Timestamp>| {
        let at = Timestamp::from_millis(start.millis() - days * 24 * HOUR_MS).unwrap();
        let id = format!("{} {days} {}", kind.as_str(), due.is_some());
        ExchangeRow { kind, id, partner: sample::id(1), at, due, content: "{}".to_owned() }
    };
    let old = [
        row(ExchangeKind::Taken, 40, None),
        row(ExchangeKind::Delivery, 40, None),
        row(ExchangeKind::Request, 400, None),
        row(ExchangeKind::Footprint, 400, None),
    ];
    let kept = [
        row(ExchangeKind::Taken, 20, None),
        row(ExchangeKind::Delivery, 20, None),
        row(ExchangeKind::Delivery, 400, Some(start)),
        row(ExchangeKind::Request, 300, None),
        row(ExchangeKind::Footprint, 300, None),
        row(ExchangeKind::Secret, 400, None),
        row(ExchangeKind::Called, 400, None),
    ];
    let intent = Intent { at: start, cause: "test".to_owned() };
    let mut tx = app.store.write(&grant.to_write(), intent).await.unwrap();
    tx.partners_mut().add(sample::partner(1)).await.unwrap();
    for row in old.iter().chain(&kept) {
        tx.exchange_mut().put(row.clone()).await.unwrap();
    }
    tx.commit().await.unwrap();

    for _ in 0..60 {
        app.sweep().await;
        clock.0.fetch_add(HOUR_MS, Ordering::Relaxed);
    }
    let mut tx = app.store.read(&grant.to_read()).await.unwrap();
    for (row, expected) in old.iter().map(|row| (row, false)).chain(kept.iter().map(|row| (row, true))) {
        let found = tx.exchange().find(row.kind, row.id.clone()).await.unwrap();
        assert_eq!(found.is_some(), expected, "{}", row.id);
    }
    let page = recorder.handle().render();
    let counted = format!("{}{{kind=\"event\"}} 4", metric::EXPIRED_REMOVED.name);
    assert!(page.lines().any(|line| line == counted), "{page}");
}

#[tokio::test]
async fn a_company_that_fails_keeps_no_other_from_being_swept() {
    let tenants = [("broken", 1), ("whole", 2), ("torn", 3)].map(|(slug, id)| Tenant {
        id: TenantId::from(Uuid::from_u128(id)),
        slug: TenantSlug::parse(slug).unwrap(),
        name: domain::Name::parse(slug).unwrap(),
        created: Timestamp::from_millis(0).unwrap(),
        epoch: Uuid::nil(),
        year_start: domain::YearStart::default(),
        statement: domain::StatementSettings::default(),
    });
    let swept = of_each(&tenants, async |tenant: &Tenant| match tenant.slug.as_str() {
        "whole" => (3, None),
        _ => (1, Some(StoreError::Stale)),
    });
    let Removed { answers, failed } = swept.await;
    assert_eq!(answers, 5, "what was removed counts, also before a failure");
    assert_eq!(failed.unwrap().0, "broken", "the first is told");
}

#[test]
fn a_clock_that_is_behind_is_told_by_the_line_that_the_page_for_operators_prints() {
    let log = Log::default();
    let writer = log.clone();
    let format = tracing_subscriber::fmt().with_ansi(false).with_target(false).without_time();
    let subscriber = format.with_writer(move || writer.clone()).finish();
    let told = || log_behind(ClockBehind { by_ms: 125 * 60_000 });
    assert_eq!(tracing::subscriber::with_default(subscriber, told), Outcome::Behind);
    let written = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
    assert!(OPERATING.contains(&format!("\n{}\n", written.trim())), "{written}");
}
