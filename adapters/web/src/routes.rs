//! Which page is at which path.

use std::future::{Ready, ready};
use std::sync::Arc;

use actix_web::dev::HttpServiceFactory;
use actix_web::middleware::from_fn;
use actix_web::{HttpResponse, Resource, Route, guard, web};
use http::edge::{Failure, Pages};

use crate::page::{
    activities, activity, catalog, completeness, dashboard, footprint, footprints, history, imports, login, models,
    oidc, once, periods, product, products, report, settings, staged, statement, switches,
};
use crate::site::Site;
use crate::trees::KnownTrees;
use crate::{assets, gate, layout};

/// The pages of that site, to be served beside the API.
#[must_use]
pub fn pages(site: Site) -> Pages {
    let (site, trees) = (web::Data::new(site), web::Data::new(KnownTrees::default()));
    Pages {
        of_company: Arc::new(move |config| {
            config.app_data(site.clone()).app_data(trees.clone());
            configure(config);
        }),
        assets: Arc::new(assets::configure),
        refusal: layout::refusal,
    }
}

/// Registers every page below a company's address.
fn configure(config: &mut web::ServiceConfig) {
    let scope = web::scope("")
        .wrap(from_fn(gate::pass))
        .service(page("", web::route().to(dashboard::show)))
        .service(page("/", web::route().to(dashboard::show)))
        .service(page("/report", web::route().to(report::show)))
        .service(page("/report/explanation", web::route().to(report::explanation::show)))
        .service(page("/activities", web::route().to(activities::show)))
        .service(form_page("/activities/new", web::route().to(activity::new), web::post().to(activity::add)))
        .service(page("/activities/{uuid}", web::route().to(activity::show)))
        .service(page("/activities/{uuid}/explanation", web::route().to(activity::explanation)))
        .service(form_page(
            "/activities/{uuid}/edit",
            web::route().to(activity::edit),
            web::post().to(activity::change),
        ))
        .service(action("/activities/{uuid}/remove", web::post().to(activity::remove)))
        .service(page("/completeness", web::route().to(completeness::show)))
        .service(page("/statement", web::route().to(statement::newest)))
        .service(page("/statement/{year}", web::route().to(statement::show)))
        .service(form_page("/periods", web::route().to(periods::show), web::post().to(periods::change)))
        .service(page("/history", web::route().to(history::show)))
        .service(page("/history/{kind}/{uuid}", web::route().to(history::record)))
        .service(form_page("/imports", web::route().to(imports::show), web::post().to(imports::undo)))
        .service(form_page("/imports/new", web::route().to(staged::file::show), web::post().to(staged::file::receive)))
        .service(form_page(
            "/imports/{id}/table",
            web::route().to(staged::table::show),
            web::post().to(staged::table::choose),
        ))
        .service(form_page(
            "/imports/{id}/map",
            web::route().to(staged::map::show),
            web::post().to(staged::map::decide),
        ))
        .service(page("/imports/{id}/map.toml", web::route().to(staged::map::download)))
        .service(form_page(
            "/imports/{id}/check",
            web::route().to(staged::check::show),
            web::post().to(staged::check::go_on),
        ))
        .service(page("/imports/{id}/rejected", web::route().to(staged::check::rejected)))
        .service(page("/imports/{id}/run", web::route().to(staged::run::show)))
        .service(action("/imports/{id}/discard", web::post().to(staged::discard)))
        .service(page("/catalog/{tree}", web::route().to(catalog::show)))
        .service(action("/catalog/scope/standard", web::post().to(catalog::standard::add)))
        .service(page("/models", web::route().to(models::list)))
        .service(page("/models/{uuid}", web::route().to(models::show)))
        .service(page("/footprints", web::route().to(footprints::show)))
        .service(form_page("/footprints/{uuid}", web::route().to(footprint::show), web::post().to(footprint::change)))
        .service(page("/products", web::route().to(products::show)))
        .service(page("/products/{uuid}", web::route().to(product::show)))
        .service(page("/switches", web::route().to(switches::list)))
        .service(page("/switches/{uuid}", web::route().to(switches::show)))
        .service(open_form("/login", web::route().to(login::show), web::post().to(login::sign_in)))
        .service(open_form("/login/once/{text}", web::route().to(once::show), web::post().to(once::redeem)))
        .service(open_page("/login/oidc", web::route().to(oidc::begin)))
        .service(open_page("/login/oidc/callback", web::route().to(oidc::finish)))
        .service(form_page("/login/password", web::route().to(once::offer), web::post().to(once::set)))
        .service(
            web::resource("/logout").route(web::post().to(login::sign_out)).default_service(web::to(|| refuse("POST"))),
        )
        .service(form_page("/settings/me", web::route().to(settings::me::show), web::post().to(settings::me::change)))
        .service(form_page(
            "/settings/users",
            web::route().to(settings::users::show),
            web::post().to(settings::users::add),
        ))
        .service(form_page(
            "/settings/users/{uuid}",
            web::route().to(settings::user::show),
            web::post().to(settings::user::change),
        ))
        .service(form_page(
            "/settings/keys",
            web::route().to(settings::keys::show),
            web::post().to(settings::keys::change),
        ))
        .service(form_page(
            "/settings/clients",
            web::route().to(settings::clients::show),
            web::post().to(settings::clients::change),
        ))
        .service(page("/settings/partners", web::route().to(settings::partners::show)))
        .service(page("/settings/sign-in", web::route().to(settings::sign_in::show)))
        .default_service(web::to(not_found));
    config.service(scope);
}

/// A page for whoever signed in, which is read alone.
fn page(path: &str, route: Route) -> impl HttpServiceFactory + use<> {
    open_page(path, route).wrap(from_fn(gate::signed_in))
}

/// The same for everybody.
fn open_page(path: &str, route: Route) -> Resource {
    let reads = guard::Any(guard::Get()).or(guard::Head());
    web::resource(path).route(route.guard(reads)).default_service(web::to(|| refuse("GET, HEAD")))
}

/// A page for whoever signed in, with a form that is sent to its own address.
fn form_page(path: &str, read: Route, write: Route) -> impl HttpServiceFactory + use<> {
    open_form(path, read, write).wrap(from_fn(gate::signed_in))
}

/// The same for everybody.
fn open_form(path: &str, read: Route, write: Route) -> Resource {
    let reads = guard::Any(guard::Get()).or(guard::Head());
    let resource = web::resource(path).route(read.guard(reads)).route(write);
    resource.default_service(web::to(|| refuse("GET, HEAD, POST")))
}

/// Where forms of other pages are sent to.
fn action(path: &str, write: Route) -> impl HttpServiceFactory + use<> {
    let resource = web::resource(path).route(write);
    resource.default_service(web::to(|| refuse("POST"))).wrap(from_fn(gate::signed_in))
}

fn refuse(allowed: &'static str) -> Ready<Result<HttpResponse, Failure>> {
    ready(Err(Failure::method(allowed)))
}

async fn not_found() -> Result<HttpResponse, Failure> {
    Err(Failure::nowhere())
}
