//! `tonne user`: people who sign in to the pages.

mod shown;

use std::net::{SocketAddr, ToSocketAddrs as _};

use anyhow::{Context as _, Result};
use clap::{Args, Subcommand};
use domain::Name;
use files::Json;
use ports::inbound::{Error, Field, Standing, UserDraft, UserView};
use ports::people::{Identity, Locale, Rights, Role, SignInName};
use ports::{Caller, Permissions, UserId};

use super::context::{Context, IfAbsent};
use super::credential::{page, permissions};
use super::json::array;
use super::serve::pages_address;
use super::{Ending, Usage, output};
use crate::App;

/// Add, list, change and remove users, who sign in to the pages, and make links that sign in once.
#[derive(Debug, Subcommand)]
pub(super) enum UserCommand {
    /// Add a user. It has no password: `tonne user link` makes a link that signs in once, behind which it sets one.
    Add(Add),
    /// List the users.
    List(List),
    /// Change a user's name, role or state. Other rights and being disabled sign it out within a second everywhere.
    Set(Box<Set>),
    /// Make a link that signs a user in once, within 15 minutes; earlier ones are worth nothing from then on.
    Link(LinkArgs),
    /// Remove a user: within a second it is signed out, beside a running server too.
    Remove(Remove),
}

/// A user who is to be added.
#[derive(Debug, Args)]
pub(super) struct Add {
    /// What the user signs in with, such as an e-mail address; upper and lower case are the same.
    #[arg(value_parser = SignInName::parse)]
    name: SignInName,
    /// What the user is called [default: NAME].
    #[arg(long, value_name = "TEXT", value_parser = Name::parse)]
    display: Option<Name>,
    #[command(flatten)]
    rights: RightsArgs,
    #[command(flatten)]
    identity: IdentityArgs,
    /// Print a link that signs the user in once, too.
    #[arg(long)]
    link: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// What a user may do.
#[derive(Debug, Args)]
struct RightsArgs {
    /// What the user may do: viewer, auditor, editor or admin.
    #[arg(long, value_name = "ROLE", value_parser = role, conflicts_with = "permissions")]
    role: Option<Role>,
    /// The same one by one: words with commas between them, such as activity:read,catalog:read.
    #[arg(long, value_name = "WORDS", value_parser = permissions)]
    permissions: Option<Permissions>,
}

impl RightsArgs {
    fn given(&self) -> Option<Rights> {
        self.role.map(Rights::Role).or_else(|| self.permissions.map(Rights::Permissions))
    }
}

/// Who a user is at a provider of sign-ins.
#[derive(Debug, Args)]
struct IdentityArgs {
    /// The provider that vouches for the user: its issuer, as oidc.issuer says it.
    #[arg(long, value_name = "URL", requires = "subject")]
    issuer: Option<String>,
    /// What the provider calls the user: the `sub` of its tokens.
    #[arg(long, value_name = "SUB", requires = "issuer")]
    subject: Option<String>,
}

impl IdentityArgs {
    fn given(&self) -> Result<Option<Identity>> {
        let Some((issuer, subject)) = self.issuer.as_ref().zip(self.subject.as_ref()) else { return Ok(None) };
        let identity = Identity::new(issuer, subject);
        Ok(Some(identity.map_err(|error| Usage(format!("--issuer and --subject: {error}")))?))
    }
}

/// What to list.
#[derive(Debug, Args)]
pub(super) struct List {
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// What is to be changed of a user.
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub(super) struct Set {
    /// What the user signs in with.
    #[arg(value_parser = SignInName::parse)]
    name: SignInName,
    /// What the user signs in with from now on.
    #[arg(long, value_name = "NAME", value_parser = SignInName::parse)]
    rename: Option<SignInName>,
    /// What the user is called.
    #[arg(long, value_name = "TEXT", value_parser = Name::parse)]
    display: Option<Name>,
    #[command(flatten)]
    rights: RightsArgs,
    #[command(flatten)]
    identity: IdentityArgs,
    /// The user signs in at no provider any more.
    #[arg(long, conflicts_with = "issuer")]
    no_identity: bool,
    /// The language and region of the user's pages, such as de-CH.
    #[arg(long, value_name = "TAG", value_parser = Locale::parse)]
    locale: Option<Locale>,
    /// The user cannot sign in any more.
    #[arg(long, conflicts_with = "enable")]
    disable: bool,
    /// The user can sign in again.
    #[arg(long)]
    enable: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Whom a link is for.
#[derive(Debug, Args)]
pub(super) struct LinkArgs {
    /// What the user signs in with.
    #[arg(value_parser = SignInName::parse)]
    name: SignInName,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Who is to be removed.
#[derive(Debug, Args)]
pub(super) struct Remove {
    /// What the user signs in with.
    #[arg(value_parser = SignInName::parse)]
    name: SignInName,
}

impl UserCommand {
    const fn if_absent(&self) -> IfAbsent {
        match self {
            Self::Add(_) => IfAbsent::Make,
            Self::List(_) | Self::Set(_) | Self::Link(_) | Self::Remove(_) => IfAbsent::Refuse,
        }
    }

    pub(super) async fn run(self, context: &Context) -> Result<Ending> {
        let (app, operator) = context.operated_app(self.if_absent()).await?;
        match self {
            Self::Add(add) => add.run(&app, &operator).await?,
            Self::List(list) => {
                let users = all(&app, &operator).await?;
                let json =
                    || Json::to_string(&array(users.iter().map(|user| Json::Object(shown::members(&user.user)))));
                output::say(&if list.json { json() } else { shown::table(&users) })?;
            }
            Self::Set(set) => set.run(&app, &operator).await?,
            Self::Link(LinkArgs { name, json }) => {
                let id = find(&app, &operator, &name).await?;
                let link = app.users().make_link(&operator, id).await?;
                let address = address(&app, &operator).await?;
                output::say(&if json { shown::link_json(&link, &address) } else { shown::link(&link, &address) })?;
                if !json {
                    output::note(&format!("It signs {name} in once, until {}.", link.expires));
                }
            }
            Self::Remove(Remove { name }) => {
                let id = find(&app, &operator, &name).await?;
                app.users()
                    .remove_user(&operator, id, None)
                    .await
                    .with_context(|| format!("{name} was not removed"))?;
                output::say(&format!("the user {name} is removed"))?;
            }
        }
        Ok(Ending::Done)
    }
}

impl Add {
    async fn run(self, app: &App, operator: &Caller) -> Result<()> {
        let rights = self.rights.given().ok_or_else(|| {
            Usage("what may the user do? --role viewer, auditor, editor or admin, or --permissions".to_owned())
        })?;
        let draft = UserDraft {
            name: Field::Given(self.name),
            display: Field::of(self.display),
            rights: Field::Given(rights),
            identity: Field::of(self.identity.given()?),
            ..UserDraft::default()
        };
        let added = app.users().add_user(operator, draft).await?;
        let link = if self.link { Some(app.users().make_link(operator, added.user.id).await?) } else { None };
        let link = match link {
            Some(link) => Some((link, address(app, operator).await?)),
            None => None,
        };
        if self.json {
            output::say(&shown::added_json(&added.user, link.as_ref()))?;
            return Ok(());
        }
        output::say(&format!("the user {} is added", added.user.name))?;
        match link {
            Some((link, address)) => output::say(&shown::link(&link, &address))?,
            None if added.user.identity.is_none() => {
                output::note(&format!("`tonne user link {}` makes a link that signs in once.", added.user.name));
            }
            None => {}
        }
        Ok(())
    }
}

impl Set {
    async fn run(self, app: &App, operator: &Caller) -> Result<()> {
        let id = find(app, operator, &self.name).await?;
        let standing = match (self.disable, self.enable) {
            (true, _) => Field::Given(Standing::Disabled),
            (false, true) => Field::Given(Standing::Active),
            (false, false) => Field::Absent,
        };
        let identity = if self.no_identity { Field::Null } else { Field::of(self.identity.given()?) };
        let draft = UserDraft {
            name: Field::of(self.rename),
            display: Field::of(self.display),
            rights: Field::of(self.rights.given()),
            identity,
            locale: Field::of(self.locale),
            standing,
            ..UserDraft::default()
        };
        if draft == UserDraft::default() {
            return Err(Usage("nothing is to be changed: `tonne user set --help` shows what can be".to_owned()).into());
        }
        let changed = app.users().update_user(operator, id, None, draft).await;
        let changed = changed.with_context(|| format!("{} was not changed", self.name))?;
        let json = || Json::Object(shown::members(&changed.user)).to_string();
        output::say(&if self.json { json() } else { format!("the user {} is changed", changed.user.name) })?;
        Ok(())
    }
}

fn role(word: &str) -> Result<Role, String> {
    Role::parse(word).ok_or_else(|| "is no role; there are viewer, auditor, editor and admin".to_owned())
}

async fn find(app: &App, operator: &Caller, name: &SignInName) -> Result<UserId> {
    match app.users().find_user(operator, name).await {
        Ok(found) => Ok(found.user.id),
        Err(Error::NotFound) => anyhow::bail!("there is no user {name}; `tonne user list` shows those there are"),
        Err(error) => Err(error.into()),
    }
}

async fn all(app: &App, operator: &Caller) -> Result<Vec<UserView>> {
    let mut users = Vec::new();
    for number in 1.. {
        let listing = app.users().list_users(operator, page(number)).await?;
        let done = listing.data.is_empty();
        users.extend(listing.data);
        if done || users.len() as u64 >= listing.count {
            break;
        }
    }
    Ok(users)
}

/// Where the company's pages are, as the configuration says it.
async fn address(app: &App, operator: &Caller) -> Result<String> {
    let tenants = app.list_tenants().await?;
    let tenant = tenants.iter().find(|tenant| tenant.id == operator.tenant).context("the company is gone")?;
    let listen = app.config().server.listen.as_str();
    let listening = listen.to_socket_addrs().ok().and_then(|mut addresses| addresses.next());
    pages_address(app.config(), listening.unwrap_or_else(|| SocketAddr::from(([127, 0, 0, 1], 8080))), &tenant.slug)
}
