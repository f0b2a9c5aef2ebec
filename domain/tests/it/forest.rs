use std::collections::{BTreeMap, HashSet};

use proptest::prelude::*;
use tonne_domain::Forest;

/// Any links at all, cycles and missing parents among them.
fn any_links() -> impl Strategy<Value = BTreeMap<u8, Option<u8>>> {
    prop::collection::btree_map(0_u8..30, prop::option::of(0_u8..35), 0..30)
}

proptest! {
    #[test]
    fn every_node_is_below_exactly_one_root(links in any_links()) {
        let forest = Forest::new(links.clone());
        let mut seen: Vec<u8> = forest.roots().iter().flat_map(|root| forest.subtree(*root)).collect();
        seen.sort_unstable();
        prop_assert_eq!(seen, links.into_keys().collect::<Vec<_>>());
    }

    #[test]
    fn a_subtree_is_the_node_and_whatever_has_it_as_ancestor(links in any_links()) {
        let forest = Forest::new(links.clone());
        for id in links.keys() {
            let below = links.keys().filter(|other| forest.ancestors(**other).any(|above| above == *id));
            prop_assert_eq!(forest.subtree(*id), below.chain([id]).copied().collect::<HashSet<_>>());
        }
    }

    #[test]
    fn a_move_that_would_not_cycle_keeps_every_other_link(
        links in prop::collection::btree_map(0_u8..30, prop::option::of(0_u8..35), 2..30),
        id in any::<prop::sample::Index>(),
        to in any::<prop::sample::Index>(),
    ) {
        let ids: Vec<u8> = links.keys().copied().collect();
        let (id, to) = (*id.get(&ids), *to.get(&ids));
        let forest = Forest::new(links);
        let moved = ids.iter().map(|node| (*node, if *node == id { Some(to) } else { forest.parent(*node) }));
        let after = Forest::new(moved.collect::<Vec<_>>());
        let kept = ids.iter().all(|node| after.parent(*node) == if *node == id { Some(to) } else { forest.parent(*node) });
        prop_assert_eq!(kept, !forest.would_cycle(id, to));
    }

    #[test]
    fn links_without_cycles_are_kept(parents in prop::collection::vec(any::<prop::sample::Index>(), 1..40)) {
        let link = |(at, parent): (usize, &prop::sample::Index)| (at, (at > 0).then(|| parent.index(at.max(1))));
        let links: Vec<(usize, Option<usize>)> = parents.iter().enumerate().map(link).collect();
        let forest = Forest::new(links.iter().copied().rev());
        for (id, parent) in links {
            prop_assert_eq!(forest.parent(id), parent);
            prop_assert_eq!(parent.is_none_or(|parent| forest.children(parent).contains(&id)), true);
        }
    }
}

#[test]
fn the_ancestor_at_a_depth_counts_from_the_root() {
    let forest = Forest::new([(1, None), (2, Some(1)), (3, Some(2)), (4, Some(3))]);
    assert_eq!([0, 1, 2, 3, 4, 5].map(|depth| forest.at_depth(4, depth)), [1, 1, 2, 3, 4, 4]);
    assert_eq!(forest.at_depth(9, 1), 9);
    assert_eq!(forest.ancestors(4).collect::<Vec<_>>(), [3, 2, 1]);
}

#[test]
fn a_subtree_is_as_high_as_its_longest_branch() {
    let forest = Forest::new([(1, None), (2, Some(1)), (3, Some(2)), (4, Some(1)), (5, None)]);
    assert_eq!([1, 2, 3, 4, 5, 9].map(|id| forest.depth(id)), [1, 2, 3, 2, 1, 0]);
    assert_eq!([1, 2, 3, 4, 5, 9].map(|id| forest.height(id)), [3, 2, 1, 1, 1, 0]);
}

#[test]
fn a_cycle_hangs_below_its_smallest_node_and_a_missing_parent_is_none() {
    let forest = Forest::new([(5, Some(7)), (7, Some(6)), (6, Some(5)), (9, Some(7)), (8, Some(99)), (4, Some(4))]);
    assert_eq!(forest.roots(), [4, 5, 8]);
    assert_eq!(forest.ancestors(9).collect::<Vec<_>>(), [7, 6, 5]);
    assert_eq!(forest.subtree(5), HashSet::from([5, 6, 7, 9]));
    assert!(forest.would_cycle(5, 9) && forest.would_cycle(5, 5) && !forest.would_cycle(9, 5));
}

#[test]
fn a_hundred_thousand_levels_are_a_tree_like_any_other() {
    let last = 99_999_u32;
    let forest = Forest::new((0..=last).map(|id| (id, id.checked_sub(1))));
    assert_eq!(forest.ancestors(last).count(), 99_999);
    assert_eq!(forest.subtree(0).len(), 100_000);
    assert_eq!(forest.at_depth(last, 2), 1);
    assert!(forest.would_cycle(0, last));
    let ring = Forest::new((0..=last).map(|id| (id, Some((id + 1) % 100_000))));
    assert_eq!(ring.roots(), [0]);
    assert_eq!(ring.subtree(0).len(), 100_000);
}
