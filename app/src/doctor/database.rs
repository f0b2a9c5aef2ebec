//! The PostgreSQL server: settings under which commits may be lost, its clock, and who the service is there.

use domain::Timestamp;

use super::{Finding, clock};
use crate::App;
use crate::app::ServerState;

const PLACE: &str = "database.url";

/// Looks at the server, where there is one.
pub(super) async fn look(app: &App, now: Timestamp) -> Vec<Finding> {
    match app.server_state().await {
        Ok(Some(state)) => judge(&state, now),
        Ok(None) => Vec::new(),
        Err(error) => {
            let what = format!("the server does not tell its settings: {error}");
            vec![Finding::warning("database", PLACE, what, "look at the server's log")]
        }
    }
}

fn judge(state: &ServerState, now: Timestamp) -> Vec<Finding> {
    let mut findings = Vec::new();
    if state.is_superuser {
        findings.push(Finding::error(
            "database",
            PLACE,
            "its user is a superuser: row-level security does not bind it",
            "give the service a user that owns nothing, as docs/postgres.md shows",
        ));
    }
    let needed = [
        ("fsync", state.fsync.as_str(), "a power cut damages the database"),
        ("full_page_writes", state.full_page_writes.as_str(), "a power cut may damage pages"),
    ];
    for (setting, value, danger) in needed {
        if value == "off" {
            let mend = format!("alter system set {setting} = on; select pg_reload_conf();");
            let what = format!("{setting} is off: {danger}");
            findings.push(Finding::error("database", format!("setting {setting} of the server"), what, mend));
        }
    }
    if state.synchronous_commit == "off" {
        findings.push(Finding::warning(
            "database",
            "setting synchronous_commit of the server",
            "synchronous_commit is off: writes of other programs may be lost; the service's own transactions set it",
            "alter system set synchronous_commit = on; select pg_reload_conf();",
        ));
    }
    findings.extend(clock::compare(PLACE, "the clock of the server", state.now, now));
    findings.extend(clock::compare("this machine", "its clock, by that of the server,", now, state.now));
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(minutes: i64) -> Timestamp {
        Timestamp::from_millis(1_800_000_000_000 + minutes * 60_000).unwrap()
    }

    fn sound() -> ServerState {
        let on = || "on".to_owned();
        ServerState { is_superuser: false, fsync: on(), full_page_writes: on(), synchronous_commit: on(), now: at(0) }
    }

    #[test]
    fn a_sound_server_has_no_finding_and_each_unsafe_setting_has_one() {
        assert_eq!(judge(&sound(), at(1)), []);
        let off = || "off".to_owned();
        for state in [
            ServerState { is_superuser: true, ..sound() },
            ServerState { fsync: off(), ..sound() },
            ServerState { full_page_writes: off(), ..sound() },
            ServerState { synchronous_commit: off(), ..sound() },
            ServerState { now: at(90), ..sound() },
            ServerState { now: at(-90), ..sound() },
        ] {
            assert_eq!(judge(&state, at(0)).len(), 1, "{state:?}");
        }
        let off = judge(&ServerState { synchronous_commit: off(), ..sound() }, at(0));
        assert_eq!(off[0].severity, crate::doctor::Severity::Warning, "the service does not rely on it");
    }
}
