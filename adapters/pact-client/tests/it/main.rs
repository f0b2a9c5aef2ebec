//! Calls to scripted hosts over TLS.

#![cfg(test)]

mod answer;
mod exchange;
mod host;
mod reach;
mod token;
