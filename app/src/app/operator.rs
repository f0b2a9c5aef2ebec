//! Who commands speak as: whoever runs them, as the change chains name them.

use std::sync::LazyLock;

use ports::directory::Tenant;
use ports::{Caller, Grant, Installation, Maintenance, Permission, TenantId};

use uuid::Uuid;

use super::App;

/// Where the name of the account stands that runs the process: on Unix the first two, on Windows the last.
const ACCOUNT: [&str; 3] = ["LOGNAME", "USER", "USERNAME"];
/// How many characters of the name are kept.
const MAX_NAME: usize = 64;

static ACTOR: LazyLock<String> = LazyLock::new(|| {
    actor_of(|name| std::env::var_os(name).map(|value| value.to_string_lossy().into_owned()), account)
});

/// `cli:` and the account; where the environment names none, that of the process, or `cli:unknown`. Nobody is held to the name:
/// whoever can run commands on a store can also write to it by hand.
fn actor_of(variable: impl Fn(&str) -> Option<String>, account: impl FnOnce() -> Option<String>) -> String {
    let plain = |name: String| name.chars().filter(|c| !c.is_control()).take(MAX_NAME).collect::<String>();
    let name = ACCOUNT.iter().filter_map(|name| variable(name)).map(plain).find(|name| !name.trim().is_empty());
    let name = name.or_else(account);
    format!("cli:{}", name.as_deref().map_or("unknown", str::trim))
}

/// The account that the process runs under: its name, or its number as in a container that has no names.
#[cfg(target_os = "linux")]
fn account() -> Option<String> {
    let uid = procfs::process::Process::myself().ok()?.uid().ok()?;
    let known = std::fs::read_to_string("/etc/passwd").unwrap_or_default();
    Some(name_of(uid, &known).unwrap_or_else(|| format!("uid {uid}")))
}

#[cfg(not(target_os = "linux"))]
const fn account() -> Option<String> {
    None
}

/// The name of the account with that number, in the lines of a passwd file.
#[cfg(target_os = "linux")]
fn name_of(uid: u32, known: &str) -> Option<String> {
    let uid = uid.to_string();
    let line = known.lines().find(|line| line.split(':').nth(2) == Some(&uid))?;
    line.split(':').next().filter(|name| !name.is_empty()).map(str::to_owned)
}

/// What the operator shows for work on a tenant's store and entry that no permission covers.
pub(crate) fn maintenance(tenant: TenantId) -> Grant<Maintenance> {
    Grant::for_maintenance(tenant, &ACTOR)
}

/// What the operator shows for work on the installation: its tenants and signing keys.
pub(crate) fn installation() -> Grant<Maintenance, Installation> {
    Grant::for_maintenance(Installation, &ACTOR)
}

/// Who commands look up published factors as: the installation's operator, in no company.
pub(crate) fn factor_reader() -> Caller {
    let permissions = [Permission::CatalogRead].into_iter().collect();
    Caller { tenant: TenantId::new(Uuid::nil()), actor: ACTOR.clone(), permissions, partner: None }
}

impl App {
    /// Who commands speak as: the operator of the installation, who may do everything in the tenant. The actor is `cli:`
    /// and the name of the account that runs the process.
    #[must_use]
    pub fn operator(&self, tenant: &Tenant) -> Caller {
        let permissions = [Permission::Admin].into_iter().collect();
        Caller { tenant: tenant.id, actor: ACTOR.clone(), permissions, partner: None }
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
            (&[("USER", "")], "cli:uid 1000"),
            (&[], "cli:uid 1000"),
        ];
        for (variables, actor) in cases {
            let found = |name: &str| variables.iter().find(|(known, _)| *known == name).map(|(_, is)| (*is).to_owned());
            assert_eq!(actor_of(found, || Some("uid 1000".to_owned())), actor);
        }
        assert_eq!(actor_of(|_| None, || None), "cli:unknown");
        assert_eq!(actor_of(|_| Some("ä".repeat(100)), || None).chars().count(), "cli:".len() + MAX_NAME);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_process_without_a_name_in_its_environment_has_that_of_its_number() {
        let known = "root:x:0:0:root:/root:/bin/sh\ntonne:x:990:990::/var/lib/tonne:/usr/sbin/nologin\n";
        assert_eq!(name_of(990, known).as_deref(), Some("tonne"));
        assert_eq!(name_of(99, known), None);
        assert!(account().is_some_and(|name| !name.is_empty()));
    }
}
