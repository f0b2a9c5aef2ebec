//! The operations of a resource, as they are routed and documented.

/// Makes the five documented handlers of a resource, its `operations()` and its part of the OpenAPI `Document`.
///
/// The head names the shown type, how answers call the record, the paths of the collection and of a record, and what is
/// said of everything that reads or writes. Each verb names its handler, below the line that documents it: `list` with
/// its parameters, `create` and `update` with their bodies, `create` also with what it answers and whether under an
/// `ETag`. `also` takes in operations whose handlers are written by hand.
macro_rules! resource {
    (
        $shown:ident, $the_record:tt, at $all:tt and $one:tt, tagged $tag:tt;
        #[$reading:meta] reading;
        #[$writing:meta] writing;
        $(#[$list_doc:meta])* list $list:ident($($parameters:ident),*);
        $(#[$create_doc:meta])* create $create:ident($draft:ident) -> $created:ident $(, $etag:tt)?;
        $(#[$get_doc:meta])* get $get:ident;
        $(#[$update_doc:meta])* update $update:ident($change:ident);
        $(#[$remove_doc:meta])* remove $remove:ident;
        $(also $method:ident $path:tt $($handler:ident)::+;)*
    ) => {
        /// What this area does.
        pub(crate) fn operations() -> Vec<crate::operation::Operation> {
            use crate::operation::Operation;

            vec![
                Operation::get($all, $list),
                Operation::post($all, $create),
                Operation::get($one, $get),
                Operation::patch($one, $update),
                Operation::delete($one, $remove),
                $(Operation::$method($path, $($handler)::+),)*
            ]
        }

        /// This area in the OpenAPI document.
        #[derive(utoipa::OpenApi)]
        #[openapi(paths($list, $create, $get, $update, $remove $(, $($handler)::+)*))]
        pub(crate) struct Document;

        $(#[$list_doc])*
        #[doc = ""]
        #[$reading]
        #[utoipa::path(
            get,
            path = $all,
            tag = $tag,
            security(("bearer" = [])),
            params($(crate::parameter::$parameters),*),
            responses(
                (status = 200, description = "The page", body = inline(crate::answer::Page<$shown>)),
                crate::problem::Reading
            )
        )]
        pub(crate) async fn $list(
            caller: crate::caller::Caller,
            query: crate::query::Query,
            service: actix_web::web::Data<crate::service::Service>,
        ) -> Result<actix_web::HttpResponse, crate::problem::Problem> {
            crate::resource::list::<$shown>(caller, query, service).await
        }

        $(#[$create_doc])*
        #[doc = ""]
        #[$writing]
        #[utoipa::path(
            post,
            path = $all,
            tag = $tag,
            security(("bearer" = [])),
            request_body = $draft,
            responses(
                (
                    status = 201,
                    description = $the_record,
                    body = $created,
                    headers(
                        ("Location" = String, description = "Its address")
                        $(, ($etag = String, description = "Its version"))?
                    )
                ),
                crate::problem::Writing
            )
        )]
        pub(crate) async fn $create(
            caller: crate::caller::Caller,
            no_query: crate::query::NoQuery,
            body: crate::body::Body,
            request: actix_web::HttpRequest,
            service: actix_web::web::Data<crate::service::Service>,
        ) -> Result<actix_web::HttpResponse, crate::problem::Problem> {
            crate::resource::create::<$shown>($all, caller, no_query, body, request, service).await
        }

        $(#[$get_doc])*
        #[doc = ""]
        #[$reading]
        #[utoipa::path(
            get,
            path = $one,
            tag = $tag,
            security(("bearer" = [])),
            params(("uuid" = Uuid, Path, description = $the_record), crate::parameter::IfNoneMatchParam),
            responses(
                (
                    status = 200,
                    description = $the_record,
                    body = $shown,
                    headers(("ETag" = String, description = "Its version"))
                ),
                crate::problem::ReadingOne
            )
        )]
        pub(crate) async fn $get(
            caller: crate::caller::Caller,
            at: crate::path::PathId<<$shown as crate::resource::Resource>::Id>,
            conditions: crate::condition::IfChanged,
            no_query: crate::query::NoQuery,
            service: actix_web::web::Data<crate::service::Service>,
        ) -> Result<actix_web::HttpResponse, crate::problem::Problem> {
            crate::resource::get::<$shown>(caller, at, conditions, no_query, service).await
        }

        $(#[$update_doc])*
        #[doc = ""]
        #[$writing]
        #[utoipa::path(
            patch,
            path = $one,
            tag = $tag,
            security(("bearer" = [])),
            params(("uuid" = Uuid, Path, description = $the_record), crate::parameter::IfMatchParam),
            request_body(content = $change, content_type = "application/merge-patch+json"),
            responses(
                (
                    status = 200,
                    description = $the_record,
                    body = $shown,
                    headers(("ETag" = String, description = "Its version"))
                ),
                crate::problem::Writing
            )
        )]
        pub(crate) async fn $update(
            caller: crate::caller::Caller,
            at: crate::path::PathId<<$shown as crate::resource::Resource>::Id>,
            condition: crate::condition::IfMatch,
            no_query: crate::query::NoQuery,
            body: crate::body::Patch,
            service: actix_web::web::Data<crate::service::Service>,
        ) -> Result<actix_web::HttpResponse, crate::problem::Problem> {
            crate::resource::update::<$shown>(caller, at, condition, no_query, body, service).await
        }

        $(#[$remove_doc])*
        #[doc = ""]
        #[$writing]
        #[utoipa::path(
            delete,
            path = $one,
            tag = $tag,
            security(("bearer" = [])),
            params(("uuid" = Uuid, Path, description = $the_record), crate::parameter::IfMatchParam),
            responses((status = 204, description = "It is gone"), crate::problem::Writing)
        )]
        pub(crate) async fn $remove(
            caller: crate::caller::Caller,
            at: crate::path::PathId<<$shown as crate::resource::Resource>::Id>,
            condition: crate::condition::IfMatch,
            no_query: crate::query::NoQuery,
            service: actix_web::web::Data<crate::service::Service>,
        ) -> Result<actix_web::HttpResponse, crate::problem::Problem> {
            crate::resource::remove::<$shown>(caller, at, condition, no_query, service).await
        }
    };
}

pub(crate) use resource;
