//! The columns that nothing was made of, each with the reason.

use std::fmt::Write as _;

use super::{Writer, shown};
use crate::suggestion::column::{Column, Content};
use crate::suggestion::words::{MONEY, speaks_of};

impl Writer<'_> {
    /// Names the columns that nothing was made of, with what is in them and why that is.
    pub(super) fn unused(&self, text: &mut String) {
        let used = |column: &Column| text.contains(&format!("{{{}}}", column.name));
        let unused: Vec<&Column> =
            self.columns.iter().filter(|column| !column.name.is_empty() && !used(column)).collect();
        if unused.is_empty() {
            return;
        }
        let mut lines = String::from("# Columns that are not used, with what is in them, and why:\n");
        for column in unused {
            let _ = writeln!(
                lines,
                "#   {}: {} of {} rows, {}; {}",
                column.name.replace('\n', " "),
                column.filled,
                column.rows,
                shown(column),
                self.why_unused(column)
            );
        }
        text.push_str(&lines);
    }

    fn why_unused(&self, column: &Column) -> String {
        let roles = self.roles;
        if let Some((_, why)) = roles.apart.iter().find(|(other, _)| other.name == column.name) {
            return format!("left out: {why}");
        }
        if self.columns.iter().filter(|other| other.name == column.name).count() > 1 {
            return "another column has the same name: a map cannot tell them apart".to_owned();
        }
        if !column.has_name() {
            return "a map cannot name it: write braces in its name twice".to_owned();
        }
        match &column.content {
            Content::Empty => "no row that was looked at says anything in it".to_owned(),
            Content::Dates(_) => match (roles.start, &roles.parted) {
                (Some(start), _) if start.name != column.name => format!("{:?} says the days already", start.name),
                (_, Some(_)) => "other columns say the days already".to_owned(),
                (Some(_) | None, None) => "days for which an activity has no place".to_owned(),
            },
            Content::Numbers if speaks_of(&column.name, &MONEY) => {
                "money, and no quantity: name it in quantity, with its currency as unit, for factors per spend"
                    .to_owned()
            }
            Content::Numbers if column.unit.is_none() && roles.unit.is_none() => {
                "numbers without a unit: name it in quantity where you know the unit".to_owned()
            }
            Content::Numbers => "numbers, of which another column was taken for the quantity".to_owned(),
            Content::Units => "units, of which another column was taken".to_owned(),
            Content::Texts => {
                let name = column.name.replace('\n', " ");
                format!("texts that no field was found for: description = \"{{{name}}}\" would keep them")
            }
        }
    }
}
