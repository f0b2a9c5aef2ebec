//! What the system says of this process.

#[cfg(target_os = "linux")]
use metrics::counter;
use metrics::gauge;
use ports::clock::Clock as _;
use ports::metric;

use super::gauge_value;
use crate::clock::SystemClock;

/// Notes that the process starts, by the clock: a hardened unit does not let it see when the machine did.
pub(super) fn note_start() {
    let started = SystemClock.now().millis() / 1000;
    gauge!(metric::PROCESS_START.name).set(gauge_value(u64::try_from(started).unwrap_or_default()));
}

/// Notes memory, time and open files of the process.
#[cfg(target_os = "linux")]
pub(super) fn note() {
    let Ok(own) = procfs::process::Process::myself() else { return };
    if let Ok(stat) = own.stat() {
        gauge!(metric::PROCESS_RESIDENT.name).set(gauge_value(stat.rss.saturating_mul(procfs::page_size())));
        let ticks = stat.utime.saturating_add(stat.stime);
        counter!(metric::PROCESS_CPU.name).absolute(ticks / procfs::ticks_per_second().max(1));
    }
    if let Ok(open) = own.fd_count() {
        gauge!(metric::PROCESS_FILES.name).set(gauge_value(open as u64));
    }
    if let Ok(limits) = own.limits()
        && let procfs::process::LimitValue::Value(most) = limits.max_open_files.soft_limit
    {
        gauge!(metric::PROCESS_MAX_FILES.name).set(gauge_value(most));
    }
}

/// Elsewhere the system is asked by other means.
#[cfg(not(target_os = "linux"))]
pub(super) const fn note() {}
