//! Open files: each connection is one, and a process that may open no more answers nobody.

/// Open files beside connections: the store's, the log's, those of the libraries.
const OTHERS: u64 = 512;

/// How many connections there can be, at most as many as wanted: the process is allowed as many open files as they need, as
/// far as the system lets it be.
#[cfg(unix)]
pub(super) fn allow_connections(wanted: u64) -> u64 {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let needed = wanted.saturating_add(OTHERS);
    // None is no limit.
    let Some(current) = current.filter(|current| *current < needed) else { return wanted };
    let raised = maximum.map_or(needed, |maximum| maximum.min(needed));
    let is_raised = setrlimit(Resource::Nofile, Rlimit { current: Some(raised), maximum }).is_ok();
    let allowed = if is_raised { raised } else { current };
    let connections = fitting(wanted, allowed);
    if connections < wanted {
        tracing::warn!(
            connections,
            open_files = allowed,
            "there can be fewer connections than limits.connections says: the system allows too few open files (ulimit -n)"
        );
    }
    connections
}

/// How many connections there can be: as many as wanted.
#[cfg(not(unix))]
pub(super) fn allow_connections(wanted: u64) -> u64 {
    wanted
}

/// How many of the wanted connections fit into so many open files beside the others; where there are few, half of them.
#[cfg(unix)]
fn fitting(wanted: u64, open_files: u64) -> u64 {
    wanted.min(open_files.saturating_sub(OTHERS).max(open_files / 2)).max(1)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn connections_leave_the_store_its_open_files() {
        assert_eq!(fitting(4_096, 1_048_576), 4_096);
        assert_eq!(fitting(4_096, 4_096), 3_584);
        assert_eq!(fitting(4_096, 1_024), 512);
        assert_eq!(fitting(4_096, 256), 128);
        assert_eq!(fitting(100, 1_024), 100);
        assert_eq!(fitting(100, 0), 1);
    }

    #[test]
    fn the_limit_of_this_process_is_raised_as_far_as_it_can_be() {
        use rustix::process::{Resource, getrlimit};

        let allowed = allow_connections(1_000);
        let limit = getrlimit(Resource::Nofile).current;
        assert!(allowed == 1_000 || limit.is_some_and(|limit| allowed < limit), "{allowed} {limit:?}");
    }
}
