//! Headers, and what they say.

use actix_web::http::header::{HeaderName, HeaderValue};

use super::*;

/// Names and values of headers.
type Headers<'h> = &'h [(&'h str, &'h str)];

const PEER: &str = "10.0.0.1";

fn trusted() -> Vec<IpNet> {
    ["10.0.0.0/8", "2001:db8:1::/48"].iter().map(|network| network.parse().unwrap()).collect()
}

fn map(headers: Headers<'_>) -> HeaderMap {
    let mut map = HeaderMap::new();
    for (name, value) in headers {
        map.append(HeaderName::from_bytes(name.as_bytes()).unwrap(), HeaderValue::from_str(value).unwrap());
    }
    map
}

fn sender_from(peer: &str, headers: Headers<'_>) -> String {
    sender(&trusted(), peer.parse().unwrap(), &map(headers)).to_string()
}

fn origin_from(peer: &str, headers: Headers<'_>) -> Option<String> {
    origin(&trusted(), peer.parse().unwrap(), &map(headers))
}

#[test]
fn the_sender_is_the_last_address_that_is_no_trusted_proxy() {
    const LISTED: &str = "x-forwarded-for";
    const STANDARD: &str = "forwarded";
    let cases: &[(Headers<'_>, &str)] = &[
        (&[], PEER),
        (&[(LISTED, "192.0.2.7")], "192.0.2.7"),
        (&[(LISTED, "203.0.113.9, 192.0.2.7")], "192.0.2.7"),
        (&[(LISTED, "203.0.113.9, 192.0.2.7, 10.1.2.3,2001:db8:1::5")], "192.0.2.7"),
        (&[(LISTED, "203.0.113.9"), (LISTED, "192.0.2.7")], "192.0.2.7"),
        (&[(LISTED, "made up, 192.0.2.7")], "192.0.2.7"),
        (&[(LISTED, "192.0.2.7:4711")], "192.0.2.7"),
        (&[(LISTED, "[2001:db8:2::7]:4711")], "2001:db8:2::7"),
        (&[(LISTED, "[2001:db8:2::7]")], "2001:db8:2::7"),
        (&[(LISTED, "::ffff:192.0.2.7, ::ffff:10.0.0.2")], "192.0.2.7"),
        (&[(LISTED, "10.9.9.9, 10.1.2.3")], "10.9.9.9"),
        (&[(LISTED, "192.0.2.7, unknown")], PEER),
        (&[(LISTED, "192.0.2.7, ")], PEER),
        (&[(LISTED, "")], PEER),
        (&[(LISTED, "192.0.2.700")], PEER),
        (&[(LISTED, "example.com")], PEER),
        (&[(STANDARD, "for=192.0.2.7")], "192.0.2.7"),
        (&[(STANDARD, "for=203.0.113.9, for=\"[2001:db8:2::7]:80\";proto=https, for=10.1.2.3")], "2001:db8:2::7"),
        (&[(STANDARD, "for=203.0.113.9"), (STANDARD, "for=192.0.2.7")], "192.0.2.7"),
        (&[(STANDARD, "for=192.0.2.7, proto=https")], PEER),
        (&[(STANDARD, "for=_hidden")], PEER),
        (&[(STANDARD, "for=192.0.2.7;for=192.0.2.8")], PEER),
        (&[(STANDARD, "for=\"192.0.2.7")], PEER),
        (&[(LISTED, "192.0.2.7"), (STANDARD, "for=192.0.2.7")], "192.0.2.7"),
        (&[(LISTED, "192.0.2.7"), (STANDARD, "for=203.0.113.9")], PEER),
        (&[(LISTED, "192.0.2.7"), (STANDARD, "nonsense")], PEER),
        (&[(LISTED, "192.0.2.7"), (STANDARD, "proto=https")], "192.0.2.7"),
    ];
    for (headers, expected) in cases {
        assert_eq!(sender_from(PEER, headers), *expected, "{headers:?}");
        assert_eq!(sender_from("192.0.2.99", headers), "192.0.2.99", "an untrusted peer: {headers:?}");
    }
    assert_eq!(sender_from("::ffff:10.0.0.1", &[(LISTED, "192.0.2.7")]), "192.0.2.7", "a peer on a dual socket");
}

#[test]
fn the_origin_is_named_whole_and_clearly_or_not_at_all() {
    const SCHEME: &str = "x-forwarded-proto";
    const HOST: &str = "x-forwarded-host";
    const STANDARD: &str = "forwarded";
    let cases: &[(Headers<'_>, Option<&str>)] = &[
        (&[], None),
        (&[(SCHEME, "https"), (HOST, "carbon.example.com")], Some("https://carbon.example.com")),
        (&[(SCHEME, "HTTP"), (HOST, "carbon.example.com:8080")], Some("http://carbon.example.com:8080")),
        (&[(SCHEME, "https"), (HOST, "[2001:db8::1]:8443")], Some("https://[2001:db8::1]:8443")),
        (&[(SCHEME, "http, https"), (HOST, "made-up.example, carbon.example.com")], Some("https://carbon.example.com")),
        (&[(SCHEME, "https")], None),
        (&[(HOST, "carbon.example.com")], None),
        (&[(SCHEME, "ftp"), (HOST, "carbon.example.com")], None),
        (&[(SCHEME, "https"), (HOST, "")], None),
        (&[(SCHEME, "https"), (HOST, "a.example/path")], None),
        (&[(SCHEME, "https"), (HOST, "user@a.example")], None),
        (&[(SCHEME, "https"), (HOST, "a.example:")], None),
        (&[(SCHEME, "https"), (HOST, "a.example:+80")], None),
        (&[(SCHEME, "https"), (HOST, "a.example:0")], None),
        (&[(SCHEME, "https"), (HOST, "a.example:65536")], None),
        (&[(SCHEME, "https"), (HOST, "[a.example]")], None),
        (&[(SCHEME, "https"), (HOST, "[::1]80")], None),
        (&[(SCHEME, "https"), (HOST, "a b")], None),
        (&[(SCHEME, "https"), (HOST, "a\"b")], None),
        (&[(STANDARD, "proto=https;host=carbon.example.com")], Some("https://carbon.example.com")),
        (&[(STANDARD, "proto=http;host=a.example, proto=https;host=\"b.example:444\"")], Some("https://b.example:444")),
        (&[(STANDARD, "proto=https;host=a.example, for=10.0.0.2")], None),
        (&[(STANDARD, "proto=https;host=\"a.example/x\"")], None),
        (&[(STANDARD, "host=a.example")], None),
        (&[(STANDARD, "proto=https;host=a"), (SCHEME, "https"), (HOST, "a")], Some("https://a")),
        (&[(STANDARD, "proto=https;host=b"), (SCHEME, "https"), (HOST, "a")], None),
        (&[(STANDARD, "for=192.0.2.7"), (SCHEME, "https"), (HOST, "a")], Some("https://a")),
    ];
    for (headers, expected) in cases {
        assert_eq!(origin_from(PEER, headers).as_deref(), *expected, "{headers:?}");
        assert_eq!(origin_from("192.0.2.99", headers), None, "an untrusted peer: {headers:?}");
    }
}
