//! What a zipped workbook inflates to, found out before anything of it is kept: its own statement may be wrong.

use std::io::{self, BufReader, Read, Seek};

use zip::ZipArchive;
use zip::result::ZipError;

use super::extent::{self, MostCells};

/// How much a workbook may inflate to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Most {
    /// All its parts together.
    all: u64,
    /// The texts of its cells, which are kept in memory.
    texts: u64,
}

impl Default for Most {
    fn default() -> Self {
        Self { all: 1 << 30, texts: 1 << 28 }
    }
}

/// The kind of a zipped workbook.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Xlsx,
    Ods,
}

/// The kind of the workbook, or why it is none that can be read.
pub(super) fn check<S: Read + Seek>(source: S, most: Most) -> Result<Kind, String> {
    let mut archive = ZipArchive::new(source).map_err(|error| format!("it is damaged: {error}"))?;
    let has = |name: &str| archive.index_for_name(name).is_some();
    let kind = match (has("xl/workbook.xml"), has("content.xml")) {
        (true, _) => Kind::Xlsx,
        (false, true) => Kind::Ods,
        (false, false) => return Err("it is an archive, but neither .xlsx nor .ods".to_owned()),
    };
    let mut left = most.all;
    for index in 0..archive.len() {
        let part = archive.by_index(index).map_err(damaged)?;
        let name = part.name().map_err(damaged)?.into_owned();
        // All cells of an .ods are kept in memory, and their texts of an .xlsx.
        let is_kept = name.eq_ignore_ascii_case("xl/sharedStrings.xml") || name == "content.xml";
        let (room, limit) = if is_kept && most.texts < left { (most.texts, most.texts) } else { (left, most.all) };
        let mut part = part.take(room + 1);
        let is_sheets = kind == Kind::Ods && name == "content.xml";
        let extent = if is_sheets { extent::check(BufReader::new(&mut part), MostCells::default()) } else { Ok(()) };
        let copied = io::copy(&mut part, &mut io::sink());
        copied.map_err(|error| format!("its part {name:?} is damaged: {error}"))?;
        let inflated = room + 1 - part.limit();
        // What is cut there looks damaged.
        if inflated <= room {
            extent?;
        } else {
            let mebibytes = limit >> 20;
            return Err(format!("it inflates beyond {mebibytes} MiB ({name}); divide it, or save the sheet as CSV"));
        }
        left -= inflated;
    }
    Ok(kind)
}

#[expect(clippy::needless_pass_by_value, reason = "what `map_err` takes")]
fn damaged(error: ZipError) -> String {
    if matches!(error, ZipError::UnsupportedArchive(_)) {
        "it is protected by a password, or compressed in an unusual way".to_owned()
    } else {
        format!("it is damaged: {error}")
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Write};

    use super::*;
    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    fn archive(parts: &[(&str, usize)]) -> Cursor<Vec<u8>> {
        let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, length) in parts {
            archive.start_file(*name, SimpleFileOptions::default()).unwrap();
            archive.write_all(&vec![b' '; *length]).unwrap();
        }
        archive.finish().unwrap()
    }

    #[test]
    fn a_workbook_may_inflate_to_a_gibibyte_and_its_texts_to_a_quarter_of_that() {
        let Most { all, texts } = Most::default();
        assert_eq!((all, texts), (1_073_741_824, 268_435_456));
    }

    #[test]
    fn what_inflates_too_far_is_refused_before_it_is_read() {
        let most = Most { all: 100_000, texts: 20_000 };
        let parts = [("xl/workbook.xml", 10_000), ("xl/worksheets/sheet1.xml", 90_000)];
        assert_eq!(check(archive(&parts), most), Ok(Kind::Xlsx));
        let more = [&parts[..], &[("xl/styles.xml", 1)]].concat();
        assert!(check(archive(&more), most).unwrap_err().contains("inflates beyond"));
        let texts = [("xl/workbook.xml", 1), ("xl/sharedStrings.xml", 20_001)];
        assert!(check(archive(&texts), most).unwrap_err().contains("sharedStrings"));
        assert_eq!(check(archive(&[("content.xml", 5)]), most), Ok(Kind::Ods));
        assert!(check(archive(&[("a.txt", 5)]), most).is_err());
    }

    #[test]
    fn what_is_cut_off_is_damaged() {
        let whole = archive(&[("xl/workbook.xml", 10_000)]).into_inner();
        assert!(check(Cursor::new(&whole[..whole.len() / 2]), Most::default()).unwrap_err().contains("damaged"));
    }
}
