//! Finding a published factor among tens of thousands.

use std::fs;
use std::io::Write as _;
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};

use super::Figures;
use crate::bench::figure::{Figure, Goal, Unit};
use crate::bench::load::{Until, load};
use crate::bench::process;
use crate::bench::service::Service;
use crate::bench::subject::Subject;

/// How many there are.
const FACTORS: usize = 50_000;

/// Words of the factors' names, a name having one of each.
const WORDS: [&[&str]; 3] = [
    &["Natural gas", "Diesel", "Electricity", "Steel", "Timber", "Cement", "Freight", "Waste", "Water", "Steam"],
    &["average", "large", "small", "recycled", "imported", "primary", "rigid", "upstream"],
    &["industrial", "domestic", "road", "rail", "marine", "agricultural"],
];

/// Questions, each of the same factors: one word, several, the beginning of one, with filters, and what nothing has.
const QUESTIONS: [&str; 8] = [
    "q=steel",
    "q=natural+gas+large",
    "q=elec",
    "q=timber+recycled+rail+49999",
    "q=cement+27",
    "q=freight&region=GB&unit=kg&use=value-chain",
    "q=a",
    "q=nothing+has+this",
];

pub(super) fn measure(subject: &Subject, figures: &mut Figures) -> Result<()> {
    let store = subject.new_store_without_factors("factors")?;
    process::output(store.command(["import", "factors"]).arg(table(subject)?))?;
    let service = Service::start(&store)?;
    let found = service.get("/v1/factor?q=steel")?["count"].as_u64().unwrap_or_default();
    ensure!(found > 1_000, "a search for a tenth of the factors finds {found}");
    for question in QUESTIONS {
        let path = format!("/v1/factor?{question}");
        let answers = load(service.host(), 1, 200, Until::Time, |_, _, request| service.all.get(&path, "", request))?;
        let (p50, p99) = (answers.latencies.p50(), answers.latencies.p99());
        figures.add(Figure::new(format!("factor search, {question}: p50"), Unit::Millis, p50));
        let p99 = Figure::new(format!("factor search, {question}: p99"), Unit::Millis, p99);
        figures.add(p99.goal(Goal::AtMost(20.0)));
    }
    service.stop()?;
    subject.remove_store("factors")
}

/// A plain table of made-up factors, no two with one name.
fn table(subject: &Subject) -> Result<PathBuf> {
    let path = subject.folder.join("published.csv");
    let mut file = std::io::BufWriter::new(fs::File::create(&path).context("cannot write a table")?);
    writeln!(file, "name,path1,path2,unit,use,region,gwp,co2e,publisher,title,edition,licence,validFrom,validTo")?;
    for number in 0..FACTORS {
        let (mut rest, mut name) = (number, String::new());
        for words in WORDS {
            name += words[rest % words.len()];
            name.push(' ');
            rest /= words.len();
        }
        let (region, unit) = (["GB", "US", "FR", "US-RFCW"][number % 4], ["kg", "kWh", "t"][number % 3]);
        writeln!(
            file,
            "{name}{number},Made up,Part {},{unit},value-chain,{region},AR5,0.{number:05}1,Made up,Factors,1,none,2020-01-01,\
             2030-01-01",
            number % 97
        )?;
    }
    file.flush()?;
    Ok(path)
}
