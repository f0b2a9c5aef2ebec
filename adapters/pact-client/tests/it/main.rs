//! Calls to scripted hosts over TLS.

mod answer;
mod exchange;
mod host;
mod reach;
mod token;
