//! How single columns are written, where what one shows must not be taken for what another leaves open.

use super::{Writer, line, quoted};
use crate::suggestion::Unsure;
use crate::suggestion::column::{Column, Content};

impl Writer<'_> {
    /// Whether dates are said of each column: one of them is asked for, and what the table says would be an answer.
    pub(super) fn has_dates_by_column(&self) -> bool {
        self.unsure == Unsure::Asked && self.columns.iter().any(|column| form_count(column) > 1)
    }

    /// The same of marks of numbers.
    pub(super) fn has_marks_by_column(&self) -> bool {
        self.unsure == Unsure::Asked && !self.marks.unsure.is_empty()
    }

    /// What the columns show that leave nothing open.
    pub(super) fn columns(&self, text: &mut String) {
        let (dates, marks) = (self.has_dates_by_column(), self.has_marks_by_column());
        let shown = |(index, column): (usize, &Column)| {
            let says = match &column.content {
                Content::Dates(forms) if dates && forms.len() == 1 => format!("dates = [{}]", quoted(forms[0])),
                Content::Numbers if marks && self.marks.is_shown(index) => self.said_marks(),
                Content::Dates(_) | Content::Empty | Content::Numbers | Content::Units | Content::Texts => return None,
            };
            let is_only = self.columns.iter().filter(|other| other.name == column.name).count() == 1;
            (column.has_name() && is_only).then(|| format!("{} = {{ {says} }}", quoted(&column.name)))
        };
        let shown: Vec<String> = self.columns.iter().enumerate().filter_map(shown).collect();
        if !shown.is_empty() {
            let why = "each shows how it is written, which need not hold for the others";
            line(text, "columns", &format!("{{ {} }}", shown.join(", ")), why);
        }
    }

    fn said_marks(&self) -> String {
        let marks = self.marks.marks;
        let decimal = format!("decimal = {}", quoted(&marks.decimal.to_string()));
        let thousands = marks.thousands.map(|mark| format!(", thousands = {}", quoted(&mark.to_string())));
        format!("{decimal}{}", thousands.unwrap_or_default())
    }
}

const fn form_count(column: &Column) -> usize {
    match &column.content {
        Content::Dates(forms) => forms.len(),
        Content::Empty | Content::Numbers | Content::Units | Content::Texts => 0,
    }
}
