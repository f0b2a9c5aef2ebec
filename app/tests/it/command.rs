//! The binary, as a shell runs it.

mod absent;
#[cfg(target_os = "linux")]
mod asked;
mod backup;
mod completeness;
mod config;
mod crash;
mod credential;
mod doctor;
mod exchange;
mod exclusion;
mod explain;
mod factor;
mod held;
mod help;
mod history;
mod import;
#[cfg(unix)]
mod json_log;
mod map;
mod metrics;
mod missing_files;
mod pact;
mod pages;
mod partner;
mod period;
mod postgres;
mod race;
mod real_provider;
mod recalculate;
mod repeat;
mod replay;
mod report;
mod run;
#[cfg(unix)]
mod security_log;
mod serve;
mod statement;
#[cfg(unix)]
mod supervised;
#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod synced;
mod tenant;
mod tls;
#[cfg(feature = "otel")]
mod trace;
mod transfer;
mod user;
mod verify;
