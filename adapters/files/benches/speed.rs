//! How long the work of this crate takes on one activity. Run with `cargo bench -p tonne-files`.

#![expect(clippy::unwrap_used, reason = "what is measured is made up here, and a fault in it ends the program")]

use divan::Bencher;
use domain::Name;
use ports::contract::sample;
use ports::inbound::{ActivityView, Named, NodePaths};
use ports::{Stored, Version};
use tonne_files::{parse, write_activity_json};

fn main() {
    divan::main();
}

/// An activity that refers to nothing but has everything else, or one that has everything.
fn view(is_filled: bool) -> ActivityView {
    let value = if is_filled { sample::filled_activity(1) } else { sample::activity(1) };
    let named = || is_filled.then(|| Named { id: sample::uuid(1), name: Name::parse("Köln, “north”").unwrap() });
    ActivityView {
        activity: Stored { value, version: Version(1), created: sample::at(0), updated: sample::at(1) },
        product: named(),
        scope: named(),
        taxonomy: named(),
        org: named(),
        incomplete: None,
        outdated: false,
        paths: NodePaths::default(),
        warnings: Vec::new(),
    }
}

#[divan::bench(args = [false, true])]
fn activity_to_json(bencher: Bencher<'_, '_>, is_filled: bool) {
    let view = view(is_filled);
    let mut text = String::new();
    bencher.bench_local(|| {
        text.clear();
        write_activity_json(&mut text, divan::black_box(&view), 0, None);
        text.len()
    });
}

#[divan::bench(args = [false, true])]
fn activity_from_json(bencher: Bencher<'_, '_>, is_filled: bool) {
    let mut text = String::new();
    write_activity_json(&mut text, &view(is_filled), 0, None);
    bencher.bench_local(|| parse(divan::black_box(text.as_bytes()), 32).unwrap());
}
