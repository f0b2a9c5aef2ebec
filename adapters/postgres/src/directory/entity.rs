//! The directory's tables as `SeaORM` sees them: rows with the columns that migrations give them, in the same order.

pub(super) mod change;
pub(super) mod change_item;
pub(super) mod client;
pub(super) mod factor_set;
pub(super) mod head;
pub(super) mod key;
pub(super) mod once_link;
pub(super) mod published_factor;
pub(super) mod refresh;
pub(super) mod revoked_family;
pub(super) mod revoked_token;
pub(super) mod session;
pub(super) mod signing_key;
pub(super) mod tenant;
pub(super) mod user;
