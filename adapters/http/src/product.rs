//! Products: what activities consume and models are made of.

use actix_web::HttpResponse;
use domain::{Name, ProductId, SyncId, Unit};
use files::{Json, Members, Reader};
use ports::Version;
use ports::inbound::{Error, ProductDraft, ProductView};
use ports::repo::{Listing, Page};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::problem::Problem;
use crate::resource::{Asking, Resource, created, resource};
use crate::wire::Time;

/// What an activity consumes or a model is made of.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Product {
    /// Identifies it.
    uuid: Uuid,
    /// What another system calls it.
    #[schema(required)]
    sync_id: Option<String>,
    /// What it is called.
    name: String,
    /// The code of the unit it is counted in.
    #[schema(example = "kWh")]
    unit: &'static str,
    /// When it was added.
    created: Time,
    /// When it was last changed.
    updated: Time,
}

/// A new product.
#[derive(ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ProductDraft)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "describes the body")]
pub(crate) struct NewProduct {
    /// What it is called: 1 to 255 characters.
    name: String,
    /// What another system calls it: unique.
    sync_id: Option<String>,
    /// The code of the unit it is counted in.
    #[schema(example = "kWh")]
    unit: String,
}

/// A change of a product.
#[derive(ToSchema)]
#[serde(rename_all = "camelCase")]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "describes the body")]
pub(crate) struct ProductChange {
    /// What it is called: 1 to 255 characters.
    name: Option<String>,
    /// What another system calls it: unique.
    sync_id: Option<String>,
    /// The code of the unit it is counted in; of the same dimension once it has factors or is used.
    unit: Option<String>,
}

impl Resource for Product {
    type Id = ProductId;
    type View = ProductView;
    type Draft = ProductDraft;

    fn of(view: ProductView) -> Self {
        let stored = view.product;
        let product = stored.value;
        Self {
            uuid: product.id.uuid(),
            sync_id: product.sync_id.map(|id| id.to_string()),
            name: product.name.to_string(),
            unit: product.unit.code(),
            created: stored.created.into(),
            updated: stored.updated.into(),
        }
    }

    fn identity(view: &ProductView) -> (ProductId, Version) {
        (view.product.value.id, view.product.version)
    }

    fn draft(json: &Json) -> Result<ProductDraft, Problem> {
        let mut members = Reader::new(json, Members::Given).map_err(Problem::invalid)?;
        let mut draft = ProductDraft {
            name: members.text("name", Name::parse),
            sync_id: members.text("syncId", SyncId::parse),
            unit: members.text("unit", Unit::parse),
            ..ProductDraft::default()
        };
        members.read_only(&["uuid", "created", "updated"]);
        draft.faults = members.finish();
        Ok(draft)
    }

    async fn list(by: Asking<'_>, sync_id: Option<SyncId>, page: Page) -> Result<Listing<ProductView>, Error> {
        by.areas.catalog.list_products(by.caller, sync_id, page).await
    }

    async fn get(by: Asking<'_>, id: ProductId) -> Result<ProductView, Error> {
        by.areas.catalog.get_product(by.caller, id).await
    }

    async fn add(by: Asking<'_>, draft: ProductDraft, collection: &str) -> Result<HttpResponse, Problem> {
        created::<Self>(collection, by.areas.catalog.add_product(by.caller, draft).await?)
    }

    async fn update(
        by: Asking<'_>,
        id: ProductId,
        seen: Option<Version>,
        draft: ProductDraft,
    ) -> Result<ProductView, Error> {
        by.areas.catalog.update_product(by.caller, id, seen, draft).await
    }

    async fn remove(by: Asking<'_>, id: ProductId, seen: Option<Version>) -> Result<(), Error> {
        by.areas.catalog.remove_product(by.caller, id, seen).await
    }
}

resource! {
    Product, "The product", at "/v1/product" and "/v1/product/{uuid}", tagged "Products";
    /// Needs the permission catalog:read.
    reading;
    /// Needs the permission catalog:write.
    writing;

    /// The products, page by page.
    list list_products(Paging, BySyncId);
    /// Adds a product.
    create create_product(NewProduct) -> Product, "ETag";
    /// One product.
    get get_product;
    /// Changes a product: members that are left out stay, null clears.
    update update_product(ProductChange);
    /// Removes a product that nothing refers to.
    remove remove_product;
}
