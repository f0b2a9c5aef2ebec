//! The spool of staged imports: entries by version, chunks by number, tenants apart.

use super::sample;
use super::tenant::Tenant;
use crate::StagedId;
use crate::spool::{Added, CHUNK, Spool, SpoolPart};
use crate::store::{Store, StoreError};

/// Two nodes on one spool, which may be the same one, and the store of its tenants.
#[derive(Clone, Copy)]
#[expect(missing_debug_implementations, reason = "adapters owe none")]
pub struct Spools<'a> {
    /// What is tried.
    pub nodes: [&'a dyn Spool; 2],
    /// What the tenants are prepared in.
    pub store: &'a dyn Store,
}

fn staged(number: u64) -> StagedId {
    StagedId::new(sample::id(number))
}

pub async fn an_entry_comes_back_at_every_node_as_it_was_last_written(spools: Spools<'_>) {
    let ([one, two], tenant) = (spools.nodes, Tenant::prepare(spools.store).await);
    let (reading, writing) = (tenant.reading(), tenant.writing());
    assert_eq!(one.find(reading, staged(1)).await.expect("looks"), None);
    assert_eq!(one.add(writing, staged(1), "a \"é\"\nb", 9).await.expect("adds"), Added::Added);
    let found = two.find(reading, staged(1)).await.expect("finds").expect("is there");
    assert_eq!((found.id, found.version, found.content.as_str()), (staged(1), 1, "a \"é\"\nb"));
    assert_eq!(two.update(writing, staged(1), 1, "").await.expect("updates"), 2);
    let found = one.find(reading, staged(1)).await.expect("finds").expect("is there");
    assert_eq!((found.version, found.content.as_str()), (2, ""));
}

pub async fn an_update_of_an_old_version_of_a_staged_import_is_stale(spools: Spools<'_>) {
    let ([one, two], tenant) = (spools.nodes, Tenant::prepare(spools.store).await);
    let writing = tenant.writing();
    one.add(writing, staged(1), "a", 9).await.expect("adds");
    one.update(writing, staged(1), 1, "b").await.expect("updates");
    for id in [staged(1), staged(2)] {
        let refused = two.update(writing, id, 1, "c").await;
        assert!(matches!(refused, Err(StoreError::Stale)), "{refused:?}");
    }
    let found = two.find(tenant.reading(), staged(1)).await.expect("finds").expect("is there");
    assert_eq!((found.version, found.content.as_str()), (2, "b"));
}

pub async fn a_tenant_has_no_more_staged_imports_than_it_may(spools: Spools<'_>) {
    let ([one, two], tenant) = (spools.nodes, Tenant::prepare(spools.store).await);
    let other = Tenant::prepare_nth(spools.store, 2).await;
    for number in 1..=2 {
        assert_eq!(one.add(tenant.writing(), staged(number), "", 2).await.expect("adds"), Added::Added);
    }
    assert_eq!(two.add(tenant.writing(), staged(3), "", 2).await.expect("counts"), Added::Full);
    assert_eq!(two.add(other.writing(), staged(4), "", 2).await.expect("adds"), Added::Added);
    let listed = one.list(tenant.reading()).await.expect("lists");
    assert_eq!(listed.iter().map(|entry| entry.id).collect::<Vec<_>>(), [staged(2), staged(1)]);
    two.remove(tenant.writing(), staged(1)).await.expect("removes");
    assert_eq!(one.add(tenant.writing(), staged(3), "", 2).await.expect("adds"), Added::Added);
}

pub async fn chunks_come_back_at_every_node_byte_for_byte(spools: Spools<'_>) {
    let ([one, two], tenant) = (spools.nodes, Tenant::prepare(spools.store).await);
    let (reading, writing) = (tenant.reading(), tenant.writing());
    one.add(writing, staged(1), "", 9).await.expect("adds");
    let whole: Vec<u8> = (0..=255).cycle().take(CHUNK).collect();
    let put = async |number, bytes: &[u8]| {
        one.put_chunk(writing, staged(1), SpoolPart::File, number, bytes.to_vec()).await.expect("stores a chunk");
    };
    put(0, &whole).await;
    put(1, b"wrong").await;
    put(1, b"end").await;
    let chunk = async |part, number| two.chunk(reading, staged(1), part, number).await.expect("reads a chunk");
    assert!(chunk(SpoolPart::File, 0).await.expect("is there") == whole);
    assert_eq!(chunk(SpoolPart::File, 1).await.as_deref(), Some(&b"end"[..]));
    assert_eq!(chunk(SpoolPart::File, 2).await, None);
    assert_eq!(chunk(SpoolPart::Rejected, 0).await, None);
}

pub async fn a_part_is_cleared_and_an_entry_goes_with_its_chunks(spools: Spools<'_>) {
    let ([one, two], tenant) = (spools.nodes, Tenant::prepare(spools.store).await);
    let (reading, writing) = (tenant.reading(), tenant.writing());
    one.add(writing, staged(1), "", 9).await.expect("adds");
    for part in SpoolPart::ALL {
        one.put_chunk(writing, staged(1), part, 0, part.as_str().into()).await.expect("stores a chunk");
    }
    two.clear(writing, staged(1), SpoolPart::File).await.expect("clears");
    assert_eq!(one.chunk(reading, staged(1), SpoolPart::File, 0).await.expect("reads"), None);
    let rejected = one.chunk(reading, staged(1), SpoolPart::Rejected, 0).await.expect("reads");
    assert_eq!(rejected.as_deref(), Some(&b"rejected"[..]));
    two.remove(writing, staged(1)).await.expect("removes");
    two.remove(writing, staged(1)).await.expect("is gone already");
    assert_eq!(one.find(reading, staged(1)).await.expect("looks"), None);
    assert_eq!(one.chunk(reading, staged(1), SpoolPart::Rejected, 0).await.expect("reads"), None);
    let refused = one.put_chunk(writing, staged(1), SpoolPart::File, 0, vec![1]).await;
    assert!(matches!(refused, Err(StoreError::Stale)), "{refused:?}");
    one.add(writing, staged(1), "", 9).await.expect("adds anew");
    assert_eq!(two.chunk(reading, staged(1), SpoolPart::Rejected, 0).await.expect("reads"), None);
}

pub async fn another_tenant_neither_reads_nor_changes_what_is_staged(spools: Spools<'_>) {
    let ([one, two], tenant) = (spools.nodes, Tenant::prepare(spools.store).await);
    let other = Tenant::prepare_nth(spools.store, 2).await;
    one.add(tenant.writing(), staged(1), "own", 9).await.expect("adds");
    one.put_chunk(tenant.writing(), staged(1), SpoolPart::File, 0, b"own".into()).await.expect("stores a chunk");
    for node in [one, two] {
        let (reading, writing) = (other.reading(), other.writing());
        assert_eq!(node.list(reading).await.expect("lists"), []);
        assert_eq!(node.find(reading, staged(1)).await.expect("looks"), None);
        assert_eq!(node.chunk(reading, staged(1), SpoolPart::File, 0).await.expect("reads"), None);
        assert!(matches!(node.update(writing, staged(1), 1, "x").await, Err(StoreError::Stale)));
        let put = node.put_chunk(writing, staged(1), SpoolPart::File, 0, b"x".into()).await;
        assert!(matches!(put, Err(StoreError::Stale)));
        node.clear(writing, staged(1), SpoolPart::File).await.expect("clears nothing");
        node.remove(writing, staged(1)).await.expect("removes nothing");
    }
    let found = two.find(tenant.reading(), staged(1)).await.expect("finds").expect("is there");
    assert_eq!((found.version, found.content.as_str()), (1, "own"));
    let chunk = two.chunk(tenant.reading(), staged(1), SpoolPart::File, 0).await.expect("reads");
    assert_eq!(chunk.as_deref(), Some(&b"own"[..]));
}
