//! What the columns of a table may mean, by their names and what is in them.

use super::column::{Column, Content};

/// Words of names, with what they speak for; earlier lines win.
const DATE_STARTS: [&str; 12] =
    ["start", "from", "begin", "von", "ab", "period", "invoice date", "date", "datum", "fecha", "month", "monat"];
const DATE_ENDS: [&str; 6] = ["end", "until", "bis", "to date", "to", "ende"];
const YEARS: [&str; 5] = ["year", "jahr", "année", "año", "anno"];
const QUANTITIES: [&str; 14] = [
    "quantity",
    "consumption",
    "usage",
    "verbrauch",
    "menge",
    "consommation",
    "consumo",
    "cantidad",
    "quantité",
    "quantità",
    "amount",
    "volume",
    "distance",
    "value",
];
const UNITS: [&str; 5] = ["unit", "uom", "einheit", "unité", "unidad"];
const PRODUCTS: [&str; 9] =
    ["product", "fuel", "material", "energy type", "commodity", "energieträger", "produkt", "kraftstoff", "carburant"];
const ORGS: [&str; 14] = [
    "site",
    "building",
    "facility",
    "plant",
    "location",
    "standort",
    "werk",
    "filiale",
    "gebäude",
    "department",
    "branch",
    "store",
    "company",
    "org",
];
const KEYS: [&str; 8] = ["invoice", "syncid", "id", "number", "nummer", "beleg", "nr", "no"];
const NAMES: [&str; 7] = ["name", "description", "bezeichnung", "title", "item", "text", "desc"];
const TAXONOMIES: [&str; 6] = ["category", "kategorie", "catégorie", "type", "art", "class"];
const EMISSIONS: [&str; 5] = ["co2", "ghg", "emission", "thg", "carbon"];
const MONEY: [&str; 10] = ["cost", "price", "eur", "usd", "kosten", "preis", "betrag", "€", "$", "net"];

/// The columns that are taken for something, and why.
#[derive(Debug, Default)]
pub(super) struct Roles<'a> {
    pub(super) start: Option<&'a Column>,
    pub(super) end: Option<&'a Column>,
    pub(super) quantity: Option<&'a Column>,
    pub(super) unit: Option<&'a Column>,
    pub(super) product: Option<&'a Column>,
    pub(super) org: Option<&'a Column>,
    pub(super) taxonomy: Option<&'a Column>,
    pub(super) key: Option<&'a Column>,
    pub(super) name: Option<&'a Column>,
    pub(super) scope: Option<&'a Column>,
    /// kg or t of CO2e.
    pub(super) emissions: Vec<&'a Column>,
    /// Columns of quantities, each of which is an activity of its own.
    pub(super) wide: Vec<&'a Column>,
    /// Columns of months.
    pub(super) months: Vec<&'a Column>,
}

/// Whether a name speaks of a date.
pub(super) fn is_called_a_date(name: &str) -> bool {
    speaks_of(name, &YEARS) || speaks_of(name, &DATE_STARTS) || speaks_of(name, &DATE_ENDS)
}

/// Whether a word is among those of a name.
fn speaks_of(name: &str, words: &[&str]) -> bool {
    rank(name, words).is_some()
}

/// The place of the first of the words that is among those of a name. Long words may be parts of longer ones.
fn rank(name: &str, words: &[&str]) -> Option<usize> {
    let mut spaced = String::new();
    let mut before = ' ';
    for letter in name.chars() {
        // buildingId is two words.
        if letter.is_uppercase() && before.is_lowercase() {
            spaced.push(' ');
        }
        spaced.extend(letter.to_lowercase());
        before = letter;
    }
    let parts: Vec<&str> =
        spaced.split(|letter: char| !letter.is_alphanumeric() && !matches!(letter, '€' | '$')).collect();
    let joined = parts.join(" ");
    let is_in =
        |word: &&str| parts.iter().any(|part| part == word) || (word.chars().count() >= 5 && joined.contains(*word));
    words.iter().position(|word| is_in(word))
}

impl<'a> Roles<'a> {
    pub(super) fn of(columns: &'a [Column]) -> Self {
        let named: Vec<&Column> = columns
            .iter()
            .filter(|column| column.has_name() && column.filled > 0)
            .filter(|column| columns.iter().filter(|other| other.name == column.name).count() == 1)
            .collect();
        let best = |words: &[&str], is: &dyn Fn(&Column) -> bool| {
            let ranked = named.iter().copied().filter(|column| is(column));
            ranked.filter_map(|column| Some((rank(&column.name, words)?, column))).min_by_key(|(rank, _)| *rank)
        };
        let of = |words: &[&str], is: &dyn Fn(&Column) -> bool| best(words, is).map(|(_, column)| column);
        let is_date = |column: &Column| matches!(column.content, Content::Dates(_));
        let is_number = |column: &Column| column.content == Content::Numbers;
        let is_text = |column: &Column| column.content == Content::Texts;
        let is_money = |column: &Column| speaks_of(&column.name, &MONEY);
        let is_emission = |column: &Column| speaks_of(&column.name, &EMISSIONS);
        let months: Vec<&Column> =
            named.iter().copied().filter(|column| column.month.is_some() && is_number(column)).collect();
        let months = if months.len() >= 3 { months } else { Vec::new() };
        let end = of(&DATE_ENDS, &is_date);
        let is_start = |column: &Column| is_date(column) && end.is_none_or(|end| end.name != column.name);
        let start = of(&DATE_STARTS, &is_start)
            .or_else(|| of(&YEARS, &is_start))
            .or_else(|| named.iter().copied().find(|column| is_start(column)));
        let unit = of(&UNITS, &|column| column.content == Content::Units)
            .or_else(|| named.iter().copied().find(|column| column.content == Content::Units));
        let measured =
            |column: &Column| is_number(column) && !is_money(column) && !is_emission(column) && column.month.is_none();
        let wide: Vec<&Column> =
            named.iter().copied().filter(|column| measured(column) && column.unit.is_some()).collect();
        let quantity = of(&QUANTITIES, &measured);
        let (quantity, wide) = if unit.is_some() { (quantity, Vec::new()) } else { (None, wide) };
        let product = of(&PRODUCTS, &is_text);
        let org = of(&ORGS, &|column| is_text(column) && product.is_none_or(|other| other.name != column.name));
        let taken = |column: &Column| [product, org].into_iter().flatten().any(|other| other.name == column.name);
        let taxonomy = of(&TAXONOMIES, &|column| is_text(column) && !taken(column) && !column.unique);
        let key = of(&KEYS, &|column| column.unique && (is_text(column) || is_number(column)));
        let scope = of(&["scope"], &|column| matches!(column.content, Content::Texts | Content::Numbers));
        let is_key = |column: &Column| key.is_some_and(|key| key.name == column.name);
        let name = of(&NAMES, &|column| is_text(column) && !is_key(column));
        let emissions = named.iter().copied().filter(|column| is_number(column) && is_emission(column)).collect();
        Self { start, end, quantity, unit, product, org, taxonomy, key, name, scope, emissions, wide, months }
    }
}
