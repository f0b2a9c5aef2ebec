//! Tonne inside another program.

use domain::{Attribution, Name, Period};
use ports::inbound::{Field, NodeDraft, Nodes, ReportQuery};
use ports::{Permission, TenantSlug};
use tempfile::TempDir;
use tonne::{App, Config};

fn config(folder: &TempDir) -> Config {
    let mut config = Config::default();
    config.store.data_dir = folder.path().join("data");
    config
}

fn main() -> TenantSlug {
    TenantSlug::parse(tonne::SINGLE_TENANT).unwrap()
}

#[tokio::test]
async fn an_app_is_asked_without_a_server() {
    let folder = TempDir::new().unwrap();
    let app = App::build(config(&folder)).await.unwrap();
    let operator = app.operator(&app.tenant(&main()).await.unwrap());
    assert!(operator.permissions.allows(Permission::Admin));
    let draft = NodeDraft { name: Field::Given(Name::parse("Works").unwrap()), ..NodeDraft::default() };
    Nodes::<domain::Org>::add_node(app.areas().catalog.as_ref(), &operator, draft).await.unwrap();
    let query = ReportQuery { period: Period::ALL, attribution: Attribution::Start, ..ReportQuery::default() };
    let report = app.areas().activities.report(&operator, query).await.unwrap();
    assert_eq!((report.count, report.first), (0, None));
}

#[tokio::test]
async fn the_tenant_is_the_same_when_the_store_is_opened_again() {
    let folder = TempDir::new().unwrap();
    let first = App::build(config(&folder)).await.unwrap().tenant(&main()).await.unwrap();
    let again = App::build(config(&folder)).await.unwrap().tenant(&main()).await.unwrap();
    assert_eq!(first, again);
    assert_eq!(first.slug.as_str(), tonne::SINGLE_TENANT);
}

#[tokio::test]
async fn a_server_ends_when_its_stop_is_done() {
    let folder = TempDir::new().unwrap();
    let config = config(&folder);
    let lock = App::lock(&config).unwrap();
    let app = App::build(config).await.unwrap();
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    app.serve(&lock, listener, std::future::ready(())).await.unwrap();
}
