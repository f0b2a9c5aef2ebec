//! Parameters that many operations share, as the OpenAPI document describes them.

use utoipa::IntoParams;

/// Which page of a list is asked for.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes parameters")]
pub(crate) struct Paging {
    /// The number of the page, from 1.
    #[param(value_type = u32, required = false, minimum = 1)]
    page: Option<u32>,
    /// How many records a page holds; 100 unless given.
    #[param(value_type = u32, required = false, rename = "pageSize", minimum = 1, maximum = 1000)]
    size: Option<u32>,
}

/// Which record of a list is asked for.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes a parameter")]
pub(crate) struct BySyncId {
    /// Only the record with this syncId.
    #[param(value_type = String, required = false, rename = "syncId", min_length = 1, max_length = 255)]
    sync_id: Option<String>,
}

/// Which version a change is meant for.
#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
#[expect(dead_code, reason = "describes a parameter")]
pub(crate) struct IfMatchParam {
    /// The tag that the record must still have, as `ETag` said it; several with commas, or `*`.
    #[param(
        value_type = String,
        required = false,
        rename = "If-Match",
        pattern = r#"^(\*|(W/)?"[^"]*"(, ?(W/)?"[^"]*")*)$"#,
        example = "\"7-0123456789abcdef\""
    )]
    tag: Option<String>,
}

/// Which version a reader has already.
#[derive(IntoParams)]
#[into_params(parameter_in = Header)]
#[expect(dead_code, reason = "describes a parameter")]
pub(crate) struct IfNoneMatchParam {
    /// The tag that the reader has already; the answer is 304 while it stays the same.
    #[param(value_type = String, required = false, rename = "If-None-Match", pattern = r#"^(\*|(W/)?"[^"]*"(, ?(W/)?"[^"]*")*)$"#)]
    tag: Option<String>,
}
