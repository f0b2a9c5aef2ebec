//! Identifiers of what is around the records: tenants, their credentials, imports and recalculations.

domain::ids! {
    /// Identifies a tenant.
    TenantId;
    /// Identifies a client.
    ClientId;
    /// Identifies an API key.
    KeyId;
    /// Identifies a user.
    UserId;
    /// Identifies a user's session.
    SessionId;
    /// Identifies a refresh token's family.
    FamilyId;
    /// Identifies an import. Version 7, so it sorts by creation.
    ImportId;
    /// Identifies a staged import: a file that waits in the spool. Version 7, so it sorts by creation.
    StagedId;
    /// Identifies a recalculation: the causes of its changes name it. Version 7, so it sorts by creation.
    RecalculationId;
}
