//! Which partner's host a command calls, and what it calls with.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context as _, Result};
use clap::Args;
use domain::footprint::Edition;
use pact_client::{Client, Limits, Roots, SystemNetwork};
use ports::partner_host::PartnerAddress;

use super::super::Usage;

/// A partner's host, and our credentials there.
#[derive(Debug, Args)]
#[command(next_help_heading = "The partner's host")]
pub(super) struct PartnerArgs {
    /// The address that /2 and /3 stand below.
    #[arg(long, value_name = "URL")]
    base_url: String,
    /// The address that /.well-known/openid-configuration and /auth/token stand below [default: that of --base-url].
    #[arg(long, value_name = "URL")]
    auth_url: Option<String>,
    /// Our id at the host.
    #[arg(long, value_name = "ID")]
    client_id: String,
    /// The file with our secret at the host.
    #[arg(long, value_name = "FILE")]
    client_secret_file: PathBuf,
    /// Let its name lead to loopback, private and link-local addresses.
    #[arg(long)]
    private_addresses: bool,
    /// Let it be called by http, where everybody on the way reads the secret.
    #[arg(long)]
    plain_http: bool,
    /// A file of certificates (PEM) to trust beside those of the system.
    #[arg(long, value_name = "FILE")]
    ca_file: Option<PathBuf>,
}

impl PartnerArgs {
    /// The address of the host, with our credentials.
    pub(super) fn address(&self) -> Result<PartnerAddress> {
        let path = self.client_secret_file.display();
        let secret = fs::read_to_string(&self.client_secret_file).with_context(|| format!("{path} cannot be read"))?;
        let secret = secret.trim_end_matches(['\r', '\n']);
        if secret.is_empty() {
            return Err(Usage(format!("{path} is empty: it must hold our secret at the host, alone")).into());
        }
        Ok(PartnerAddress {
            base_url: self.base_url.clone(),
            auth_url: self.auth_url.clone(),
            client_id: self.client_id.clone(),
            client_secret: secret.to_owned(),
            private_addresses: self.private_addresses,
            plain_http: self.plain_http,
        })
    }

    /// What calls it.
    pub(super) fn client(&self) -> Result<Client> {
        let roots = Roots::of_system(self.ca_file.as_deref())?;
        Ok(Client::new(Arc::new(SystemNetwork), roots, Limits::default()))
    }
}

/// The edition of that major version.
pub(super) fn edition(text: &str) -> Result<Edition, &'static str> {
    Edition::ALL.into_iter().find(|edition| edition.segment() == text).ok_or("must be 2 or 3")
}
