//! What a page knows of its request.

use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpMessage, HttpRequest, web};
use domain::Timestamp;
use http::edge::{self, Areas, Company, Failure};
use maud::{Markup, html};
use ports::Caller;
use ports::inbound::{CatalogImports, StagedImports};

use crate::address::Address;
use crate::figure::Numbers;
use crate::form::TOKEN;
use crate::params::Params;
use crate::site::Site;
use crate::trees::KnownTrees;
use crate::viewer::Viewer;

/// A request to a page of somebody who signed in: the first argument of every handler.
#[derive(Clone, Debug)]
pub struct Here {
    /// The company whose address it is.
    pub company: Company,
    /// Who looks.
    pub viewer: Viewer,
    /// When.
    pub now: Timestamp,
    /// What the paths of pages begin with: nothing, or `/{tenant}`.
    base: String,
    path: String,
    query: String,
    site: web::Data<Site>,
    trees: web::Data<KnownTrees>,
    request: HttpRequest,
}

impl Here {
    /// What can be asked.
    #[must_use]
    pub fn areas(&self) -> &Areas {
        &self.site.areas
    }

    /// What imports files step by step.
    #[must_use]
    pub fn staged(&self) -> &dyn StagedImports {
        self.site.staged.as_ref()
    }

    /// What imports catalogs.
    #[must_use]
    pub fn catalog_imports(&self) -> &dyn CatalogImports {
        self.site.catalog_imports.as_ref()
    }

    /// The trees that are known.
    pub(crate) fn trees(&self) -> &KnownTrees {
        &self.trees
    }

    /// As whom it is asked.
    #[must_use]
    pub const fn caller(&self) -> &Caller {
        &self.viewer.caller
    }

    /// The link to a page.
    #[must_use]
    pub fn link(&self, to: &Address) -> String {
        format!("{}{to}", self.base)
    }

    /// The link to the page of that path, without parameters.
    #[must_use]
    pub fn path(&self, path: &str) -> String {
        format!("{}{path}", self.base)
    }

    /// The address of this page, as it was asked.
    #[must_use]
    pub fn address(&self) -> String {
        if self.query.is_empty() { self.path.clone() } else { format!("{}?{}", self.path, self.query) }
    }

    /// The parameters of this page's address.
    #[must_use]
    pub fn params(&self) -> Params {
        Params::parse(&self.query)
    }

    /// The form of the viewer's numbers.
    #[must_use]
    pub fn numbers(&self) -> Numbers {
        Numbers::new(&self.viewer.locale)
    }

    /// The field that every form with `method="post"` begins with.
    #[must_use]
    pub fn token_field(&self) -> Markup {
        html! { input type="hidden" name=(TOKEN) value=(self.viewer.form_token.0); }
    }

    /// The request, for what stands around it ([`http::edge`]).
    #[must_use]
    pub const fn request(&self) -> &HttpRequest {
        &self.request
    }

    fn of(request: &HttpRequest) -> Result<Self, Failure> {
        let site = request.app_data::<web::Data<Site>>().cloned();
        let trees = request.app_data::<web::Data<KnownTrees>>().cloned();
        let (site, trees) = site.zip(trees).ok_or_else(|| Failure::internal("the site is not configured"))?;
        let viewer = request.extensions().get::<Viewer>().cloned();
        let viewer = viewer.ok_or_else(|| Failure::internal("a page for everybody asks who looks"))?;
        Ok(Self {
            company: edge::company(request)?,
            viewer,
            now: site.clock.now(),
            base: edge::pages_path(request)?,
            path: request.path().to_owned(),
            query: request.query_string().to_owned(),
            site,
            trees,
            request: request.clone(),
        })
    }
}

impl FromRequest for Here {
    type Error = Failure;
    type Future = Ready<Result<Self, Failure>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Self::of(request))
    }
}
