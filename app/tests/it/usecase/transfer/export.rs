//! An export has the whole tenant, whatever store it is in, and keeps no snapshot while somebody reads it.

use std::io::{self, Write};

use domain::Org;
use futures_util::FutureExt as _;
use ports::contract::sample;
use tokio::task::unconstrained;
use tonne::usecase::transfer::{Credentials, export_to_reader};

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

/// A reader who looks with each piece that it gets whether the store's only place for readers is free.
struct Watching<'a> {
    site: &'a Site,
    got: Vec<u8>,
    was_free: Vec<bool>,
}

impl Write for Watching<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let grant = self.site.grant().to_read();
        let opened = unconstrained(self.site.store.read(&grant)).now_or_never();
        self.was_free.push(matches!(opened, Some(Ok(_))));
        self.got.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn no_snapshot_is_kept_while_somebody_reads_an_export() {
    let site = Site::on_disk_with(|options| options.readers = 1).await;
    site.fill().await;
    let mut reader = Watching { site: &site, got: Vec::new(), was_free: Vec::new() };
    let exported = export_to_reader(
        site.store.as_ref(),
        site.with_people(),
        (&site.grant(), &site.tenant),
        Credentials::Carried,
        &mut reader,
        &|_| {},
    )
    .await
    .unwrap();
    let Watching { got, was_free, .. } = reader;
    assert!(!was_free.is_empty() && was_free.iter().all(|free| *free), "{was_free:?}");
    assert_eq!(exported.bytes, got.len() as u64);
    assert_eq!(got, site.export(Credentials::Carried).await);
}
