//! PACT as partners speak it: footprints read from and written to the JSON of versions 2.3 and 3.0, and the filters of
//! their lists. Amounts go from text to exact decimals and back and never through binary floating point.

mod body;
mod error_code;
mod event;
mod filter;
mod json;
mod odata;
mod read;
mod write;

pub use body::{listed, single, text_member};
pub use error_code::ErrorCode;
pub use event::{
    AskedFor, EVENT_MEDIA, Envelope, EventError, EventKind, EventOut, read_event, read_request, write_event,
};
pub use filter::{FilterQuery, Parameter};
pub use odata::{FilterError, read_filter};
pub use read::{Received, read, read_form};
pub use write::write;
