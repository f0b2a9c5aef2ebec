//! The data folder that a backup is restored into: empty before, and filled so that it is never taken for whole half-way.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use files::{DIRECTORY_FILE, SECRET_FILE};
use tempfile::TempDir;

use super::super::files::{Files, make_folder};

/// What is there while a restore moves files in, with their names. Without the directory's file, which comes last, nothing
/// uses the folder.
const MARK: &str = "restore.unfinished";

/// How the folders begin that stores are prepared in.
const STAGING: &str = ".tonne-restore-";

/// What SQLite and Tonne put beside a file. A log that was left there would be taken for the new file's.
const BESIDE: [&str; 4] = ["-wal", "-shm", "-next", "-turn"];

/// A data folder without a store, and with no server.
pub(super) struct Place {
    folder: PathBuf,
    _lock: sqlite::ServeLock,
}

impl Place {
    /// Takes the folder, which is made where there is none. What an earlier restore left that was broken off is removed.
    pub(super) fn take(folder: &Path) -> Result<Self> {
        make_folder(folder)?;
        let lock = Files::lock(folder)?;
        let place = Self { folder: folder.to_owned(), _lock: lock };
        let cannot = || format!("{} cannot be used", folder.display());
        // The folder itself may be new.
        folder.canonicalize().and_then(|folder| folder.parent().map_or(Ok(()), sync_folder)).with_context(cannot)?;
        forget_mark(folder).with_context(cannot)?;
        let left = place.left_by_another().with_context(cannot)?;
        // Before anything is removed.
        place.must_be_empty(&left)?;
        place.clear(&left).with_context(cannot)?;
        Ok(place)
    }

    /// A folder on the same disk to prepare the store in.
    pub(super) fn staging(&self) -> Result<TempDir> {
        Ok(tempfile::Builder::new().prefix(STAGING).tempdir_in(&self.folder)?)
    }

    /// Moves a store's files in, the directory's last, and the secret where there is none yet.
    pub(super) fn fill(&self, store: &Path, secret: &Path) -> Result<()> {
        // A command may have made a store meanwhile.
        self.must_be_empty(&[])?;
        let cannot = || format!("{} cannot be filled; run the restore again", self.folder.display());
        make_folder(&self.tenants())?;
        self.move_in(store, secret).with_context(cannot)
    }

    /// Refuses a folder that holds more than those files.
    fn must_be_empty(&self, left: &[PathBuf]) -> Result<()> {
        let files: Vec<_> = files_of(&self.tenants())?.into_iter().filter(|file| !left.contains(file)).collect();
        if files.iter().chain([&self.folder.join(DIRECTORY_FILE)]).any(|file| !is_blank(file)) {
            bail!(
                "there is a store in {} already, and a backup is restored into an empty place only: name another folder by \
                 --data-dir, or stop the service and move this one away",
                self.folder.display()
            );
        }
        Ok(())
    }

    fn move_in(&self, store: &Path, secret: &Path) -> io::Result<()> {
        let files = files_of(&store.join("tenants"))?;
        let names: Vec<_> = files.iter().filter_map(|file| Some(file.file_name()?.to_str()?.to_owned())).collect();
        let mut mark = File::create(self.mark())?;
        for (file, name) in files.iter().zip(&names) {
            writeln!(mark, "{}/{name}", size(file))?;
        }
        mark.sync_all()?;
        sync_folder(&self.folder)?;
        for (file, name) in files.iter().zip(&names) {
            move_file(file, &self.tenants().join(name))?;
        }
        sync_folder(&self.tenants())?;
        if secret.exists() && !self.folder.join("secret.key").exists() {
            move_file(secret, &self.folder.join("secret.key"))?;
        }
        sync_folder(&self.folder)?;
        let directory = self.folder.join(DIRECTORY_FILE);
        move_file(&store.join(DIRECTORY_FILE), &directory)?;
        if let Err(error) = sync_folder(&self.folder) {
            // Without it nothing is taken for a store, and the restore can be run again.
            let _ = fs::remove_file(directory);
            return Err(error);
        }
        // All is on the disk. A mark that stays beside a directory is forgotten when the store is opened.
        let _ = fs::remove_file(self.mark()).and_then(|()| sync_folder(&self.folder));
        Ok(())
    }

    /// The files that a restore moved in which was broken off: as the mark names them, and not changed since.
    fn left_by_another(&self) -> io::Result<Vec<PathBuf>> {
        let lines = match fs::read_to_string(self.mark()) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            lines => lines?,
        };
        let is_left =
            |line: &&str| line.split_once('/').is_some_and(|(bytes, name)| bytes == size(&self.tenants().join(name)));
        let names = lines.lines().filter(is_left).filter_map(|line| Some(line.split_once('/')?.1));
        Ok(names.map(|name| self.tenants().join(name)).collect())
    }

    /// Removes what a restore moved in or prepared which was broken off.
    fn clear(&self, left: &[PathBuf]) -> io::Result<()> {
        for file in left {
            remove_with_beside(file)?;
        }
        match fs::remove_file(self.mark()) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            Ok(()) | Err(_) => sync_folder(&self.folder)?,
        }
        for entry in fs::read_dir(&self.folder)? {
            let entry = entry?;
            if entry.file_type()?.is_dir() && entry.file_name().to_string_lossy().starts_with(STAGING) {
                fs::remove_dir_all(entry.path())?;
            }
        }
        Ok(())
    }

    fn tenants(&self) -> PathBuf {
        self.folder.join("tenants")
    }

    fn mark(&self) -> PathBuf {
        self.folder.join(MARK)
    }
}

/// Removes the mark of a restore that came to its end: with the directory in its place the folder is a store.
pub(in crate::app) fn forget_mark(folder: &Path) -> io::Result<()> {
    if is_blank(&folder.join(DIRECTORY_FILE)) {
        return Ok(());
    }
    match fs::remove_file(folder.join(MARK)) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        Ok(()) | Err(_) => Ok(()),
    }
}

/// How many bytes a file has, and when it was last written: a moved file keeps both.
fn size(file: &Path) -> String {
    let of = |metadata: fs::Metadata| {
        let written = metadata.modified().ok().and_then(|at| at.duration_since(std::time::UNIX_EPOCH).ok());
        format!("{}-{}", metadata.len(), written.unwrap_or_default().as_nanos())
    };
    fs::metadata(file).map(of).unwrap_or_default()
}

/// Where the secret of a backup is, once it is unpacked.
pub(super) fn secret_in(unpacked: &Path) -> PathBuf {
    unpacked.join(SECRET_FILE)
}

fn is_blank(path: &Path) -> bool {
    fs::metadata(path).map_or(true, |metadata| metadata.len() == 0)
}

/// The databases in a folder, which may be missing.
fn files_of(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let mut files = Vec::new();
    for entry in entries {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "db") {
            files.push(path);
        }
    }
    Ok(files)
}

/// Moves a closed file to where none is.
fn move_file(from: &Path, to: &Path) -> io::Result<()> {
    if !is_blank(&beside(from, "-wal")) {
        return Err(io::Error::other(format!("{} was not closed: its log holds more", from.display())));
    }
    File::open(from)?.sync_all()?;
    if !is_blank(to) {
        return Err(io::Error::from(io::ErrorKind::AlreadyExists));
    }
    remove_with_beside(to)?;
    // Unlike a rename this puts nothing in the place of a file that came in between.
    match fs::hard_link(from, to) {
        Ok(()) => fs::remove_file(from),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(error),
        // There are file systems without links.
        Err(_) => fs::rename(from, to),
    }
}

/// Removes a file and what belongs to it.
fn remove_with_beside(file: &Path) -> io::Result<()> {
    for end in [""].iter().chain(&BESIDE) {
        match fs::remove_file(beside(file, end)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            Ok(()) | Err(_) => {}
        }
    }
    Ok(())
}

fn beside(file: &Path, end: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(end);
    PathBuf::from(name)
}

/// Puts the names in a folder on the disk.
fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}
