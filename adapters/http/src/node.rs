//! The three trees: scopes, orgs and taxonomies. They differ in their members only, so their operations are written once.

mod wire;

use actix_web::{HttpRequest, HttpResponse, web};
use domain::{NodeId, Tree};

use crate::answer::{self, Page};
use crate::body::{Body, Patch};
use crate::caller::Caller;
use crate::condition::{IfChanged, IfMatch};
use crate::path::At;
use crate::problem::Problem;
use crate::query::{NoQuery, Query};
use crate::routes::Operation;
use crate::service::Service;
use wire::{Shown, draft};

pub(crate) use org::Document as OrgDocument;
pub(crate) use scope::Document as ScopeDocument;
pub(crate) use taxonomy::Document as TaxonomyDocument;

/// What this area does.
pub(crate) fn operations() -> Vec<Operation> {
    [scope::operations(), org::operations(), taxonomy::operations()].into_iter().flatten().collect()
}

async fn list<T: Shown>(
    tree: Tree,
    caller: Caller,
    mut query: Query,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let (sync_id, page) = (query.sync_id(), query.page());
    query.finish()?;
    let listing = service.areas().catalog.list_nodes(&caller, tree, sync_id, page).await?;
    answer::json(&Page::of(listing, T::of))
}

async fn get<T: Shown>(
    tree: Tree,
    caller: Caller,
    id: NodeId,
    conditions: IfChanged,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let view = service.areas().catalog.get_node(&caller, tree, id).await?;
    answer::record(&conditions, view.node.version, &T::of(view))
}

async fn create<T: Shown>(
    tree: Tree,
    caller: Caller,
    body: Body,
    request: HttpRequest,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let view = service.areas().catalog.add_node(&caller, tree, draft(&body.0, tree)?).await?;
    let location = format!("{}/v1/{tree}/{}", service.base_url(&request), view.node.value.id);
    answer::created(&location, view.node.version, &T::of(view))
}

async fn update<T: Shown>(
    tree: Tree,
    caller: Caller,
    id: NodeId,
    seen: IfMatch,
    body: Patch,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let draft = draft(&body.0, tree)?;
    let seen = seen.seen(version(&service, &caller, tree, id)).await?;
    let view = service.areas().catalog.update_node(&caller, tree, id, seen, draft).await?;
    answer::changed(view.node.version, &T::of(view))
}

async fn remove(
    tree: Tree,
    caller: Caller,
    id: NodeId,
    seen: IfMatch,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let seen = seen.seen(version(&service, &caller, tree, id)).await?;
    service.areas().catalog.remove_node(&caller, tree, id, seen).await?;
    Ok(answer::removed())
}

async fn version(
    service: &Service,
    caller: &Caller,
    tree: Tree,
    id: NodeId,
) -> Result<domain::Version, ports::inbound::Error> {
    Ok(service.areas().catalog.get_node(caller, tree, id).await?.node.version)
}

macro_rules! tree {
    (
        $module:ident, $tree:expr, $shown:ident, $draft:ident, $change:ident, $tag:tt, $all:tt, $one:tt,
        $list:ident, $get:ident, $create:ident, $update:ident, $remove:ident
    ) => {
        mod $module {
            //! The operations of one tree.

            use utoipa::OpenApi;

            use super::{
                At, Body, Caller, HttpRequest, HttpResponse, IfChanged, IfMatch, NoQuery, NodeId, Operation, Page, Patch,
                Problem, Query, Service, Tree, web,
            };
            use crate::node::wire::{$change, $draft, $shown};
            use crate::problem::{Reading, ReadingOne, Writing};

            const TREE: Tree = $tree;

            /// What this area does.
            pub(crate) fn operations() -> Vec<Operation> {
                vec![
                    Operation::get($all, $list),
                    Operation::post($all, $create),
                    Operation::get($one, $get),
                    Operation::patch($one, $update),
                    Operation::delete($one, $remove),
                ]
            }

            /// This area in the OpenAPI document.
            #[derive(OpenApi)]
            #[openapi(paths($list, $create, $get, $update, $remove))]
            pub(crate) struct Document;

            /// The nodes of the tree, page by page.
            ///
            /// Needs the permission catalog:read.
            #[utoipa::path(
                get,
                path = $all,
                tag = $tag,
                security(("bearer" = [])),
                params(
                    crate::parameter::Paging,
                    crate::parameter::BySyncId,
                ),
                responses((status = 200, description = "The page", body = inline(Page<$shown>)), Reading)
            )]
            pub(crate) async fn $list(
                caller: Caller,
                query: Query,
                service: web::Data<Service>,
            ) -> Result<HttpResponse, Problem> {
                super::list::<$shown>(TREE, caller, query, service).await
            }

            /// Adds a node to the tree.
            ///
            /// Needs the permission catalog:write.
            #[utoipa::path(
                post,
                path = $all,
                tag = $tag,
                security(("bearer" = [])),
                request_body = $draft,
                responses((status = 201, description = "The node", body = $shown, headers(("Location" = String, description = "Its address"), ("ETag" = String, description = "Its version"))), Writing)
            )]
            pub(crate) async fn $create(
                caller: Caller,
                _: NoQuery,
                body: Body,
                request: HttpRequest,
                service: web::Data<Service>,
            ) -> Result<HttpResponse, Problem> {
                super::create::<$shown>(TREE, caller, body, request, service).await
            }

            /// One node.
            ///
            /// Needs the permission catalog:read.
            #[utoipa::path(
                get,
                path = $one,
                tag = $tag,
                security(("bearer" = [])),
                params(("uuid" = Uuid, Path, description = "The node"), crate::parameter::Known),
                responses((status = 200, description = "The node", body = $shown, headers(("ETag" = String, description = "Its version"))), ReadingOne)
            )]
            pub(crate) async fn $get(
                caller: Caller,
                At(id): At<NodeId>,
                conditions: IfChanged,
                _: NoQuery,
                service: web::Data<Service>,
            ) -> Result<HttpResponse, Problem> {
                super::get::<$shown>(TREE, caller, id, conditions, service).await
            }

            /// Changes a node: members that are left out stay, null clears.
            ///
            /// Needs the permission catalog:write.
            #[utoipa::path(
                patch,
                path = $one,
                tag = $tag,
                security(("bearer" = [])),
                params(
                    ("uuid" = Uuid, Path, description = "The node"),
                    crate::parameter::Seen,
                ),
                request_body(content = $change, content_type = "application/merge-patch+json"),
                responses((status = 200, description = "The node", body = $shown, headers(("ETag" = String, description = "Its version"))), Writing)
            )]
            pub(crate) async fn $update(
                caller: Caller,
                At(id): At<NodeId>,
                seen: IfMatch,
                _: NoQuery,
                body: Patch,
                service: web::Data<Service>,
            ) -> Result<HttpResponse, Problem> {
                super::update::<$shown>(TREE, caller, id, seen, body, service).await
            }

            /// Removes a node that nothing refers to.
            ///
            /// Needs the permission catalog:write.
            #[utoipa::path(
                delete,
                path = $one,
                tag = $tag,
                security(("bearer" = [])),
                params(
                    ("uuid" = Uuid, Path, description = "The node"),
                    crate::parameter::Seen,
                ),
                responses((status = 204, description = "It is gone"), Writing)
            )]
            pub(crate) async fn $remove(
                caller: Caller,
                At(id): At<NodeId>,
                seen: IfMatch,
                _: NoQuery,
                service: web::Data<Service>,
            ) -> Result<HttpResponse, Problem> {
                super::remove(TREE, caller, id, seen, service).await
            }
        }
    };
}

tree!(
    scope,
    Tree::Scope,
    Scope,
    ScopeDraft,
    ScopeChange,
    "Scopes",
    "/v1/scope",
    "/v1/scope/{uuid}",
    list_scopes,
    get_scope,
    create_scope,
    update_scope,
    remove_scope
);
tree!(
    org,
    Tree::Org,
    Org,
    OrgDraft,
    OrgChange,
    "Orgs",
    "/v1/org",
    "/v1/org/{uuid}",
    list_orgs,
    get_org,
    create_org,
    update_org,
    remove_org
);
tree!(
    taxonomy,
    Tree::Taxonomy,
    Taxonomy,
    TaxonomyDraft,
    TaxonomyChange,
    "Taxonomies",
    "/v1/taxonomy",
    "/v1/taxonomy/{uuid}",
    list_taxonomies,
    get_taxonomy,
    create_taxonomy,
    update_taxonomy,
    remove_taxonomy
);
