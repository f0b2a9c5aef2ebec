//! The floor of HTTP: the same bytes through a socket, from a server that does nothing else.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;

use anyhow::{Context, Result};

/// What the server answers each request with.
#[derive(Clone)]
pub(in crate::bench) enum Answer {
    /// These bytes, head included.
    Fixed(Arc<Vec<u8>>),
    /// So many bytes, in writes of the size that the program streams in.
    Stream(u64),
}

/// How many bytes are written at a time.
const WRITE: usize = 64 * 1024;

/// Starts the server; it ends with this program. Gives its host and port.
pub(in crate::bench) fn serve(answer: Answer) -> Result<String> {
    let listener = TcpListener::bind("127.0.0.1:0").context("cannot listen")?;
    let host = listener.local_addr()?.to_string();
    std::thread::spawn(move || {
        while let Ok((stream, _)) = listener.accept() {
            let answer = answer.clone();
            // A connection ends when its client does.
            std::thread::spawn(move || answer_all(stream, &answer));
        }
    });
    Ok(host)
}

fn answer_all(mut stream: TcpStream, answer: &Answer) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    // A request comes in one piece: the generator writes it at once, and waits for the answer.
    let mut request = vec![0; WRITE];
    while stream.read(&mut request)? > 0 {
        match answer {
            Answer::Fixed(bytes) => stream.write_all(bytes)?,
            Answer::Stream(length) => {
                write!(stream, "HTTP/1.1 200 OK\r\ncontent-length: {length}\r\n\r\n")?;
                let (piece, mut left) = (vec![b' '; WRITE], *length);
                while left > 0 {
                    let count = usize::try_from(left).unwrap_or(WRITE).min(WRITE);
                    stream.write_all(&piece[..count])?;
                    left -= count as u64;
                }
            }
        }
    }
    Ok(())
}
