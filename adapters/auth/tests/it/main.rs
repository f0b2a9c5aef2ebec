//! Secrets, their file, and tokens.

#![cfg(test)]

mod installation;
mod secrets;
mod signer;
