//! Workbooks (`.xlsx`, `.xls`, `.ods`), of which a sheet is read as a table.

mod biff;
mod cell;
mod extent;
mod inflation;
mod rows;

use std::fmt;
use std::io::{self, Read, Seek, SeekFrom};
use std::thread;

use calamine::{Ods, Reader as _, Sheet, SheetType, SheetVisible, Xls, Xlsx};

use crate::error::FileError;
pub(crate) use cell::{NO_RESULT, fifteen_digits, is_failure};
pub(crate) use rows::{NumberText, SheetRows};

/// The bytes of a workbook, which is not read from front to back.
pub trait WorkbookBytes: Read + Seek + Send {}

impl<T: Read + Seek + Send> WorkbookBytes for T {}

type Source = Box<dyn WorkbookBytes>;

/// A workbook that was opened.
pub struct Workbook {
    book: Book,
    sheets: Vec<SheetName>,
}

/// A sheet of a workbook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SheetName {
    /// What it is called.
    pub name: String,
    /// Whether it is shown to whoever opens the workbook.
    pub visibility: Visibility,
}

/// Whether a sheet is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visibility {
    /// It is.
    Shown,
    /// It is not, unless somebody asks for it.
    Hidden,
}

/// What begins a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileStart {
    /// It is compressed with gzip.
    Gzip,
    /// It is a workbook.
    Workbook,
    /// It is neither: a text.
    Text,
}

impl FileStart {
    /// What a file that begins with these bytes is; eight are enough.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        if bytes.starts_with(&[0x1f, 0x8b]) {
            Self::Gzip
        } else if bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(&OLE) {
            Self::Workbook
        } else {
            Self::Text
        }
    }
}

/// What begins a compound file, such as an `.xls`.
const OLE: [u8; 8] = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];

enum Book {
    Xlsx(Box<Xlsx<Source>>),
    Xls(Box<Xls<Source>>),
    Ods(Box<Ods<Source>>),
}

impl fmt::Debug for Workbook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Workbook").field("sheets", &self.sheets).finish_non_exhaustive()
    }
}

impl Workbook {
    /// Opens a workbook, whatever it is called. One that inflates to more than 1 GiB is refused.
    pub fn open(source: Box<dyn WorkbookBytes>) -> Result<Self, FileError> {
        // A thread of its own, so that what a damaged file does to the library ends with it.
        let opening = thread::spawn(move || Self::open_here(source));
        opening.join().unwrap_or_else(|_| Err("it is damaged".to_owned())).map_err(FileError::Workbook)
    }

    fn open_here(mut source: Source) -> Result<Self, String> {
        let mut head = Vec::new();
        source.by_ref().take(8).read_to_end(&mut head).map_err(unreadable)?;
        source.seek(SeekFrom::Start(0)).map_err(unreadable)?;
        let book = if head == OLE {
            let book = Xls::new(biff::checked(source)?)
                .map_err(|error| format!("{error} (is it protected by a password?)"))?;
            Book::Xls(Box::new(book))
        } else {
            let kind = inflation::check(&mut source, inflation::Most::default())?;
            source.seek(SeekFrom::Start(0)).map_err(unreadable)?;
            match kind {
                inflation::Kind::Xlsx => Book::Xlsx(Box::new(Xlsx::new(source).map_err(|error| error.to_string())?)),
                inflation::Kind::Ods => Book::Ods(Box::new(Ods::new(source).map_err(|error| error.to_string())?)),
            }
        };
        let sheets = match &book {
            Book::Xlsx(book) => names(book.sheets_metadata()),
            Book::Xls(book) => names(book.sheets_metadata()),
            Book::Ods(book) => names(book.sheets_metadata()),
        };
        Ok(Self { book, sheets })
    }

    /// Its sheets, in their order; charts and the like are none.
    #[must_use]
    pub fn sheets(&self) -> &[SheetName] {
        &self.sheets
    }

    /// The sheet of that name, hidden or not; without a name the one that is shown, where there is one alone.
    pub fn choose(&self, name: Option<&str>) -> Result<&SheetName, FileError> {
        let wrong = |detail: String| FileError::Sheet(format!("{detail}; it has {}", self.listed()));
        let Some(name) = name else {
            let mut shown = self.sheets.iter().filter(|sheet| sheet.visibility == Visibility::Shown);
            return match (shown.next(), shown.next()) {
                (Some(only), None) => Ok(only),
                (None, _) => Err(wrong("has no sheet that is not hidden: say which one to read".to_owned())),
                (Some(_), Some(_)) => Err(wrong("has several sheets: say which one to read".to_owned())),
            };
        };
        let found = self.sheets.iter().find(|sheet| sheet.name == name);
        found.ok_or_else(|| wrong(format!("has no sheet {name:?}")))
    }

    fn listed(&self) -> String {
        let one = |sheet: &SheetName| match sheet.visibility {
            Visibility::Shown => format!("{:?}", sheet.name),
            Visibility::Hidden => format!("{:?} (hidden)", sheet.name),
        };
        if self.sheets.is_empty() {
            "none".to_owned()
        } else {
            self.sheets.iter().map(one).collect::<Vec<_>>().join(", ")
        }
    }

    /// The rows of that sheet, with at most `most_bytes` bytes of text each.
    pub(crate) fn into_rows(self, name: Option<&str>, most_bytes: usize) -> Result<SheetRows, FileError> {
        let name = self.choose(name)?.name.clone();
        Ok(SheetRows::begin(self.book, name, most_bytes, NumberText::Meant))
    }

    /// The same, with numbers as they are kept verbatim.
    pub(crate) fn into_verbatim_rows(self, name: &str, most_bytes: usize) -> Result<SheetRows, FileError> {
        let name = self.choose(Some(name))?.name.clone();
        Ok(SheetRows::begin(self.book, name, most_bytes, NumberText::Verbatim))
    }
}

fn names(sheets: &[Sheet]) -> Vec<SheetName> {
    let tables = sheets.iter().filter(|sheet| sheet.typ == SheetType::WorkSheet);
    tables
        .map(|sheet| SheetName {
            name: sheet.name.clone(),
            visibility: match sheet.visible {
                SheetVisible::Visible => Visibility::Shown,
                SheetVisible::Hidden | SheetVisible::VeryHidden => Visibility::Hidden,
            },
        })
        .collect()
}

#[expect(clippy::needless_pass_by_value, reason = "what `map_err` takes")]
fn unreadable(error: io::Error) -> String {
    error.to_string()
}
