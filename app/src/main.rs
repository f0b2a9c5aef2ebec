//! The `tonne` binary.

use std::process::ExitCode;

fn main() -> ExitCode {
    tonne::command::run()
}
