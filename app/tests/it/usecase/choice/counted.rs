//! Where emissions of published factors count: those before the use in scope 3, those of no scope in none.

use domain::ScopeKind;
use ports::inbound::{
    Activities as _, ActivityDraft, ActivityView, Catalog as _, ClassDraft, Error, FactorDraft, Field, NodeDraft,
    Nodes, ProductDraft, PublishedDraft, Reference,
};

use super::super::{given, name, pointers, unit};
use super::{Company, company, figure};
use crate::published_sample::{edition, id};

/// A product with the published factor of that cell of 2025, and an activity of it in a node of that kind (empty: none).
async fn counted(company: &Company, cell: &str, code: &str, kind: Option<ScopeKind>) -> Result<ActivityView, Error> {
    let Company { world, activities, .. } = company;
    let draft = ProductDraft { name: given(name(cell)), unit: given(unit(code)), ..ProductDraft::default() };
    let product = world.catalog.add_product(&world.admin, draft).await.unwrap().product.value.id;
    let published = PublishedDraft { set: given(id(2025, 1).into()), cell: given(name(cell)) };
    let factor = FactorDraft { published: given(published), ..FactorDraft::default() };
    world.catalog.add_factor(&world.admin, product, factor).await.unwrap();
    let scope = match kind {
        Some(kind) => {
            let detail = ClassDraft { kind: given(kind), category: Field::Absent };
            let draft = NodeDraft { name: given(name(kind.as_str())), detail, ..NodeDraft::default() };
            let node = Nodes::<domain::Scope>::add_node(&world.catalog, &world.admin, draft).await.unwrap();
            given(Reference::Id(node.node.value.id.into()))
        }
        None => Field::Absent,
    };
    let draft = ActivityDraft {
        product: given(Reference::Id(product.into())),
        unit: given(unit(code)),
        scope,
        ..company.draft(company.below, "2025-03-01")
    };
    activities.add(&world.admin, draft).await
}

#[tokio::test]
async fn emissions_before_the_use_are_told_of_in_scopes_1_and_2_and_those_of_no_scope_are_refused_in_any() {
    let company = company().await;
    company.import_set(edition(2025, 1)).await;
    for (cell, code, kind, is_told) in [
        ("A3", "L", Some(ScopeKind::Scope1), true),
        ("A4", "kWh", Some(ScopeKind::Scope2), true),
        ("A3", "L", Some(ScopeKind::Scope3), false),
        ("A1", "L", Some(ScopeKind::Scope1), false),
        ("A3", "L", None, false),
    ] {
        let view = counted(&company, cell, code, kind).await.unwrap();
        assert_eq!(view.warnings.len(), usize::from(is_told), "{cell} {kind:?}: {:?}", view.warnings);
        assert!(view.warnings.iter().all(|told| told.contains("scope 3, category 3")));
    }
    for kind in [Some(ScopeKind::Scope1), Some(ScopeKind::Scope3), Some(ScopeKind::Credit), None] {
        assert_eq!(pointers(counted(&company, "A5", "kg", kind).await), ["/scope"], "{kind:?}");
    }
    for kind in [ScopeKind::Biogenic, ScopeKind::Outside] {
        assert_eq!(figure(&counted(&company, "A5", "kg", Some(kind)).await.unwrap()).as_deref(), Some("160"));
    }
}
