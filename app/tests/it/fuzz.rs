//! What reads text, fed with made-up and damaged inputs: `cargo xtask fuzz` runs each of these tests for as long as it is
//! told, the usual test run a few thousand inputs.
//!
//! A run is repeated by its seed, an input by its file: `TONNE_FUZZ_SEED`, `TONNE_FUZZ_INPUT`.

mod canonical;
mod date;
mod decimal;
mod json;
mod jwt;
mod map;
mod mutation;
mod ndjson;
mod tenant;

use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{env, fs};

use mutation::{Dice, mutated};

/// How many inputs are tried where no time is given, and by which seed.
const USUAL: (u64, u64) = (2_000, 1);
/// How long an input may take. Those of these tests have at most some kilobytes.
const PATIENCE: Duration = Duration::from_secs(10);
/// An input of more bytes is cut.
const MOST_BYTES: usize = 16 << 10;
/// One of more bytes is not kept: others made from it would be slow.
const MOST_KEPT_BYTES: usize = 4 << 10;
/// How much memory a run may take in KiB.
const MOST_MEMORY: u64 = 1 << 20;

/// Tries inputs on `target`, which panics where what it claims is not so, and else says in some words what it was: an
/// input with words that are new is kept, and others are made from it.
pub(super) fn check(name: &str, samples: &[Vec<u8>], dictionary: &[&str], target: impl Fn(&[u8]) -> String) {
    if let Ok(path) = env::var("TONNE_FUZZ_INPUT") {
        println!("{}", target(&fs::read(path).unwrap()));
        return;
    }
    let number = |name: &str| env::var(name).ok().map(|text| text.parse::<u64>().unwrap());
    let seconds = number("TONNE_FUZZ_SECONDS").map(Duration::from_secs);
    let seed = number("TONNE_FUZZ_SEED").unwrap_or(USUAL.1);
    let kept = env::var_os("TONNE_FUZZ_FOLDER").map(|folder| PathBuf::from(folder).join(name));
    let mut pool = samples.to_vec();
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/fuzz/corpus").join(name);
    pool.extend(files(&own));
    pool.extend(kept.iter().flat_map(|kept| files(&kept.join("corpus"))));
    let (mut known, begin, mut dice) = (HashSet::new(), Instant::now(), Dice(seed));
    let given = pool.len() as u64;
    let mut tried = 0;
    while tried < given || seconds.map_or(tried < USUAL.0, |seconds| begin.elapsed() < seconds) {
        let input = match pool.get(usize::try_from(tried).unwrap()) {
            Some(input) if tried < given => input.clone(),
            _ => mutated(&pool, dictionary, MOST_BYTES, &mut dice),
        };
        let since = Instant::now();
        let said = catch_unwind(AssertUnwindSafe(|| target(&input)));
        let is_in_time = since.elapsed() < PATIENCE;
        match said {
            Ok(words) if is_in_time => {
                if known.insert(outline(&words)) && tried >= given && input.len() <= MOST_KEPT_BYTES {
                    if let Some(kept) = &kept {
                        keep(&kept.join("corpus"), &input);
                    }
                    pool.push(input);
                }
            }
            _ => {
                let small = if is_in_time { smaller(input, &target) } else { input };
                let folder = kept.unwrap_or_else(|| env::temp_dir().join(format!("tonne-fuzz-{name}")));
                let path = keep(&folder.join("failures"), &small);
                let text = String::from_utf8_lossy(&small[..small.len().min(400)]).into_owned();
                let path = path.display();
                panic!("seed {seed}, input {tried}, {is_in_time} in time, kept in {path}: {text:?}");
            }
        }
        tried += 1;
    }
    println!("{name}: {tried} inputs, {} outcomes, seed {seed}", known.len());
    let memory = if seconds.is_some() { peak_memory() } else { 0 };
    assert!(memory < MOST_MEMORY, "{name} took {memory} KiB");
}

/// Words without what hangs on the single input: digits and what is quoted.
fn outline(words: &str) -> String {
    let mut quoted = false;
    let kept = words.chars().filter(|c| {
        quoted ^= *c == '"';
        !quoted && !c.is_ascii_digit()
    });
    kept.take(80).collect()
}

fn files(folder: &Path) -> Vec<Vec<u8>> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.iter().map(|path| fs::read(path).unwrap()).collect()
}

/// Writes an input under the digest of its bytes.
fn keep(folder: &Path, input: &[u8]) -> PathBuf {
    fs::create_dir_all(folder).unwrap();
    let path = folder.join(&domain::Digest::of(input).to_string()[..16]);
    fs::write(&path, input).unwrap();
    path
}

/// The same input with pieces left out that the failure does not need.
fn smaller(mut input: Vec<u8>, target: &impl Fn(&[u8]) -> String) -> Vec<u8> {
    let begin = Instant::now();
    let mut piece = input.len() / 2;
    while piece > 0 && begin.elapsed() < PATIENCE {
        let mut at = 0;
        while at < input.len() && begin.elapsed() < PATIENCE {
            let end = (at + piece).min(input.len());
            let less = [&input[..at], &input[end..]].concat();
            if catch_unwind(AssertUnwindSafe(|| target(&less))).is_err() {
                input = less;
            } else {
                at = end;
            }
        }
        piece /= 2;
    }
    input
}

/// The most memory this process had, in KiB; 0 where `/proc` does not say.
fn peak_memory() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or("0 kB");
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

#[test]
#[should_panic(expected = "kept in")]
fn an_input_that_breaks_a_claim_is_found_and_kept() {
    assert!(env::var_os("TONNE_FUZZ_INPUT").is_none(), "an input is tried alone, not kept in a file");
    check("self", &[b"2025-03-01".to_vec()], &["Z"], |input| {
        assert!(!input.contains(&b'Z'));
        String::new()
    });
}
