//! Settings that are unsafe in production.

use std::net::{IpAddr, ToSocketAddrs as _};

use super::Finding;
use crate::config::{Config, Origin};

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
    let is_secured = config.server.tls.is_some()
        || config.server.public_url.as_ref().is_some_and(|origin| origin.as_str().starts_with("https://"));
    if !is_loopback(listen) && !is_secured {
        findings.push(Finding::error(
            CHECK,
            "server.listen",
            format!("the service listens on {listen} without TLS: keys and tokens can be read on the way"),
            "set server.tls_certificate and server.tls_key, or listen on 127.0.0.1 behind a proxy that speaks TLS and set \
             server.public_url to its https address",
        ));
    }
    if let Some(origin) = config.server.public_url.as_ref().filter(|_| !is_secured)
        && !is_local(origin.host())
    {
        findings.push(Finding::warning(
            CHECK,
            "server.public_url",
            format!("clients are told to come to {origin}, which is not TLS"),
            "have a proxy speak TLS, and name its https address",
        ));
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

/// Files of settings that hold a secret, and that others may read.
fn of_secrets_in_files(config: &Config) -> Vec<Finding> {
    let secrets = config.entries().iter().filter(|entry| entry.value.as_deref() == Some("***"));
    let files = secrets.filter_map(|entry| match &entry.origin {
        Origin::File(name) => Some((entry.key.as_str(), name)),
        Origin::Default | Origin::Environment(_) | Origin::Flag(_) => None,
    });
    let tls = config.server.tls.as_ref().map(|tls| ("server.tls_key", tls.key.display().to_string()));
    let files = files.map(|(key, name)| (key, name.clone())).chain(tls);
    let open = files.filter(|(_, name)| super::files::others_may_read(name.as_ref()));
    open.map(|(key, name)| {
        let what = format!("it holds {key}, and others than its owner may read it");
        Finding::error("permissions", &name, what, format!("chmod 600 '{name}'"))
    })
    .collect()
}

/// Whether an address to listen on is reached from this machine alone. A name that is not found is.
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
        let cases: [(&[_], &str, &[_]); 7] = [
            (&[public], "server.listen", &[public, tls]),
            (&[("server.public_url", "http://carbon.example.com")], "server.public_url", &[tls]),
            (
                &[("server.trusted_proxies", "0.0.0.0/0")],
                "server.trusted_proxies",
                &[("server.trusted_proxies", "10.0.0.1")],
            ),
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

    #[test]
    fn an_installation_without_settings_is_safe() {
        assert_eq!(places(&[]), Vec::<String>::new());
        assert_eq!(
            places(&[("server.listen", "[::1]:8080"), ("server.public_url", "http://localhost:8080")]),
            Vec::<String>::new()
        );
    }
}
