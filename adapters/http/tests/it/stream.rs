//! Streams on a real connection: whole or aborted, and never waiting for their reader without bound.
