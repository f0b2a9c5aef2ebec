//! Sets of published factors: added once, read by all, removed by the operator, bound by the directory's chain.

use std::collections::BTreeMap;

use domain::{Digest, FactorSet, Name, PublishedFactor};
use futures_util::future::join;

use super::directory::{add_tenants, verify, version};
use super::sample::{
    factor_set, filled_published_factor, installation, maintaining, name, published_factor, tenant, uuid,
};
use crate::directory::Directory;
use crate::factor_sets::{AddedSet, FactorKey, FactorSets, FactorSetsExt as _, InstalledSet, NewFactorSet};
use crate::{Grant, Read};

/// A fresh directory and the sets that are kept beside it.
#[derive(Clone, Copy)]
#[expect(missing_debug_implementations, reason = "adapters owe none")]
pub struct Sets<'a> {
    /// What is tried.
    pub sets: &'a dyn FactorSets,
    /// The directory beside it.
    pub directory: &'a dyn Directory,
}

fn reading() -> Grant<Read> {
    maintaining(7).to_read()
}

fn new_set(set: &FactorSet, factors: &[PublishedFactor]) -> NewFactorSet {
    NewFactorSet::new(set.clone(), factors).expect("a set")
}

fn some(count: u64) -> Vec<PublishedFactor> {
    (1..=count).map(published_factor).collect()
}

async fn add(sets: Sets<'_>, number: u64, factors: &[PublishedFactor]) -> InstalledSet {
    let done = sets.sets.add_set(&installation(), new_set(&factor_set(number), factors)).await.expect("adds");
    let AddedSet::New(added) = &done else { unreachable!("was there: {done:?}") };
    added.clone()
}

async fn list(sets: Sets<'_>) -> Vec<InstalledSet> {
    sets.sets.list_sets(&reading()).await.expect("lists")
}

/// All factors of a set, read in pages of that size.
async fn all_factors(sets: Sets<'_>, set: Digest, size: usize) -> Vec<PublishedFactor> {
    let mut all: Vec<PublishedFactor> = Vec::new();
    loop {
        let behind = all.last().map(|last| last.cell.clone());
        let page = sets.sets.factors_behind(&reading(), set, behind.as_ref(), size).await.expect("reads");
        assert!(page.len() <= size);
        if page.is_empty() {
            return all;
        }
        all.extend(page);
    }
}

fn key(set: u64, cell: &Name) -> FactorKey {
    FactorKey { set: factor_set(set).id, cell: cell.clone() }
}

pub async fn an_installation_has_no_set_before_one_is_added(sets: Sets<'_>) {
    assert_eq!(list(sets).await, []);
    assert_eq!(sets.sets.find_set(&reading(), factor_set(1).id).await.expect("finds"), None);
    assert_eq!(sets.sets.find(&reading(), &key(1, &name("A1"))).await.expect("finds"), None);
    assert_eq!(all_factors(sets, factor_set(1).id, 10).await, []);
}

pub async fn a_set_comes_back_with_its_factors_exactly(sets: Sets<'_>) {
    let factors = [filled_published_factor(1), published_factor(2)];
    let added = add(sets, 1, &factors).await;
    assert_eq!((&added.set, added.factors, added.by.as_str()), (&factor_set(1), 2, installation().actor()));
    assert_eq!(list(sets).await, std::slice::from_ref(&added));
    assert_eq!(sets.sets.find_set(&reading(), factor_set(1).id).await.expect("finds"), Some(added));
    for factor in factors {
        let found = sets.sets.find(&reading(), &key(1, &factor.cell)).await.expect("finds");
        assert_eq!(found, Some(factor));
    }
}

pub async fn a_set_is_read_by_a_grant_of_any_tenant(sets: Sets<'_>) {
    add(sets, 1, &some(1)).await;
    for tenant in [1, 2, 9] {
        let found = sets.sets.list_sets(&maintaining(tenant).to_read()).await.expect("lists");
        assert_eq!(found.len(), 1);
    }
}

pub async fn a_set_that_is_there_is_not_added_again(sets: Sets<'_>) {
    let added = add(sets, 1, &some(3)).await;
    let before = version(sets.directory).await;
    let again = sets.sets.add_set(&installation(), new_set(&factor_set(1), &some(3))).await.expect("adds");
    assert_eq!(again, AddedSet::Same(added.clone()));
    let mut renamed = factor_set(1);
    renamed.file = name("copy of it.csv");
    let again = sets.sets.add_set(&installation(), new_set(&renamed, &some(3))).await.expect("adds");
    assert_eq!(again, AddedSet::Same(added.clone()));
    assert_eq!((list(sets).await, version(sets.directory).await), (vec![added], before));
}

pub async fn a_file_that_was_read_otherwise_is_told_and_nothing_is_overwritten(sets: Sets<'_>) {
    let added = add(sets, 1, &some(3)).await;
    let before = version(sets.directory).await;
    let again = sets.sets.add_set(&installation(), new_set(&factor_set(1), &some(4))).await.expect("adds");
    assert_eq!(again, AddedSet::Different(added.clone()));
    let mut renamed = factor_set(1);
    renamed.edition = name("another");
    let again = sets.sets.add_set(&installation(), new_set(&renamed, &some(3))).await.expect("adds");
    assert_eq!(again, AddedSet::Different(added.clone()));
    assert_eq!((list(sets).await, version(sets.directory).await), (vec![added], before));
    assert_eq!(all_factors(sets, factor_set(1).id, 10).await, some(3));
}

pub async fn factors_are_read_by_cell_page_by_page(sets: Sets<'_>) {
    let factors = some(2_500);
    let shuffled: Vec<_> = factors.iter().rev().cloned().collect();
    assert_eq!(add(sets, 1, &shuffled).await.factors, 2_500);
    add(sets, 2, &some(3)).await;
    for size in [1_000, 7] {
        assert_eq!(all_factors(sets, factor_set(1).id, size).await, factors, "by {size}");
    }
    assert_eq!(all_factors(sets, factor_set(2).id, 2).await, some(3));
}

pub async fn cells_are_ordered_by_the_bytes_of_their_text(sets: Sets<'_>) {
    let cells = ["B10", "B9", "a1", "É!A1", "Z", "b", "𝛼1"];
    let factors: Vec<_> = cells
        .iter()
        .map(|cell| {
            let mut factor = published_factor(1);
            factor.cell = name(cell);
            factor
        })
        .collect();
    add(sets, 1, &factors).await;
    let mut expected: Vec<&str> = cells.to_vec();
    expected.sort_unstable();
    let found = all_factors(sets, factor_set(1).id, 2).await;
    assert_eq!(found.iter().map(|factor| factor.cell.as_str()).collect::<Vec<_>>(), expected);
}

pub async fn factors_of_many_sets_are_found_at_once(sets: Sets<'_>) {
    add(sets, 1, &some(3)).await;
    add(sets, 2, &some(3)).await;
    let cell = |number: u64| published_factor(number).cell;
    let asked = [key(2, &cell(3)), key(1, &cell(1)), key(1, &name("nowhere")), key(3, &cell(1)), key(2, &cell(3))];
    let found = sets.sets.find_factors(&reading(), &asked).await.expect("finds");
    let expected: BTreeMap<_, _> =
        [(key(2, &cell(3)), published_factor(3)), (key(1, &cell(1)), published_factor(1))].into();
    assert_eq!(found, expected.into_iter().collect::<Vec<_>>());
    assert_eq!(sets.sets.find_factors(&reading(), &[]).await.expect("finds"), []);
}

pub async fn a_removed_set_takes_its_factors_and_leaves_the_others(sets: Sets<'_>) {
    let (first, second) = (add(sets, 1, &some(3)).await, add(sets, 2, &some(3)).await);
    let removed = sets.sets.remove_set(&installation(), first.set.id).await.expect("removes");
    assert_eq!(removed, Some(first.clone()));
    assert_eq!(list(sets).await, [second]);
    assert_eq!(all_factors(sets, first.set.id, 10).await, []);
    let before = version(sets.directory).await;
    assert_eq!(sets.sets.remove_set(&installation(), first.set.id).await.expect("removes"), None);
    assert_eq!(version(sets.directory).await, before);
    assert_eq!(add(sets, 1, &some(2)).await.factors, 2);
}

pub async fn sets_are_changes_of_the_directory_which_is_sound_with_them(sets: Sets<'_>) {
    add_tenants(sets.directory).await;
    let before = version(sets.directory).await;
    add(sets, 1, &some(5)).await;
    add(sets, 2, &[filled_published_factor(1)]).await;
    sets.sets.remove_set(&installation(), factor_set(1).id).await.expect("removes");
    assert_eq!(version(sets.directory).await, before + 3);
    let found = verify(sets.directory).await;
    // Two tenants, a set and its factor.
    assert_eq!((found.records, found.findings), (4, vec![]));
}

pub async fn sets_outlive_companies_and_epochs(sets: Sets<'_>) {
    add_tenants(sets.directory).await;
    let added = add(sets, 1, &some(2)).await;
    sets.directory.remove_tenant(&maintaining(1)).await.expect("removes");
    let epochs = [(tenant(2, "other").id, uuid(99))].into();
    sets.directory.renew_epochs(&installation(), &epochs).await.expect("renews");
    assert_eq!(list(sets).await, [added]);
    assert_eq!(verify(sets.directory).await.findings, []);
}

pub async fn of_two_that_add_a_set_at_the_same_time_one_finds_it_there(sets: Sets<'_>) {
    let grant = installation();
    let add = || sets.sets.add_set(&grant, new_set(&factor_set(1), &some(50)));
    let (first, second) = join(add(), add()).await;
    let is_new = |added: AddedSet| matches!(added, AddedSet::New(_));
    assert_ne!(is_new(first.expect("adds")), is_new(second.expect("adds")));
    assert_eq!(list(sets).await.len(), 1);
    assert_eq!(verify(sets.directory).await.findings, []);
}
