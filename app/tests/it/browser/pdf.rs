//! The text of a PDF as browsers print it: glyphs of subset fonts, each with a table from its glyphs to Unicode.

use std::collections::{BTreeMap, HashMap};
use std::io::Read as _;

use super::session::{Scripts, Session};

/// What a text of these is drawn by as one glyph.
const LIGATURES: [(char, &str); 5] =
    [('\u{fb00}', "ff"), ('\u{fb01}', "fi"), ('\u{fb02}', "fl"), ('\u{fb03}', "ffi"), ('\u{fb04}', "ffl")];

/// An object of a file: the words of its dictionary, and its stream, empty where it has none.
struct Object {
    words: Vec<String>,
    stream: Vec<u8>,
}

impl Object {
    /// What stands behind a name.
    fn after(&self, name: &str) -> Option<&str> {
        self.words.windows(2).find(|pair| pair[0] == name).map(|pair| pair[1].as_str())
    }

    fn text(&self) -> String {
        String::from_utf8_lossy(&self.stream).into_owned()
    }
}

/// The characters of a font by the codes that its texts are written in.
struct Font {
    /// So many hexadecimal digits has a code.
    digits: usize,
    characters: HashMap<u32, String>,
}

impl Font {
    /// The font of a `ToUnicode` table.
    fn read(table: &str) -> Self {
        let (mut font, mut section) = (Self { digits: 4, characters: HashMap::new() }, "");
        for line in table.lines() {
            if let Some((_, begun)) = line.split_once("begin") {
                section = begun;
                continue;
            }
            let codes: Vec<_> = line.split(['<', '>']).map(str::trim).filter(|code| !code.is_empty()).collect();
            match (section, codes.as_slice()) {
                ("codespacerange", [_, last]) => font.digits = last.len(),
                ("bfchar", [code, text]) => {
                    font.characters.insert(hex(code), characters(text));
                }
                ("bfrange", [first, last, text]) => {
                    let next = |code: u32| char::from_u32(hex(text) + code - hex(first)).unwrap().to_string();
                    font.characters.extend((hex(first)..=hex(last)).map(|code| (code, next(code))));
                }
                _ if line.starts_with("end") => section = "",
                _ => {}
            }
        }
        font
    }

    /// The text of the codes between the angle brackets of a word.
    fn text(&self, word: &str) -> String {
        let codes = word.split('<').skip(1).filter_map(|part| part.split('>').next());
        let codes = codes.flat_map(|codes| codes.as_bytes().chunks(self.digits));
        let known = codes.map(|code| self.characters.get(&hex(std::str::from_utf8(code).unwrap())));
        known.map(|text| text.map_or("\u{fffd}", String::as_str)).collect()
    }
}

fn hex(digits: &str) -> u32 {
    u32::from_str_radix(digits, 16).unwrap()
}

/// The text of units of UTF-16, four digits each.
fn characters(digits: &str) -> String {
    let units = digits.as_bytes().chunks(4).map(|unit| std::str::from_utf8(unit).unwrap());
    let units: Vec<_> = units.map(|unit| u16::from_str_radix(unit, 16).unwrap()).collect();
    String::from_utf16(&units).unwrap()
}

/// Where a mark first stands.
fn position(bytes: &[u8], mark: &str) -> Option<usize> {
    bytes.windows(mark.len()).position(|window| window == mark.as_bytes())
}

/// The objects of a file by their numbers, from where its last lines say that they are.
fn objects(pdf: &[u8]) -> BTreeMap<String, Object> {
    let end = String::from_utf8_lossy(&pdf[pdf.len().saturating_sub(64)..]).into_owned();
    let table = end.split("startxref").nth(1).and_then(|rest| rest.split_whitespace().next()).unwrap();
    let table = String::from_utf8_lossy(&pdf[table.parse::<usize>().unwrap()..]).into_owned();
    let entries: Vec<_> = table.split("trailer").next().unwrap().split_whitespace().skip(3).collect();
    let used = entries.chunks(3).filter(|entry| entry[2] == "n");
    used.map(|entry| object(&pdf[entry[0].parse::<usize>().unwrap()..])).collect()
}

/// The number of the object that begins there, and the object.
fn object(bytes: &[u8]) -> (String, Object) {
    let end = position(bytes, "endobj").unwrap();
    let begin = position(&bytes[..end], "stream\n");
    let head = String::from_utf8_lossy(&bytes[..begin.unwrap_or(end)]).into_owned();
    let head = ["<<", ">>", "[", "]"].iter().fold(head, |head, mark| head.replace(mark, " "));
    let words: Vec<_> = head.split_whitespace().map(str::to_owned).collect();
    let (number, mut object) = (words[0].clone(), Object { words, stream: Vec::new() });
    if let Some(begin) = begin {
        let length: usize = object.after("/Length").unwrap().parse().unwrap();
        let packed = &bytes[begin + "stream\n".len()..][..length];
        if object.after("/Filter") == Some("/FlateDecode") {
            flate2::read::ZlibDecoder::new(packed).read_to_end(&mut object.stream).unwrap();
        } else {
            object.stream = packed.to_vec();
        }
    }
    (number, object)
}

/// The fonts by the names that the pages give them.
fn fonts(objects: &BTreeMap<String, Object>) -> HashMap<&str, Font> {
    let is_font = |name: &str| name.strip_prefix("/F").is_some_and(|rest| rest.parse::<u32>().is_ok());
    let pairs = objects.values().flat_map(|object| object.words.windows(2)).filter(|pair| is_font(&pair[0]));
    let table = |number: &String| Some(objects.get(objects.get(number)?.after("/ToUnicode")?)?.text());
    pairs.filter_map(|pair| Some((pair[0].as_str(), Font::read(&table(&pair[1])?)))).collect()
}

/// The texts that a stream draws, one for each time that it begins to.
fn drawn(stream: &str, fonts: &HashMap<&str, Font>) -> Vec<String> {
    let words: Vec<_> = stream.split_whitespace().collect();
    let (mut font, mut text, mut texts) = (None, String::new(), Vec::new());
    for (at, word) in words.iter().enumerate() {
        match *word {
            "Tf" => font = at.checked_sub(2).and_then(|name| fonts.get(words[name])),
            "ET" => texts.push(std::mem::take(&mut text)),
            // What stands for a text is not what is drawn.
            _ if word.contains("<<") || at > 0 && words[at - 1].ends_with("ActualText") => {}
            _ => text.extend(font.map(|font| font.text(word))),
        }
    }
    let plain = |text: String| LIGATURES.iter().fold(text, |text, (one, letters)| text.replace(*one, letters));
    texts.into_iter().map(plain).collect()
}

/// The texts that its pages show, each as it was drawn: a piece of a line.
pub(super) fn texts(pdf: &[u8]) -> Vec<String> {
    let objects = objects(pdf);
    let fonts = fonts(&objects);
    let pages = objects.values().filter_map(|object| objects.get(object.after("/Contents")?));
    let parts = objects.values().filter(|object| object.after("/Subtype") == Some("/Form"));
    pages.chain(parts).flat_map(|object| drawn(&object.text(), &fonts)).collect()
}

#[test]
fn what_is_shown_on_paper_is_read_and_what_is_hidden_there_is_not() {
    let session = Session::start(Scripts::On);
    let page = "<style>@media print { .no { display: none } }</style><p>Gr%C3%BCn <b>%E2%88%921,234.50</b></p><p>an office</p>\
        <p style='opacity: .5'>pale</p><p class=no>unsaid</p>";
    session.open(&format!("data:text/html;charset=utf-8,{page}"));
    let texts = texts(&session.printed());
    let mut texts: Vec<_> = texts.iter().map(|text| text.trim()).collect();
    texts.sort_unstable();
    assert_eq!(texts, ["Grün", "an office", "pale", "\u{2212}1,234.50"]);
}
