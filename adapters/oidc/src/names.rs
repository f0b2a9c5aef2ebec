//! What a provider calls somebody: in the identity token, or at its userinfo endpoint alone, as strict ones do
//! (`OpenID` Connect Core 1.0, section 5.4).

use domain::Name;
use oauth2::AccessToken;
use pact_client::PlainCalls;
use ports::inbound::ProvenIdentity;
use ports::people::SignInName;
use serde::Deserialize;

use crate::discovery::get;

/// The claims of the scope `profile` that count.
#[derive(Deserialize)]
pub(crate) struct Profile {
    preferred_username: Option<String>,
    name: Option<String>,
}

impl Profile {
    /// The name to sign in with, and the one to be shown; what cannot be one is none.
    pub(crate) fn read(self) -> (Option<SignInName>, Option<Name>) {
        let name = self.preferred_username.and_then(|name| SignInName::parse(&name).ok());
        (name, self.name.and_then(|name| Name::parse(&name).ok()))
    }
}

#[derive(Deserialize)]
struct UserInfo {
    sub: String,
    #[serde(flatten)]
    profile: Profile,
}

/// Adds what the userinfo endpoint calls somebody. Whoever signs in needs no name: what cannot be had, or is about somebody else,
/// is left out.
pub(crate) async fn add(who: &mut ProvenIdentity, calls: &PlainCalls, address: &str, token: &AccessToken) {
    let Ok(info) = get::<UserInfo>(calls, address, Some(token)).await else { return };
    if info.sub == who.identity.subject() {
        let (name, display) = info.profile.read();
        who.name = who.name.take().or(name);
        who.display = who.display.take().or(display);
    }
}
