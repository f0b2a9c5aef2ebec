//! Products: what activities consume and models are made of.

mod rule;

use std::fmt::Display;

use domain::{Faults, Name, ProductId, SyncId, Unit};
use ports::inbound::{Done, Error, Once, ProductDraft, ProductView};
use ports::repo::{Listing, Page};
use ports::{Permission, Version};

use crate::answer_value::{or_null, text, text_or_null};
use crate::operation::Operation;
use crate::path::{PathId, Root};
use crate::resource::{self, Added, Asking, Changes, Labels, Lists, Resource, shape};
use crate::schema::Kind;
use crate::shape::{self, Shape};
use files::factor_rule;
use rule::RULE;

/// The operations on products.
pub(crate) fn operations() -> Vec<Operation> {
    resource::operations::<Product>()
}

/// Products as a resource.
pub(crate) struct Product;

type Member = shape::Member<ProductView, ProductDraft>;

static SHAPE: Shape<ProductView, ProductDraft> = Shape {
    name: "Product",
    doc: "What an activity consumes or a model is made of.",
    members: &[
        Member::new("uuid", Kind::Uuid, "Identifies it.").shown(|view| text(view.product.value.id)),
        Member::new("syncId", Kind::Text(1, 255), "What another system calls it: unique.")
            .shown_or_null(|view| text_or_null(view.product.value.sync_id.as_ref()))
            .optional(|draft, reader, name| draft.sync_id = reader.text(name, SyncId::parse))
            .example(r#""natural-gas""#),
        Member::new("name", Kind::Text(1, 255), "What it is called.")
            .shown(|view| text(&view.product.value.name))
            .required(|draft, reader, name| draft.name = reader.text(name, Name::parse))
            .example(r#""Natural gas""#),
        Member::new(
            "unit",
            Kind::Text(1, 64),
            "The code of the unit it is counted in; of the same dimension once it has factors or is used.",
        )
        .shown(|view| text(view.product.value.unit.code()))
        .required(|draft, reader, name| draft.unit = reader.text(name, Unit::parse))
        .example(r#""kWh""#),
        Member::new(
            "factorRule",
            Kind::Object(&RULE),
            "How a published factor is chosen for an activity on whose day none of the product's own factors holds; null \
             where none is.",
        )
        .shown_or_null(|view| or_null(view.product.value.rule.as_ref(), |rule| RULE.show(rule)))
        .optional(|draft, reader, name| draft.rule = factor_rule(reader, name)),
        Member::new("created", Kind::Time, "When it was added.").shown(|view| text(view.product.created)),
        Member::new("updated", Kind::Time, "When it was last changed.").shown(|view| text(view.product.updated)),
    ],
};

impl Resource for Product {
    type In = Root;
    type At = PathId<ProductId>;
    type View = ProductView;
    type Draft = ProductDraft;

    const LABELS: Labels = Labels {
        collection: "/v1/product",
        record: "/v1/product/{uuid}",
        one: "product",
        many: "products",
        tag: "Products",
        reads: Permission::CatalogRead,
        writes: Permission::CatalogWrite,
    };

    shape!(SHAPE);

    fn identity(view: &ProductView) -> (impl Display, Version) {
        (view.product.value.id, view.product.version)
    }

    fn blame(draft: &mut ProductDraft, faults: Faults) {
        draft.faults = faults;
    }

    async fn get(by: Asking<'_>, PathId(id): Self::At) -> Result<ProductView, Error> {
        by.areas.catalog.get_product(by.caller, id).await
    }

    async fn add(
        by: Asking<'_>,
        _: Root,
        draft: ProductDraft,
        once: Option<Once<ProductView>>,
    ) -> Result<Done<Added<ProductView>>, Error> {
        Ok(by.areas.catalog.add_product_once(by.caller, draft, once).await?.map(Added::from))
    }

    async fn remove(by: Asking<'_>, PathId(id): Self::At, seen: Option<Version>) -> Result<(), Error> {
        by.areas.catalog.remove_product(by.caller, id, seen).await
    }
}

impl Lists for Product {
    fn columns() -> Vec<(&'static str, Kind)> {
        SHAPE.columns()
    }

    async fn list(by: Asking<'_>, _: Root, sync_id: Option<SyncId>, page: Page) -> Result<Listing<ProductView>, Error> {
        by.areas.catalog.list_products(by.caller, sync_id, page).await
    }
}

impl Changes for Product {
    async fn update(
        by: Asking<'_>,
        PathId(id): Self::At,
        seen: Option<Version>,
        draft: ProductDraft,
    ) -> Result<ProductView, Error> {
        by.areas.catalog.update_product(by.caller, id, seen, draft).await
    }
}
