//! Grants: the proof that a permission was checked, which every call of a store or directory asks for.

use std::marker::PhantomData;

use crate::caller::Caller;
use crate::id::TenantId;
use crate::permission::Denied;

mod access;
pub mod demand;

pub use access::{Access, Installation, Maintenance, Read, TenantCredentials, Within, Write};
pub use demand::Demand;

/// The proof that its holder may do `A` with the records of one tenant, with its [`TenantCredentials`], or in the whole
/// [`Installation`].
///
/// There are two ways to get one. [`permit`] checks a caller's permission and gives the grant that goes with it. Work that
/// no caller asked for, such as a migration, takes [`Grant::for_maintenance`]; a search for that name finds all of it.
/// What a grant does not cover does not compile:
///
/// ```
/// use tonne_ports::{Grant, Read, Write, demand, permit};
/// use tonne_ports::store::{Intent, Store, StoreError};
/// # use tonne_ports::Caller;
/// # async fn example(store: &dyn Store, caller: &Caller, intent: Intent) -> Result<(), Box<dyn std::error::Error>> {
/// let grant: Grant<Write> = permit(caller, demand::SWITCH_WRITE)?;
/// store.write(&grant, intent).await?;
/// store.read(&grant.to_read()).await?;
/// # Ok(())
/// # }
/// ```
///
/// A grant to read opens no write transaction:
///
/// ```compile_fail,E0308
/// # use tonne_ports::Caller;
/// # use tonne_ports::{demand, permit};
/// # use tonne_ports::store::{Intent, Store};
/// # async fn example(store: &dyn Store, caller: &Caller, intent: Intent) -> Result<(), Box<dyn std::error::Error>> {
/// let grant = permit(caller, demand::SWITCH_READ)?;
/// store.write(&grant, intent).await?;
/// # Ok(())
/// # }
/// ```
///
/// and changes no credential:
///
/// ```compile_fail,E0308
/// # use tonne_ports::Caller;
/// # use tonne_ports::directory::Directory;
/// # use tonne_ports::{demand, permit};
/// # use tonne_ports::KeyId;
/// # async fn example(directory: &dyn Directory, caller: &Caller, id: KeyId) -> Result<(), Box<dyn std::error::Error>> {
/// let grant = permit(caller, demand::ADMIN_READ)?;
/// directory.remove_key(&grant, id, None).await?;
/// # Ok(())
/// # }
/// ```
///
/// Who may write the records of a tenant may not add a key to it:
///
/// ```compile_fail,E0308
/// # use tonne_ports::Caller;
/// # use tonne_ports::directory::{Directory, Key};
/// # use tonne_ports::{demand, permit};
/// # async fn example(directory: &dyn Directory, caller: &Caller, key: Key) -> Result<(), Box<dyn std::error::Error>> {
/// let grant = permit(caller, demand::ACTIVITY_WRITE)?;
/// directory.add_key(&grant, key).await?;
/// # Ok(())
/// # }
/// ```
///
/// nor see its clients who may read a report:
///
/// ```compile_fail,E0308
/// # use tonne_ports::Caller;
/// # use tonne_ports::directory::Directory;
/// # use tonne_ports::{demand, permit};
/// # use tonne_ports::repo::Page;
/// # async fn example(directory: &dyn Directory, caller: &Caller) -> Result<(), Box<dyn std::error::Error>> {
/// let grant = permit(caller, demand::ACTIVITY_REPORT)?;
/// directory.list_clients(&grant, Page::FIRST).await?;
/// # Ok(())
/// # }
/// ```
///
/// while an administrator does both:
///
/// ```
/// # use tonne_ports::Caller;
/// # use tonne_ports::directory::{Directory, Key};
/// # use tonne_ports::{demand, permit};
/// # use tonne_ports::repo::Page;
/// # async fn example(directory: &dyn Directory, caller: &Caller, key: Key) -> Result<(), Box<dyn std::error::Error>> {
/// let grant = permit(caller, demand::ADMIN_WRITE)?;
/// directory.add_key(&grant, key).await?;
/// directory.list_clients(&grant.to_read(), Page::FIRST).await?;
/// # Ok(())
/// # }
/// ```
///
/// A grant for credentials opens no records:
///
/// ```compile_fail,E0308
/// # use tonne_ports::Caller;
/// # use tonne_ports::{demand, permit};
/// # use tonne_ports::store::Store;
/// # async fn example(store: &dyn Store, caller: &Caller) -> Result<(), Box<dyn std::error::Error>> {
/// let grant = permit(caller, demand::ADMIN_READ)?;
/// store.read(&grant).await?;
/// # Ok(())
/// # }
/// ```
///
/// A permission to read gives no grant to write:
///
/// ```compile_fail,E0308
/// # use tonne_ports::Caller;
/// # use tonne_ports::{Denied, Grant, Write, demand, permit};
/// fn writing(caller: &Caller) -> Result<Grant<Write>, Denied> {
///     permit(caller, demand::ACTIVITY_REPORT)
/// }
/// ```
///
/// No permission gives one for maintenance, so no caller's grant removes a tenant:
///
/// ```compile_fail,E0308
/// # use tonne_ports::Caller;
/// # use tonne_ports::{demand, permit};
/// # use tonne_ports::store::Store;
/// # async fn example(store: &dyn Store, caller: &Caller) -> Result<(), Box<dyn std::error::Error>> {
/// let grant = permit(caller, demand::ADMIN_WRITE)?;
/// store.remove(&grant, 1).await?;
/// # Ok(())
/// # }
/// ```
///
/// and maintenance of one tenant is none of the installation:
///
/// ```compile_fail,E0308
/// # use tonne_ports::directory::Directory;
/// # use tonne_ports::Grant;
/// # use tonne_ports::TenantId;
/// # async fn example(directory: &dyn Directory, tenant: TenantId) -> Result<(), Box<dyn std::error::Error>> {
/// let grant = Grant::for_maintenance(tenant, "system");
/// directory.list_tenants(&grant).await?;
/// # Ok(())
/// # }
/// ```
///
/// Nobody writes one by hand:
///
/// ```compile_fail,E0451
/// # use std::marker::PhantomData;
/// # use tonne_ports::{Grant, Write};
/// # use tonne_ports::TenantId;
/// fn forged(tenant: TenantId) -> Grant<Write> {
///     Grant { of: tenant, actor: "me".to_owned(), access: PhantomData }
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grant<A: Access, S = TenantId> {
    of: S,
    actor: String,
    access: PhantomData<A>,
}

impl<A: Access, S> Grant<A, S> {
    fn new(of: S, actor: String) -> Self {
        Self { of, actor, access: PhantomData }
    }

    /// Who holds it, as the change chain names them.
    #[must_use]
    pub fn actor(&self) -> &str {
        &self.actor
    }
}

impl<A: Access> Grant<A> {
    /// The tenant it holds in.
    #[must_use]
    pub const fn tenant(&self) -> TenantId {
        self.of
    }
}

impl<A: Access> Grant<A, TenantCredentials> {
    /// The tenant whose credentials it is about.
    #[must_use]
    pub const fn tenant(&self) -> TenantId {
        self.of.0
    }
}

impl<S: Within + Copy> Grant<Write, S> {
    /// Whoever may write may read.
    #[must_use]
    pub fn to_read(&self) -> Grant<Read, S> {
        Grant::new(self.of, self.actor.clone())
    }
}

impl Grant<Maintenance> {
    /// Whoever maintains a tenant may read it.
    #[must_use]
    pub fn to_read(&self) -> Grant<Read> {
        Grant::new(self.of, self.actor.clone())
    }

    /// Whoever maintains a tenant may write in it.
    #[must_use]
    pub fn to_write(&self) -> Grant<Write> {
        Grant::new(self.of, self.actor.clone())
    }

    /// Whoever maintains a tenant may see its clients and keys.
    #[must_use]
    pub fn to_read_credentials(&self) -> Grant<Read, TenantCredentials> {
        Grant::new(TenantCredentials(self.of), self.actor.clone())
    }

    /// Whoever maintains a tenant may write its clients and keys.
    #[must_use]
    pub fn to_write_credentials(&self) -> Grant<Write, TenantCredentials> {
        Grant::new(TenantCredentials(self.of), self.actor.clone())
    }
}

impl<S> Grant<Maintenance, S> {
    /// A grant for work that no caller asked for, in a tenant or in the [`Installation`]: migrations, verification,
    /// commands on the operator's own store, what the service does by itself.
    #[must_use]
    pub fn for_maintenance(of: S, actor: &str) -> Self {
        Self::new(of, actor.to_owned())
    }
}

/// The grant that is demanded, when the caller holds the permission for it.
pub fn permit<A: Access, S: Within>(caller: &Caller, demand: Demand<A, S>) -> Result<Grant<A, S>, Denied> {
    caller.check(demand.permission())?;
    Ok(Grant::new(S::of(caller.tenant), caller.actor.clone()))
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::permission::{Permission, Permissions};

    fn caller(permissions: &str) -> Caller {
        Caller {
            tenant: TenantId::new(Uuid::from_u128(1)),
            actor: "key:1".to_owned(),
            permissions: Permissions::parse(permissions).unwrap(),
            partner: None,
        }
    }

    #[test]
    fn a_grant_names_the_callers_tenant_and_the_caller() {
        let grant = permit(&caller("switch:write"), demand::SWITCH_WRITE).unwrap();
        assert_eq!((grant.tenant(), grant.actor()), (caller("admin").tenant, "key:1"));
        assert_eq!((grant.to_read().tenant(), grant.to_read().actor()), (grant.tenant(), "key:1"));
    }

    #[test]
    fn who_lacks_the_permission_gets_no_grant() {
        let refused = permit(&caller("switch:read"), demand::SWITCH_WRITE);
        assert_eq!(refused, Err(Denied(Permission::SwitchWrite)));
    }

    #[test]
    fn reviewing_footprints_is_more_than_reading_the_shared_ones() {
        assert_eq!(
            permit(&caller("footprint:read"), demand::FOOTPRINT_REVIEW),
            Err(Denied(Permission::FootprintReview))
        );
        assert!(permit(&caller("footprint:review"), demand::FOOTPRINT_READ).is_ok());
        assert!(permit(&caller("footprint:write"), demand::FOOTPRINT_REVIEW).is_ok());
    }
}
