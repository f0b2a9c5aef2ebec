//! A statement as a page to be printed: nothing in it comes from elsewhere, and no script.

use std::fmt::Write as _;

use super::ShownStatement;
use super::readable::{Row, Section, Shown, Weight};
use super::sections::{statement_sections, statement_title};
use super::style::STYLE;

/// The statement as one page of HTML. Each row and note has the numbers of its explanations, whose addresses stand at the end.
#[must_use]
pub fn statement_page(shown: ShownStatement<'_>) -> String {
    let heading = escaped(&statement_title(shown));
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><title>{heading}</title>\
         <style>{STYLE}</style></head>\n<body><h1>{heading}</h1>\n"
    );
    let mut addresses: Vec<String> = Vec::new();
    for section in statement_sections(shown) {
        write_section(&mut out, &section, &mut addresses);
    }
    out.push_str("<h2>Explanations</h2>\n");
    out.push_str(
        "<p class=\"e\">Each address answers with the figure and with the activities behind it, or with the report that has \
         none of them.</p>\n<ol class=\"q\">\n",
    );
    for (number, address) in (1..).zip(&addresses) {
        let address = escaped(address);
        let _ = writeln!(out, "<li id=\"q{number}\"><a href=\"{address}\">{address}</a></li>");
    }
    out.push_str("</ol>\n</body></html>\n");
    out
}

fn write_section(out: &mut String, section: &Section, addresses: &mut Vec<String>) {
    if !section.heading.is_empty() {
        let _ = writeln!(out, "<h2>{}</h2>", escaped(&section.heading));
    }
    let is_explained = section.is_explained();
    let amounts = section.amounts();
    if !section.rows.is_empty() {
        out.push_str(if section.columns.is_empty() { "<table class=\"f\">\n" } else { "<table>\n" });
        write_head(out, section, &amounts, is_explained);
        out.push_str("<tbody>\n");
        for row in &section.rows {
            write_row(out, section, row, is_explained.then_some(&mut *addresses));
        }
        out.push_str("</tbody></table>\n");
    }
    for note in &section.notes {
        let link = note.explained.as_ref().map(|address| format!(" {}", link(addresses, address))).unwrap_or_default();
        let _ = writeln!(out, "<p class=\"e\">{}{link}</p>", escaped(&note.text));
    }
}

fn write_head(out: &mut String, section: &Section, amounts: &[bool], is_explained: bool) {
    if section.columns.is_empty() {
        return;
    }
    out.push_str("<thead><tr>");
    for (name, is_amount) in section.columns.iter().zip(amounts) {
        let class = if *is_amount { " class=\"n\"" } else { "" };
        let _ = write!(out, "<th{class}>{}</th>", escaped(name));
    }
    out.push_str(if is_explained { "<th></th></tr></thead>\n" } else { "</tr></thead>\n" });
}

fn write_row(out: &mut String, section: &Section, row: &Row, addresses: Option<&mut Vec<String>>) {
    out.push_str(if row.weight == Weight::Total { "<tr class=\"t\">" } else { "<tr>" });
    let amounts = section.amounts();
    for (at, cell) in row.cells.iter().enumerate() {
        if section.columns.is_empty() && at == 0 {
            let _ = write!(out, "<th>{}</th>", escaped(cell.as_str()));
            continue;
        }
        let is_amount = amounts.get(at).copied().unwrap_or(false);
        let class = match cell {
            Shown::Amount(_) => "n",
            Shown::Absent(_) if is_amount => "n a",
            Shown::Absent(_) => "a",
            Shown::Text(_) | Shown::Blank => "w",
        };
        let _ = write!(out, "<td class=\"{class}\">{}</td>", escaped(cell.as_str()));
    }
    if let Some(addresses) = addresses {
        let links: Vec<String> = row.explained.iter().map(|address| link(addresses, address)).collect();
        let _ = write!(out, "<td class=\"x\">{}</td>", links.join(" "));
    }
    out.push_str("</tr>\n");
}

/// The number of the address, with a link to where it stands.
fn link(addresses: &mut Vec<String>, address: &str) -> String {
    let number = number(addresses, address);
    format!("<a href=\"#q{number}\">[{number}]</a>")
}

/// The number of the address, from 1; a new one comes last.
fn number(addresses: &mut Vec<String>, address: &str) -> usize {
    let known = addresses.iter().position(|one| one == address);
    let at = known.unwrap_or_else(|| {
        addresses.push(address.to_owned());
        addresses.len() - 1
    });
    at + 1
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
