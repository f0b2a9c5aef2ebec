//! A report that is broken down, as a page to be printed: nothing in it comes from elsewhere, and no script.

use std::fmt::Write as _;

use ports::inbound::Breakdown;

use super::readable::readable;
use super::{Look, Readable};

/// The longest bar, in tenths of a percent of its column.
const BAR: i64 = 1_000;

const STYLE: &str = "body{font:11pt/1.4 system-ui,sans-serif;margin:2rem;color:#111;background:#fff}\
h1{font-size:1.4rem;margin:0}p{margin:.2rem 0 1rem}table{border-collapse:collapse;width:100%}\
th,td{padding:.25rem .6rem;text-align:right;border-bottom:1px solid #ccc;font-variant-numeric:tabular-nums}\
th.l,td.l{text-align:left}thead th{border-bottom:2px solid #111}tfoot td{border-top:2px solid #111;font-weight:600}\
td.b{width:20%;text-align:left}td.b i{display:block;height:.7rem;background:#3a7d5c;\
print-color-adjust:exact;-webkit-print-color-adjust:exact}td.b i.m{background:#b5651d}\
ul{margin-top:1rem;padding-left:1.2rem;font-size:.9em}thead{display:table-header-group}tr{break-inside:avoid}\
@page{margin:15mm}";

/// The report as one page of HTML with that heading.
#[must_use]
pub fn breakdown_page(found: &Breakdown, look: Look, heading: &str) -> String {
    let shown = readable(found, look, BAR);
    let heading = escaped(heading);
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{heading}</title><style>{STYLE}</style>\
         </head>\n<body><h1>{heading}</h1>\n<p>{}</p>\n<table>\n<thead>",
        escaped(&subtitle(&shown)),
    );
    row(&mut out, "th", &shown.headings, shown.labels, "<th></th>");
    out.push_str("</thead>\n<tbody>\n");
    for (cells, bar) in shown.rows.iter().zip(&shown.bars) {
        row(&mut out, "td", cells, shown.labels, &self::bar(*bar));
    }
    out.push_str("</tbody>\n<tfoot>");
    row(&mut out, "td", &shown.total, shown.labels, "<td></td>");
    out.push_str("</tfoot>\n</table>\n");
    if !shown.notes.is_empty() {
        out.push_str("<ul>\n");
        for note in &shown.notes {
            let _ = writeln!(out, "<li>{}</li>", escaped(note));
        }
        out.push_str("</ul>\n");
    }
    out.push_str("</body></html>\n");
    out
}

fn subtitle(shown: &Readable) -> String {
    match &shown.compared {
        Some(compared) => format!("{}, compared with {compared}", shown.days),
        None => shown.days.clone(),
    }
}

fn row(out: &mut String, tag: &str, cells: &[String], labels: usize, last: &str) {
    out.push_str("<tr>");
    for (at, cell) in cells.iter().enumerate() {
        let class = if at < labels { " class=\"l\"" } else { "" };
        let _ = write!(out, "<{tag}{class}>{}</{tag}>", escaped(cell));
    }
    let _ = writeln!(out, "{last}</tr>");
}

fn bar(parts: i128) -> String {
    let (class, length) = (if parts < 0 { " class=\"m\"" } else { "" }, parts.unsigned_abs());
    format!("<td class=\"b\"><i{class} style=\"width:{}.{}%\"></i></td>", length / 10, length % 10)
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
