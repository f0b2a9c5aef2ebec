//! The US EPA's supply-chain factors. The sample has rows of v1.3.0 (public domain in the United States); the figures by gas are
//! made up, in the form of that file.

use domain::GwpSet;
use tonne_files::PublishedLayout;

use super::{counts, findings, read, refused, told};

const SAMPLE: &str = include_str!("samples/us-supply-chain-2022.csv");
const HEADER: &str = "2017 NAICS Code,2017 NAICS Title,GHG,Unit,Supply Chain Emission Factors without Margins,Margins of Supply Chain Emission Factors,Supply Chain Emission Factors with Margins,Reference USEEIO Code\n";

#[test]
fn a_commodity_has_a_factor_with_margins_and_one_without() {
    let file = read(SAMPLE, "factors.csv");
    assert_eq!((file.layout, file.set.gwp), (PublishedLayout::UsSupplyChain, Some(GwpSet::Ar5)));
    assert_eq!(file.set.edition.as_str(), "v1.3.0, 2022 USD");
    let all: Vec<_> = file.factors.iter().map(told).collect();
    assert_eq!(all[0], "Soybean Farming USD value-chain 0.532");
    assert_eq!(all[1], "Soybean Farming, without margins USD value-chain 0.488");
    // 0.809 + 0.04 is 0.849: what rounding explains.
    assert_eq!(all[2], "Corn Farming USD value-chain 0.848");
    assert_eq!((all.len(), findings(&file)), (16, vec![]));
    let soy = &file.factors[0];
    assert_eq!((soy.cell.as_str(), soy.region.as_ref().unwrap().as_str()), ("G2", "US"));
    assert_eq!(soy.path[1].as_str(), "2022 USD, purchaser price");
    let error = soy.intensity_under(&file.set, GwpSet::Ar6).unwrap_err().to_string();
    assert!(error.contains("CO2e alone, under AR5"), "{error}");
}

#[test]
fn gases_by_row_make_one_factor_that_is_read_under_any_set() {
    let rows = [
        "111110,Soybean Farming,Carbon dioxide,\"kg/2022 USD, purchaser price\",1.5E-01,1e-2,1.6E-01,1111A0\n",
        "111110,Soybean Farming,Methane,\"kg/2022 USD, purchaser price\",2e-3,0,2e-3,1111A0\n",
        "111110,Soybean Farming,Nitrous oxide,\"kg/2022 USD, purchaser price\",0.001,0,0.001,1111A0\n",
        "111110,Soybean Farming,Carbon tetrafluoride,\"kg/2022 USD, purchaser price\",1e-12,0,1e-12,1111A0\n",
        "111110,Soybean Farming,\"HFCs and PFCs, unspecified\",\"kg CO2e/2022 USD, purchaser price\",0,0,0,1111A0\n",
        "111120,Other,Methane,\"kg/2022 USD, purchaser price\",2e-3,0,2e-3,1111A0\n",
        "111120,Other,\"HFCs and PFCs, unspecified\",\"kg CO2e/2022 USD, purchaser price\",0.001,0,0.001,1111A0\n",
    ]
    .concat();
    let file = read(format!("{HEADER}{rows}"), "byGHG.csv");
    let soy = &file.factors[0];
    // 0.16 + 0.002 * 28 + 0.001 * 265 + 1e-12 * 6630
    assert_eq!(told(soy), "Soybean Farming USD value-chain 0.48100000663");
    assert_eq!(soy.intensity_under(&file.set, GwpSet::Ar6).unwrap().to_string(), "0.48880000738");
    assert_eq!((soy.rows.len(), file.account.used), (5, 7));
    // A part of it has no gas, so that the whole cannot be read under another set.
    let other = &file.factors[2];
    assert_eq!((told(other).as_str(), other.gases.is_none()), ("Other USD value-chain 0.057", true));
}

#[test]
fn rows_that_are_broken_are_told_and_the_others_are_read() {
    let text = SAMPLE
        .replace("0.488,0.044,0.532", "0.488,0.044,0.552")
        .replace("0.809,0.04,0.848", "0.809,0.04,")
        .replace("1.114,0.023,1.137", ",NA,-")
        .replace("0.145,0,0.145", "0.145,0,x");
    let text =
        format!("{text}722511,Full-Service Restaurants,All GHGs,\"kg CO2e/2021 USD, purchaser price\",1,0,1,7\n");
    let file = read(text, "factors.csv");
    let found = findings(&file);
    for (found, words) in found.iter().zip([
        "row 2: has parts that add up to 0.532 and a total of 0.552",
        "row 8: has \"x\" where a number belongs",
        "row 10: is per 2021 USD, purchaser price, but the rows above are per 2022 USD",
    ]) {
        assert!(found.contains(words), "{found}");
    }
    assert_eq!(counts(&file.account.skipped), ["1 without a value", "3 faulty"]);
    assert_eq!(file.factors.iter().filter(|factor| factor.name.as_str().starts_with("Corn")).count(), 1);
}

#[test]
fn columns_may_stand_elsewhere_and_a_file_without_a_row_that_can_be_read_is_refused() {
    let moved: String = SAMPLE
        .lines()
        .map(|line| [if line.starts_with("2017") { "Note" } else { "" }, ",", line, "\n"].concat())
        .collect::<String>();
    let file = read(moved.replace("2017 NAICS", "2022 NAICS"), "factors.csv");
    assert_eq!(
        (told(&file.factors[0]).as_str(), file.factors[0].cell.as_str()),
        ("Soybean Farming USD value-chain 0.532", "H2")
    );
    assert!(refused(HEADER).contains("no row that can be read"));
}

#[test]
fn a_header_that_lacks_a_column_is_refused_with_its_name() {
    for column in ["naics code", "naics title", "ghg", "unit", "margins of supply chain emission factors"] {
        let without: Vec<_> = HEADER.trim().split(',').filter(|name| !name.to_lowercase().ends_with(column)).collect();
        let error = refused(format!("{}\n", without.join(",")));
        assert!(error.contains(&format!("supply-chain factors in row 1, without its column {column:?}")), "{error}");
    }
}
