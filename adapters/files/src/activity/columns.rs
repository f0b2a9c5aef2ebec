//! The columns of activities as tables: one list for what comes in and what goes out, so that a column that is added here
//! works both ways.

use domain::{
    ActivityId, Co2e, Description, EvidenceList, FactorId, Market, MarketBasis, Moment, Name, Quality, Quantity,
    SyncId, Unit,
};
use ports::inbound::{ActivityDraft, ActivityView, Named};

use super::csv_row::Row;
use super::supplied::{BIOGENIC, Co2eUnit, DOWNSTREAM, MARKET_FACTOR, NONE, UPSTREAM, listed_cell, listed_names};
use super::to_json::Shifted;
use super::{REASON, SHARE_ALONE};

pub(crate) struct Column {
    /// Its name in the header.
    pub(crate) name: &'static str,
    /// When answers have it.
    pub(super) written: Written,
    /// What its cell says of an activity.
    pub(super) write: fn(&OfActivity<'_>) -> String,
    /// What a draft takes from its cell, after those of the columns before it; `None` where an import leaves it alone. Faults
    /// are noted in the draft.
    pub(super) read: Option<fn(&Row<'_>, &mut ActivityDraft)>,
}

/// When answers have a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Written {
    Always,
    /// When rows say which share of their CO2e falls in the period.
    WithShares,
    /// When CO2e are in another unit than kg.
    WithUnit,
}

/// What a row is written from.
pub(super) struct OfActivity<'a> {
    pub(super) view: &'a ActivityView,
    /// The share that falls in the period.
    pub(super) share: Option<Co2e>,
    /// How many decimal places CO2e are shifted by from kg.
    pub(super) shift: i8,
}

impl OfActivity<'_> {
    fn market(&self) -> Option<&Market> {
        self.view.activity.value.stated.market.as_ref()
    }

    fn co2e(&self, value: Option<Co2e>) -> String {
        value.map(|value| Shifted(value, self.shift).to_string()).unwrap_or_default()
    }
}

/// Every column, in the order that answers have them. References are written as uuids; an import also takes syncIds, names
/// and paths, which stand beside them for installations that know no such uuid.
pub(crate) static COLUMNS: [Column; 39] = [
    both(
        "syncId",
        |of| text(of.view.activity.value.sync_id.as_ref()),
        |row, draft| {
            draft.sync_id = row.text("syncId", &mut draft.faults, |text| SyncId::parse(text).map(Some));
        },
    ),
    both(
        "name",
        |of| of.view.activity.value.name.to_string(),
        |row, draft| {
            draft.name = row.cell("name", &mut draft.faults, Name::parse);
        },
    ),
    both(
        "description",
        |of| text(of.view.activity.value.description.as_ref()),
        |row, draft| {
            draft.description = row.text("description", &mut draft.faults, |text| Description::parse(text).map(Some));
        },
    ),
    both(
        "quantity",
        |of| text(of.view.activity.value.measured.map(|measured| measured.quantity)),
        |row, draft| {
            draft.quantity = row.cell("quantity", &mut draft.faults, Quantity::parse);
        },
    ),
    both(
        "unit",
        |of| text(of.view.activity.value.measured.map(|measured| measured.unit.code())),
        |row, draft| {
            draft.unit = row.cell("unit", &mut draft.faults, Unit::parse);
        },
    ),
    both(
        UPSTREAM,
        |of| of.co2e(of.view.activity.value.calculation.upstream()),
        |row, draft| {
            draft.upstream = row.co2e(UPSTREAM, &mut draft.faults);
        },
    ),
    both(
        DOWNSTREAM,
        |of| of.co2e(of.view.activity.value.calculation.downstream()),
        |row, draft| {
            draft.downstream = row.co2e(DOWNSTREAM, &mut draft.faults);
        },
    ),
    both(
        BIOGENIC,
        |of| of.co2e(of.view.activity.value.biogenic()),
        |row, draft| {
            draft.biogenic = row.co2e(BIOGENIC, &mut draft.faults);
        },
    ),
    both(
        "marketInstrument",
        |of| text(of.market().map(|market| market.basis)),
        |row, draft| {
            draft.market_instrument = row.cell("marketInstrument", &mut draft.faults, MarketBasis::parse);
        },
    ),
    both(
        MARKET_FACTOR,
        |of| text(of.market().map(|market| market.factor)),
        |row, draft| {
            draft.market_factor = row.cell(MARKET_FACTOR, &mut draft.faults, str::parse::<FactorId>);
        },
    ),
    both(
        "marketReference",
        |of| text(of.market().and_then(|market| market.reference.as_ref())),
        |row, draft| {
            draft.market_reference = row.cell("marketReference", &mut draft.faults, Name::parse);
        },
    ),
    both(
        "quality",
        |of| text(of.view.activity.value.stated.quality),
        |row, draft| {
            draft.quality = row.cell("quality", &mut draft.faults, Quality::parse);
        },
    ),
    // A piece of evidence a line.
    both(
        "evidence",
        |of| of.view.activity.value.stated.evidence.to_string(),
        |row, draft| {
            draft.evidence = row.cell("evidence", &mut draft.faults, EvidenceList::parse);
        },
    ),
    both(
        "supplied",
        |of| {
            let names = listed_names(of.view);
            if names.is_empty() { NONE.to_owned() } else { names.join(" ") }
        },
        |row, draft| {
            draft.read_back.supplied = row.cell("supplied", &mut draft.faults, listed_cell).into_option();
        },
    ),
    both(
        "product",
        |of| id(of.view.product.as_ref()),
        |row, draft| {
            draft.product = row.word("product", ["productSyncId", "productPath", "productName"], &mut draft.faults);
        },
    ),
    both(
        "scope",
        |of| id(of.view.scope.as_ref()),
        |row, draft| {
            draft.scope = row.word("scope", ["scopeSyncId", "scopePath", "scopeName"], &mut draft.faults);
        },
    ),
    both(
        "taxonomy",
        |of| id(of.view.taxonomy.as_ref()),
        |row, draft| {
            draft.taxonomy =
                row.word("taxonomy", ["taxonomySyncId", "taxonomyPath", "taxonomyName"], &mut draft.faults);
        },
    ),
    both(
        "org",
        |of| id(of.view.org.as_ref()),
        |row, draft| {
            draft.org = row.word("org", ["orgSyncId", "orgPath", "orgName"], &mut draft.faults);
        },
    ),
    both(
        "startDate",
        |of| of.view.activity.value.span.start().to_string(),
        |row, draft| {
            draft.start = row.cell("startDate", &mut draft.faults, Moment::parse_start);
        },
    ),
    both(
        "endDate",
        |of| text(of.view.activity.value.span.end()),
        |row, draft| {
            draft.end = row.cell("endDate", &mut draft.faults, Moment::parse_end);
        },
    ),
    out("productName", |of| name(of.view.product.as_ref())),
    out("scopeName", |of| name(of.view.scope.as_ref())),
    out("scopePath", |of| text(of.view.paths.scope.path.as_ref())),
    out("scopeSyncId", |of| text(of.view.paths.scope.sync_id.as_ref())),
    out("taxonomyName", |of| name(of.view.taxonomy.as_ref())),
    out("taxonomyPath", |of| text(of.view.paths.taxonomy.path.as_ref())),
    out("taxonomySyncId", |of| text(of.view.paths.taxonomy.sync_id.as_ref())),
    out("orgName", |of| name(of.view.org.as_ref())),
    out("orgPath", |of| text(of.view.paths.org.path.as_ref())),
    out("orgSyncId", |of| text(of.view.paths.org.sync_id.as_ref())),
    both(
        "uuid",
        |of| of.view.activity.value.id.to_string(),
        |row, draft| {
            // Elsewhere than in an answer of ours it may be anybody's.
            if draft.read_back.supplied.is_some() {
                draft.read_back.id = row.cell("uuid", &mut draft.faults, str::parse::<ActivityId>).into_option();
            }
        },
    ),
    out("created", |of| of.view.activity.created.to_string()),
    out("updated", |of| of.view.activity.updated.to_string()),
    both(
        "CO2e",
        |of| of.co2e(of.view.activity.value.co2e()),
        |row, draft| {
            draft.read_back.co2e = row.co2e("CO2e", &mut draft.faults).into_option();
        },
    ),
    out("marketCO2e", |of| of.co2e(of.view.activity.value.market_co2e())),
    out("incomplete", |of| text(of.view.incomplete)),
    out("outdated", |of| of.view.outdated.to_string()),
    Column {
        written: Written::WithShares,
        ..both(
            "periodCO2e",
            |of| of.co2e(of.share),
            |row, draft| {
                if draft.read_back.supplied.is_none() && row.is_given("periodCO2e") {
                    draft.faults.add("/periodCO2e", SHARE_ALONE);
                }
            },
        )
    },
    // Read first, as all CO2e of the row are in it.
    Column { written: Written::WithUnit, ..out("CO2eUnit", |of| text(Co2eUnit::of_shift(of.shift))) },
];

/// Columns that imports know beside those: what else says which record a uuid is of, and what an import says of rows that it
/// rejected.
pub(crate) const ALSO_KNOWN: [&str; 3] = ["productSyncId", "productPath", REASON];

/// A column that answers write and imports read.
const fn both(
    name: &'static str,
    write: fn(&OfActivity<'_>) -> String,
    read: fn(&Row<'_>, &mut ActivityDraft),
) -> Column {
    Column { name, written: Written::Always, write, read: Some(read) }
}

/// A column that answers write and imports leave alone.
const fn out(name: &'static str, write: fn(&OfActivity<'_>) -> String) -> Column {
    Column { name, written: Written::Always, write, read: None }
}

fn text(value: Option<impl std::fmt::Display>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

fn id(named: Option<&Named>) -> String {
    text(named.map(|named| named.id))
}

fn name(named: Option<&Named>) -> String {
    text(named.map(|named| &named.name))
}
