//! The routes of the pages as their crate registers them, so that a table over all of them misses none that is new.

/// Where pages are registered.
const SOURCE: &str = include_str!("../../../../../adapters/web/src/routes.rs");

/// The path of a page, with names in braces where records are, and what can be done there.
#[derive(Debug)]
pub(super) struct Route {
    pub(super) path: &'static str,
    /// A page can be read there.
    pub(super) is_read: bool,
    /// A form is sent there.
    pub(super) is_written: bool,
    /// Also whoever did not sign in comes there.
    pub(super) is_open: bool,
}

/// Every route, in the order of its registration.
pub(super) fn routes() -> Vec<Route> {
    let (_, registered) = SOURCE.split_once("fn configure(").unwrap();
    let (registered, _) = registered.split_once(".default_service(web::to(not_found))").unwrap();
    let routes: Vec<_> = registered.split(".service(").skip(1).map(route).collect();
    assert!(routes.len() > 30, "{routes:?}");
    routes
}

fn route(text: &'static str) -> Route {
    let (kind, rest) = text.trim_start().split_once('(').unwrap();
    let path = rest.split('"').nth(1).unwrap();
    let (is_read, is_written, is_open) = match kind {
        "page" => (true, false, false),
        "form_page" => (true, true, false),
        "action" => (false, true, false),
        "open_page" => (true, false, true),
        "open_form" => (true, true, true),
        // The one that needs no page of its own: whoever is not signed in is signed out already.
        "web::resource" if path == "/logout" => (false, true, true),
        kind => panic!("say here what can be done at a {kind}: {text}"),
    };
    Route { path, is_read, is_written, is_open }
}
