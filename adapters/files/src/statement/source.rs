//! What the figures come from: methods, factor sets with their licences, and global warming potentials.

use domain::{Asked, FigureSource, MarketBasis, Total, Totals};

use super::ShownStatement;
use super::readable::{Note, Row, Section, Shown};

/// A figure of what is apart from the scopes.
struct Apart {
    heading: &'static str,
    of: fn(&Totals) -> Total,
}

static APART: [Apart; 3] = [
    Apart { heading: "without a scope", of: |totals| totals.uncategorized },
    Apart { heading: "credits", of: |totals| totals.credits },
    Apart { heading: "other memo items", of: |totals| totals.outside },
];

/// How much came by each source.
pub(super) fn sources(shown: ShownStatement<'_>) -> Section {
    let unit = shown.look.unit.code();
    let amount = |total| Shown::Amount(shown.look.amount(total));
    let explained = || vec![shown.addresses().of(Asked::Whole)];
    let found = &shown.found.sources;
    // What is apart from the scopes is netted with nothing: a column for each there is.
    let apart: Vec<&Apart> =
        APART.iter().filter(|one| found.lines.iter().any(|line| !(one.of)(&line.totals).is_zero())).collect();
    let mut rows: Vec<Row> = found
        .lines
        .iter()
        .map(|line| {
            let totals = &line.totals;
            let mut cells = about(&line.source);
            cells.extend([Shown::amount(totals.count), amount(totals.co2e), amount(totals.biogenic)]);
            cells.extend(apart.iter().map(|one| amount((one.of)(totals))));
            Row::new(cells, explained())
        })
        .collect();
    let whole = &shown.found.tables.whole;
    let mut cells = vec![Shown::text("all"), Shown::Blank, Shown::Blank, Shown::Blank, Shown::amount(whole.count)];
    cells.extend([amount(whole.co2e), amount(whole.biogenic)]);
    cells.extend(apart.iter().map(|one| amount((one.of)(whole))));
    rows.push(Row::new(cells, explained()).total());
    for one in &found.market {
        let mut cells = about(&one.source);
        if let Some(Shown::Text(source)) = cells.first_mut() {
            *source = format!("Scope 2, market-based, {}: {source}", basis(one.basis));
        }
        cells.extend([Shown::amount(one.count), amount(one.co2e), Shown::Blank]);
        cells.extend(apart.iter().map(|_| Shown::Blank));
        rows.push(Row::new(cells, explained()));
    }
    let amounts = ["CO2e", "biogenic CO2"].into_iter().chain(apart.iter().map(|one| one.heading));
    let amounts = amounts.map(|heading| format!("{heading} ({unit})"));
    let columns = ["source", "valid", "licence", "GWP", "activities"].into_iter().map(str::to_owned).chain(amounts);
    Section {
        sheet: "Sources",
        heading: "Methods and sources of factors".to_owned(),
        columns: columns.collect(),
        rows,
        notes: vec![
            Note::new(
                "CO2e is quantity times factor, rounded half to even once at the 18th digit after the point, or was supplied with \
                 the activity. An activity of which a part was supplied and a part computed is counted in both rows. Market-based \
                 rows are beside the others, in place of location-based figures: they are not in the sum.",
            ),
            Note::new(if found.agrees {
                "The activities, read and added one by one, come to the figures of this statement, digit for digit."
            } else {
                "The activities, read and added one by one, do not come to the figures of this statement: run `tonne verify`."
            }),
        ],
    }
}

/// A source, with its days, its licence and its set of global warming potentials.
fn about(source: &FigureSource) -> Vec<Shown> {
    let gwp = source.gwp().map(Shown::text);
    match source {
        FigureSource::Set { publisher, title, edition, valid_from, valid_to, licence, sha256, gwp: _ } => {
            let last = valid_to.map_or_else(|| "on".to_owned(), |day| format!("to {}", day.previous()));
            vec![
                Shown::text(format_args!("{publisher}, {title}, {edition} (file sha256 {sha256})")),
                Shown::text(format_args!("{valid_from} {last}")),
                Shown::text(licence),
                gwp.unwrap_or(Shown::Absent("not known")),
            ]
        }
        FigureSource::Written { source, gwp: _ } => vec![
            Shown::text(format_args!("Own factor: {source}")),
            Shown::Blank,
            Shown::Absent("not stated"),
            gwp.unwrap_or(Shown::Absent("not stated")),
        ],
        FigureSource::Missing(id) => {
            vec![
                Shown::text(format_args!("Factor {id}, which is not there any more")),
                Shown::Blank,
                Shown::Blank,
                Shown::Blank,
            ]
        }
        FigureSource::Supplied => {
            vec![Shown::text("Supplied with the activity"), Shown::Blank, Shown::Blank, Shown::Absent("not stated")]
        }
        FigureSource::Incomplete => {
            vec![Shown::text("Without CO2e: nothing to compute it from"), Shown::Blank, Shown::Blank, Shown::Blank]
        }
    }
}

const fn basis(basis: MarketBasis) -> &'static str {
    match basis {
        MarketBasis::Certificate => "certificates",
        MarketBasis::Contract => "contracts",
        MarketBasis::SupplierRate => "rates of suppliers",
        MarketBasis::ResidualMix => "residual mix",
    }
}

/// The sets of global warming potentials behind the figures.
pub(super) fn potentials(shown: ShownStatement<'_>) -> Section {
    let sets = &shown.found.sources.gwp;
    let row = |set: &domain::GwpSet| Row::new(vec![Shown::text(set), Shown::text(set.citation())], Vec::new());
    let notes = match sets.len() {
        0 => "No factor in use says which set it was computed with.",
        1 => "Over 100 years.",
        _ => "Over 100 years. Figures under several sets are in one sum: read factors under one set to compare.",
    };
    Section {
        sheet: "Potentials",
        heading: "Global warming potentials".to_owned(),
        columns: ["set", "published in"].map(str::to_owned).to_vec(),
        rows: sets.iter().map(row).collect(),
        notes: vec![Note::new(notes)],
    }
}
