//! How long the work of the domain takes. Run with `cargo bench -p tonne-domain`; words behind `--` choose by name.

#![expect(clippy::unwrap_used, reason = "what is measured is made up here, and a fault in it ends the program")]

mod amounts;
mod canonical;
mod company;
mod cubes;

fn main() {
    divan::main();
}
