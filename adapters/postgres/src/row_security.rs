//! Whether row-level security keeps the tenants apart: asked each time a database is opened.

use sqlx::{PgConnection, Row as _};

use crate::error::OpenError;
use crate::setup::{rows, step, value};

/// Checks every table of tenants' records: it has the one policy, for all commands and everybody, and no second one that
/// would let more rows through.
pub(crate) async fn check_policies(conn: &mut PgConnection) -> Result<(), OpenError> {
    // How a version of the server spells casts and parentheses does not matter.
    let text = r"SELECT relname::text FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
        WHERE nspname = 'tonne' AND relkind IN ('r', 'p') AND NOT (
            relrowsecurity AND relforcerowsecurity
            AND (SELECT count(*) FROM pg_policy WHERE polrelid = pg_class.oid AND polpermissive) = 1
            AND EXISTS (SELECT FROM pg_policy WHERE polrelid = pg_class.oid AND polpermissive AND polcmd = '*'
                AND polroles = '{0}' AND polwithcheck IS NULL
                AND lower(regexp_replace(pg_get_expr(polqual, polrelid), '[\s()]|::text', '', 'g'))
                    = 'tenant_id=nullifcurrent_setting''app.tenant'',true,''''::uuid'))
        ORDER BY relname";
    let what = "its policies";
    let found = rows(conn, text, what).await?;
    let bare: Vec<String> =
        found.iter().map(|row| row.try_get(0)).collect::<Result<_, _>>().map_err(|cause| step(what, cause))?;
    if bare.is_empty() { Ok(()) } else { Err(OpenError::Unprotected(bare.join(", "))) }
}

/// Whether the tables are distributed over a cluster (Citus).
pub(crate) async fn is_distributed(conn: &mut PgConnection) -> Result<bool, OpenError> {
    let text = "SELECT EXISTS (SELECT FROM pg_extension WHERE extname = 'citus')";
    if !value(conn, text, "its extensions").await? {
        return Ok(false);
    }
    let text = "SELECT EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = 'tonne.activity'::regclass)";
    value(conn, text, "whether its tables are distributed").await
}
