//! Stores that the demo filled, without its service.

use ports::{Grant, Installation, TenantSlug};
use tonne::demo::{UseCases, add_factors, fill};
use tonne::{App, Config};

/// Fills the store of that configuration with the books of the demo.
pub(crate) fn fill_store(config: Config) {
    postgres::testing::runtime().block_on(async {
        let app = App::build(config).await.unwrap();
        let tenant = app.tenant(&TenantSlug::parse(tonne::SINGLE_TENANT).unwrap()).await.unwrap();
        add_factors(app.factor_set_imports(), &Grant::for_maintenance(Installation, "test")).await.unwrap();
        fill(UseCases::from(&app), &app.operator(&tenant)).await.unwrap();
        app.close().await;
    });
}
