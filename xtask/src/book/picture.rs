//! The picture of a report in a terminal that the README shows: drawn from what the command prints.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::Result;

use super::printed;
use crate::clients::demo::Demo;
use crate::folder::Folder;

/// The command of the picture, on the company of the demo.
const SHOWN: [&str; 11] = [
    "report",
    "--date",
    "2025",
    "--compare",
    "2024",
    "--scope",
    "Scope 3: value chain",
    "--by",
    "taxonomy",
    "--unit",
    "t",
];

/// Of a character of the terminal, in the picture's units.
const WIDTH: usize = 8;
const LINE: usize = 18;
const MARGIN: usize = 20;

/// The picture as it is now.
pub(super) fn drawn(program: &Path) -> Result<String> {
    let folder = Folder::new("picture")?;
    drop(Demo::start(program, folder.path())?);
    let all = [&["--data-dir", "data"], &SHOWN[..], &["--round", "1"]].concat();
    let quoted = |word: &&str| if word.contains(' ') { format!("'{word}'") } else { (*word).to_owned() };
    let command = all.iter().skip(2).map(quoted).collect::<Vec<_>>().join(" ");
    picture(&format!("$ tonne {command}\n{}", printed(program, &all, folder.path())?.trim_end()))
}

/// The text as lines of equal letters on a dark ground; bars stand out.
fn picture(text: &str) -> Result<String> {
    let columns = text.lines().map(|line| line.chars().count()).max().unwrap_or_default();
    let (width, height) = (columns * WIDTH + 2 * MARGIN, text.lines().count() * LINE + 2 * MARGIN);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         role=\"img\" aria-label=\"A report in a terminal\">\n\
         <rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"#16202a\"/>\n\
         <g font-family=\"ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace\" font-size=\"13.3\" fill=\"#d7e0e8\">\n"
    );
    for (number, line) in text.lines().enumerate() {
        let bottom = MARGIN + number * LINE + LINE - 5;
        let (words, behind) = line.split_at(line.find(is_bar).unwrap_or(line.len()));
        let (bar, rest) = behind.split_at(behind.find(|letter| !is_bar(letter)).unwrap_or(behind.len()));
        let column = |text: &str| MARGIN + text.chars().count() * WIDTH;
        let blanks = rest.len() - rest.trim_start().len();
        let places =
            [(MARGIN, words), (column(words) + bar.chars().count() * WIDTH + blanks * WIDTH, rest.trim_start())];
        for (left, part) in places.into_iter().filter(|(_, part)| !part.trim().is_empty()) {
            let colour = if number == 0 { " fill=\"#8fd694\"" } else { "" };
            let length = part.trim_end().chars().count() * WIDTH;
            writeln!(
                svg,
                "<text x=\"{left}\" y=\"{bottom}\" textLength=\"{length}\" xml:space=\"preserve\"{colour}>{}</text>",
                escaped(part.trim_end())
            )?;
        }
        let eighths: usize = bar.chars().map(eighths).sum();
        if eighths > 0 {
            let (left, top) = (column(words), MARGIN + number * LINE + 4);
            let (long, high) = (eighths * WIDTH / 8, LINE - 6);
            writeln!(svg, "<rect x=\"{left}\" y=\"{top}\" width=\"{long}\" height=\"{high}\" fill=\"#4aa3df\"/>")?;
        }
    }
    svg.push_str("</g>\n</svg>\n");
    Ok(svg)
}

/// Whether it is a part of a bar: a block of one to eight eighths.
fn is_bar(letter: char) -> bool {
    ('\u{2588}'..='\u{258f}').contains(&letter)
}

fn eighths(letter: char) -> usize {
    if is_bar(letter) { 8 - (letter as usize - '\u{2588}' as usize) } else { 0 }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_as_long_as_their_eighths() {
        let svg = picture("$ a\nx  \u{2588}\u{258c}").unwrap();
        assert!(svg.contains(">$ a</text>") && svg.contains(">x</text>"), "{svg}");
        assert!(svg.contains("<rect x=\"44\" y=\"42\" width=\"12\""), "{svg}");
    }

    #[test]
    fn what_stands_behind_a_bar_is_there_too() {
        let svg = picture("$ a\nx  \u{2588}\u{258c}  7").unwrap();
        assert!(svg.contains("<text x=\"76\" y=\"51\" textLength=\"8\" xml:space=\"preserve\">7</text>"), "{svg}");
    }
}
