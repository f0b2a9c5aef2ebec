//! A statement as text, for terminals.

use std::fmt::Write as _;

use super::ShownStatement;
use super::readable::{Section, Shown};
use super::sections::{statement_sections, statement_title};

/// The statement as text, without the addresses of its explanations, which the other forms have.
#[must_use]
pub fn statement_text(shown: ShownStatement<'_>) -> String {
    let mut out = format!("{}\n", statement_title(shown));
    for section in statement_sections(shown) {
        write_section(&mut out, &section);
    }
    out
}

fn write_section(out: &mut String, section: &Section) {
    out.push('\n');
    if !section.heading.is_empty() {
        let _ = writeln!(out, "{}", section.heading);
    }
    if section.columns.is_empty() {
        for row in &section.rows {
            let words: Vec<&str> = row.cells.iter().map(Shown::as_str).collect();
            let _ = writeln!(out, "{}", words.join(": "));
        }
    } else {
        write_table(out, section);
    }
    for note in &section.notes {
        let _ = writeln!(out, "{}", note.text);
    }
}

fn write_table(out: &mut String, section: &Section) {
    let columns = section.columns.len();
    let length = |text: &str| text.chars().count();
    let widths: Vec<usize> = (0..columns)
        .map(|at| {
            let cells = section.rows.iter().filter_map(|row| row.cells.get(at)).map(|cell| length(cell.as_str()));
            cells.chain(section.columns.get(at).map(|name| length(name))).max().unwrap_or(0)
        })
        .collect();
    let is_amount = |at: usize| section.rows.iter().any(|row| matches!(row.cells.get(at), Some(Shown::Amount(_))));
    let mut line = |cells: Vec<&str>| {
        let mut written = String::new();
        for (at, (cell, width)) in cells.iter().zip(&widths).enumerate() {
            let room = " ".repeat(width.saturating_sub(length(cell)));
            if at > 0 {
                written.push_str("  ");
            }
            if is_amount(at) {
                written.push_str(&room);
                written.push_str(cell);
            } else {
                written.push_str(cell);
                written.push_str(&room);
            }
        }
        let _ = writeln!(out, "{}", written.trim_end());
    };
    if section.rows.is_empty() {
        return;
    }
    line(section.columns.iter().map(String::as_str).collect());
    for row in &section.rows {
        line(row.cells.iter().map(Shown::as_str).collect());
    }
}
