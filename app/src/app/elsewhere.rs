//! The provider of sign-ins that the configuration names.

use std::fs;
use std::sync::Arc;

use anyhow::{Context as _, Result, ensure};
use auth::RandomSecrets;
use oidc::{Names, OidcProvider, OidcSettings};
use pact_client::{Limits, PlainCalls, Reach, Roots, SystemNetwork};
use ports::credential::{Secret, TextSigner};

use crate::config::{Oidc, OidcSecret};

/// The most bytes that a provider answers: documents and tokens are small.
const ANSWER_BYTES: usize = 1 << 20;

/// What pages ask of the provider.
pub(super) fn elsewhere(oidc: &Oidc, texts: &Arc<dyn TextSigner>) -> Result<web::Elsewhere> {
    let client_secret = match &oidc.client_secret {
        OidcSecret::None => None,
        OidcSecret::Given(secret) => Some(secret.clone()),
        OidcSecret::File(path) => {
            let read = fs::read_to_string(path);
            let text = read.with_context(|| format!("oidc.client_secret_file {} cannot be read", path.display()))?;
            let text = text.trim_end_matches(['\r', '\n']);
            ensure!(!text.is_empty(), "oidc.client_secret_file {} is empty", path.display());
            Some(Secret(text.to_owned()))
        }
    };
    let reach = Reach { private_addresses: oidc.private_addresses, plain_http: oidc.plain_http };
    let limits = Limits { answer_bytes: ANSWER_BYTES, whole: std::time::Duration::from_secs(20), ..Limits::default() };
    let roots = Roots::of_system(oidc.ca_file.as_deref())?;
    let calls = PlainCalls::new(Arc::new(SystemNetwork), roots, limits, reach);
    let names = if oidc.default_rights.is_some() { Names::Wanted } else { Names::Unneeded };
    let settings =
        OidcSettings { issuer: oidc.issuer.clone(), client_id: oidc.client_id.clone(), client_secret, names };
    Ok(web::Elsewhere {
        name: oidc.name.clone(),
        issuer: oidc.issuer.clone(),
        provider: Arc::new(OidcProvider::new(settings, calls)),
        secrets: Arc::new(RandomSecrets),
        signer: Arc::clone(texts),
    })
}
