//! Tests: temporary files leave room on the disk, and where there is none that is told.

use std::cell::Cell;

use super::*;

/// What comes of a source of so many bytes where so many are free in the beginning: how many were copied, and the error.
fn copied(length: u64, free: u64) -> (u64, Option<io::ErrorKind>) {
    let taken = Cell::new(0);
    let mut to = Counted(&taken);
    let source = io::repeat(b'a').take(length);
    let result = copy(source, &mut to, u64::MAX, || Some(free - taken.get()));
    (taken.get(), result.err().map(|error| error.kind()))
}

struct Counted<'a>(&'a Cell<u64>);

impl Write for Counted<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.set(self.0.get() + bytes.len() as u64);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn what_is_written_ends_before_the_reserve() {
    let written = |free: u64| {
        let mut to = WhileRoom { to: io::sink(), free: Box::new(move || Some(free)), since: 0 };
        let copied = io::copy(&mut io::repeat(b'a').take(3 * STEP), &mut to);
        copied.map_err(|error| error.kind())
    };
    assert_eq!(written(RESERVE + STEP), Ok(3 * STEP));
    assert_eq!(written(RESERVE + STEP - 1), Err(io::ErrorKind::StorageFull));
}

#[test]
fn what_was_written_is_read_from_its_start() {
    let mut to = TemporaryWriter::begin().unwrap();
    to.write_all(b"one moment").unwrap();
    assert_eq!(io::read_to_string(to.into_file().unwrap()).unwrap(), "one moment");
}

#[test]
fn what_is_short_is_taken_where_less_than_the_reserve_is_free() {
    assert_eq!(copied(STEP - 1, RESERVE), (STEP - 1, None));
    assert_eq!(copied(2 * STEP, RESERVE), (STEP, Some(io::ErrorKind::StorageFull)));
}

#[test]
fn what_would_fill_the_disk_ends_before_the_reserve() {
    assert_eq!(copied(10 * STEP, RESERVE + 3 * STEP), (3 * STEP, Some(io::ErrorKind::StorageFull)));
}

#[test]
fn what_there_is_room_for_is_copied_whole() {
    assert_eq!(copied(2 * STEP + 1, RESERVE + 4 * STEP), (2 * STEP + 1, None));
    assert_eq!(copied(0, RESERVE + STEP), (0, None));
}

#[test]
fn a_source_that_is_too_long_ends() {
    let error = copy(io::repeat(b'a'), &mut io::sink(), STEP, || None).unwrap_err();
    assert_eq!((error.kind(), error.to_string()), (io::ErrorKind::FileTooLarge, "it is longer than 16 MiB".to_owned()));
}

#[test]
fn a_full_disk_is_told_with_its_folder_and_what_to_do() {
    let full = |free| told(io::ErrorKind::StorageFull.into(), Path::new("/tmp"), (STEP, free), OF_IMPORT).to_string();
    assert_eq!(
        full(Some(270 << 20)),
        "/tmp has too little room for a temporary file, of which 16 MiB are written: 270 MiB are free there; beyond 16 \
         MiB it needs 272 MiB free to go on. Name a folder with more room in TMPDIR, or import a file instead of a pipe"
    );
    assert!(full(None).contains("16 MiB are written; beyond"), "{}", full(None));
    let other = told(io::ErrorKind::BrokenPipe.into(), Path::new("/tmp"), (STEP, None), OF_IMPORT);
    assert_eq!(other.to_string(), io::Error::from(io::ErrorKind::BrokenPipe).to_string());
}

#[test]
fn where_no_file_can_be_made_the_folder_and_what_to_do_are_told() {
    let folder = tempfile::TempDir::new().unwrap();
    let absent = folder.path().join("absent");
    let error = made_in(&absent, OF_EXPORT).unwrap_err();
    let (told, absent) = (error.to_string(), absent.display());
    assert_eq!(error.kind(), io::ErrorKind::NotFound);
    assert!(told.starts_with(&format!("no temporary file can be made in {absent}: ")), "{told}");
    assert!(told.ends_with("; name another folder in TMPDIR, or export to a file instead of a pipe"), "{told}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told_also_where_it_shows_with_the_last_bytes() {
    let file = File::options().write(true).open("/dev/full").unwrap();
    let to = WhileRoom { to: BufWriter::new(file), free: Box::new(|| Some(9 << 20)), since: 0 };
    let mut writer = TemporaryWriter { to, folder: PathBuf::from("/small"), written: 0 };
    writer.write_all(b"short").unwrap();
    let error = writer.into_file().unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::StorageFull);
    let told = error.to_string();
    assert!(told.starts_with("/small has too little room") && told.contains("9 MiB are free"), "{told}");
}
