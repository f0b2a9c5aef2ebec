//! Identifiers of what is around the records: tenants and their credentials.

domain::ids! {
    /// Identifies a tenant.
    TenantId;
    /// Identifies a client.
    ClientId;
    /// Identifies an API key.
    KeyId;
    /// Identifies a refresh token's family.
    FamilyId;
}
