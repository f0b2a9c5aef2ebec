//! The rows of one factor.

use std::collections::HashMap;

use domain::{Decimal, Gas, GasAmount, GasSplit, GwpSet, Intensity, Name, PublishedFactor, PublishedUse, Unit};

use super::refrigerant::{self, Siblings};
use super::row::{FigureLine, Key, Part};
use crate::published::account::Skipped;
use crate::published::amount::check_gases;
use crate::published::draft;
use crate::published::sheet::Sheet;

/// The publisher rounds its figures to so many digits after the point.
const DIGITS: u32 = 5;

/// The rows with one key.
#[derive(Debug)]
pub(super) struct Group {
    pub(super) key: Key,
    pub(super) lines: Vec<FigureLine>,
}

/// Groups in the order of their first rows.
#[derive(Debug, Default)]
pub(super) struct Groups {
    all: Vec<Group>,
    places: HashMap<Key, usize>,
}

/// A factor that was read.
pub(super) struct Read {
    pub(super) factor: PublishedFactor,
    /// What of its rows is left out, and why.
    pub(super) left_out: Option<String>,
}

/// Why a group is no factor.
pub(super) enum No {
    Skipped(Skipped),
    /// With what is wrong.
    Faulty(String),
    /// Its figures contradict each other: with how.
    Contradictory(String),
    /// A figure of it cannot be read.
    Broken,
}

/// Total and gases of a factor, and what is left out of them.
type Figures = (Option<Decimal>, Option<GasSplit>, Option<String>);

impl Groups {
    pub(super) fn add(&mut self, key: Key, line: FigureLine) {
        if let Some(place) = self.places.get(&key) {
            self.all[*place].lines.push(line);
        } else {
            self.places.insert(key.clone(), self.all.len());
            self.all.push(Group { key, lines: vec![line] });
        }
    }

    pub(super) fn into_all(self) -> Vec<Group> {
        self.all
    }
}

impl Group {
    /// The number of its first row.
    pub(super) fn row(&self) -> u32 {
        self.lines.first().map_or(0, |line| line.source.row)
    }

    /// The total, where it is given.
    pub(super) fn total(&self) -> Option<Decimal> {
        self.line(Part::Total).and_then(|line| line.value.clone().ok().flatten())
    }

    fn line(&self, part: Part) -> Option<&FigureLine> {
        self.lines.iter().find(|line| line.part == part)
    }

    /// The factor that its rows give.
    pub(super) fn factor(&self, sheet: &Sheet, gwp: Option<GwpSet>, siblings: &Siblings) -> Result<Read, No> {
        if self.lines.iter().any(|line| line.value.is_err()) {
            return Err(No::Broken);
        }
        let filled: Vec<_> = self.lines.iter().filter(|line| matches!(line.value, Ok(Some(_)))).collect();
        let Some(first) =
            self.line(Part::Total).filter(|line| matches!(line.value, Ok(Some(_)))).or(filled.first().copied())
        else {
            return Err(No::Skipped(Skipped::NoValue));
        };
        self.check_once()?;
        let unit = Unit::parse(&self.key.unit).map_err(|_| No::Skipped(Skipped::UnknownUnit(self.key.unit.clone())))?;
        let substance = refrigerant::Substance::of(&self.key);
        if substance.is_some_and(|substance| substance.is_sum(self, siblings)) {
            return Err(No::Skipped(Skipped::SumOfOthers));
        }
        let usage = match substance {
            Some(substance) if substance.is_outside_scopes() => PublishedUse::OutsideScopes,
            _ => self.key.usage().map_err(No::Faulty)?,
        };
        let (co2e, gases, left_out) = match substance {
            Some(_) if self.total().is_some() => (self.total(), refrigerant::gas(self, gwp), None),
            _ => self.figures(usage, gwp)?,
        };
        let factor = self.named(&sheet.cell(first.source.row, first.column), unit, usage).map_err(No::Faulty)?;
        let factor = factor
            .with_co2e(co2e.map(Intensity::new))
            .with_gases(gases)
            .with_rows(self.lines.iter().map(|line| line.source.clone()).collect());
        Ok(Read { factor: draft::with_figure(factor).map_err(No::Faulty)?, left_out })
    }

    fn check_once(&self) -> Result<(), No> {
        for (place, line) in self.lines.iter().enumerate() {
            if let Some(before) = self.lines[..place].iter().find(|before| before.part == line.part) {
                let (first, second) = (before.source.row, line.source.row);
                return Err(No::Faulty(format!(
                    "gives the same figure as row {second}: rows {first} and {second} are of one factor"
                )));
            }
        }
        Ok(())
    }

    /// Total and gases, and what is left out of them.
    fn figures(&self, usage: PublishedUse, gwp: Option<GwpSet>) -> Result<Figures, No> {
        let total = self.total();
        let is_outside = usage == PublishedUse::OutsideScopes;
        let of = |line: &FigureLine| match (line.part, line.value.clone()) {
            // What is outside of scopes is from living matter.
            (Part::Gas(Gas::CO2), Ok(value)) if is_outside => Some((Gas::CO2_BIOGENIC, value)),
            (Part::Gas(gas), Ok(value)) => Some((gas, value)),
            (Part::Total, _) | (Part::Gas(_), Err(_)) => None,
        };
        let parts: Vec<_> = self.lines.iter().filter_map(of).collect();
        let gases: Vec<_> = parts.iter().filter_map(|(gas, value)| Some((*gas, GasAmount::Co2e((*value)?)))).collect();
        if gases.is_empty() {
            return Ok((total, None, None));
        }
        let is_whole = gases.len() == parts.len();
        let Some(set) = gwp else {
            let co2e = if is_outside && is_whole && gases.len() == 1 { total.or(parts[0].1) } else { total };
            let left =
                "has gases, which are left out: no row for methane and nitrous oxide says under which potentials";
            return co2e
                .map(|co2e| (Some(co2e), None, Some(left.to_owned())))
                .ok_or_else(|| No::Faulty("has gases and no total".to_owned()));
        };
        match total {
            Some(total) if is_whole => {
                check_gases(total, &gases, set, DIGITS).map_err(No::Contradictory)?;
                let split = GasSplit::new(set, gases).map_err(|error| No::Faulty(error.to_string()))?;
                Ok((Some(total), Some(split), None))
            }
            Some(total) => Ok((Some(total), None, Some("lacks a gas: the others are left out".to_owned()))),
            None if is_outside && gases.len() == 1 => {
                let split = GasSplit::new(set, gases).map_err(|error| No::Faulty(error.to_string()))?;
                Ok((parts[0].1, Some(split), None))
            }
            None => Err(No::Faulty("has gases and no total".to_owned())),
        }
    }

    fn named(&self, cell: &str, unit: Unit, usage: PublishedUse) -> Result<PublishedFactor, String> {
        let categories = self.key.categories();
        // The two widest are categories, what is below them tells what the factor is of.
        let (path, name) = categories.split_at(categories.len().saturating_sub(1).min(2));
        let column_text = Some(self.key.column_text.as_str()).filter(|text| !text.is_empty() && *text != self.key.unit);
        let name = name.iter().copied().chain(column_text).collect::<Vec<_>>().join(", ");
        let path = draft::path([self.key.scope.as_str()].into_iter().chain(path.iter().copied()))?;
        let factor = PublishedFactor::new(draft::name("place", cell)?, draft::name("name", &name)?, unit, usage);
        // Hotels are those of the countries that they are named by.
        // Of hotels and of power abroad the country is in the name.
        let is_abroad = |level: &String| {
            let level = level.to_lowercase();
            level == "hotel stay" || level.contains("overseas")
        };
        let region = if self.key.levels.iter().any(is_abroad) { None } else { Name::parse("GB").ok() };
        Ok(factor.with_path(path).with_region(region))
    }
}
