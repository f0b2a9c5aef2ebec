//! `[limits]`: what requests may cost.

use std::time::Duration;

use super::load::reader::Settings;

/// What requests may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The most bytes of a JSON body or form.
    pub body_bytes: u64,
    /// The most arrays and objects around each other in a JSON body.
    pub json_depth: u64,
    /// Seconds that a body may take.
    pub body_s: u64,
    /// Seconds that a body may pause.
    pub body_silence_s: u64,
    /// The most bytes of a query.
    pub query_bytes: u64,
    /// Seconds that the head of a request may take.
    pub head_s: u64,
    /// Seconds that an idle connection is kept.
    pub keep_alive_s: u64,
    /// The most bytes that are read of a body whose request was refused, before the connection closes.
    pub drain_bytes: u64,
    /// The most connections at once.
    pub connections: u64,
    /// The most of them that are one address's, where it is no trusted proxy's.
    pub connections_per_address: u64,
    /// The most requests of a credential in a minute; 0 for any number.
    pub requests_per_minute: u64,
    /// The most reports that are streamed whole at once.
    pub streams: u64,
    /// The most of them that are one tenant's, where there are several.
    pub streams_per_tenant: u64,
    /// The most of them that are one credential's.
    pub streams_per_credential: u64,
    /// Seconds that a stream may take.
    pub stream_s: u64,
    /// Seconds that the reader of a stream may take for each 64 KiB.
    pub stream_silence_s: u64,
    /// Seconds in all that a stream waits for its reader before the rest of it goes to a temporary file.
    pub stream_patience_s: u64,
    /// The most bytes of such a file.
    pub stream_spool_bytes: u64,
    /// The most rows that are imported all or none.
    pub atomic_rows: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            body_bytes: 1_048_576,
            json_depth: 32,
            body_s: 120,
            body_silence_s: 30,
            query_bytes: 8_192,
            head_s: 5,
            keep_alive_s: 75,
            drain_bytes: 65_536,
            connections: 4_096,
            connections_per_address: 256,
            requests_per_minute: 6_000,
            streams: 8,
            streams_per_tenant: 4,
            streams_per_credential: 2,
            stream_s: 600,
            stream_silence_s: 30,
            stream_patience_s: 2,
            stream_spool_bytes: 2_147_483_648,
            atomic_rows: 100_000,
        }
    }
}

impl Limits {
    /// The same limits in the service's terms. `stop` is how long requests may run on after the service was told to
    /// stop.
    #[must_use]
    pub fn of_service(self, stop: Duration) -> http::Limits {
        let size = |bytes: u64| usize::try_from(bytes).unwrap_or(usize::MAX);
        http::Limits {
            body_bytes: size(self.body_bytes),
            json_depth: size(self.json_depth),
            body: Duration::from_secs(self.body_s),
            body_silence: Duration::from_secs(self.body_silence_s),
            query_bytes: size(self.query_bytes),
            head: Duration::from_secs(self.head_s),
            keep_alive: Duration::from_secs(self.keep_alive_s),
            drain_bytes: size(self.drain_bytes),
            connections: size(self.connections),
            connections_per_address: size(self.connections_per_address),
            requests_per_minute: u32::try_from(self.requests_per_minute).unwrap_or(u32::MAX),
            shutdown: stop,
            streams: size(self.streams),
            streams_per_tenant: size(self.streams_per_tenant),
            streams_per_credential: size(self.streams_per_credential),
            stream: Duration::from_secs(self.stream_s),
            stream_silence: Duration::from_secs(self.stream_silence_s),
            stream_patience: Duration::from_secs(self.stream_patience_s),
            stream_spool_bytes: self.stream_spool_bytes,
            atomic_rows: self.atomic_rows,
        }
    }

    pub(super) fn read(settings: &mut Settings<'_>) -> Self {
        let default = Self::default();
        let mut section = settings.section("limits");
        let limits = Self {
            body_bytes: section.number("body_bytes", default.body_bytes, 1_024..=1_073_741_824),
            json_depth: section.number("json_depth", default.json_depth, 4..=128),
            body_s: section.number("body_s", default.body_s, 1..=86_400),
            body_silence_s: section.number("body_silence_s", default.body_silence_s, 1..=3_600),
            query_bytes: section.number("query_bytes", default.query_bytes, 256..=65_536),
            head_s: section.number("head_s", default.head_s, 1..=3_600),
            keep_alive_s: section.number("keep_alive_s", default.keep_alive_s, 1..=3_600),
            drain_bytes: section.number("drain_bytes", default.drain_bytes, 0..=1_073_741_824),
            connections: section.number("connections", default.connections, 8..=1_000_000),
            connections_per_address: section.number(
                "connections_per_address",
                default.connections_per_address,
                1..=1_000_000,
            ),
            requests_per_minute: section.number("requests_per_minute", default.requests_per_minute, 0..=1_000_000_000),
            streams: section.number("streams", default.streams, 1..=1_000),
            streams_per_tenant: section.number("streams_per_tenant", default.streams_per_tenant, 1..=1_000),
            streams_per_credential: section.number("streams_per_credential", default.streams_per_credential, 1..=1_000),
            stream_s: section.number("stream_s", default.stream_s, 1..=86_400),
            stream_silence_s: section.number("stream_silence_s", default.stream_silence_s, 1..=3_600),
            stream_patience_s: section.number("stream_patience_s", default.stream_patience_s, 0..=3_600),
            stream_spool_bytes: section.number("stream_spool_bytes", default.stream_spool_bytes, 0..=1_099_511_627_776),
            atomic_rows: section.number("atomic_rows", default.atomic_rows, 1..=1_000_000),
        };
        section.finish();
        limits
    }
}
