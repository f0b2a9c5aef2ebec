//! `[oidc]`: a provider of `OpenID` Connect that people sign in at.

use std::fmt;
use std::path::PathBuf;

use ports::Permission;
use ports::credential::Secret;
use ports::people::Rights;

use super::load::reader::{Settings, flag};
use super::tenancy::Mode;

/// A provider of sign-ins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Oidc {
    /// What the button calls it.
    pub name: String,
    /// Its issuer, exactly as it calls itself.
    pub issuer: String,
    /// Our id there.
    pub client_id: String,
    /// Our secret there.
    pub client_secret: OidcSecret,
    /// What somebody may do whom it vouches for and nobody added; nobody comes in so where there is none.
    pub default_rights: Option<Rights>,
    /// Whether its name may lead to loopback, private and link-local addresses.
    pub private_addresses: bool,
    /// Whether it may be called by `http://`.
    pub plain_http: bool,
    /// Certificates that are trusted beside those of the system.
    pub ca_file: Option<PathBuf>,
}

/// Where our secret at the provider comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OidcSecret {
    /// There is none: a public client.
    None,
    /// The file that holds it, alone.
    File(PathBuf),
    /// The value is in the setting itself.
    Given(Secret),
}

impl Oidc {
    /// Reads the section; without `oidc.issuer` there is no provider. A default role is for one company alone: in each of several
    /// it would let in whoever the provider knows.
    pub(super) fn read(settings: &mut Settings<'_>, mode: &Mode) -> Option<Self> {
        let mut section = settings.section("oidc");
        let others = ["client_id", "client_secret", "client_secret_file", "default_role"];
        let is_meant = others.into_iter().any(|key| section.is_given(key));
        let issuer = section.optional("issuer", issuer);
        let client_id = section.optional("client_id", text);
        let name = section.value("name", "your organisation".to_owned(), text);
        let secret = section.secret("client_secret", "client_secret_file", |given| text(given).map(Secret));
        let default_rights = section.optional("default_role", rights);
        let private_addresses = section.value("private_addresses", false, flag);
        let plain_http = section.value("plain_http", false, flag);
        let ca_file = section.optional("ca_file", |text| Ok(Shown(text.into())));
        match (&issuer, &client_id) {
            (Some(_), None) => section.note_fault("oidc.client_id is missing: it is our id at oidc.issuer".to_owned()),
            (None, _) if is_meant => section.note_fault("oidc.issuer is missing: it names the provider".to_owned()),
            (Some(issuer), Some(_)) if issuer.starts_with("http://") && !plain_http => section.note_fault(format!(
                "oidc.issuer {issuer} is not https: set oidc.plain_http to call it all the same, where everybody on the way reads along"
            )),
            (Some(_) | None, _) => {}
        }
        if let Some(rights) = default_rights {
            if *mode != Mode::Single {
                let why = "oidc.default_role goes with tenancy.mode single alone: in each of several companies it would let in whoever \
                           the provider knows; add users with their issuer and subject";
                section.note_fault(why.to_owned());
            }
            if rights.permissions().allows(Permission::Admin) {
                section.note_fault("oidc.default_role must not permit admin: add administrators by name".to_owned());
            }
        }
        section.finish();
        let client_secret = match secret {
            (Some(secret), _) => OidcSecret::Given(secret),
            (None, Some(path)) => OidcSecret::File(path.into()),
            (None, None) => OidcSecret::None,
        };
        Some(Self {
            name,
            issuer: issuer?,
            client_id: client_id?,
            client_secret,
            default_rights,
            private_addresses,
            plain_http,
            ca_file: ca_file.map(|path| path.0),
        })
    }
}

/// A path, as `tonne config` shows it.
struct Shown(PathBuf);

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.display().fmt(f)
    }
}

fn text(given: &str) -> Result<String, String> {
    let given = given.trim();
    if given.is_empty() { Err("is empty".to_owned()) } else { Ok(given.to_owned()) }
}

fn issuer(given: &str) -> Result<String, String> {
    let is_address = given.starts_with("https://") || given.starts_with("http://");
    if is_address && !given.contains(['?', '#', ' ']) {
        Ok(given.to_owned())
    } else {
        Err(format!("{given:?} is no issuer: an address that begins with https:// and has neither query nor fragment"))
    }
}

fn rights(given: &str) -> Result<Rights, String> {
    match Rights::parse(given) {
        Ok(rights) if rights.permissions().is_empty() => Err("permits nothing; leave it out".to_owned()),
        read => read.map_err(|error| format!("{error}, or a role: viewer, auditor, editor, admin")),
    }
}
