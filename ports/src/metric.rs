//! The measurements of a running service: their names, what they count and which labels they have.
//!
//! Whoever measures takes the name from here, so that the exporter, the documents and the alert rules speak of the same.
//! Names follow the conventions of Prometheus. A label's values are few and known beforehand: a route's template and
//! never a path, no tenant unless the operator asks for them.

/// A measurement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Metric {
    /// Its name.
    pub name: &'static str,
    /// How it moves.
    pub kind: MetricKind,
    /// Its labels.
    pub labels: &'static [&'static str],
    /// What it says, in a sentence.
    pub help: &'static str,
}

/// How a measurement moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MetricKind {
    /// It only grows while the process lives.
    Counter,
    /// It is what it was when it was last looked at.
    Gauge,
    /// A distribution of durations, in seconds.
    Durations,
    /// A distribution of counts, from 1 up to some dozens.
    Counts,
}

/// A label's values that are known beforehand, of a counter that has no other label: each begins at zero, so that the first
/// time it moves is an increase.
pub const KNOWN_VALUES: &[(Metric, &str, &[&str])] = &[
    (
        SECURITY_EVENTS,
        "event",
        &[
            "credential_refused",
            "permission_missing",
            "secret_wrong",
            "locked_out",
            "refresh_token_reused",
            "token_revoked",
            "credential_changed",
            "form_refused",
        ],
    ),
    (WRITES, "outcome", &["done", "conflict", "stale", "corrupt", "busy", "unknown", "failed"]),
    (READ_MODEL_BUILDS, "kind", &["anew", "advanced"]),
    (IMPORTS, "outcome", &["done", "failed", "broken_off"]),
    (IMPORT_ROWS, "outcome", &["created", "updated", "unchanged", "rejected"]),
    (SWEEPS, "outcome", &["done", "behind", "failed"]),
    (EXPIRED_REMOVED, "kind", &["credential", "answer", "event", "staged"]),
];

macro_rules! metrics {
    ($($const:ident: $name:literal $kind:ident [$($label:literal),*] $help:literal;)*) => {
        $(
            #[doc = $help]
            pub const $const: Metric =
                Metric { name: $name, kind: MetricKind::$kind, labels: &[$($label),*], help: $help };
        )*

        /// Every measurement.
        pub const ALL: &[Metric] = &[$($const),*];
    };
}

metrics! {
    BUILD: "tonne_build_info" Gauge ["version", "store"] "1, with the version and the kind of store as labels.";
    HTTP_REQUESTS: "tonne_http_requests_total" Counter ["route", "method", "status"] "Requests that were answered, by the template of their route.";
    HTTP_DURATION: "tonne_http_request_duration_seconds" Durations ["route", "method"] "From a request's head until its answer began.";
    HTTP_IN_FLIGHT: "tonne_http_requests_in_flight" Gauge [] "Requests that are being answered, streams to their end.";
    HTTP_RESPONSE_BYTES: "tonne_http_response_bytes_total" Counter [] "Bytes of answers' bodies, as they were sent.";
    HTTP_CONNECTIONS: "tonne_http_connections" Gauge [] "Open connections.";
    HTTP_CONNECTIONS_REFUSED: "tonne_http_connections_refused_total" Counter [] "Connections for which there was no slot.";
    TENANT_REQUESTS: "tonne_tenant_requests_total" Counter ["tenant", "status"] "Requests by company; only with metrics.tenants.";
    STREAMS: "tonne_http_streams" Gauge [] "Answers that are being streamed.";
    STREAMS_BEGUN: "tonne_http_streams_begun_total" Counter [] "Streams that got a slot.";
    STREAMS_REFUSED: "tonne_http_streams_refused_total" Counter [] "Streams for which no slot was free in time.";
    SECURITY_EVENTS: "tonne_security_events_total" Counter ["event"] "Refused and changed credentials, by the event that the log names.";
    WRITERS: "tonne_store_writers" Gauge [] "Changes that are being written, or wait for their turn.";
    WRITE_WAIT: "tonne_store_write_wait_seconds" Durations [] "How long a write transaction waited for its turn; changes that are written in one step have none of their own.";
    WRITES: "tonne_store_writes_total" Counter ["outcome"] "Write transactions that were sent to be committed, and those that got no turn, by how they ended.";
    WRITE_DURATION: "tonne_store_write_duration_seconds" Durations [] "How long a change took until it was on the disk, its wait included.";
    GROUP_SIZE: "tonne_store_commit_group_size" Counts [] "Changes that shared a commit.";
    STORE_BYTES: "tonne_store_data_bytes" Gauge [] "Size of the stored data: files, or the database.";
    STORE_LOG_BYTES: "tonne_store_log_bytes" Gauge [] "Size of the files' write-ahead logs; 0 on PostgreSQL.";
    STORE_FREE_BYTES: "tonne_store_disk_free_bytes" Gauge [] "Room that is left on the disk of the data folder.";
    TENANTS: "tonne_tenants" Gauge [] "Companies.";
    READ_MODEL_BUILDS: "tonne_read_model_builds_total" Counter ["kind"] "Read models that were made: anew, or advanced from an earlier one.";
    READ_MODEL_BUILD_DURATION: "tonne_read_model_build_duration_seconds" Durations ["kind"] "How long making a read model took.";
    READ_MODELS: "tonne_read_models" Gauge [] "Read models in memory.";
    READ_MODEL_BYTES: "tonne_read_model_bytes" Gauge [] "Memory that they take, estimated from their cells.";
    IMPORTS: "tonne_imports_total" Counter ["outcome"] "Imports of activities by this process that came to their end, or did not.";
    IMPORT_ROWS: "tonne_import_rows_total" Counter ["outcome"] "Rows of imports by this process, by what became of them.";
    SWEEPS: "tonne_sweeps_total" Counter ["outcome"] "Looks for what has run out.";
    EXPIRED_REMOVED: "tonne_expired_records_removed_total" Counter ["kind"] "Records that had run out and were removed.";
    PROCESS_RESIDENT: "process_resident_memory_bytes" Gauge [] "Memory of the process that is in use; on Linux.";
    PROCESS_CPU: "process_cpu_seconds_total" Counter [] "Time of processors that the process used, in whole seconds; on Linux.";
    PROCESS_FILES: "process_open_fds" Gauge [] "Files and connections that the process has open; on Linux.";
    PROCESS_MAX_FILES: "process_max_fds" Gauge [] "How many it may have open; on Linux.";
    PROCESS_START: "process_start_time_seconds" Gauge [] "When the process was started, in seconds since 1970.";
}
