//! The floor of checking: every byte of the store's files through SHA-256.

use std::fs::File;
use std::io::Read as _;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use sha2::{Digest as _, Sha256};

use crate::bench::store::{Kind, Store};
use crate::bench::subject::Subject;

/// How many seconds that takes.
pub(in crate::bench) fn seconds(subject: &Subject, store: &Store) -> Result<f64> {
    if subject.kind == Kind::Postgres {
        bail!("the server's files are its own");
    }
    let begin = Instant::now();
    let mut file = File::open(store.file()).context("cannot read a store")?;
    let (mut digest, mut buffer) = (Sha256::new(), vec![0; 1 << 20]);
    loop {
        let count = file.read(&mut buffer)?;
        if count == 0 {
            break;
        }
        digest.update(&buffer[..count]);
    }
    // Looked at, so that none of the work is left out.
    std::hint::black_box(digest.finalize());
    Ok(begin.elapsed().as_secs_f64())
}
