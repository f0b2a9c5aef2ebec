//! The library that makes a program's disk and clock fail, compiled from `faults.c`, and what it is told.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

const SOURCE: &str = include_str!("faults.c");

/// What an operation of the disk fails with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DiskError {
    /// The disk is broken for one operation.
    Eio,
    /// The disk is full until it is mended.
    Enospc,
}

impl DiskError {
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Eio => "eio",
            Self::Enospc => "enospc",
        }
    }

    /// Its number, and how many operations fail.
    const fn numbers(self) -> (u32, u32) {
        match self {
            Self::Eio => (5, 1),
            Self::Enospc => (28, 1_000_000),
        }
    }
}

/// The library and the files by which it is told what to do, in a folder.
pub(super) struct FaultLibrary {
    library: PathBuf,
    order: PathBuf,
    clock: PathBuf,
}

impl FaultLibrary {
    /// Compiles it into the folder, with the system's C compiler.
    pub(super) fn compile(folder: &Path) -> Result<Self> {
        let (source, library) = (folder.join("faults.c"), folder.join("faults.so"));
        fs::write(&source, SOURCE).context("cannot write the library's source")?;
        let mut compiler = Command::new("cc");
        compiler.args(["-O1", "-fPIC", "-shared", "-o"]).arg(&library).arg(&source).arg("-ldl");
        ensure!(compiler.status().context("no C compiler (cc)")?.success(), "{} does not compile", source.display());
        Ok(Self { library, order: folder.join("order"), clock: folder.join("clock") })
    }

    /// The variables of a program whose writes and syncs below the folder are counted, and whose clock can be set.
    pub(super) fn variables<'a>(&'a self, folder: &'a Path) -> [(&'static str, &'a Path); 4] {
        [
            ("LD_PRELOAD", &self.library),
            ("FAULT_FOLDER", folder),
            ("FAULT_ORDER", &self.order),
            ("FAULT_CLOCK", &self.clock),
        ]
    }

    /// Counts from here, and fails from the operation of that number on.
    pub(super) fn fail_at(&self, at: u32, error: DiskError) -> Result<()> {
        let (number, times) = error.numbers();
        let new = self.order.with_extension("new");
        fs::write(&new, format!("{at} {number} {times}\n")).context("cannot write an order")?;
        fs::rename(&new, &self.order).context("cannot give an order")
    }

    /// Mends the disk.
    pub(super) fn mend(&self) -> Result<()> {
        if self.order.exists() { fs::remove_file(&self.order).context("cannot take back an order") } else { Ok(()) }
    }

    /// What has failed, such as `write 7 .../main.db-wal`; nothing while the count was not reached.
    pub(super) fn failed(&self) -> Option<String> {
        fs::read_to_string(self.done()).ok().map(|text| text.trim().to_owned())
    }

    /// Counts from here, and fails nothing.
    pub(super) fn count(&self) -> Result<()> {
        self.fail_at(u32::MAX, DiskError::Eio)
    }

    /// How many operations were counted.
    pub(super) fn operations(&self) -> Result<u32> {
        let text = fs::read_to_string(self.order.with_extension("count")).context("no operation was counted")?;
        text.trim().parse().context("a count that is none")
    }

    /// Forgets what has failed, for the next program.
    pub(super) fn forget(&self) -> Result<()> {
        self.mend()?;
        if self.done().exists() { fs::remove_file(self.done()).context("cannot remove a file") } else { Ok(()) }
    }

    /// Sets the time of day so many seconds ahead of what it is.
    pub(super) fn set_clock(&self, seconds: i64) -> Result<()> {
        let new = self.clock.with_extension("new");
        fs::write(&new, format!("{seconds}\n")).context("cannot write a time")?;
        fs::rename(&new, &self.clock).context("cannot set the clock")
    }

    fn done(&self) -> PathBuf {
        self.order.with_extension("done")
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use crate::folder::Folder;

    /// What a shell that writes four lines one by one says of itself, and what is in its file.
    fn written(faults: &FaultLibrary, folder: &Path) -> Result<(bool, String)> {
        let script = "for n in 1 2 3 4; do echo line$n || exit 3; done > a";
        let mut shell = Command::new("/bin/sh");
        shell.args(["-c", script]).current_dir(folder).envs(faults.variables(folder));
        let output = shell.output()?;
        Ok((output.status.success(), fs::read_to_string(folder.join("a"))?))
    }

    #[test]
    fn the_operation_of_that_number_fails_and_is_told() {
        let folder = Folder::new("faults-write").unwrap();
        let path = fs::canonicalize(folder.path()).unwrap();
        let faults = FaultLibrary::compile(&path).unwrap();
        assert_eq!(written(&faults, &path).unwrap(), (true, "line1\nline2\nline3\nline4\n".to_owned()));
        faults.fail_at(3, DiskError::Eio).unwrap();
        let (is_well, text) = written(&faults, &path).unwrap();
        assert!(!is_well && text.starts_with("line1\nline2\nlin") && !text.contains("line4"), "{text:?}");
        assert_eq!(faults.failed().unwrap(), format!("write 3 {}/a", path.display()));
        faults.count().unwrap();
        assert!(written(&faults, &path).unwrap().0);
        assert_eq!(faults.operations().unwrap(), 4);
        faults.forget().unwrap();
        assert_eq!((written(&faults, &path).unwrap().0, faults.failed()), (true, None));
    }

    #[test]
    fn the_time_of_day_is_set() {
        let folder = Folder::new("faults-clock").unwrap();
        let path = fs::canonicalize(folder.path()).unwrap();
        let faults = FaultLibrary::compile(&path).unwrap();
        let year = || {
            let output = Command::new("date").args(["-u", "+%Y"]).envs(faults.variables(&path)).output().unwrap();
            String::from_utf8(output.stdout).unwrap().trim().parse::<i64>().unwrap()
        };
        let today = year();
        faults.set_clock(10 * 366 * 24 * 3600).unwrap();
        assert_eq!(year(), today + 10);
    }
}
