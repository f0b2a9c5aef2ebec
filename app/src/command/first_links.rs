//! The links of the first start: whoever starts the service signs in with them, before there is any user.

use std::net::SocketAddr;

use anyhow::Result;
use ports::directory::Tenant;

use super::output;
use super::serve::pages_address;
use crate::App;
use crate::config::Mode;

/// Companies that get a link at most: with more, `tonne user add` makes their users.
const MOST: usize = 8;

/// Links to be told once the service answers.
pub(super) struct FirstLinks(Vec<String>);

impl FirstLinks {
    /// Those of the companies that have no user. Without them the service runs as well: what keeps one from being made is
    /// logged.
    pub(super) async fn made(app: &App, listening: SocketAddr) -> Self {
        match make(app, listening).await {
            Ok(lines) => Self(lines),
            Err(error) => {
                tracing::warn!(%error, "no link for the first sign-in was made; `tonne user link` makes one");
                Self(Vec::new())
            }
        }
    }

    /// Tells them on standard error, and nowhere else: no log holds a link.
    pub(super) fn tell(&self) {
        self.0.iter().for_each(|line| output::note(line));
    }
}

async fn make(app: &App, listening: SocketAddr) -> Result<Vec<String>> {
    let tenants = match app.config().tenancy.mode {
        Mode::Single | Mode::Path => app.list_tenants().await?,
        Mode::Host(_) => Vec::new(),
    };
    let mut lines = Vec::new();
    if tenants.len() <= MOST {
        for tenant in &tenants {
            lines.extend(line_of(app, tenant, listening).await?);
        }
    }
    Ok(lines)
}

async fn line_of(app: &App, tenant: &Tenant, listening: SocketAddr) -> Result<Option<String>> {
    let Some(link) = app.users().first_link(&app.operator(tenant)).await? else { return Ok(None) };
    let address = pages_address(app.config(), listening, &tenant.slug)?;
    Ok(Some(format!(
        "Nobody has signed in to {} yet. This link signs in as {} once, until {}:\n{address}/login/once/{}",
        tenant.name, link.user.name, link.expires, link.text.0
    )))
}
