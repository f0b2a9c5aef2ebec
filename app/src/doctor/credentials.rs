//! Keys and clients that run out, or that a demonstration left.

use domain::Timestamp;
use ports::directory::{Directory, Tenant};
use ports::repo::Page;
use ports::store::StoreError;
use ports::{Grant, Permission, Permissions};

use super::Finding;
use crate::app::maintenance;
use crate::counted::counted;
use crate::demo::CREDENTIAL;

/// A credential that runs out within so many days is found.
const DAYS: i64 = 30;
const DAY_MS: i64 = 24 * 3_600 * 1_000;

/// A key or a client, as the operator knows it.
struct Credential<'a> {
    /// The command for its kind.
    command: &'static str,
    id: String,
    name: &'a str,
    permissions: Permissions,
    expires: Option<Timestamp>,
}

/// Looks at all credentials of a tenant.
pub(super) async fn look(
    directory: &dyn Directory,
    tenant: &Tenant,
    now: Timestamp,
) -> Result<Vec<Finding>, StoreError> {
    let grant: Grant<_, _> = maintenance(tenant.id).to_read_credentials();
    let (slug, mut findings) = (tenant.slug.as_str(), Vec::new());
    for number in 1.. {
        let page = Page { number, size: 1_000 };
        let (keys, clients) = (directory.list_keys(&grant, page).await?, directory.list_clients(&grant, page).await?);
        if keys.data.is_empty() && clients.data.is_empty() {
            break;
        }
        for key in keys.data.iter().map(|stored| &stored.value) {
            let (name, permissions) = (key.name.as_str(), key.permissions);
            let id = key.id.to_string();
            findings.extend(judge(
                slug,
                &Credential { command: "key", id, name, permissions, expires: key.expires },
                now,
            ));
        }
        for client in clients.data.iter().map(|stored| &stored.value) {
            let (name, permissions) = (client.name.as_str(), client.permissions);
            let (id, expires) = (client.id.to_string(), client.expires);
            findings.extend(judge(slug, &Credential { command: "client", id, name, permissions, expires }, now));
        }
    }
    Ok(findings)
}

fn judge(slug: &str, credential: &Credential<'_>, now: Timestamp) -> Option<Finding> {
    let Credential { command, id, name, permissions, expires } = credential;
    let place = format!("company {slug}, {command} {id} ({name})");
    let revoke = format!("tonne {command} revoke {id} --tenant {slug}");
    if let Some(expires) = expires {
        let left = expires.millis() - now.millis();
        if left <= 0 {
            return Some(Finding::warning("credentials", place, "it has run out", revoke));
        }
        if left < DAYS * DAY_MS {
            let days = counted((left / DAY_MS).unsigned_abs(), "day", "days");
            let what = format!("it runs out in {days}");
            let mend = format!(
                "make another (`tonne {command} create --name NAME --permissions '{permissions}' --tenant {slug}`), have its \
                 holder use it, then `{revoke}`"
            );
            return Some(Finding::warning("credentials", place, what, mend));
        }
    }
    if *name == CREDENTIAL && permissions.allows(Permission::Admin) {
        let what = "it is the key of a demonstration, which was printed and may do everything";
        return Some(Finding::error("credentials", place, what, revoke));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(name: &str, permissions: &str, days: Option<i64>) -> Option<String> {
        let at = |days: i64| Timestamp::from_millis(1_800_000_000_000 + days * DAY_MS).unwrap();
        let permissions = Permissions::parse(permissions).unwrap();
        let (id, expires) = ("7".to_owned(), days.map(at));
        judge("main", &Credential { command: "key", id, name, permissions, expires }, at(0)).map(|finding| finding.what)
    }

    #[test]
    fn credentials_that_run_out_within_thirty_days_are_found() {
        assert_eq!(found("erp", "admin", None), None);
        assert_eq!(found("erp", "admin", Some(30)), None);
        assert_eq!(found("erp", "admin", Some(29)), Some("it runs out in 29 days".to_owned()));
        assert_eq!(found("erp", "admin", Some(0)), Some("it has run out".to_owned()));
    }

    #[test]
    fn the_key_of_a_demonstration_is_found_where_it_may_do_everything() {
        assert!(found(CREDENTIAL, "admin", None).is_some());
        assert_eq!(found(CREDENTIAL, "activity:read", None), None);
        assert_eq!(found("demo", "admin", None), None);
    }
}
