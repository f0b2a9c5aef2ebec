//! The floor of checking: what is stored through SHA-256. Of a file every byte; of a database, whose files are the
//! server's own, every activity and every change's items, in the server.

use std::fs::File;
use std::io::Read as _;
use std::time::Instant;

use anyhow::{Context, Result};
use sha2::{Digest as _, Sha256};

use crate::bench::store::Store;
use crate::bench::subject::Subject;

/// How many seconds that takes.
pub(in crate::bench) fn seconds(subject: &Subject, store: &Store) -> Result<f64> {
    let begin = Instant::now();
    if let Some(server) = &subject.server {
        for of in ["convert_to(a::text, 'UTF8'))) FROM tonne.activity", "items)) FROM tonne.change_items"] {
            server.ask(&store.database(), &format!("SELECT count(sha256({of} AS a"))?;
        }
        return Ok(begin.elapsed().as_secs_f64());
    }
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
