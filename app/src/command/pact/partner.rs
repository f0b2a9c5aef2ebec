//! Which partner's host a command calls, and what it calls with: what is kept of a partner, or what flags say.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context as _, Result};
use clap::Args;
use domain::footprint::Edition;
use domain::{Name, PartnerId};
use pact_client::{Client, Limits, Roots, SystemNetwork};
use ports::Caller;
use ports::inbound::Error;
use ports::partner_host::PartnerAddress;

use super::super::{Usage, output, partner};
use crate::App;

/// A partner, or a partner's host with our credentials there.
#[derive(Debug, Args)]
#[command(next_help_heading = "The partner's host, where no partner is named")]
pub(super) struct PartnerArgs {
    /// A partner by its name or id, as `tonne partner list` shows it: its host is called with what is kept of it.
    #[arg(value_name = "PARTNER", help_heading = "Arguments")]
    partner: Option<String>,
    /// The address that /2 and /3 stand below.
    #[arg(long, value_name = "URL")]
    base_url: Option<String>,
    /// The address that /.well-known/openid-configuration and /auth/token stand below [default: that of --base-url].
    #[arg(long, value_name = "URL")]
    auth_url: Option<String>,
    /// Our id at the host.
    #[arg(long, value_name = "ID")]
    client_id: Option<String>,
    /// The file with our secret at the host.
    #[arg(long, value_name = "FILE")]
    client_secret_file: Option<PathBuf>,
    /// Let its name lead to loopback, private and link-local addresses.
    #[arg(long)]
    private_addresses: bool,
    /// Let it be called by http, where everybody on the way reads the secret.
    #[arg(long)]
    plain_http: bool,
    /// A file of certificates (PEM) to trust beside those of the system.
    #[arg(long, value_name = "FILE", help_heading = "Options")]
    ca_file: Option<PathBuf>,
}

/// What names the host.
pub(super) enum Named {
    /// A partner, by a word.
    Partner(String),
    /// Flags.
    Flags(PartnerAddress),
}

impl PartnerArgs {
    /// What names the host: a partner or flags, never both.
    pub(super) fn named(&self) -> Result<Named> {
        let Self { partner, base_url, auth_url, client_id, client_secret_file, .. } = self;
        let flags = [
            ("--base-url", base_url.is_some()),
            ("--auth-url", auth_url.is_some()),
            ("--client-id", client_id.is_some()),
            ("--client-secret-file", client_secret_file.is_some()),
            ("--private-addresses", self.private_addresses),
            ("--plain-http", self.plain_http),
        ];
        let given: Vec<_> = flags.iter().filter(|(_, is_given)| *is_given).map(|(flag, _)| *flag).collect();
        match (partner, base_url, client_id, client_secret_file) {
            (Some(partner), ..) if given.is_empty() => Ok(Named::Partner(partner.clone())),
            (Some(partner), ..) => Err(Usage(format!(
                "give the partner {partner:?} or the host's flags, not both: without {} it is called with what is kept of \
                 it, without {partner:?} with the flags alone",
                given.join(", ")
            ))
            .into()),
            (None, Some(base_url), Some(client_id), Some(path)) => Ok(Named::Flags(PartnerAddress {
                base_url: base_url.clone(),
                auth_url: auth_url.clone(),
                client_id: client_id.clone(),
                client_secret: secret(path)?,
                private_addresses: self.private_addresses,
                plain_http: self.plain_http,
            })),
            (None, ..) => {
                let missing: Vec<_> = flags
                    .iter()
                    .filter(|(flag, is_given)| !is_given && ["--base-url", "--client-id", "--client-secret-file"].contains(flag))
                    .map(|(flag, _)| *flag)
                    .collect();
                Err(Usage(format!(
                    "which host is called? Name a partner, as `tonne partner list` shows it, or give {}{}",
                    missing.join(", "),
                    if given.is_empty() { "" } else { " too" }
                ))
                .into())
            }
        }
    }

    /// What calls it.
    pub(super) fn client(&self) -> Result<Client> {
        let roots = Roots::of_system(self.ca_file.as_deref())?;
        Ok(Client::new(Arc::new(SystemNetwork), roots, Limits::default()))
    }
}

fn secret(path: &std::path::Path) -> Result<String> {
    let (shown, text) = (path.display(), fs::read_to_string(path));
    let text = text.with_context(|| format!("{shown} cannot be read"))?;
    let secret = text.trim_end_matches(['\r', '\n']);
    if secret.is_empty() {
        return Err(Usage(format!("{shown} is empty: it must hold our secret at the host, alone")).into());
    }
    Ok(secret.to_owned())
}

/// A partner as it is called: what was kept of it when the command began.
pub(super) struct Partner<'a> {
    app: &'a App,
    operator: &'a Caller,
    /// Which partner it is.
    pub(super) id: PartnerId,
    name: Name,
    /// Where its host is, with our credentials.
    pub(super) address: PartnerAddress,
}

impl<'a> Partner<'a> {
    /// The partner that the word means.
    pub(super) async fn find(app: &'a App, operator: &'a Caller, word: &str) -> Result<Self> {
        let domain::Partner { id, name, .. } = partner::find(app, operator, word).await?.partner.value;
        let address = app.areas().partners.address(operator, id).await;
        let address = address.with_context(|| format!("the partner {name} ({id})"))?;
        Ok(Self { app, operator, id, name, address })
    }

    /// Keeps that its host answered, and tells where what is kept of it is another meanwhile.
    pub(super) async fn answered(&self) -> Result<()> {
        self.app.areas().partners.note_call(self.operator, self.id).await?;
        if let Some(changed) = self.changed().await? {
            output::note(&changed);
        }
        Ok(())
    }

    /// The error of a call, with what may explain it: that the partner is gone, or what is kept of it is another meanwhile.
    pub(super) async fn explain(&self, error: impl Into<anyhow::Error>) -> anyhow::Error {
        let error = error.into();
        match self.changed().await {
            Ok(Some(changed)) => error.context(changed),
            Ok(None) | Err(_) => error.context(format!("the partner {}", self.name)),
        }
    }

    async fn changed(&self) -> Result<Option<String>> {
        let Self { name, .. } = self;
        Ok(match self.app.areas().partners.address(self.operator, self.id).await {
            Ok(address) if address == self.address => None,
            Ok(_) | Err(Error::Refused(_)) => Some(format!(
                "the partner {name} was changed while its host was called: the same command calls with what is kept now"
            )),
            Err(Error::NotFound) => Some(format!("the partner {name} was removed while its host was called")),
            Err(error) => return Err(error.into()),
        })
    }
}

/// The edition of that major version.
pub(super) fn edition(text: &str) -> Result<Edition, &'static str> {
    Edition::ALL.into_iter().find(|edition| edition.segment() == text).ok_or("must be 2 or 3")
}
