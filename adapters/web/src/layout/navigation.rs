//! The navigation in the header: the pages that are used most, and below a word each the others.

use maud::{Markup, html};
use ports::Permission;

use crate::viewer::Viewer;

/// A page of the navigation: path, title, and what it needs; without that nobody is shown the link.
type Entry = (&'static str, &'static str, Permission);

/// The pages that stand in the header.
const PAGES: [Entry; 3] = [
    ("/", "Dashboard", Permission::ActivityReport),
    ("/report", "Report", Permission::ActivityReport),
    ("/activities", "Activities", Permission::ActivityReport),
];

/// The pages that stand below a word of the header.
const GROUPS: [(&str, &[Entry]); 2] = [
    (
        "Inventory",
        &[
            ("/completeness", "Completeness", Permission::ActivityReport),
            ("/statement", "Statement", Permission::ActivityReport),
            ("/periods", "Closed periods", Permission::ActivityReport),
            ("/history", "History", Permission::ActivityRead),
            ("/imports", "Imports", Permission::ActivityRead),
        ],
    ),
    (
        "Catalog",
        &[
            ("/catalog/org", "Orgs, scopes, categories", Permission::CatalogRead),
            ("/products", "Products", Permission::CatalogRead),
            ("/models", "Models", Permission::ModelRead),
            ("/switches", "Switches", Permission::SwitchRead),
            ("/footprints", "Footprints", Permission::FootprintRead),
        ],
    ),
];

/// The links that the viewer can use; `section` is the path of the one that the page belongs to.
pub(super) fn navigation(base: &str, viewer: &Viewer, section: &str) -> Markup {
    html! {
        nav aria-label="Pages" {
            @for entry in PAGES.iter().filter(|(_, _, needs)| viewer.may(*needs)) { (link(base, section, entry)) }
            @for (title, entries) in GROUPS {
                @let shown: Vec<_> = entries.iter().filter(|(_, _, needs)| viewer.may(*needs)).collect();
                @if !shown.is_empty() {
                    details.menu.group name="pages" {
                        summary aria-current=[shown.iter().any(|(path, _, _)| *path == section).then_some("true")] { (title) }
                        div { @for entry in shown { (link(base, section, entry)) } }
                    }
                }
            }
        }
    }
}

fn link(base: &str, section: &str, (path, title, _): &Entry) -> Markup {
    html! { a href={ (base) (path) } aria-current=[(*path == section).then_some("page")] { (title) } }
}
