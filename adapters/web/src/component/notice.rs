//! What is said instead of figures, or beside them.

use domain::Faults;
use maud::{Markup, html};

/// That parameters are wrong: each of them, and how to mend it. No figure is shown beside it.
#[must_use]
pub fn faults(faults: &Faults) -> Markup {
    html! {
        section.notice.bad role="alert" {
            h2 { "This address asks for something that does not exist" }
            ul.faults {
                @for fault in faults.as_slice() { li { code { (fault.pointer) } " " (fault.detail) "." } }
            }
        }
    }
}

/// That there is nothing to show, and what to do.
#[expect(clippy::needless_pass_by_value, reason = "markup is made where it is given")]
#[must_use]
pub fn empty(title: &str, body: Markup) -> Markup {
    html! { section.empty { h2 { (title) } (body) } }
}

/// A sentence to be noticed.
#[expect(clippy::needless_pass_by_value, reason = "markup is made where it is given")]
#[must_use]
pub fn notice(kind: &str, body: Markup) -> Markup {
    html! { p.notice.(kind) { (body) } }
}
