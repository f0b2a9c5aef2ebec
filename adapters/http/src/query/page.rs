//! Which page of a list is asked for.

use ports::repo::Page;

use super::Query;
use crate::request_part::Parameter;
use crate::schema::Kind;

/// The largest page, in records.
pub(crate) const MAX_SIZE: u32 = 1000;
/// The last page that can be asked for.
const MAX_NUMBER: u32 = i32::MAX.cast_unsigned();

/// The parameters that choose a page.
pub(crate) const PAGING: [Parameter; 2] = [
    Parameter::query("page", Kind::Integer(1, i32::MAX as i64), "The number of the page, from 1."),
    Parameter::query("pageSize", Kind::Integer(1, MAX_SIZE as i64), "How many records a page holds; 100 unless given."),
];

/// The parameters of a collection: which record of another system, which page.
pub(crate) fn listing() -> Vec<Parameter> {
    let sync_id = Parameter::query("syncId", Kind::Text(1, 255), "Only the record that another system calls so.");
    [sync_id].into_iter().chain(PAGING).collect()
}

impl Query {
    /// The page asked for, the first 100 records unless another is asked for.
    pub(crate) fn page(&mut self) -> Page {
        self.find_page().unwrap_or(Page::FIRST)
    }

    /// The page asked for, if one is.
    pub(crate) fn find_page(&mut self) -> Option<Page> {
        let asked = self.has("page") || self.has("pageSize");
        let number = self.read("page", |text| whole(text, MAX_NUMBER));
        let size = self.read("pageSize", size);
        asked.then(|| Page { number: number.unwrap_or(1), size: size.unwrap_or(Page::FIRST.size) })
    }
}

/// How many records are asked for at once.
pub(crate) fn size(text: &str) -> Result<u32, String> {
    whole(text, MAX_SIZE)
}

fn whole(text: &str, most: u32) -> Result<u32, String> {
    let digits = text.bytes().all(|b| b.is_ascii_digit());
    text.parse()
        .ok()
        .filter(|number| digits && (1..=most).contains(number))
        .ok_or_else(|| format!("is not a whole number from 1 to {most}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(query: &str) -> Result<Page, String> {
        let mut query = Query::parse(query);
        let page = query.page();
        query.into_faults().into_result().map(|()| page).map_err(|faults| faults.to_string())
    }

    #[test]
    fn the_default_is_the_first_hundred() {
        assert_eq!(page(""), Ok(Page { number: 1, size: 100 }));
        assert_eq!(page("page=3"), Ok(Page { number: 3, size: 100 }));
        assert_eq!(page("pageSize=1000&page=1"), Ok(Page { number: 1, size: 1000 }));
    }

    #[test]
    fn what_is_no_page_is_refused() {
        for query in
            ["page=0", "page=-1", "page=+1", "page=1.0", "page=", "page=2147483648", "pageSize=0", "pageSize=1001"]
        {
            assert!(page(query).is_err(), "{query}");
        }
        assert_eq!(page("page=0&pageSize=x").unwrap_err().matches("whole number").count(), 2);
    }
}
