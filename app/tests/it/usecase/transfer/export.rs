//! An export has the whole tenant, whatever store it is in.

use domain::Org;
use ports::contract::sample;
use tonne::usecase::transfer::Credentials;

use super::site::{Site, filled};

#[tokio::test]
async fn a_tenant_goes_through_every_store_and_comes_out_in_the_same_bytes() {
    let source = filled().await;
    let bytes = source.export(Credentials::Carried).await;
    assert_eq!(source.export(Credentials::Carried).await, bytes);
    let (on_disk, in_memory) = (Site::on_disk().await, Site::in_memory().await);
    let imported = on_disk.import(bytes.clone(), Credentials::Carried).await.unwrap();
    assert_eq!((imported.counts.changes, imported.credentials), (4, 3));
    let from_disk = on_disk.export(Credentials::Carried).await;
    assert_eq!(from_disk, bytes);
    in_memory.import(from_disk, Credentials::Carried).await.unwrap();
    assert_eq!(in_memory.export(Credentials::Carried).await, bytes);
    for site in [&source, &on_disk, &in_memory] {
        let found = site.store.verify(&site.grant()).await.unwrap();
        assert_eq!((found.findings, found.changes), (Vec::new(), 4));
    }
}

#[tokio::test]
async fn the_demo_company_reports_the_same_wherever_it_goes() {
    let (source, on_disk) = (Site::in_memory().await, Site::on_disk().await);
    source.fill_with_the_demo().await;
    let bytes = source.export(Credentials::LeftOut).await;
    on_disk.import(bytes.clone(), Credentials::LeftOut).await.unwrap();
    assert_eq!(on_disk.export(Credentials::LeftOut).await, bytes);
    assert_eq!(on_disk.reports().await, source.reports().await);
    assert_eq!(on_disk.store.verify(&on_disk.grant()).await.unwrap().findings, []);
}

#[tokio::test]

async fn an_empty_tenant_goes_too() {
    let bytes = Site::in_memory().await.export(Credentials::LeftOut).await;
    let target = Site::on_disk().await;
    target.import(bytes.clone(), Credentials::LeftOut).await.unwrap();
    assert_eq!(target.export(Credentials::LeftOut).await, bytes);
}

#[tokio::test]
async fn nodes_stand_behind_those_above_them() {
    let bytes = filled().await.export(Credentials::LeftOut).await;
    let text = String::from_utf8(bytes).unwrap();
    let place = |node: &Org| text.find(&format!("\"id\":\"{}\"", node.id)).unwrap();
    assert!(place(&sample::org(1)) < place(&sample::org(9)));
    assert!(place(&sample::org(9)) < place(&sample::org(3)));
}
