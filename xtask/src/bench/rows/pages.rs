//! Pages of activities: by their number, and by the link to the next one.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};

use super::Figures;
use crate::bench::client::{Client, Credentials};
use crate::bench::company::Company;
use crate::bench::dice::Dice;
use crate::bench::figure::{Figure, Goal, Unit};
use crate::bench::latencies::Latencies;
use crate::bench::subject::Subject;

const SIZE: u32 = 100;
/// The highest number of a page that is asked for.
const HIGHEST: u32 = 10_000;
/// How many pages are asked for by their number, at most.
const ASKED: u32 = 400;
/// How long they are asked for, at most.
const MEASURED: Duration = Duration::from_secs(20);
/// How many links are followed from each page.
const FOLLOWED: u32 = 25;
/// How many pages links are followed from.
const STARTS: u32 = 16;

pub(super) fn measure(subject: &Subject, figures: &mut Figures) -> Result<()> {
    let (service, company) = subject.warm_service()?;
    let mut pages =
        Pages { client: service.connect()?, credentials: &service.all, dice: Dice::of(2), request: Vec::new() };
    let (started, mut times) = (Instant::now(), Vec::new());
    for at in 0..ASKED {
        let page = pages.some_page(subject, &company, at);
        let begin = Instant::now();
        pages.ask(&page)?;
        times.push(begin.elapsed());
        if started.elapsed() > MEASURED {
            break;
        }
    }
    add("page by its number, up to 10,000", Goal::AtMost(50.0), &Latencies::of(times), figures);
    let followed = pages.follow(subject, &company).map(Latencies::of);
    match followed {
        Ok(times) => add("page by the link to the next", Goal::AtMost(10.0), &times, figures),
        Err(error) => figures.add(Figure::new("page by the link to the next", Unit::Millis, Err(error))),
    }
    service.stop()
}

fn add(what: &str, goal: Goal, times: &Latencies, figures: &mut Figures) {
    figures.add(Figure::new(format!("{what}: p50"), Unit::Millis, times.p50()));
    figures.add(Figure::new(format!("{what}: p99"), Unit::Millis, times.p99()));
    // Any page, the goal says: so it is for the longest.
    figures.add(Figure::new(format!("{what}: longest"), Unit::Millis, times.max()).goal(goal));
}

/// Asks for pages.
struct Pages<'a> {
    client: Client,
    credentials: &'a Credentials,
    dice: Dice,
    request: Vec<u8>,
}

impl Pages<'_> {
    /// A path of a page: in turn without a filter, and of a scope, an org, and an org and a taxonomy together.
    fn some_page(&mut self, subject: &Subject, company: &Company, at: u32) -> String {
        let one =
            |ids: &[String], dice: &mut Dice| ids[dice.below(u32::try_from(ids.len()).unwrap_or(1)) as usize].clone();
        let (filter, share) = match at % 4 {
            0 => (String::new(), 1),
            1 => (format!("&scope={}", one(&company.scopes, &mut self.dice)), 4),
            2 => (format!("&org={}", one(&company.orgs, &mut self.dice)), 425),
            _ => {
                let (org, taxonomy) = (one(&company.orgs, &mut self.dice), one(&company.taxonomies, &mut self.dice));
                (format!("&org={org}&taxonomy={taxonomy}"), 8_500)
            }
        };
        let pages = (subject.activities / share / SIZE).clamp(1, HIGHEST);
        format!("/v1/activity?page={}&pageSize={SIZE}{filter}", 1 + self.dice.below(pages))
    }

    fn ask(&mut self, path: &str) -> Result<()> {
        self.credentials.get(path, "", &mut self.request);
        let status = self.client.exchange(&self.request, |_| {})?;
        ensure!(status == 200, "{path} was answered {status}");
        Ok(())
    }

    /// Follows links from some pages.
    fn follow(&mut self, subject: &Subject, company: &Company) -> Result<Vec<Duration>> {
        let mut times = Vec::new();
        for at in 0..STARTS {
            let start = self.some_page(subject, company, at);
            self.ask(&start)?;
            for _ in 0..FOLLOWED {
                let Some(next) = self.client.header("link").and_then(next) else { break };
                let begin = Instant::now();
                self.ask(&next)?;
                times.push(begin.elapsed());
            }
        }
        times.first().context("not there: no answer has a link to the next page")?;
        Ok(times)
    }
}

/// The path behind the base address of `<http://host/api/v1/activity?...>; rel="next"`.
fn next(link: &str) -> Option<String> {
    let one = link.split(", <").find(|one| one.contains("rel=\"next\"") || one.contains("rel=next"))?;
    let address = one.trim_start_matches('<').split('>').next()?;
    address.find("/v1/").map(|at| address[at..].to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_page_is_found_among_links() {
        let links =
            "<http://a/api/v1/activity?before=1>; rel=\"prev\", <http://a/api/v1/activity?after=2&x=,>; rel=\"next\"";
        assert_eq!(next(links).as_deref(), Some("/v1/activity?after=2&x=,"));
        assert_eq!(next("</api/v1/activity?after=2>; rel=\"next\"").as_deref(), Some("/v1/activity?after=2"));
        assert_eq!(next("<http://a/api/v1/activity?before=1>; rel=\"prev\""), None);
    }
}
