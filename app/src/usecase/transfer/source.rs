//! Reading a tenant's file on a thread of its own, checked and in portions.

use std::io::BufRead;

use domain::{PackedCells, SeriesKey};
use files::{TenantEnd, TenantError, TenantHeader, TenantLine, TenantReader};
use ports::Change;
use ports::credential::PasswordHash;
use ports::directory::{Client, Key};
use ports::import_batch::ImportBatch;
use ports::ledger::{PackedItems, PackedLines, PartPlace};
use ports::load::AnyRecord;
use ports::people::User;
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::task::spawn_blocking;

use super::check::{Check, Checked};

/// How many records, or changes, are handed on at a time.
const PORTION: usize = 4_000;
/// How many bytes of items, postings and lines are handed on at a time, but for one part.
const PORTION_BYTES: usize = 4 << 20;
/// How many portions wait for the store.
const AHEAD: usize = 2;

/// A tenant's file whose header was read.
pub struct Incoming {
    reader: TenantReader<Box<dyn BufRead + Send>>,
    check: Check,
    header: TenantHeader,
}

/// What the store or the directory is given next.
pub(super) enum Portion {
    Series(Vec<SeriesKey>),
    Records(Vec<AnyRecord>),
    /// The next changes, and parts of theirs and of the last one before.
    History(History),
    /// The whole file was read and fits together.
    End(Box<TenantEnd>, CarriedCredentials),
}

/// The credentials that a file carries.
#[derive(Default)]
pub(super) struct CarriedCredentials {
    pub(super) clients: Vec<Client>,
    pub(super) keys: Vec<Key>,
    pub(super) users: Vec<(User, Option<PasswordHash>)>,
}

impl CarriedCredentials {
    /// The users, whom neither a password nor a provider signs in any more.
    pub(super) fn users_alone(self) -> Self {
        let users = self.users.into_iter().map(|(user, _)| (User { password: None, identity: None, ..user }, None));
        let users = users.collect();
        Self { users, ..Self::default() }
    }
}

/// A piece of the history.
#[derive(Default)]
pub(super) struct History {
    pub(super) changes: Vec<Change>,
    pub(super) items: Vec<(PartPlace, PackedItems)>,
    pub(super) postings: Vec<(PartPlace, PackedCells)>,
    pub(super) lines: Vec<(PartPlace, PackedLines)>,
    pub(super) imports: Vec<ImportBatch>,
}

impl History {
    fn len(&self) -> usize {
        let Self { changes, items, postings, lines, imports } = self;
        changes.len() + items.len() + postings.len() + lines.len() + imports.len()
    }
}

type Sent = Result<Portion, TenantError>;

impl Incoming {
    /// Opens a file by reading its header line.
    pub fn open(input: Box<dyn BufRead + Send>) -> Result<Self, TenantError> {
        let (mut reader, mut check) = (TenantReader::new(input), Check::default());
        match reader.read()? {
            Some(TenantLine::Header(header)) => {
                check.take(TenantLine::Header(header.clone())).map_err(|wrong| reader.refuse(wrong))?;
                Ok(Self { reader, check, header })
            }
            Some(_) | None => Err(reader.refuse("is no header")),
        }
    }

    /// Whose file it is.
    #[must_use]
    pub const fn header(&self) -> &TenantHeader {
        &self.header
    }

    /// Reads the whole file, and says where its history ends, if all of it fits together. Nothing is kept.
    pub async fn check(self) -> Result<TenantEnd, TenantError> {
        let mut portions = self.portions();
        while let Some(portion) = portions.recv().await {
            if let Portion::End(end, ..) = portion? {
                return Ok(*end);
            }
        }
        Err(TenantError::Read(std::io::Error::other("the thread that reads it ended early")))
    }

    /// Reads on, on a thread of its own. After an error nothing more comes.
    pub(super) fn portions(self) -> Receiver<Sent> {
        let (sender, receiver) = channel(AHEAD);
        spawn_blocking(move || {
            let mut reading =
                Reading { reader: self.reader, check: self.check, collected: Collected::default(), sender };
            if let Err(Ended::Refused(error)) = reading.read() {
                // Who does not listen any more has failed already.
                let _ = reading.sender.blocking_send(Err(error));
            }
        });
        receiver
    }
}

impl std::fmt::Debug for Incoming {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Incoming").field("header", &self.header).finish_non_exhaustive()
    }
}

/// Why reading ended early.
enum Ended {
    Refused(TenantError),
    Unheard,
}

#[derive(Default)]
struct Collected {
    series: Vec<SeriesKey>,
    records: Vec<AnyRecord>,
    history: History,
    bytes: usize,
    credentials: CarriedCredentials,
    end: Option<TenantEnd>,
}

struct Reading {
    reader: TenantReader<Box<dyn BufRead + Send>>,
    check: Check,
    collected: Collected,
    sender: Sender<Sent>,
}

impl Reading {
    fn read(&mut self) -> Result<(), Ended> {
        while let Some(line) = self.reader.read().map_err(Ended::Refused)? {
            let checked = self.check.take(line).map_err(|wrong| Ended::Refused(self.reader.refuse(wrong)))?;
            self.collect(checked)?;
        }
        self.hand_on(0)?;
        let Collected { credentials, end, .. } = std::mem::take(&mut self.collected);
        let end = end.filter(|_| self.check.has_ended());
        let end = end.ok_or_else(|| Ended::Refused(self.reader.refuse("ends a file without an end line")))?;
        self.send(Portion::End(Box::new(end), credentials))
    }

    fn collect(&mut self, checked: Checked) -> Result<(), Ended> {
        match checked {
            Checked::Nothing => return Ok(()),
            Checked::Series(key) => self.collected.series.push(key),
            Checked::Record(record) => {
                self.hand_on_series()?;
                self.collected.records.push(record);
            }
            Checked::Change(change) => {
                self.hand_on_records(0)?;
                self.collected.history.changes.push(change);
            }
            Checked::Items(place, items) => {
                self.collected.bytes += items.as_bytes().len();
                self.collected.history.items.push((place, items));
            }
            Checked::Postings(place, cells) => {
                self.collected.bytes += cells.as_bytes().len();
                self.collected.history.postings.push((place, cells));
            }
            Checked::Lines(place, lines) => {
                self.collected.bytes += lines.as_bytes().len();
                self.collected.history.lines.push((place, lines));
            }
            Checked::Import(import) => self.collected.history.imports.push(*import),
            Checked::Client(client) => self.collected.credentials.clients.push(client),
            Checked::Key(key) => self.collected.credentials.keys.push(key),
            Checked::User(user, password) => self.collected.credentials.users.push((*user, password)),
            Checked::End(end) => self.collected.end = Some(end),
        }
        self.hand_on(PORTION)
    }

    /// Hands on what is more than `most`.
    fn hand_on(&mut self, most: usize) -> Result<(), Ended> {
        self.hand_on_records(most)?;
        let Collected { history, bytes, .. } = &self.collected;
        if history.len() > most || *bytes > PORTION_BYTES {
            self.collected.bytes = 0;
            let history = std::mem::take(&mut self.collected.history);
            self.send(Portion::History(history))?;
        }
        Ok(())
    }

    fn hand_on_records(&mut self, most: usize) -> Result<(), Ended> {
        if most == 0 {
            self.hand_on_series()?;
        }
        if self.collected.records.len() > most {
            let records = std::mem::take(&mut self.collected.records);
            self.send(Portion::Records(records))?;
        }
        Ok(())
    }

    /// All series go to the store in one call, before the first record.
    fn hand_on_series(&mut self) -> Result<(), Ended> {
        let series = std::mem::take(&mut self.collected.series);
        if series.is_empty() { Ok(()) } else { self.send(Portion::Series(series)) }
    }

    fn send(&self, portion: Portion) -> Result<(), Ended> {
        self.sender.blocking_send(Ok(portion)).map_err(|_| Ended::Unheard)
    }
}
