//! The pages as people meet them: the started program, driven through a browser.
//!
//! `cargo xtask test` finds or installs what drives it; `--skip browser` leaves these tests out.

mod accessibility;
mod api_key;
mod clipboard;
mod company;
mod demo;
mod driver;
mod evil;
mod figures;
mod keyboard;
mod new_user;
mod paper;
mod pdf;
mod pictures;
mod progress;
pub(crate) mod session;
mod sign_in;
mod weight;
mod without_scripts;
