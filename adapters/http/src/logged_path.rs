//! The path of a request as the log may hold it.

use std::borrow::Cow;

/// What stands before the text of a link that signs in once.
const ONCE: &str = "/login/once/";

/// The path without what signs in.
pub(crate) fn logged_path(path: &str) -> Cow<'_, str> {
    match path.find(ONCE) {
        Some(at) => Cow::Owned(format!("{}...", &path[..at + ONCE.len()])),
        None => Cow::Borrowed(path),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_log_holds_a_link_that_signs_in() {
        assert_eq!(logged_path("/login/once/tonnelink_abc"), "/login/once/...");
        assert_eq!(logged_path("/acme/login/once/tonnelink_abc/x"), "/acme/login/once/...");
        assert_eq!(logged_path("/api/v1/activity"), "/api/v1/activity");
    }
}
