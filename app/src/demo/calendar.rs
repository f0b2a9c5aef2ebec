//! When things happen: bills by month, deliveries by day, surveys by year.

use domain::Day;
use files::english_month;

use super::random::Random;

/// 2023-01-01 and 2025-12-31 by their day numbers.
const FIRST: i32 = 2_459_946;
const LAST: i32 = 2_461_041;

/// Days from 15 November to 14 February.
const WINTER: i32 = 91;

/// How often something happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rhythm {
    /// Every month, over all of it.
    Monthly,
    /// Every quarter, over all of it.
    Quarterly,
    /// Every year, over all of it.
    Yearly,
    /// Every winter, from 15 November to 14 February.
    Winterly,
    /// Every week, on Tuesday.
    Weekly,
    /// Every Monday to Friday.
    Workdays,
    /// So many times a month, each on any day of it.
    Times(u8),
}

/// One time that something happens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Slot {
    pub(super) first: Day,
    /// The last day, where it is not over on the first.
    pub(super) last: Option<Day>,
    /// The days in words, where there are several.
    pub(super) label: String,
    /// What tells it from the others of its rhythm.
    pub(super) tag: String,
}

/// Every time that it happens, in order.
pub(super) fn slots(rhythm: Rhythm, random: &mut Random) -> Vec<Slot> {
    match rhythm {
        Rhythm::Monthly => spans(is_month_start).map(|span| named(span, month_name, "")).collect(),
        Rhythm::Quarterly => spans(is_quarter_start).map(|span| named(span, quarter_name, "q")).collect(),
        Rhythm::Yearly => spans(is_year_start).map(|span| named(span, year_name, "y")).collect(),
        Rhythm::Winterly => winters(),
        Rhythm::Weekly => days().filter(|day| weekday(*day) == 1).map(single).collect(),
        Rhythm::Workdays => days().filter(|day| weekday(*day) < 5).map(single).collect(),
        Rhythm::Times(count) => spans(is_month_start).flat_map(|span| scattered(span, count, random)).collect(),
    }
}

fn days() -> impl Iterator<Item = Day> {
    (FIRST..=LAST).filter_map(Day::from_number)
}

/// 0 is Monday, as day 0 of the count was one.
fn weekday(day: Day) -> i32 {
    day.number().rem_euclid(7)
}

fn is_month_start(day: Day) -> bool {
    day.calendar().2 == 1
}

fn is_quarter_start(day: Day) -> bool {
    matches!(day.calendar(), (_, 1 | 4 | 7 | 10, 1))
}

fn is_year_start(day: Day) -> bool {
    matches!(day.calendar(), (_, 1, 1))
}

/// The spans that begin on those days, each lasting until the next begins.
fn spans(begins: fn(Day) -> bool) -> impl Iterator<Item = (Day, Day)> {
    let firsts: Vec<Day> = days().filter(|day| begins(*day)).collect();
    let lasts: Vec<Day> = days().filter(|day| day.number() == LAST || begins(day.next())).collect();
    firsts.into_iter().zip(lasts)
}

fn named((first, last): (Day, Day), name: fn(Day) -> String, letter: &str) -> Slot {
    let (year, month, _) = first.calendar();
    Slot { first, last: Some(last), label: name(first), tag: format!("{letter}{year}-{month:02}") }
}

fn month_name(day: Day) -> String {
    let (year, month, _) = day.calendar();
    format!("{} {year}", english_month(month))
}

fn quarter_name(day: Day) -> String {
    let (year, month, _) = day.calendar();
    format!("quarter {} of {year}", (month - 1) / 3 + 1)
}

fn year_name(day: Day) -> String {
    day.calendar().0.to_string()
}

fn single(day: Day) -> Slot {
    Slot { first: day, last: None, label: String::new(), tag: day.to_string() }
}

/// The winters that begin and end in the three years.
fn winters() -> Vec<Slot> {
    let begins = days().filter(|day| matches!(day.calendar(), (_, 11, 15)) && day.number() + WINTER <= LAST);
    begins
        .map(|first| {
            let year = first.calendar().0;
            let last = Day::from_number(first.number() + WINTER);
            Slot { first, last, label: format!("winter {year}/{}", year + 1), tag: format!("winter-{year}") }
        })
        .collect()
}

fn scattered((first, last): (Day, Day), count: u8, random: &mut Random) -> Vec<Slot> {
    let width = u32::try_from(last.number() - first.number() + 1).unwrap_or(1);
    let mut on: Vec<Day> = (0..count)
        .filter_map(|_| i32::try_from(random.between(first.number().into(), width)).ok())
        .filter_map(Day::from_number)
        .collect();
    on.sort_unstable();
    let (year, month, _) = first.calendar();
    let tag = |index: usize| format!("{year}-{month:02}-no{}", index + 1);
    on.into_iter().enumerate().map(|(index, day)| Slot { tag: tag(index), ..single(day) }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(rhythm: Rhythm) -> Vec<Slot> {
        slots(rhythm, &mut Random::of(&["test"]))
    }

    fn ends(slots: &[Slot]) -> (String, String, usize) {
        let last = slots.last().map(|slot| slot.last.unwrap_or(slot.first)).unwrap();
        (slots[0].first.to_string(), last.to_string(), slots.len())
    }

    #[test]
    fn months_quarters_and_years_cover_three_years() {
        for (rhythm, count) in [(Rhythm::Monthly, 36), (Rhythm::Quarterly, 12), (Rhythm::Yearly, 3)] {
            let slots = of(rhythm);
            assert_eq!(ends(&slots), ("2023-01-01".to_owned(), "2025-12-31".to_owned(), count));
            assert!(slots.windows(2).all(|two| two[0].last.unwrap().next() == two[1].first));
        }
    }

    #[test]
    fn weeks_and_workdays_keep_their_days() {
        assert_eq!(ends(&of(Rhythm::Weekly)), ("2023-01-03".to_owned(), "2025-12-30".to_owned(), 157));
        assert_eq!(ends(&of(Rhythm::Workdays)), ("2023-01-02".to_owned(), "2025-12-31".to_owned(), 783));
    }

    #[test]
    fn winters_cross_the_year() {
        assert_eq!(ends(&of(Rhythm::Winterly)), ("2023-11-15".to_owned(), "2025-02-14".to_owned(), 2));
    }

    #[test]
    fn scattered_days_stay_in_their_month_and_have_tags_of_their_own() {
        let slots = of(Rhythm::Times(4));
        assert_eq!(slots.len(), 144);
        assert!(slots.iter().all(|slot| slot.tag.starts_with(&slot.first.to_string()[..7])));
        let mut tags: Vec<_> = slots.iter().map(|slot| &slot.tag).collect();
        tags.dedup();
        assert_eq!(tags.len(), 144);
    }
}
