//! Reports of a company whose activities have five measures beside their CO2e, and of one whose have none.

use std::fs;
use std::io::Write as _;

use anyhow::{Context, Result};

use super::Figures;
use super::report::NEW_P50_MS;
use crate::bench::activities::{Order, activities};
use crate::bench::company::{Company, PRODUCTS, SCOPES};
use crate::bench::figure::{Figure, Goal, Unit};
use crate::bench::load::{Load, Until, load};
use crate::bench::process;
use crate::bench::question::Questions;
use crate::bench::service::Service;
use crate::bench::store::Store;
use crate::bench::subject::Subject;

/// The column of the table of factors that has their CO2.
const CO2_COLUMN: char = 'G';

pub(super) fn measure(subject: &Subject, figures: &mut Figures) -> Result<()> {
    let plain = subject.store()?;
    let measured = store(subject)?;
    for (name, question) in [("report", ""), ("breakdown by month", "month"), ("breakdown by gas", "gas")] {
        let (without, with) = (asked(&plain, question)?.latencies.p50(), asked(&measured, question)?.latencies.p50());
        let bound = without.as_ref().map_or(Goal::Open, |p50| Goal::AtMost(2.0 * p50));
        // Who has no measures asks as if there were none to have.
        let goal = if question.is_empty() { Goal::AtMost(NEW_P50_MS) } else { Goal::Open };
        figures.add(Figure::new(format!("{name}, no measures: p50"), Unit::Millis, without).goal(goal));
        figures.add(Figure::new(format!("{name}, five measures: p50"), Unit::Millis, with).goal(bound));
    }
    subject.remove_store("measured")
}

/// New questions, one after the other: reports, or breakdowns by one dimension.
fn asked(store: &Store, by: &str) -> Result<Load> {
    let service = Service::start(store)?;
    let company = Company::find(&service)?;
    service.get("/v1/activity?page=1&pageSize=1")?;
    let questions = Questions::of(&company);
    let answers = load(service.host(), 1, 200, Until::Time, |_, _, request| {
        let question = match by {
            "" => questions.next(),
            by => format!("{}&by={by}", questions.next().replace("/v1/activity?", "/v1/report?")),
        };
        service.report.get(&question, "", request);
    })?;
    service.stop()?;
    Ok(answers)
}

/// A store with the same activities, of which each has biogenic CO2, a tier of quality and the fossil CO2 of its factor: the
/// measures `biogenic_co2`, `co2e_measured`, `co2e_estimated`, `co2e_proxy` and `co2_fossil`.
fn store(subject: &Subject) -> Result<Store> {
    let store = subject.new_store_without_factors("measured")?;
    let factors = subject.folder.join("factors.csv");
    let mut lines =
        vec!["name,path1,unit,use,region,gwp,CO2,publisher,title,edition,licence,validFrom,validTo".to_owned()];
    lines.extend((0..PRODUCTS).map(|product| {
        format!("Fuel {product},Made up,kWh,direct,US,AR5,0.{product:02}7,Made up,Factors,1,none,2020-01-01,2030-01-01")
    }));
    fs::write(&factors, lines.join("\n")).context("cannot write the factors")?;
    let said = process::output(store.command(["import", "factors"]).arg(&factors))?;
    let set = said.split_once("added set ").and_then(|(_, rest)| rest.split(':').next());
    let set = set.context("the import of factors names no set")?;
    for product in 0..PRODUCTS {
        let cell = format!("{CO2_COLUMN}{}", product + 2);
        process::output(&mut store.command(["factor", "use", "--product", &format!("fuel{product}"), set, &cell]))?;
    }
    store.import(&table(subject)?)?;
    Ok(store)
}

/// The table of activities with their measures.
fn table(subject: &Subject) -> Result<std::path::PathBuf> {
    let path = subject.folder.join(format!("measured-{}.csv", subject.activities));
    let mut file = std::io::BufWriter::new(fs::File::create(&path).context("cannot write a table")?);
    writeln!(file, "syncId,name,quantity,unit,product,scope,org,taxonomy,startDate,biogenicCO2,quality")?;
    for activity in activities(subject.activities, Order::RandomDays) {
        let tier = ["measured", "estimated", "proxy"][activity.quantity as usize % 3];
        let (sync_id, quantity, date) = (activity.sync_id("a"), activity.quantity(), activity.date());
        let scope = SCOPES[activity.scope as usize];
        let (product, org, taxonomy) = (activity.product, activity.org, activity.taxonomy);
        writeln!(
            file,
            "{sync_id},Meter reading,{quantity},kWh,fuel{product},{scope},site{org},kind{taxonomy},{date},0.5,{tier}"
        )?;
    }
    file.flush()?;
    Ok(path)
}
