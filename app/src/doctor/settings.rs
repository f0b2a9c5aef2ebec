//! Settings that are unsafe in production.

use std::net::{IpAddr, ToSocketAddrs as _};
use std::path::PathBuf;

use super::Finding;
use crate::config::{Address, Config, InstallationKey, Mode, Origin};

const CHECK: &str = "settings";

/// What a service with those settings would be open to.
pub(super) fn look(config: &Config) -> Vec<Finding> {
    let mut findings = of_addresses(config);
    let warn = |place: &str, what: String, mend: &str| Finding::warning(CHECK, place, what, mend);
    if config.server.trusted_proxies.iter().any(|network| network.prefix_len() == 0) {
        findings.push(Finding::error(
            CHECK,
            "server.trusted_proxies",
            "every address is trusted: any client can name another sender, and the limits of addresses do not hold",
            "name the addresses of your proxies alone",
        ));
    }
    for origin in &config.server.cors_origins {
        if origin.as_str().starts_with("http://") && !is_local(origin.host()) {
            findings.push(warn(
                "server.cors_origins",
                format!("pages of {origin} come without TLS: whoever changes them on the way reads answers"),
                "name the origin with https, or take it out",
            ));
        }
    }
    if config.limits.requests_per_minute == 0 {
        findings.push(warn(
            "limits.requests_per_minute",
            "a credential may make any number of requests".to_owned(),
            "leave it out for 6000, or set what your clients need",
        ));
    }
    if config.tokens.access_lifetime_s > 12 * 3_600 {
        findings.push(warn(
            "tokens.access_lifetime_s",
            format!("access tokens live for {} hours", config.tokens.access_lifetime_s / 3_600),
            "leave it out for an hour: clients get new ones by their secret",
        ));
    }
    findings.extend(of_secrets_in_files(config));
    findings
}

fn of_addresses(config: &Config) -> Vec<Finding> {
    let mut findings = Vec::new();
    let listen = &config.server.listen;
    let is_secured = config.server.tls.is_some() || is_proxy_secured(config);
    if !is_loopback(listen) && !is_secured {
        findings.push(Finding::error(
            CHECK,
            "server.listen",
            format!("the service listens on {listen} without TLS: keys and tokens can be read on the way"),
            "set server.tls_certificate and server.tls_key, or listen on 127.0.0.1 behind a proxy that speaks TLS and set \
             server.public_url to its https address",
        ));
    }
    if let Some(origin) = &config.server.public_url
        && !origin.as_str().starts_with("https://")
        && !is_local(origin.host())
    {
        findings.push(Finding::warning(
            CHECK,
            "server.public_url",
            format!("clients are told to come to {origin}, which is not TLS"),
            "name the https address of the service or of the proxy that speaks TLS before it",
        ));
    }
    if let Some(what) = clear_sessions(config) {
        let mend = "set server.tls_certificate and server.tls_key, or name the proxy that speaks TLS in server.trusted_proxies";
        findings.push(Finding::warning(CHECK, "tenancy.mode", what, mend));
    }
    if let Some(address) = config.metrics.address.as_ref().filter(|address| !is_loopback(address)) {
        findings.push(Finding::warning(
            CHECK,
            "metrics.address",
            format!("metrics are served on {address} to whoever reaches it, without a credential"),
            "serve them on 127.0.0.1, or let a firewall admit the collector alone and take no notice of this",
        ));
    }
    findings
}

/// That sessions of pages would travel unencrypted, in words: companies have names of their own, which people open from elsewhere,
/// and neither the service nor a proxy that it would believe speaks TLS.
pub(crate) fn clear_sessions(config: &Config) -> Option<String> {
    let Mode::Host(domain) = &config.tenancy.mode else { return None };
    let is_https = config.server.public_url.as_ref().is_some_and(|origin| origin.as_str().starts_with("https://"));
    let is_secured = config.server.tls.is_some() || !config.server.trusted_proxies.is_empty() || is_https;
    let is_here = domain.as_str() == "localhost" || domain.as_str().ends_with(".localhost");
    (!is_secured && !is_here).then(|| {
        format!("pages of companies below {domain} are served without TLS: passwords and the cookies of sessions travel in the clear")
    })
}

/// Files that hold a secret of the settings, or are one, and that others may use.
fn of_secrets_in_files(config: &Config) -> Vec<Finding> {
    let secrets = config.entries().iter().filter(|entry| entry.value.as_deref() == Some("***"));
    let settings = secrets.filter_map(|entry| match &entry.origin {
        Origin::File(name) => Some((entry.key.as_str(), PathBuf::from(name))),
        Origin::Default | Origin::Environment(_) | Origin::Flag(_) => None,
    });
    let (has_database, own) = (config.database.url.is_some(), config.store.data_dir.join("secret.key"));
    let key = match &config.secrets.key {
        InstallationKey::File(path) => Some(("secrets.key", path.clone())),
        // In a data folder it is looked at with all that is in it.
        InstallationKey::Own => has_database.then_some(("the installation's secret", own)),
        InstallationKey::Given(_) => None,
    };
    let address = |key, address: &Option<Address>| match address {
        Some(Address::File(path)) => Some((key, path.clone())),
        Some(Address::Given(_)) | None => None,
    };
    let url = address("database.url", &config.database.url);
    let migrator = address("database.migrator_url", &config.database.migrator_url);
    let tls = config.server.tls.as_ref().map(|tls| ("server.tls_key", tls.key.clone()));
    let files = settings.chain(key).chain(url).chain(migrator).chain(tls);
    let found = files.filter_map(|(key, path)| {
        super::files::open_to_others(&path, format!("it holds {key}, and others may read it, or write it"))
    });
    found.collect()
}

/// Whether addresses that clients are told are of https, so that what is before the service speaks TLS. Those of companies
/// with names of their own are, unless a public address says otherwise.
fn is_proxy_secured(config: &Config) -> bool {
    match &config.server.public_url {
        Some(origin) => origin.as_str().starts_with("https://"),
        None => matches!(config.tenancy.mode, Mode::Host(_)),
    }
}

/// Whether an address to listen on is reached from this machine alone. That of a name that is not found may be reached from
/// others.
fn is_loopback(listen: &str) -> bool {
    listen
        .to_socket_addrs()
        .is_ok_and(|mut addresses| addresses.all(|address| address.ip().to_canonical().is_loopback()))
}

fn is_local(host: &str) -> bool {
    let bare = host.trim_matches(['[', ']']);
    bare == "localhost" || bare.ends_with(".localhost") || bare.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Environment, Flag};

    /// The places of what is found with those settings.
    fn places(settings: &[(&'static str, &str)]) -> Vec<String> {
        let flag = |(key, value): &(&'static str, &str)| Flag { key, name: "--flag", value: (*value).to_owned() };
        let flags: Vec<_> = settings.iter().map(flag).collect();
        let config = Config::load(&flags, &Environment::default(), None).unwrap();
        look(&config).into_iter().map(|finding| finding.place).collect()
    }

    #[test]
    fn each_unsafe_setting_is_found_and_gone_once_it_is_mended_as_the_advice_says() {
        let public = ("server.listen", "0.0.0.0:8080");
        let tls = ("server.public_url", "https://carbon.example.com");
        let own = [("server.tls_certificate", "/none/chain.pem"), ("server.tls_key", "/none/key.pem")];
        let named = [("tenancy.mode", "host"), ("tenancy.domain", "carbon.example.com")];
        let plain = ("server.public_url", "http://carbon.example.com");
        let proxy = ("server.trusted_proxies", "10.0.0.1");
        let cases: [(&[_], &str, &[_]); 11] = [
            (&[public], "server.listen", &[public, tls]),
            (&[public], "server.listen", &[public, own[0], own[1]]),
            (&[public], "server.listen", &[public, named[0], named[1], proxy]),
            (&named, "tenancy.mode", &[named[0], named[1], proxy]),
            (&[public, own[0], own[1], plain], "server.public_url", &[public, own[0], own[1], tls]),
            (&[("server.public_url", "http://carbon.example.com")], "server.public_url", &[tls]),
            (&[("server.trusted_proxies", "0.0.0.0/0")], "server.trusted_proxies", &[proxy]),
            (
                &[("server.cors_origins", "http://a.example")],
                "server.cors_origins",
                &[("server.cors_origins", "https://a.example")],
            ),
            (&[("limits.requests_per_minute", "0")], "limits.requests_per_minute", &[]),
            (&[("tokens.access_lifetime_s", "86400")], "tokens.access_lifetime_s", &[]),
            (&[("metrics.address", "0.0.0.0:9184")], "metrics.address", &[("metrics.address", "127.0.0.1:9184")]),
        ];
        for (wrong, place, mended) in cases {
            assert_eq!(places(wrong), [place], "{wrong:?}");
            assert_eq!(places(mended), Vec::<String>::new(), "{mended:?}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn every_file_that_holds_a_secret_is_looked_at() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::TempDir::new().unwrap();
        let files = ["secret.key", "url", "migrator", "other.key", "tls.key"].map(|name| {
            let path = folder.path().join(name);
            std::fs::write(&path, "x").unwrap();
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).unwrap();
            path.display().to_string()
        });
        let [own, url, migrator, other, tls] = files.each_ref().map(String::as_str);
        let at = folder.path().display().to_string();
        let database =
            [("store.data_dir", at.as_str()), ("database.url_file", url), ("database.migrator_url_file", migrator)];
        assert_eq!(places(&database), [own, url, migrator]);
        assert_eq!(places(&[("secrets.key_file", other)]), [other]);
        assert_eq!(places(&[("server.tls_certificate", "/none/chain.pem"), ("server.tls_key", tls)]), [tls]);
    }

    #[test]
    fn an_installation_without_settings_is_safe() {
        assert_eq!(places(&[]), Vec::<String>::new());
        assert_eq!(
            places(&[("server.listen", "[::1]:8080"), ("server.public_url", "http://localhost:8080")]),
            Vec::<String>::new()
        );
    }
}
