//! What the figures of an inventory statement come from.

use super::{BIOGENIC, CO2E, COUNT, EXPLANATION, INCOMPLETE, Of, SHA256};
use crate::schema::Kind;
use crate::shape::Shape;

const BASES: Of = Of::new("basis", Kind::Text(1, 20), "What it rests on.").written();
const SOURCE_KIND: Of = Of::new(
    "kind",
    Kind::Word(source_kinds),
    "set: a factor set; written: a factor that somebody wrote; missing: a factor that is gone; supplied: with the activity; \
     incomplete: nothing.",
)
.written();
const PUBLISHER: Of = Of::new("publisher", Kind::Text(1, 255), "Who published a set.").written_or_null();
const TITLE: Of = Of::new("title", Kind::Text(1, 255), "What a set is called.").written_or_null();
const EDITION: Of = Of::new("edition", Kind::Text(1, 255), "Which edition of it.").written_or_null();
const FIRST: Of = Of::new("first", Kind::Date, "The first day for which a set was published.").written_or_null();
const LAST: Of = Of::new("last", Kind::Date, "The last; null where no end is known.").written_or_null();
const LICENCE: Of =
    Of::new("licence", Kind::Text(1, 1_000), "The licence of a set, with its attribution.").written_or_null();
const FILE: Of = Of::new("sha256", SHA256, "The SHA-256 of the file of a set.").written_or_null();
const SOURCE: Of =
    Of::new("source", Kind::Text(1, 1_000), "Where a written factor is from; of a missing one its uuid.")
        .written_or_null();
const GWP: Of = Of::new("gwp", Kind::Text(1, 20), "The set of global warming potentials; null where it is not known.")
    .written_or_null();

fn source_kinds() -> Vec<&'static str> {
    vec!["set", "written", "missing", "supplied", "incomplete"]
}

/// Both figures of scope 2.
pub(super) static SCOPE2: Shape<(), ()> = Shape {
    name: "StatementScope2",
    doc: "Both figures of scope 2.",
    members: &[
        Of::new("locationCO2e", Kind::Amount, "Location-based.").written(),
        Of::new("marketCO2e", Kind::Amount, "Market-based: the sum of the next three.").written(),
        Of::new("instrumentCO2e", Kind::Amount, "What of it rests on certificates, contracts and rates of suppliers.")
            .written(),
        Of::new("residualCO2e", Kind::Amount, "What of it rests on a residual mix.").written(),
        Of::new("locationInMarketCO2e", Kind::Amount, "What of it rests on location-based factors, for want of both.")
            .written(),
        Of::new("market", Kind::List(&Kind::Object(&MARKET_SOURCE), 0), "By what it rests on, and by source.")
            .written(),
        EXPLANATION,
    ],
};

static MARKET_SOURCE: Shape<(), ()> = Shape {
    name: "StatementMarketSource",
    doc: "How much of market-based scope 2 came by one source.",
    members: &[
        BASES,
        SOURCE_KIND,
        PUBLISHER,
        TITLE,
        EDITION,
        FIRST,
        LAST,
        LICENCE,
        FILE,
        SOURCE,
        GWP,
        COUNT,
        Of::new("CO2e", Kind::Amount, "Market-based.").written(),
    ],
};

/// What the figures come from.
pub(super) static SOURCES: Shape<(), ()> = Shape {
    name: "StatementSources",
    doc: "What the figures come from, found by reading the activities one by one.",
    members: &[
        Of::new("gwp", Kind::List(&Kind::Object(&GWP_SET), 5), "The sets of global warming potentials that are known.")
            .written(),
        Of::new("lines", Kind::List(&Kind::Object(&SOURCE_LINE), 0), "By source; they add up to the whole.").written(),
        Of::new("agrees", Kind::Flag, "Whether the activities come to the figures of the statement, digit for digit.")
            .written(),
        EXPLANATION,
    ],
};

static GWP_SET: Shape<(), ()> = Shape {
    name: "StatementGwpSet",
    doc: "A set of global warming potentials.",
    members: &[
        Of::new("name", Kind::Text(1, 20), "Its name.").written(),
        Of::new("citation", Kind::Text(1, 1_000), "Where its values were published.").written(),
    ],
};

static SOURCE_LINE: Shape<(), ()> = Shape {
    name: "StatementSource",
    doc: "How much came by one source. An activity of which a part was supplied and a part computed is counted in both lines.",
    members: &[
        SOURCE_KIND,
        PUBLISHER,
        TITLE,
        EDITION,
        FIRST,
        LAST,
        LICENCE,
        FILE,
        SOURCE,
        GWP,
        COUNT,
        INCOMPLETE,
        CO2E,
        BIOGENIC,
        Of::new("uncategorizedCO2e", Kind::Amount, "What is of activities without a scope.").written(),
        Of::new("creditsCO2e", Kind::Amount, "What is in nodes of kind credit.").written(),
        Of::new("outsideCO2e", Kind::Amount, "What is in nodes of kind outside.").written(),
    ],
};
