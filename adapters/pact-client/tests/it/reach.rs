//! Which addresses are called, and by what way.

use std::net::IpAddr;
use std::time::Duration;

use domain::footprint::Edition;
use ports::partner_host::{HostError, PartnerHost as _};

use tonne_pact_client::Limits;

use crate::host::{Host, PUBLIC, json, reply, with_token};

fn ip(text: &str) -> IpAddr {
    text.parse().unwrap()
}

async fn list(host: &Host) -> Result<(), HostError> {
    host.client.list(&host.at, Edition::V3, "").await.map(|_| ())
}

#[track_caller]
fn not_allowed(result: &Result<(), HostError>, part: &str) {
    let Err(HostError::NotAllowed(told)) = result else { panic!("{result:?}") };
    assert!(told.contains(part), "{told}");
}

#[tokio::test]
async fn a_name_that_leads_to_a_private_address_is_not_connected_to() {
    let addresses = ["127.0.0.1", "10.1.2.3", "169.254.169.254", "100.64.0.1", "::1", "fe80::1", "::ffff:10.0.0.1"];
    for address in addresses {
        let host = Host::start(|_| unreachable!()).await;
        host.network.leads_to([vec![ip(address)]]);
        not_allowed(&list(&host).await, address);
        assert!(host.network.connected.lock().unwrap().is_empty(), "{address}");
    }
}

#[tokio::test]
async fn one_private_address_among_others_is_enough_to_refuse_a_name() {
    let host = Host::start(|_| unreachable!()).await;
    host.network.leads_to([vec![PUBLIC, ip("192.168.1.1")]]);
    not_allowed(&list(&host).await, "192.168.1.1");
    assert!(host.network.connected.lock().unwrap().is_empty());
}

#[tokio::test]
async fn private_addresses_are_called_where_the_partner_is_allowed_them_and_others_never() {
    let mut host = Host::start(|request| with_token(request, |_| json(200, "{}"))).await;
    host.at.private_addresses = true;
    host.network.leads_to([vec![ip("10.0.0.7")]]);
    list(&host).await.unwrap();
    assert_eq!(*host.network.connected.lock().unwrap(), [ip("10.0.0.7"); 3]);
    for (address, what) in [("224.0.0.1", "multicast"), ("169.254.169.254", "link-local"), ("fe80::1", "link-local")] {
        host.network.leads_to([vec![ip(address)]]);
        not_allowed(&list(&host).await, what);
    }
}

#[tokio::test]
async fn an_address_where_nothing_answers_leaves_time_for_the_others() {
    let limits = Limits { connect: Duration::from_secs(2), ..Limits::default() };
    let host = Host::with(limits, |request| with_token(request, |_| json(200, "{}"))).await;
    host.network.leads_to([vec![ip("1.0.0.1"), ip("1.0.0.2"), PUBLIC]]);
    *host.network.silent.lock().unwrap() = vec![ip("1.0.0.1"), ip("1.0.0.2")];
    list(&host).await.unwrap();
    let one_call = [ip("1.0.0.1"), ip("1.0.0.2"), PUBLIC];
    assert_eq!(*host.network.connected.lock().unwrap(), one_call.repeat(3));
}

#[tokio::test]
async fn where_no_address_answers_the_call_ends_in_its_time() {
    let limits = Limits { connect: Duration::from_millis(60), ..Limits::default() };
    let host = Host::with(limits, |_| unreachable!()).await;
    host.network.leads_to([vec![ip("1.0.0.1"), PUBLIC]]);
    *host.network.silent.lock().unwrap() = vec![ip("1.0.0.1"), PUBLIC];
    let refused = list(&host).await.unwrap_err();
    assert!(matches!(&refused, HostError::Unreachable(why) if why.contains("no connection within")), "{refused}");
}

#[tokio::test]
async fn an_address_in_the_place_of_a_name_is_judged_too() {
    for base in
        ["https://127.0.0.1", "https://[::1]", "https://0x7f.1", "https://2130706433", "https://[::ffff:7f00:1]"]
    {
        let mut host = Host::start(|_| unreachable!()).await;
        host.at.base_url = base.to_owned();
        not_allowed(&list(&host).await, "loopback");
        assert!(host.network.connected.lock().unwrap().is_empty(), "{base}");
    }
}

#[tokio::test]
async fn a_name_that_changes_is_judged_for_each_connection_and_called_at_the_judged_address_alone() {
    let host = Host::start(|request| with_token(request, |_| json(200, "{}"))).await;
    host.network.leads_to([vec![PUBLIC], vec![PUBLIC], vec![ip("127.0.0.1")]]);
    not_allowed(&list(&host).await, "127.0.0.1");
    assert_eq!(*host.network.connected.lock().unwrap(), [PUBLIC; 2], "discovery and token, not the list");
    assert_eq!(*host.network.resolved.lock().unwrap(), 3, "once for each connection");
}

#[tokio::test]
async fn plain_http_is_refused_unless_it_is_allowed() {
    let mut host = Host::start(|_| unreachable!()).await;
    host.at.base_url = host.at.base_url.replace("https", "http");
    not_allowed(&list(&host).await, "https");
    assert!(host.network.connected.lock().unwrap().is_empty());
}

#[tokio::test]
async fn base_addresses_that_are_none_are_refused() {
    for base in [
        "ftp://partner.example",
        "partner.example",
        "https://u:p@partner.example",
        "https://a.example/?x",
        "file:///etc",
    ] {
        let mut host = Host::start(|_| unreachable!()).await;
        host.at.base_url = base.to_owned();
        let refused = list(&host).await;
        not_allowed(&refused, "");
        assert!(!refused.unwrap_err().to_string().contains("u:p"), "{base}");
    }
}

#[tokio::test]
async fn a_redirect_is_an_answer_and_not_followed() {
    let host = Host::start(|request| {
        with_token(request, |_| reply(302, &["Location: https://partner.example/elsewhere"], ""))
    })
    .await;
    let refused = list(&host).await.unwrap_err();
    assert!(matches!(refused, HostError::Status { status: 302, .. }), "{refused}");
    assert_eq!(host.lines().len(), 3);
}

#[tokio::test]
async fn a_link_to_another_host_scheme_or_port_is_refused() {
    for link in [
        "https://elsewhere.example/3/footprints",
        "http://partner.example/3",
        "https://partner.example:1/3",
        "//a.example/3",
    ] {
        let header = format!("Link: <{link}>; rel=\"next\"");
        let host = Host::start(move |request| with_token(request, |_| reply(200, &[&header], "{}"))).await;
        not_allowed(&list(&host).await, "");
        not_allowed(
            &host.client.next(&host.at, link).await.map(|_| ()).or_else(|error| match error {
                HostError::NotAllowed(_) => Err(error),
                HostError::Unreachable(_) | HostError::NoToken(_) | HostError::Status { .. } | HostError::Answer(_) => {
                    Ok(())
                }
            }),
            "",
        );
        assert_eq!(host.lines().len(), 3, "{link}");
    }
}

#[tokio::test]
async fn a_certificate_that_nothing_vouches_for_is_refused() {
    let host = Host::start(|_| unreachable!()).await;
    let other = Host::start(|_| unreachable!()).await;
    let refused = other.client.list(&host.at, Edition::V3, "").await.unwrap_err();
    assert!(matches!(&refused, HostError::Unreachable(told) if told.contains("TLS")), "{refused}");
}
