//! Who commands speak as: whoever runs them, as the change chains name them.

use std::sync::LazyLock;

use ports::directory::Tenant;
use ports::{Caller, Grant, Installation, Maintenance, Permission, TenantId};

use super::App;

/// Where the name of the account stands that runs the process: on Unix the first two, on Windows the last.
const ACCOUNT: [&str; 3] = ["LOGNAME", "USER", "USERNAME"];
/// How many characters of the name are kept.
const MAX_NAME: usize = 64;

static ACTOR: LazyLock<String> =
    LazyLock::new(|| actor_of(|name| std::env::var_os(name).map(|value| value.to_string_lossy().into_owned())));

/// `cli:` and the account; `cli:unknown` where the environment names none. Nobody is held to the name: whoever can run
/// commands on a store can also write to it by hand.
fn actor_of(variable: impl Fn(&str) -> Option<String>) -> String {
    let plain = |name: String| name.chars().filter(|c| !c.is_control()).take(MAX_NAME).collect::<String>();
    let name = ACCOUNT.iter().filter_map(|name| variable(name)).map(plain).find(|name| !name.trim().is_empty());
    format!("cli:{}", name.as_deref().map_or("unknown", str::trim))
}

/// What the operator shows for work on a tenant's store and entry that no permission covers.
pub(crate) fn maintenance(tenant: TenantId) -> Grant<Maintenance> {
    Grant::for_maintenance(tenant, &ACTOR)
}

/// What the operator shows for work on the installation: its tenants and signing keys.
pub(crate) fn installation() -> Grant<Maintenance, Installation> {
    Grant::for_maintenance(Installation, &ACTOR)
}

impl App {
    /// Who commands speak as: the operator of the installation, who may do everything in the tenant. The actor is `cli:`
    /// and the name of the account that runs the process.
    #[must_use]
    pub fn operator(&self, tenant: &Tenant) -> Caller {
        let permissions = [Permission::Admin].into_iter().collect();
        Caller { tenant: tenant.id, actor: ACTOR.clone(), permissions }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_actor_is_the_account_that_runs_the_command() {
        let cases: [(&[(&str, &str)], &str); 5] = [
            (&[("LOGNAME", "ada"), ("USER", "root")], "cli:ada"),
            (&[("LOGNAME", " "), ("USER", "root")], "cli:root"),
            (&[("USERNAME", "Ada L\u{0}\n")], "cli:Ada L"),
            (&[("USER", "")], "cli:unknown"),
            (&[], "cli:unknown"),
        ];
        for (variables, actor) in cases {
            let found = |name: &str| variables.iter().find(|(known, _)| *known == name).map(|(_, is)| (*is).to_owned());
            assert_eq!(actor_of(found), actor);
        }
        assert_eq!(actor_of(|_| Some("ä".repeat(100))).chars().count(), "cli:".len() + MAX_NAME);
    }
}
