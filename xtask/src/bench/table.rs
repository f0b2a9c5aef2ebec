//! The figures as a table in Markdown.

use super::figure::{Figure, Goal, Reading, Unit};

const HEADS: [&str; 8] = ["row", "goal", "measured", "reached", "floor", "of the floor", "peer", "of the peer"];

/// The table of these figures.
pub(super) fn table(figures: &[Figure]) -> String {
    let heads = HEADS.map(str::to_owned);
    let rule = HEADS.map(|_| "---".to_owned());
    let lines = [heads, rule].into_iter().chain(figures.iter().map(cells));
    lines.map(|cells| format!("| {} |\n", cells.join(" | "))).collect::<Vec<_>>().concat()
}

/// One figure in a line, to be read while the others are measured.
pub(super) fn line(figure: &Figure) -> String {
    let [what, goal, measured, reached, floor, of_floor, peer, of_peer] = cells(figure);
    let mut line = format!("{what}: {measured}");
    for (name, cell, ratio) in [("goal", goal, reached), ("floor", floor, of_floor), ("peer", peer, of_peer)] {
        if !cell.is_empty() {
            line.extend(["; ", name, " ", &cell]);
            if !ratio.is_empty() {
                line.extend([" (", &ratio, ")"]);
            }
        }
    }
    line
}

fn cells(figure: &Figure) -> [String; 8] {
    let Figure { what, unit, measured, goal, floor, peer } = figure;
    let goal = match goal {
        Goal::AtLeast(bound) => format!("at least {}", unit.shown(*bound)),
        Goal::AtMost(bound) => format!("at most {}", unit.shown(*bound)),
        Goal::Open => String::new(),
    };
    let reached = figure.reached().map_or("", |reached| if reached { "yes" } else { "no" });
    let ratio = |other: &Reading| figure.ratio(other).map_or_else(String::new, |ratio| Unit::Ratio.shown(ratio));
    let (floor, of_floor) = floor.as_ref().map_or_else(Default::default, |floor| (shown(*unit, floor), ratio(floor)));
    let peer = peer.as_ref().map(|(name, peer)| (format!("{name}: {}", shown(*unit, peer)), ratio(peer)));
    let (peer, of_peer) = peer.unwrap_or_default();
    [what.clone(), goal, shown(*unit, measured), reached.to_owned(), floor, of_floor, peer, of_peer]
}

fn shown(unit: Unit, reading: &Reading) -> String {
    match reading {
        Ok(value) => unit.shown(*value),
        Err(reason) => reason.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figure() -> Figure {
        let figure = Figure::new("import", Unit::RowsPerSecond, Ok(50_000.0)).goal(Goal::AtLeast(70_000.0));
        figure.floor(Ok(100_000.0)).peer("DuckDB", Err(anyhow::anyhow!("not found")))
    }

    #[test]
    fn a_figure_is_a_line_of_cells() {
        let table = table(&[figure()]);
        let lines: Vec<_> = table.lines().collect();
        assert_eq!(lines.len(), 3);
        let expected = "| import | at least 70,000 rows/s | 50,000 rows/s | no | 100,000 rows/s | 0.50 \
                        | DuckDB: not found |  |";
        assert_eq!(lines[2], expected);
    }

    #[test]
    fn a_line_leaves_out_what_there_is_not() {
        assert_eq!(line(&Figure::new("start", Unit::Millis, Ok(61.0))), "start: 61.0 ms");
        let expected = "import: 50,000 rows/s; goal at least 70,000 rows/s (no); floor 100,000 rows/s (0.50); \
                        peer DuckDB: not found";
        assert_eq!(line(&figure()), expected);
    }
}
