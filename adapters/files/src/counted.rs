//! Words behind a number.

/// The number with the words for one of them, or for several.
#[must_use]
pub fn counted(count: u64, one: &str, several: &str) -> String {
    let words = if count == 1 { one } else { several };
    format!("{count} {words}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_one_is_in_the_singular() {
        let told = [0, 1, 2].map(|count| counted(count, "company is", "companies are"));
        assert_eq!(told, ["0 companies are", "1 company is", "2 companies are"]);
    }
}
