//! The company: its organisation, the GHG scopes, and how it sorts what it does.

use domain::ScopeKind;

/// A unit of the organisation.
pub(super) struct Org {
    pub(super) code: &'static str,
    pub(super) parent: &'static str,
    pub(super) name: &'static str,
    /// How much of what several sites have falls to it, in thousandths of a middling site.
    pub(super) size: i64,
}

/// A node of the scope tree.
pub(super) struct Scope {
    pub(super) code: &'static str,
    pub(super) parent: &'static str,
    pub(super) name: &'static str,
    pub(super) kind: ScopeKind,
    pub(super) category: Option<u8>,
}

/// A category of activity.
pub(super) struct Taxonomy {
    pub(super) code: &'static str,
    pub(super) parent: &'static str,
    pub(super) name: &'static str,
}

/// Where the company is: factors by region are those of it.
pub(super) const REGION: &str = "GB";

/// The root of the organisation: a store without it is not the demo's.
pub(super) const ROOT: &str = "group";

/// Parents come before their children.
pub(super) const ORGS: [Org; 22] = [
    org("group", "", super::COMPANY, 1_000),
    org("making", "group", "Manufacturing", 1_000),
    org("frames", "making", "Frame works", 6_000),
    org("paint", "making", "Paint shop", 4_200),
    org("wheels", "making", "Wheel workshop", 1_400),
    org("assembly", "making", "Assembly hall", 2_500),
    org("logistics", "group", "Logistics", 1_000),
    org("hub", "logistics", "Central warehouse", 2_600),
    org("depot", "logistics", "Spare parts depot", 900),
    org("returns", "logistics", "Returns and refurbishment", 500),
    org("retail", "group", "Retail", 1_000),
    org("harbour", "retail", "Harbour Street shop", 640),
    org("mill", "retail", "Old Mill shop", 420),
    org("station", "retail", "Station Square shop", 710),
    org("canal", "retail", "Canal Side shop", 380),
    org("market", "retail", "Market Hall shop", 520),
    org("campus", "retail", "Campus shop", 330),
    org("garden", "retail", "Garden Quarter shop", 290),
    org("bridge", "retail", "Bridge End shop", 450),
    org("services", "group", "Group services", 1_000),
    org("office", "services", "Head office", 1_500),
    org("lab", "services", "Design and test centre", 1_100),
];

/// Every place of work.
pub(super) const SITES: &[&str] = &[
    "frames", "paint", "wheels", "assembly", "hub", "depot", "returns", "harbour", "mill", "station", "canal",
    "market", "campus", "garden", "bridge", "office", "lab",
];

/// The slugs of the shops.
pub(super) const SHOPS: &[&str] = &["harbour", "mill", "station", "canal", "market", "campus", "garden", "bridge"];

/// The GHG Protocol's scopes and categories, and what is reported apart from them.
pub(super) const SCOPES: [Scope; 21] = [
    scope("1", "", "Scope 1: direct emissions", ScopeKind::Scope1),
    scope("2", "", "Scope 2: purchased energy", ScopeKind::Scope2),
    scope("3", "", "Scope 3: value chain", ScopeKind::Scope3),
    category("3.1", "3.1 Purchased goods and services", 1),
    category("3.2", "3.2 Capital goods", 2),
    category("3.3", "3.3 Fuel- and energy-related activities", 3),
    category("3.4", "3.4 Upstream transportation and distribution", 4),
    category("3.5", "3.5 Waste generated in operations", 5),
    category("3.6", "3.6 Business travel", 6),
    category("3.7", "3.7 Employee commuting", 7),
    category("3.8", "3.8 Upstream leased assets", 8),
    category("3.9", "3.9 Downstream transportation and distribution", 9),
    category("3.10", "3.10 Processing of sold products", 10),
    category("3.11", "3.11 Use of sold products", 11),
    category("3.12", "3.12 End-of-life treatment of sold products", 12),
    category("3.13", "3.13 Downstream leased assets", 13),
    category("3.14", "3.14 Franchises", 14),
    category("3.15", "3.15 Investments", 15),
    scope("biogenic", "", "Biogenic CO2", ScopeKind::Biogenic),
    scope("removals", "", "Purchased removals", ScopeKind::Credit),
    scope("outside", "", "Outside the scopes", ScopeKind::Outside),
];

/// How activities are sorted.
pub(super) const TAXONOMIES: [Taxonomy; 34] = [
    taxonomy("energy", "", "Energy"),
    taxonomy("electricity", "energy", "Electricity"),
    taxonomy("heating-fuel", "energy", "Heating fuel"),
    taxonomy("district-heat", "energy", "District heat"),
    taxonomy("energy-supply", "energy", "Fuel and power supply"),
    taxonomy("transport", "", "Transport"),
    taxonomy("own-vehicles", "transport", "Own vehicles"),
    taxonomy("inbound", "transport", "Inbound freight"),
    taxonomy("outbound", "transport", "Outbound freight"),
    taxonomy("travel", "", "Travel"),
    taxonomy("business", "travel", "Business travel"),
    taxonomy("flights", "business", "Flights"),
    taxonomy("rail", "business", "Rail"),
    taxonomy("hotels", "business", "Hotels"),
    taxonomy("commuting", "travel", "Commuting"),
    taxonomy("purchases", "", "Purchases"),
    taxonomy("metals", "purchases", "Metals"),
    taxonomy("components", "purchases", "Components"),
    taxonomy("chemicals", "purchases", "Paint and chemicals"),
    taxonomy("packaging", "purchases", "Packaging"),
    taxonomy("water", "purchases", "Water"),
    taxonomy("bought-services", "purchases", "Services"),
    taxonomy("equipment", "purchases", "Buildings and equipment"),
    taxonomy("operations", "", "Operations"),
    taxonomy("gases", "operations", "Process and cooling gases"),
    taxonomy("waste", "operations", "Waste"),
    taxonomy("sold", "", "Sold products"),
    taxonomy("processing", "sold", "Processing"),
    taxonomy("use", "sold", "Use"),
    taxonomy("end-of-life", "sold", "End of life"),
    taxonomy("partners", "", "Property and partners"),
    taxonomy("leases", "partners", "Leases"),
    taxonomy("ventures", "partners", "Franchises and investments"),
    taxonomy("climate", "", "Climate action"),
];

/// The size of a unit of the organisation.
pub(super) fn size(code: &str) -> i64 {
    ORGS.iter().find(|org| org.code == code).map_or(1_000, |org| org.size)
}

const fn org(code: &'static str, parent: &'static str, name: &'static str, size: i64) -> Org {
    Org { code, parent, name, size }
}

const fn scope(code: &'static str, parent: &'static str, name: &'static str, kind: ScopeKind) -> Scope {
    Scope { code, parent, name, kind, category: None }
}

const fn category(code: &'static str, name: &'static str, number: u8) -> Scope {
    Scope { code, parent: "3", name, kind: ScopeKind::Scope3, category: Some(number) }
}

const fn taxonomy(code: &'static str, parent: &'static str, name: &'static str) -> Taxonomy {
    Taxonomy { code, parent, name }
}
