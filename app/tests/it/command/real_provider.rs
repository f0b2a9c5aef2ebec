//! Signing in at a provider that is not ours: `oidc-provider` of npm, started beside the started program.
//!
//! `cargo xtask test` installs it; `--skip provider` leaves these tests out.

mod browser;
mod provider;
mod visitor;

use serde_json::Value;

use super::run::{Place, Served};
use provider::{CLIENT, OTHER, Provider, Settings};
use visitor::Visitor;

/// A service whose people sign in at a provider.
struct World {
    provider: Provider,
    settings: Settings,
    served: Served,
    place: Place,
    /// The address of the pages.
    pages: String,
}

impl World {
    /// With those variables besides, where nobody is known yet.
    fn with(variables: &[(&str, &str)]) -> Self {
        let (mut provider, place) = (Provider::start(), Place::new());
        let mut command = place.command(&["serve", "--listen", "127.0.0.1:0"]);
        command.env("TONNE_OIDC__ISSUER", &provider.issuer);
        command.env("TONNE_OIDC__CLIENT_ID", CLIENT.0).env("TONNE_OIDC__CLIENT_SECRET", CLIENT.1);
        command.env("TONNE_OIDC__PRIVATE_ADDRESSES", "true").env("TONNE_OIDC__PLAIN_HTTP", "true");
        command.env("TONNE_LOG__LEVEL", "error,tonne::security=warn").envs(variables.iter().copied());
        let served = Served::start(command);
        let pages = served.base.strip_suffix("/api").unwrap().to_owned();
        let settings = Settings::of(format!("{pages}/login/oidc/callback"));
        provider.is(&settings);
        Self { provider, settings, served, place, pages }
    }

    /// Where Ana is known by what the provider calls her.
    fn start() -> Self {
        let world = Self::with(&[]);
        world.place.ok(&[
            "user",
            "add",
            "ana",
            "--role",
            "admin",
            "--issuer",
            &world.provider.issuer,
            "--subject",
            "ana-1",
        ]);
        world
    }

    /// Makes the provider another from now on.
    fn change(&mut self, change: impl FnOnce(&mut Settings)) -> Value {
        change(&mut self.settings);
        self.provider.is(&self.settings)
    }

    fn page(&self, path: &str) -> String {
        format!("{}{path}", self.pages)
    }

    /// Where a visitor is sent who wants to sign in.
    #[track_caller]
    fn begun(&self, visitor: &mut Visitor) -> String {
        let to = visitor.led(&self.page("/login/oidc"));
        assert!(to.starts_with(&format!("{}/auth?", self.provider.issuer)), "{to}");
        to
    }

    /// Signs in from one end to the other, and gives the status in the end.
    #[track_caller]
    fn sign_in(&self, visitor: &mut Visitor, name: &str) -> u16 {
        let to = self.begun(visitor);
        let back = visitor.vouched(&to, Some(name));
        visitor.get(&back).status
    }

    /// Whether somebody is signed in.
    fn is_in(&self, visitor: &mut Visitor) -> bool {
        visitor.get(&self.page("/settings/me")).status == 200
    }

    /// Why nobody was signed in, in the order of the log.
    fn refusals(self) -> Vec<String> {
        let log = self.served.log();
        let lines = log.lines().filter(|line| line.contains("provider_refused"));
        lines.map(str::to_owned).collect()
    }
}

/// The address with another value of one of its parameters, or without it.
fn altered(address: &str, name: &str, value: Option<&str>) -> String {
    let (path, query) = address.split_once('?').unwrap();
    let is_it = |pair: &&str| pair.split_once('=').is_some_and(|(known, _)| known == name);
    let mut pairs: Vec<_> = query.split('&').filter(|pair| !is_it(pair)).map(str::to_owned).collect();
    pairs.extend(value.map(|value| format!("{name}={value}")));
    format!("{path}?{}", pairs.join("&"))
}

#[track_caller]
fn parameter(address: &str, name: &str) -> String {
    let pairs = address.split(['?', '&']).filter_map(|pair| pair.split_once('='));
    pairs.into_iter().find(|(known, _)| *known == name).unwrap_or_else(|| panic!("no {name}: {address}")).1.to_owned()
}

#[track_caller]
fn assert_refused_for(refusals: &[String], reasons: &[&str]) {
    assert_eq!(refusals.len(), reasons.len(), "{refusals:#?}");
    for (line, reason) in refusals.iter().zip(reasons) {
        assert!(line.contains(reason), "{reason}: {refusals:#?}");
    }
}

#[test]
fn whoever_signs_in_there_is_signed_in_here_until_they_sign_out() {
    let mut world = World::start();
    let mut ana = Visitor::default();
    assert!(!world.is_in(&mut ana));
    let login = ana.get(&world.page("/login")).expect(200);
    assert!(login.text().contains("href=\"/login/oidc\""), "{}", login.text());

    let to = ana.led(&world.page("/login/oidc?return_to=/settings/me"));
    assert_eq!(
        (parameter(&to, "response_type"), parameter(&to, "code_challenge_method")),
        ("code".into(), "S256".into())
    );
    assert!(parameter(&to, "state").len() >= 32 && parameter(&to, "nonce").len() >= 32, "{to}");
    let back = ana.vouched(&to, Some("ana-1"));
    assert_eq!(parameter(&back, "state"), parameter(&to, "state"));
    let answer = ana.get(&back).expect(303);
    assert_eq!(answer.header("location"), Some("/settings/me"));
    let me = ana.get(&world.page("/settings/me")).expect(200);
    assert!(
        me.text().contains("ana") && me.text().contains("admin") && me.text().contains("provider"),
        "{}",
        me.text()
    );
    assert_eq!(world.provider.is(&world.settings)["/token"], 1, "the code was exchanged once");
    ana.get(&back).expect(403);
    assert!(world.is_in(&mut ana), "an answer that comes twice ends nothing");

    let token = crate::web::browser::token(me.text()).unwrap();
    ana.send(&world.page("/logout"), &format!("form_token={token}")).expect(303);
    assert!(!world.is_in(&mut ana));
    // The provider still knows her: she is signed in again without a question, until she signs out there.
    let to = world.begun(&mut ana);
    let back = ana.led(&to);
    assert!(back.starts_with(&world.settings.redirect), "{back}");
    ana.get(&back).expect(303);
    assert!(world.is_in(&mut ana));
    let end = format!("{}/session/end", world.provider.issuer);
    let asked = ana.get(&end).expect(200);
    let secret = asked.text().split("name=\"xsrf\" value=\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
    ana.send(&format!("{end}/confirm"), &format!("xsrf={secret}&logout=yes")).expect(303);
    assert!(world.is_in(&mut ana), "the session here does not hang on the one there");
    let to = world.begun(&mut ana);
    assert!(ana.led(&to).contains("/interaction/"), "it asks who she is");
    assert_refused_for(&world.refusals(), &["it is not of this browser"]);
}

#[test]
fn every_algorithm_that_the_documentation_names_signs_in() {
    let mut world = World::start();
    // Some of the keys are of kinds that are not taken: they keep nobody from the others.
    let keys = ["RS256", "PS256", "ES256", "ES384", "EdDSA", "ES512", "ES256K"];
    world.change(|settings| settings.keys = keys.map(|algorithm| (algorithm, algorithm)).to_vec());
    for algorithm in &keys[..5] {
        world.change(|settings| settings.algorithm = algorithm);
        let mut ana = Visitor::default();
        assert_eq!(world.sign_in(&mut ana, "ana-1"), 303, "{algorithm}");
        assert!(world.is_in(&mut ana), "{algorithm}");
    }
    for algorithm in ["ES512", "ES256K", "HS256"] {
        world.change(|settings| settings.algorithm = algorithm);
        assert_eq!(world.sign_in(&mut Visitor::default(), "ana-1"), 403, "{algorithm}");
    }
    let refusals = world.refusals();
    assert_eq!(refusals.len(), 3, "{refusals:#?}");
    assert!(refusals[2].contains("an algorithm that is not taken"), "{refusals:#?}");
}

#[test]
fn a_token_that_is_not_exactly_ours_signs_nobody_in() {
    let mut world = World::start();
    let mut ana = Visitor::default();

    world.change(|settings| settings.token_lives = -120);
    assert_eq!(world.sign_in(&mut ana, "ana-1"), 403);
    world.change(|settings| settings.token_lives = 300);

    let to = world.begun(&mut ana);
    let back = ana.vouched(&to, Some("ana-1"));
    world.change(|settings| settings.issuer = Some("https://another.example"));
    ana.get(&back).expect(403);
    world.change(|settings| settings.issuer = None);

    for nonce in [Some("changed"), None] {
        let to = altered(&world.begun(&mut ana), "nonce", nonce);
        let back = ana.vouched(&to, Some("ana-1"));
        ana.get(&back).expect(403);
    }

    // The provider's own token for another client, with the nonce that we gave.
    let to = world.begun(&mut ana);
    let back = ana.vouched(&to, Some("ana-1"));
    world.token_for_another(&to);
    world.change(|settings| settings.token_of = Some(OTHER.0));
    ana.get(&back).expect(403);
    world.change(|settings| settings.token_of = None);

    assert!(!world.is_in(&mut ana));
    assert_eq!(world.sign_in(&mut ana, "ana-1"), 303);
    let reasons = ["has run out", "another issuer's", "of another sign-in", "of another sign-in", "for another client"];
    assert_refused_for(&world.refusals(), &reasons);
}

#[test]
fn a_code_is_good_with_its_verifier_and_for_its_client_alone() {
    let world = World::start();
    let (mut ana, mut eve) = (Visitor::default(), Visitor::default());

    // Whoever changed the challenge on the way, or left it out.
    let to = altered(&world.begun(&mut ana), "code_challenge", Some(&"x".repeat(43)));
    let back = ana.vouched(&to, Some("ana-1"));
    ana.get(&back).expect(403);
    let to = altered(&altered(&world.begun(&mut ana), "code_challenge", None), "code_challenge_method", None);
    let back = ana.vouched(&to, Some("ana-1"));
    assert_eq!(parameter(&back, "error"), "invalid_request");
    ana.get(&back).expect(403);

    // A code of another client, and one of an attacker who wants to see what Ana does as somebody else.
    let to = altered(&world.begun(&mut ana), "client_id", Some(OTHER.0));
    let back = ana.vouched(&to, Some("ana-1"));
    ana.get(&back).expect(403);
    let to = world.begun(&mut eve);
    let of_eve = eve.vouched(&to, Some("eve-1"));
    world.begun(&mut ana);
    ana.get(&of_eve).expect(403);
    let own = world.begun(&mut ana);
    ana.get(&altered(&of_eve, "state", Some(&parameter(&own, "state")))).expect(403);

    // An answer that says that it is another provider's (RFC 9207).
    let to = world.begun(&mut ana);
    let back = ana.vouched(&to, Some("ana-1"));
    ana.get(&altered(&back, "iss", Some("https%3A%2F%2Fanother.example"))).expect(403);

    // Whoever declines there, or is nobody here.
    let mut bo = Visitor::default();
    let to = world.begun(&mut bo);
    let back = bo.vouched(&to, None);
    assert_eq!(parameter(&back, "error"), "access_denied");
    bo.get(&back).expect(403);
    let to = world.begun(&mut eve);
    let back = eve.vouched(&to, Some("eve-1"));
    eve.get(&back).expect(403);

    assert!(!world.is_in(&mut ana) && !world.is_in(&mut eve));
    let reasons = [
        "it exchanges the code for no token: invalid_grant",
        "the provider vouches for nobody",
        "it exchanges the code for no token: invalid_grant",
        "it is not of this browser",
        "it exchanges the code for no token: invalid_grant",
        "the answer is another issuer's",
        "the provider vouches for nobody",
        "nobody here is who the provider says",
    ];
    assert_refused_for(&world.refusals(), &reasons);
}

#[test]
fn when_the_provider_changes_its_keys_the_next_one_comes_in_and_old_keys_are_asked_for_once() {
    let mut world = World::start();
    assert_eq!(world.sign_in(&mut Visitor::default(), "ana-1"), 303);
    let asked = world.change(|settings| settings.keys = vec![("second", "ES256"), ("first", "ES256")]);
    assert_eq!(asked["/jwks"], 1);
    assert_eq!(world.sign_in(&mut Visitor::default(), "ana-1"), 303);
    assert_eq!(world.sign_in(&mut Visitor::default(), "ana-1"), 303);
    let asked = world.change(|settings| settings.keys = vec![("second", "ES256")]);
    assert_eq!(asked["/jwks"], 1, "once, for the key that was new");
    assert_eq!(world.sign_in(&mut Visitor::default(), "ana-1"), 303);
    assert_eq!(world.provider.is(&world.settings)["/jwks"], Value::Null, "the key is known");
    assert_refused_for(&world.refusals(), &[]);
}

#[test]
fn while_its_keys_cannot_be_had_it_is_asked_for_them_once() {
    let mut world = World::start();
    world.change(|settings| settings.away = Some("/jwks"));
    for _ in 0..3 {
        assert_eq!(world.sign_in(&mut Visitor::default(), "ana-1"), 503);
    }
    assert_eq!(world.provider.is(&world.settings)["/jwks"], 1, "it is told from memory");
}

#[test]
fn whoever_is_new_is_called_what_the_provider_calls_them() {
    for names_in_token in [false, true] {
        let mut world = World::with(&[("TONNE_OIDC__DEFAULT_ROLE", "viewer")]);
        world.change(|settings| settings.names_in_token = names_in_token);
        let mut bo = Visitor::default();
        assert_eq!(world.sign_in(&mut bo, "bo-1"), 303);
        let me = bo.get(&world.page("/settings/me")).expect(200);
        assert!(me.text().contains("bo-1@example.org"), "{names_in_token}: {}", me.text());
        assert!(me.text().contains("bo-1 of the provider"), "{names_in_token}: {}", me.text());
        bo.get(&world.page("/settings/users")).expect(403);
    }
}

impl World {
    /// Has the provider give another client a token about Ana, for a sign-in with the nonce of that address.
    fn token_for_another(&self, address: &str) {
        // The challenge of the verifier in RFC 7636, appendix B.
        let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
        let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
        let address = altered(&altered(address, "client_id", Some(OTHER.0)), "code_challenge", Some(challenge));
        let mut visitor = Visitor::default();
        let back = visitor.vouched(&address, Some("ana-1"));
        let (code, redirect) = (parameter(&back, "code"), parameter(&address, "redirect_uri"));
        let (id, secret) = (OTHER.0, OTHER.1.replace(' ', "+"));
        let form = format!(
            "grant_type=authorization_code&code={code}&redirect_uri={redirect}&code_verifier={verifier}&client_id={id}\
             &client_secret={secret}"
        );
        visitor.send(&format!("{}/token", self.provider.issuer), &form).expect(200);
    }
}
