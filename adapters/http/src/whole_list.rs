//! A list that is read whole, one page after the other, while its items may come and go.

use std::collections::HashSet;
use std::hash::Hash;

use ports::inbound::Error;
use ports::repo::{Listing, Page};

use crate::problem::{Kind as Problems, Problem};
use crate::query::MAX_SIZE;

/// The most items that are read.
const MOST_ROWS: u64 = 100_000;
/// How often all items are read before they are said to change too fast.
const READINGS: u32 = 5;

/// All items, each once. One that comes meanwhile moves others to a later page, where they are seen again. One that goes moves
/// others to an earlier page, behind which they are not seen: several pages have all where another reading finds every item of
/// the one before it. A problem where there are too many of them, or where they change too fast.
pub(crate) async fn whole_list<V, K, F>(key: impl Fn(&V) -> K, read: impl Fn(Page) -> F) -> Result<Vec<V>, Problem>
where
    K: Eq + Hash,
    F: Future<Output = Result<Listing<V>, Error>>,
{
    let mut before: Option<HashSet<K>> = None;
    for _ in 0..READINGS {
        let Reading { items, keys, pages } = once(&key, &read).await?;
        if pages == 1 || before.is_some_and(|before| before.is_subset(&keys)) {
            return Ok(items);
        }
        before = Some(keys);
    }
    Err(Problem::busy("the records changed faster than they were read"))
}

/// The items of all pages, as one page after the other was read.
struct Reading<V, K> {
    items: Vec<V>,
    keys: HashSet<K>,
    pages: u32,
}

async fn once<V, K, F>(key: &impl Fn(&V) -> K, read: &impl Fn(Page) -> F) -> Result<Reading<V, K>, Problem>
where
    K: Eq + Hash,
    F: Future<Output = Result<Listing<V>, Error>>,
{
    let (mut items, mut keys, mut number) = (Vec::new(), HashSet::new(), 1);
    loop {
        let Listing { count, data, .. } = read(Page { number, size: MAX_SIZE }).await?;
        if count > MOST_ROWS {
            let detail = format!("There are {count} of them, more than {MOST_ROWS}: ask page by page.");
            return Err(Problem::new(Problems::Invalid, detail));
        }
        let is_last = data.len() < MAX_SIZE as usize;
        items.extend(data.into_iter().filter(|item| keys.insert(key(item))));
        if is_last {
            return Ok(Reading { items, keys, pages: number });
        }
        number += 1;
    }
}

#[cfg(test)]
mod tests {
    use std::cell::{Cell, RefCell};
    use std::future::ready;

    use super::*;

    /// All of 2,500 numbers that are changed so before the second page of those readings is read.
    async fn read(is_changed: impl Fn(u32) -> bool, change: impl Fn(&mut Vec<u32>)) -> Result<Vec<u32>, Problem> {
        let (numbers, reading) = (RefCell::new((0..2_500).collect::<Vec<u32>>()), Cell::new(0));
        let page = |page: Page| {
            if page.number == 2 {
                reading.set(reading.get() + 1);
                if is_changed(reading.get()) {
                    change(&mut numbers.borrow_mut());
                }
            }
            let (numbers, offset) = (numbers.borrow(), usize::try_from(page.offset()).unwrap());
            let data = numbers.iter().copied().skip(offset).take(page.size as usize).collect();
            ready(Ok(Listing { count: numbers.len() as u64, page, data }))
        };
        whole_list(|number| *number, page).await
    }

    fn first_goes(numbers: &mut Vec<u32>) {
        numbers.remove(0);
    }

    #[tokio::test]
    async fn what_goes_between_two_pages_leaves_no_other_out() {
        let found = read(|reading| reading == 1, first_goes).await.unwrap();
        assert_eq!(found, (1..2_500).collect::<Vec<_>>());
    }

    #[tokio::test]
    async fn what_comes_between_two_pages_at_each_reading_leaves_the_others_there_once() {
        let another_comes = |numbers: &mut Vec<u32>| {
            let number = u32::try_from(numbers.len()).unwrap();
            numbers.insert(0, number);
        };
        let mut found = read(|_| true, another_comes).await.unwrap();
        found.retain(|number| *number < 2_500);
        assert_eq!(found, (0..2_500).collect::<Vec<_>>());
    }

    #[tokio::test]
    async fn a_list_of_which_something_goes_at_each_reading_is_refused_and_not_given_in_part() {
        let refused = read(|_| true, first_goes).await;
        assert_eq!(refused.map_err(|problem| problem.kind()), Err(Problems::Busy));
    }
}
