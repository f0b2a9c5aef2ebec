//! The site: what its pages ask, and how it is served.

use std::fmt;
use std::sync::Arc;

use http::edge::Areas;
use ports::clock::Clock;
use ports::inbound::{CatalogImports, Sessions, StagedImports, Users};

use crate::elsewhere::Elsewhere;
use crate::viewer::Recognize;

/// What the pages of every company are made from.
#[derive(Clone)]
pub struct Site {
    /// What can be asked.
    pub areas: Areas,
    /// Who sent a request.
    pub recognize: Arc<dyn Recognize>,
    /// What signs people in and out.
    pub sessions: Arc<dyn Sessions>,
    /// What manages users.
    pub users: Arc<dyn Users>,
    /// What imports files step by step.
    pub staged: Arc<dyn StagedImports>,
    /// What imports catalogs.
    pub catalog_imports: Arc<dyn CatalogImports>,
    /// Where people sign in who have an account elsewhere.
    pub provider: Option<Elsewhere>,
    /// The time now.
    pub clock: Arc<dyn Clock>,
}

impl fmt::Debug for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Site").finish_non_exhaustive()
    }
}
