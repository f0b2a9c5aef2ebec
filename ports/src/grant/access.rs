//! The kinds of access that a grant gives, and what it gives them to.

use crate::id::TenantId;

pub(super) mod sealed {
    /// Keeps the kinds of access to those of this module.
    pub trait Sealed {}

    /// What a permission is held in: made of the caller's tenant alone.
    pub trait Within {
        fn of(tenant: crate::id::TenantId) -> Self;
    }
}

/// What a grant lets its holder do: [`Read`], [`Write`] or [`Maintenance`].
pub trait Access: sealed::Sealed {}

/// Reading a tenant's records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Read {}

/// Changing a tenant's records, and reading them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Write {}

/// What no caller asks for: making, filling, checking and removing what holds the records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Maintenance {}

impl sealed::Sealed for Read {}
impl sealed::Sealed for Write {}
impl sealed::Sealed for Maintenance {}
impl Access for Read {}
impl Access for Write {}
impl Access for Maintenance {}

/// The installation itself: its tenants and signing keys, whichever tenant they serve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Installation;

/// The credentials of one tenant: its clients, keys and users. Who may write its records may not touch them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TenantCredentials(pub(super) TenantId);

/// What a caller's permission holds in: the records of the caller's tenant, or its [`TenantCredentials`].
pub trait Within: sealed::Within {}

impl sealed::Within for TenantId {
    fn of(tenant: TenantId) -> Self {
        tenant
    }
}

impl sealed::Within for TenantCredentials {
    fn of(tenant: TenantId) -> Self {
        Self(tenant)
    }
}

impl Within for TenantId {}
impl Within for TenantCredentials {}
