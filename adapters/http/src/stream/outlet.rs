//! Where blocks leave the task of a stream: to the connection, or where its client is behind, to a temporary file first.

use std::mem;
use std::path::PathBuf;
use std::time::Duration;

use actix_web::web::Bytes;
use tokio::sync::mpsc::Sender;
use tokio::time::{Instant, timeout_at};

use super::End;
use super::spool::Spool;
use crate::service::Settings;

/// What is handed to the connection at once, and what a reader must take within the limit's time.
const BLOCK: usize = 64 << 10;

/// Where blocks leave the task.
pub(super) struct Outlet {
    sender: Sender<Option<Bytes>>,
    block: Vec<u8>,
    /// How long the client may take for a block.
    silence: Duration,
    deadline: Instant,
    /// How long the source may still wait for the client.
    patience: Duration,
    /// Where the rest may go, and how many bytes of it.
    folder: PathBuf,
    most: u64,
    spool: Option<Spool>,
}

impl Outlet {
    /// To that connection; `head` is sent first.
    pub(super) fn new(sender: Sender<Option<Bytes>>, head: Vec<u8>, settings: &Settings) -> Self {
        let limits = &settings.limits;
        Self {
            sender,
            block: head,
            silence: limits.stream_silence,
            deadline: Instant::now() + limits.stream,
            patience: limits.stream_patience,
            folder: settings.spool_dir.clone(),
            most: limits.stream_spool_bytes,
            spool: None,
        }
    }

    /// When the whole stream must have ended.
    pub(super) const fn deadline(&self) -> Instant {
        self.deadline
    }

    pub(super) async fn write(&mut self, mut bytes: &[u8]) -> Result<(), End> {
        while self.block.len() + bytes.len() >= BLOCK {
            let (now, later) = bytes.split_at(BLOCK.saturating_sub(self.block.len()).min(bytes.len()));
            self.block.extend_from_slice(now);
            bytes = later;
            self.flush().await?;
        }
        self.block.extend_from_slice(bytes);
        Ok(())
    }

    /// Sends what is left, and what went to a file.
    pub(super) async fn finish(&mut self) -> Result<(), End> {
        self.flush().await?;
        let Some(spool) = self.spool.take() else { return Ok(()) };
        let mut blocks = spool.into_blocks().await.map_err(End::Unspooled)?;
        while let Some(block) = blocks.next(BLOCK).await.map_err(End::Unspooled)? {
            let until = self.deadline.min(Instant::now() + self.silence);
            match timeout_at(until, self.sender.send(Some(block))).await {
                Ok(Ok(())) => {}
                Ok(Err(_)) => return Err(End::Left),
                Err(_) => return Err(End::Slow),
            }
        }
        Ok(())
    }

    /// Says that the stream is whole.
    pub(super) async fn end(self) {
        let _ = timeout_at(self.deadline, self.sender.send(None)).await;
    }

    async fn flush(&mut self) -> Result<(), End> {
        if self.block.is_empty() {
            return Ok(());
        }
        let block = mem::take(&mut self.block);
        if let Some(spool) = &mut self.spool {
            if self.sender.is_closed() {
                return Err(End::Left);
            }
            if Instant::now() >= self.deadline {
                return Err(End::Slow);
            }
            return spool.put(block).await.map_err(End::Unspooled);
        }
        let begin = Instant::now();
        let until = self.deadline.min(begin + self.silence.min(self.patience));
        match timeout_at(until, self.sender.reserve()).await {
            Ok(Ok(place)) => {
                place.send(Some(Bytes::from(block)));
                self.patience = self.patience.saturating_sub(begin.elapsed());
                Ok(())
            }
            Ok(Err(_)) => Err(End::Left),
            // Where it may be silent for less than the source may wait, it is too slow either way.
            Err(_) if Instant::now() >= self.deadline || self.silence <= self.patience => Err(End::Slow),
            Err(_) => {
                let mut spool = Spool::begin(self.folder.clone(), self.most).await.map_err(End::Unspooled)?;
                let put = spool.put(block).await;
                self.spool = Some(spool);
                put.map_err(End::Unspooled)
            }
        }
    }
}
