//! The pages in a browser, as somebody who is signed in sees them: the dashboard, reports and lists of activities.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use super::Figures;
use crate::bench::client::Client;
use crate::bench::company::Company;
use crate::bench::dice::Dice;
use crate::bench::figure::{Figure, Goal, Unit};
use crate::bench::latencies::Latencies;
use crate::bench::process;
use crate::bench::subject::Subject;

/// How many pages of each kind are asked for, at most.
const ASKED: u32 = 400;
/// How long each kind is asked for, at most.
const MEASURED: Duration = Duration::from_secs(20);
/// The pages that are measured, each with its path, further parameters, and the milliseconds that half of its answers may take.
const PAGES: [(&str, &str, &str, f64); 4] = [
    ("dashboard", "/", "", 15.0),
    ("report", "/report", "", 10.0),
    // Regions with their sites, scopes with their categories.
    ("report of two levels", "/report", "&depth=2", 10.0),
    ("activities", "/activities", "", 10.0),
];
/// What a report is broken down by, in turn.
const BY: [&str; 5] = ["org,month", "scope,month", "taxonomy", "org,scope", "taxonomy,month"];

pub(super) fn measure(subject: &Subject, figures: &mut Figures) -> Result<()> {
    let link = link(subject)?;
    let (service, company) = subject.warm_service()?;
    let mut visitor = Visitor::sign_in(service.connect()?, &link)?;
    let mut dice = Dice::of(3);
    for (what, path, more, goal) in PAGES {
        let (started, mut times) = (Instant::now(), Vec::new());
        for at in 0..ASKED {
            let address = format!("{path}?{}{more}", question(path, &company, &mut dice, at));
            let begin = Instant::now();
            visitor.open(&address)?;
            times.push(begin.elapsed());
            if started.elapsed() > MEASURED {
                break;
            }
        }
        let times = Latencies::of(times);
        let median = Figure::new(format!("page in a browser, {what}: p50"), Unit::Millis, times.p50());
        figures.add(median.goal(Goal::AtMost(goal)));
        figures.add(Figure::new(format!("page in a browser, {what}: p99"), Unit::Millis, times.p99()));
    }
    service.stop()
}

/// The parameters of a page: a year, month or quarter, in turn of the whole company, of an org, a scope and a taxonomy.
fn question(path: &str, company: &Company, dice: &mut Dice, at: u32) -> String {
    let one = |ids: &[String], dice: &mut Dice| ids[dice.below(u32::try_from(ids.len()).unwrap_or(1)) as usize].clone();
    let year = 2022 + dice.below(3);
    let date = match dice.below(3) {
        0 => year.to_string(),
        1 => format!("{year}-Q{}", 1 + dice.below(4)),
        _ => format!("{year}-{:02}", 1 + dice.below(12)),
    };
    let filter = match at % 4 {
        0 => String::new(),
        1 => format!("&org={}", one(&company.orgs, dice)),
        2 => format!("&scope={}", one(&company.scopes, dice)),
        _ => format!("&taxonomy={}", one(&company.taxonomies, dice)),
    };
    let by = if path == "/report" { format!("&by={}", BY[at as usize % BY.len()]) } else { String::new() };
    format!("date={date}{filter}{by}")
}

/// The path of a link that signs a new user in once, who may read everything.
fn link(subject: &Subject) -> Result<String> {
    let name = format!("bench-{}", subject.run);
    let store = subject.store()?;
    let words = ["user", "add", name.as_str(), "--role", "auditor", "--link", "--json"];
    let added: Value = serde_json::from_str(&process::output(&mut store.command(words))?)?;
    let address = added["link"].as_str().context("the user was added without a link")?;
    let at = address.find("/login/once/").with_context(|| format!("{address} signs nobody in"))?;
    Ok(address[at..].to_owned())
}

/// Somebody in a browser.
struct Visitor {
    client: Client,
    /// The session's, as requests carry it.
    cookie: String,
}

impl Visitor {
    /// Uses the link up, as its page's button does.
    fn sign_in(mut client: Client, link: &str) -> Result<Self> {
        let request = format!(
            "POST {link} HTTP/1.1\r\nHost: localhost\r\nAccept: text/html\r\nSec-Fetch-Site: same-origin\r\n\
             Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 0\r\n\r\n"
        );
        let status = client.exchange(request.as_bytes(), |_| {})?;
        ensure!(status == 303, "the link was answered {status}");
        let cookie = client.header("set-cookie").and_then(|line| line.split(';').next());
        let cookie = cookie.context("nobody is signed in: the answer has no cookie")?.to_owned();
        Ok(Self { client, cookie })
    }

    fn open(&mut self, address: &str) -> Result<()> {
        let Self { client, cookie } = self;
        let request =
            format!("GET {address} HTTP/1.1\r\nHost: localhost\r\nAccept: text/html\r\nCookie: {cookie}\r\n\r\n");
        let status = client.exchange(request.as_bytes(), |_| {})?;
        ensure!(status == 200, "{address} was answered {status}");
        Ok(())
    }
}
