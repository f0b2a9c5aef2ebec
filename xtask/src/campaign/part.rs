//! The parts of the campaign, and of which rounds each consists.

use std::time::Duration;

use anyhow::Result;
use clap::ValueEnum;

use super::ground::Ground;
use super::tally::Tally;
use super::{backup, citus, clock, crash, crowd, disk, fuzzing, http, isolation, memory, preview, undo};
use crate::bench::store::Kind;

/// How much is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// All parts in about six minutes.
    Short,
    /// Every part whole.
    Long,
}

impl Form {
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Short => "short",
            Self::Long => "long",
        }
    }

    /// The one of two values that is for it.
    pub(super) const fn pick(self, short: u32, long: u32) -> u32 {
        match self {
            Self::Short => short,
            Self::Long => long,
        }
    }
}

/// An attack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Part {
    /// The service killed under four writers.
    Kill,
    /// The service asked to end under load.
    Terminate,
    /// The clock set forward and back.
    Clock,
    /// Imports and single writers of several processes on one file.
    Crowd,
    /// Large imports taken back, killed midway.
    Undo,
    /// Fifty connections and a stream: how much memory that takes.
    Memory,
    /// Backups beside writers, and on a disk that fails; each is restored.
    Backup,
    /// A disk that fails.
    Disk,
    /// Very many requests of many companies on one PostgreSQL. Its short form is among the tests.
    Isolation,
    /// A cluster of Citus as `docs/citus.md` sets it up, where Citus is installed. It has no short form.
    Citus,
    /// Very many files whose check must say what their import does. Its short form is among the tests.
    Preview,
    /// Requests made from the `OpenAPI` document.
    Http,
    /// Hostile inputs for what reads text.
    Fuzz,
}

impl Part {
    pub(super) const ALL: &[Self] = &[
        Self::Kill,
        Self::Terminate,
        Self::Clock,
        Self::Crowd,
        Self::Undo,
        Self::Memory,
        Self::Backup,
        Self::Disk,
        Self::Isolation,
        Self::Citus,
        Self::Preview,
        Self::Http,
        Self::Fuzz,
    ];

    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Kill => "kill",
            Self::Terminate => "terminate",
            Self::Clock => "clock",
            Self::Crowd => "crowd",
            Self::Undo => "undo",
            Self::Memory => "memory",
            Self::Backup => "backup",
            Self::Disk => "disk",
            Self::Isolation => "isolation",
            Self::Citus => "citus",
            Self::Preview => "preview",
            Self::Http => "http",
            Self::Fuzz => "fuzz",
        }
    }

    /// After so long no further round of its short form begins: six minutes in all.
    pub(super) const fn budget(self) -> Duration {
        Duration::from_secs(match self {
            Self::Kill | Self::Disk => 45,
            Self::Terminate | Self::Crowd | Self::Backup => 25,
            Self::Clock | Self::Undo => 30,
            Self::Memory => 20,
            Self::Isolation | Self::Citus | Self::Preview => 0,
            Self::Http => 75,
            Self::Fuzz => 40,
        })
    }

    /// Its rounds, in the order in which they run.
    pub(super) fn rounds(self, form: Form) -> Vec<Round> {
        let on_both = |count: u32, task: fn(u32, Kind) -> Task, each: u32| -> Vec<Round> {
            let named = |kind: Kind, number| {
                let name = format!("{}-{}-{number:02}", self.word(), kind.name().to_lowercase());
                Round { part: self, name, task: task(each, kind) }
            };
            let kinds = [Kind::Sqlite, Kind::Postgres];
            // In turns, so that a part that is broken off has tried both.
            (1..=count).flat_map(|number| kinds.map(|kind| named(kind, number))).collect()
        };
        let one = |task| vec![Round { part: self, name: self.word().to_owned(), task }];
        match self {
            Self::Kill => on_both(form.pick(2, 20), Task::Kill, form.pick(4, 25)),
            Self::Terminate => on_both(form.pick(1, 5), Task::Terminate, form.pick(3, 5)),
            Self::Clock => on_both(form.pick(1, 2), Task::Clock, form.pick(2, 5)),
            Self::Crowd => one(Task::Crowd(crowd::Size { seconds: form.pick(8, 60), rows: form.pick(5_000, 200_000) })),
            Self::Undo => on_both(1, Task::Undo, form.pick(20_000, 1_000_000)),
            Self::Memory => on_both(1, Task::Memory, form.pick(20_000, 1_000_000)),
            Self::Backup => {
                let mut rounds = on_both(form.pick(1, 5), Task::Backup, form.pick(2, 10));
                let faults = Task::BackupFaults(form.pick(3, 40));
                rounds.push(Round { part: self, name: "backup-faults".to_owned(), task: faults });
                rounds
            }
            Self::Disk => disk::rounds(form),
            Self::Isolation | Self::Citus | Self::Preview if form == Form::Short => Vec::new(),
            Self::Isolation => isolation::rounds(),
            Self::Citus => citus::rounds(),
            Self::Preview => preview::rounds(),
            Self::Http => http::rounds(form),
            Self::Fuzz => fuzzing::rounds(form),
        }
    }
}

/// A piece of a part that is run whole, and again by its seed.
#[derive(Clone, Debug)]
pub(super) struct Round {
    pub(super) part: Part,
    pub(super) name: String,
    pub(super) task: Task,
}

/// What a round does; the number says how often, how long or with how much.
#[derive(Clone, Debug)]
pub(super) enum Task {
    Kill(u32, Kind),
    Terminate(u32, Kind),
    Clock(u32, Kind),
    Crowd(crowd::Size),
    Undo(u32, Kind),
    Memory(u32, Kind),
    Backup(u32, Kind),
    BackupFaults(u32),
    Disk(disk::Faults),
    Isolation(isolation::Kept),
    Citus(citus::Row),
    Preview,
    Http(http::Run),
    Fuzz(fuzzing::Target),
}

impl Round {
    /// Builds what it runs, where that takes minutes: that is none of its time.
    pub(super) fn prepare(&self, ground: &mut Ground) -> Result<()> {
        match self.task {
            Task::Fuzz(_) => ground.fuzzer().map(drop),
            Task::Isolation(_) => ground.isolation().map(drop),
            Task::Citus(row) => citus::prepare(ground, row),
            Task::Preview => preview::build().map(drop),
            Task::Kill(..)
            | Task::Terminate(..)
            | Task::Clock(..)
            | Task::Crowd(_)
            | Task::Undo(..)
            | Task::Memory(..)
            | Task::Backup(..)
            | Task::BackupFaults(_)
            | Task::Disk(_)
            | Task::Http(_) => Ok(()),
        }
    }

    /// Runs it; what it claims and does not find is an error.
    pub(super) fn run(&self, ground: &mut Ground, seed: u64) -> Result<Tally> {
        match &self.task {
            Task::Kill(kills, kind) => crash::kill(ground, &self.name, *kind, *kills, seed),
            Task::Terminate(ends, kind) => crash::terminate(ground, &self.name, *kind, *ends, seed),
            Task::Clock(jumps, kind) => clock::jump(ground, &self.name, *kind, *jumps, seed),
            Task::Crowd(size) => crowd::run(ground, &self.name, *size),
            Task::Undo(rows, kind) => undo::run(ground, &self.name, *kind, *rows, seed),
            Task::Memory(activities, kind) => memory::run(ground, &self.name, *kind, *activities),
            Task::Backup(backups, kind) => backup::run(ground, &self.name, *kind, *backups, seed),
            Task::BackupFaults(places) => backup::faults(ground, &self.name, *places),
            Task::Disk(faults) => disk::run(ground, &self.name, faults),
            Task::Isolation(kept) => isolation::run(ground, *kept, seed),
            Task::Citus(row) => citus::run(ground, *row),
            Task::Preview => preview::run(),
            Task::Http(run) => http::run(ground, &self.name, run, seed),
            Task::Fuzz(target) => fuzzing::run(ground, target, seed),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_short_form_is_of_six_minutes_and_begins_with_a_round_of_each_part() {
        assert_eq!(Part::ALL.iter().map(|part| part.budget()).sum::<Duration>(), Duration::from_mins(6));
        for part in Part::ALL {
            let has_short_form = !matches!(part, Part::Isolation | Part::Citus | Part::Preview);
            assert_eq!(!part.rounds(Form::Short).is_empty(), has_short_form, "{part:?}");
            assert!(!part.rounds(Form::Long).is_empty(), "{part:?}");
        }
    }
}
