//! What a tenant's trees say of a node: its class, its path, and that a node of one tree is none of another.

use tonne_domain::{Catalog, NodeTree, Scope, ScopeClass, ScopeId, ScopeKind, Slug, Taxonomy, Tree, TreeNode};

use crate::sample::{id, name};

fn scope(number: u128, parent: Option<u128>, kind: ScopeKind, category: Option<u8>) -> Scope {
    Scope::new(id(number), name("Scope"), ScopeClass::new(kind, category).unwrap()).with_parent(parent.map(id))
}

fn catalog() -> Catalog {
    let taxonomy = |number, parent: Option<u128>, slug| {
        Taxonomy::new(id(number), name("Taxonomy"), Slug::parse(slug).unwrap()).with_parent(parent.map(id))
    };
    Catalog {
        scopes: NodeTree::new(vec![
            scope(1, None, ScopeKind::Scope1, None),
            scope(2, None, ScopeKind::Scope3, None),
            scope(3, Some(2), ScopeKind::Scope3, Some(5)),
            scope(4, Some(3), ScopeKind::Scope3, None),
        ]),
        taxonomies: NodeTree::new(vec![taxonomy(5, None, "travel"), taxonomy(6, Some(5), "rail")]),
        ..Catalog::default()
    }
}

#[test]
fn a_scope_that_is_not_there_has_no_class() {
    assert_eq!(catalog().class(id(99)), None);
    assert_eq!(catalog().class(id(5)), None, "a taxonomy is no scope");
    assert_eq!(catalog().class(id(1)), Some(ScopeClass::of(ScopeKind::Scope1)));
}

#[test]
fn a_scope_without_a_category_has_that_of_the_nearest_above() {
    let category = |number| catalog().class(id(number)).and_then(ScopeClass::category);
    assert_eq!([2, 3, 4].map(category), [None, Some(5), Some(5)]);
    let mut not_spread: Vec<ScopeId> = catalog().not_spread().into_iter().collect();
    not_spread.sort_unstable();
    assert_eq!(not_spread, [id(3), id(4)]);
}

#[test]
fn a_path_has_the_slugs_from_the_root_down() {
    assert_eq!(catalog().path(id(6)), "travel/rail");
    assert_eq!(catalog().path(id(5)), "travel");
    assert_eq!(catalog().path(id(1)), "", "a scope is no taxonomy");
}

#[test]
fn a_node_says_its_tree_and_its_place() {
    let node = scope(3, Some(2), ScopeKind::Scope1, None);
    assert_eq!((Scope::TREE, node.id(), TreeNode::parent(&node)), (Tree::Scope, id(3), Some(id(2))));
}
