//! Signing in at a provider of `OpenID` Connect: a scripted one, which lies where a test asks it to.

mod provider;

use ports::credential::Secret;
use ports::inbound::{Field, UserDraft};
use ports::people::{Identity, Rights};
use serde_json::{Value, json};
use tonne::config::{Oidc, OidcSecret};

use super::browser::{Browser, add_user};
use crate::http::harness::{Answer, Service};
use provider::{CLIENT, CODE, Provider, Signer};

/// A service whose people sign in at that provider.
fn service(provider: &Provider, default_rights: Option<Rights>) -> Service {
    let issuer = provider.issuer.clone();
    Service::with(move |config| {
        config.oidc = Some(Oidc {
            name: "the provider".to_owned(),
            issuer,
            client_id: CLIENT.0.to_owned(),
            client_secret: OidcSecret::Given(Secret(CLIENT.1.to_owned())),
            default_rights,
            private_addresses: true,
            plain_http: true,
            ca_file: None,
        });
    })
}

/// Adds the user whom the provider's tokens are about.
fn add_ana(service: &Service, provider: &Provider) {
    let user = add_user(service, "ana@example.org", "admin").user;
    let identity = Identity::new(&provider.issuer, "248289761001").unwrap();
    let draft = UserDraft { identity: Field::Given(identity), ..UserDraft::default() };
    let (app, operator) = (service.app(), service.operator());
    service.wait(async move { app.users().update_user(&operator, user.id, None, draft).await }).unwrap();
}

/// Goes to the provider, and gives the state that it is to come back with.
fn go(browser: &mut Browser, provider: &Provider, path: &str) -> String {
    let answer = browser.get(path).expect(303);
    let to = answer.header("location").unwrap().to_owned();
    assert!(to.starts_with(&format!("{}/authorize?", provider.issuer)), "{to}");
    let query = |name: &str| {
        let value = to.split(['?', '&']).find_map(|pair| pair.strip_prefix(&format!("{name}="))).unwrap();
        value.to_owned()
    };
    assert_eq!((query("response_type"), query("code_challenge_method")), ("code".to_owned(), "S256".to_owned()));
    assert_eq!((query("client_id"), query("scope")), (CLIENT.0.to_owned(), "openid+profile".to_owned()));
    assert!(query("redirect_uri").ends_with("%2Flogin%2Foidc%2Fcallback"), "{to}");
    let (challenge, nonce) = (query("code_challenge"), query("nonce"));
    provider.set(|script| (script.challenge, script.nonce) = (challenge, nonce));
    query("state")
}

fn come_back(browser: &mut Browser, state: &str) -> Answer {
    browser.get(&format!("/login/oidc/callback?state={state}&code={CODE}"))
}

#[test]
fn whoever_the_provider_vouches_for_is_signed_in_and_goes_on() {
    let provider = Provider::start();
    let service = service(&provider, None);
    add_ana(&service, &provider);
    let mut browser = Browser::new(&service);
    assert!(browser.get("/login").expect(200).text().contains("Sign in with the provider"));
    let back = browser.path("/settings/me");
    let state = go(&mut browser, &provider, &format!("/login/oidc?return_to={back}"));
    let answer = come_back(&mut browser, &state).expect(303);
    assert_eq!(answer.header("location"), Some(back.as_str()));
    let page = browser.get("/settings/me").expect(200);
    assert!(page.text().contains("ana@example.org") && page.text().contains("provider"), "{}", page.text());
}

#[test]
fn what_is_not_exactly_right_signs_nobody_in() {
    let provider = Provider::start();
    let service = service(&provider, Some(Rights::parse("viewer").unwrap()));
    add_ana(&service, &provider);
    let now = i64::try_from(jsonwebtoken::get_current_timestamp()).unwrap();
    let lies: [(&str, Value, Signer); 14] = [
        ("another issuer", json!({ "iss": "https://evil.example" }), Signer::Own),
        ("the issuer with a slash", json!({ "iss": format!("{}/", provider.issuer) }), Signer::Own),
        ("another audience", json!({ "aud": "other" }), Signer::Own),
        ("several audiences and no party", json!({ "aud": ["other", CLIENT.0] }), Signer::Own),
        ("given to another", json!({ "aud": ["other", CLIENT.0], "azp": "other" }), Signer::Own),
        ("run out", json!({ "exp": now - 120 }), Signer::Own),
        ("of the future", json!({ "iat": now + 600 }), Signer::Own),
        ("not good yet", json!({ "nbf": now + 600 }), Signer::Own),
        ("another nonce", json!({ "nonce": "x" }), Signer::Own),
        ("no nonce", json!({ "nonce": null }), Signer::Own),
        ("no subject", json!({ "sub": "" }), Signer::Own),
        ("another key of the same name", json!({}), Signer::Another),
        ("our secret as a key", json!({}), Signer::Secret),
        ("not signed", json!({}), Signer::Nobody),
    ];
    for (what, claims, signer) in lies {
        provider.set(|script| (script.claims, script.signer) = (claims, signer));
        let mut browser = Browser::new(&service);
        let state = go(&mut browser, &provider, "/login/oidc");
        let answer = come_back(&mut browser, &state);
        assert_eq!(answer.status, 403, "{what}: {}", answer.text());
        browser.get("/settings/me").expect(303);
    }
    provider.set(|script| (script.claims, script.signer) = (json!({}), Signer::Own));
    let mut browser = Browser::new(&service);
    let state = go(&mut browser, &provider, "/login/oidc");
    come_back(&mut browser, &state).expect(303);
}

#[test]
fn an_answer_is_good_in_the_browser_that_asked_and_with_its_state_and_verifier() {
    let provider = Provider::start();
    let service = service(&provider, None);
    add_ana(&service, &provider);
    let mut victim = Browser::new(&service);
    come_back(&mut victim, "x").expect(403);
    let mut attacker = Browser::new(&service);
    let state = go(&mut attacker, &provider, "/login/oidc");
    come_back(&mut victim, &state).expect(403);
    let own = go(&mut victim, &provider, "/login/oidc");
    come_back(&mut victim, &state).expect(403);
    let again = go(&mut victim, &provider, "/login/oidc");
    assert_ne!(own, again);
    provider.set(|script| script.challenge = "another".to_owned());
    come_back(&mut victim, &again).expect(403);
    let declined = go(&mut victim, &provider, "/login/oidc");
    victim.get(&format!("/login/oidc/callback?state={declined}&error=access_denied")).expect(403);
}

#[test]
fn nobody_comes_in_by_a_name_or_an_address() {
    let provider = Provider::start();
    let service = service(&provider, None);
    add_user(&service, "ana@example.org", "admin");
    let mut browser = Browser::new(&service);
    let state = go(&mut browser, &provider, "/login/oidc");
    come_back(&mut browser, &state).expect(403);
}

#[test]
fn where_a_role_is_set_whoever_is_vouched_for_comes_in_with_it_as_somebody_new() {
    let provider = Provider::start();
    let service = service(&provider, Some(Rights::parse("viewer").unwrap()));
    add_user(&service, "ana@example.org", "admin");
    let mut browser = Browser::new(&service);
    let state = go(&mut browser, &provider, "/login/oidc");
    come_back(&mut browser, &state).expect(303);
    let page = browser.get("/settings/me").expect(200);
    assert!(page.text().contains("viewer") && page.text().contains("Ana A"), "{}", page.text());
    browser.get("/settings/users").expect(403);
}

#[test]
fn a_provider_that_calls_itself_otherwise_is_not_asked() {
    let provider = Provider::start();
    let service = service(&provider, None);
    provider.set(|script| script.issuer = "https://evil.example".to_owned());
    Browser::new(&service).get("/login/oidc").expect(503);
    Browser::new(&service).get("/login").expect(200);
}

#[test]
fn a_provider_that_is_away_is_asked_once_and_pages_say_so_at_once() {
    let mut provider = Provider::start();
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    provider.issuer = format!("http://{}/realm", listener.local_addr().unwrap());
    let service = service(&provider, None);
    let asked = std::sync::Arc::new(std::sync::atomic::AtomicU32::new(0));
    let counted = std::sync::Arc::clone(&asked);
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            counted.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
            drop(stream);
        }
    });
    let asked = || asked.load(std::sync::atomic::Ordering::SeqCst);
    let mut browser = Browser::new(&service);
    let page = browser.get("/login/oidc").expect(503);
    assert!(page.text().contains("the provider cannot be asked now"), "{}", page.text());
    assert!(page.text().contains("/login\"") && page.header("retry-after").is_some(), "{page:?}");
    let before = asked();
    assert!(before > 0);
    for _ in 0..5 {
        browser.get("/login/oidc").expect(503);
    }
    assert_eq!(asked(), before, "it is told from memory");
    browser.get("/login").expect(200);
}

#[test]
fn without_a_provider_there_is_no_such_page() {
    let service = Service::start();
    Browser::new(&service).get("/login/oidc").expect(404);
}
