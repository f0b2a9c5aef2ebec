//! A company of a service in this process, with a browser in which somebody is signed in.

use super::session::{Scripts, Session};
use crate::http::harness::Service;
use crate::web::browser::{add_user, link};

/// A service, and somebody who looks at its pages.
pub(super) struct SignedIn {
    // Dropped before the service, which its page may still ask.
    pub(super) session: Session,
    pub(super) service: Service,
    base: String,
}

impl SignedIn {
    /// Somebody with those rights, who pressed the button of a link.
    pub(super) fn start(service: Service, rights: &str, scripts: Scripts) -> Self {
        let path = service.base_path();
        let base = format!("http://{}{}", service.address(), path.strip_suffix("/api").unwrap());
        let user = add_user(&service, "ana", rights);
        let link = format!("{base}{}", link(&service, &user));
        let session = Session::start(scripts);
        session.open(&link);
        session.follow("main form button");
        Self { session, service, base }
    }

    /// Opens the page of that path.
    pub(super) fn open(&self, path: &str) {
        self.session.open(&format!("{}{path}", self.base));
    }

    /// The path of the page that is open, with its query.
    pub(super) fn path(&self) -> String {
        let address = self.session.address();
        address.strip_prefix(&self.base).unwrap_or_else(|| panic!("{address} is elsewhere")).to_owned()
    }
}
