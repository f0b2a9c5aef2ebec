//! Words in the names of columns, and what they speak of.

/// Words of names, with what they speak for; earlier lines win.
pub(super) const DATE_STARTS: [&str; 12] =
    ["start", "from", "begin", "von", "ab", "period", "invoice date", "date", "datum", "fecha", "month", "monat"];
pub(super) const DATE_ENDS: [&str; 6] = ["end", "until", "bis", "to date", "to", "ende"];
pub(super) const YEARS: [&str; 5] = ["year", "jahr", "année", "año", "anno"];
pub(super) const MONTHS: [&str; 6] = ["month", "monat", "mois", "mes", "mese", "period"];
pub(super) const QUARTERS: [&str; 5] = ["quarter", "quartal", "trimestre", "qtr", "period"];
pub(super) const DAYS: [&str; 5] = ["day", "tag", "jour", "día", "giorno"];
pub(super) const QUANTITIES: [&str; 14] = [
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
pub(super) const UNITS: [&str; 5] = ["unit", "uom", "einheit", "unité", "unidad"];
pub(super) const PRODUCTS: [&str; 9] =
    ["product", "fuel", "material", "energy type", "commodity", "energieträger", "produkt", "kraftstoff", "carburant"];
pub(super) const ORGS: [&str; 20] = [
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
    "neighborhood",
    "neighbourhood",
    "district",
    "region",
    "city",
    "country",
];
pub(super) const KEYS: [&str; 8] = ["invoice", "syncid", "id", "number", "nummer", "beleg", "nr", "no"];
/// Those of the keys that speak of more than a number within the table.
pub(super) const OWN_KEYS: [&str; 4] = ["invoice", "syncid", "id", "beleg"];
/// Those of the keys that number documents, of which each has another day.
pub(super) const DOCUMENT_KEYS: [&str; 3] = ["invoice", "syncid", "beleg"];
pub(super) const NAMES: [&str; 7] = ["name", "description", "bezeichnung", "title", "item", "text", "desc"];
pub(super) const TAXONOMIES: [&str; 6] = ["category", "kategorie", "catégorie", "type", "art", "class"];
pub(super) const EMISSIONS: [&str; 9] = ["co2", "co2e", "co2eq", "kgco2e", "tco2e", "ghg", "emission", "thg", "carbon"];
pub(super) const MONEY: [&str; 10] = ["cost", "price", "eur", "usd", "kosten", "preis", "betrag", "€", "$", "net"];

/// Whether a name speaks of a date.
pub(super) fn is_called_a_date(name: &str) -> bool {
    speaks_of(name, &YEARS) || speaks_of(name, &DATE_STARTS) || speaks_of(name, &DATE_ENDS)
}

/// Whether a word is among those of a name.
pub(super) fn speaks_of(name: &str, words: &[&str]) -> bool {
    rank(name, words).is_some()
}

/// The place of the first of the words that is among those of a name. Long words may be parts of longer ones.
pub(super) fn rank(name: &str, words: &[&str]) -> Option<usize> {
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
    words.iter().position(is_in)
}
