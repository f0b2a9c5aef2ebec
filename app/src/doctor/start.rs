//! What `tonne serve` would refuse to start with.

use http::Tls;

use super::Finding;
use crate::App;
use crate::config::Config;
use crate::trace;

/// Files and addresses of the settings that cannot be used.
pub(super) fn of_settings(config: &Config) -> Vec<Finding> {
    let mut findings = Vec::new();
    if let Some(files) = &config.server.tls
        && let Err(error) = Tls::load(&files.certificate, &files.key)
    {
        let what = format!("the certificate and its key cannot be used, and the service does not start: {error}");
        let mend = "name the chain of the certificate and its own key, both in PEM, which the service's user may read";
        findings.push(Finding::error("settings", "server.tls_certificate, server.tls_key", what, mend));
    }
    if let Err(error) = trace::check(&config.trace) {
        let what = format!("the service does not start: {error:#}");
        let mend = "name the collector by http://, or leave the address out";
        findings.push(Finding::error("settings", "trace.endpoint", what, mend));
    }
    findings
}

/// Whether the installation's secret opens the signing key.
pub(super) async fn of_secret(app: &App) -> Option<Finding> {
    let error = app.check_secret().await.err()?;
    let what = format!("the service does not start: {error:#}");
    let mend = "put the secret back that the signing keys are sealed with, from a backup or another node; where it is lost, \
                `tonne signing-key rotate` makes another";
    Some(Finding::error("secret", "secrets", what, mend))
}
