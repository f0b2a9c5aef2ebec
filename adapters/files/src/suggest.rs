//! Suggestions for words that are not known: the known one that comes closest.

/// Longer words get no suggestion.
const LONGEST: usize = 64;

/// The candidate that `word` comes closest to, if it is close: a letter or two wrong, or the case.
#[must_use]
pub fn suggestion<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = folded(word)?;
    let allowed = (word.len() / 3).clamp(1, 3);
    let distances =
        candidates.into_iter().filter_map(|candidate| Some((distance(&word, &folded(candidate)?), candidate)));
    distances.filter(|(distance, _)| *distance <= allowed).min_by_key(|(distance, _)| *distance).map(|(_, near)| near)
}

/// `; did you mean X?`, or nothing.
#[must_use]
pub fn did_you_mean<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> String {
    suggestion(word, candidates).map(|near| format!("; did you mean {near}?")).unwrap_or_default()
}

fn folded(word: &str) -> Option<Vec<char>> {
    let letters: Vec<char> =
        word.chars().flat_map(char::to_lowercase).filter(|c| !matches!(c, '_' | '-' | ' ')).take(LONGEST + 1).collect();
    (letters.len() <= LONGEST).then_some(letters)
}

/// How many letters must be put in, taken out, replaced or swapped with their neighbour.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, to) in b.iter().enumerate() {
            let mut best = (above[j] + usize::from(from != to)).min(above[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && a[i - 1] == *to && b[j - 1] == *from {
                best = best.min(before[j - 1] + 1);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut above, row);
    }
    above[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_word_is_suggested_and_a_far_one_is_not() {
        let known = ["startDate", "endDate", "quantity", "unit"];
        assert_eq!(suggestion("startdate", known), Some("startDate"));
        assert_eq!(suggestion("start_date", known), Some("startDate"));
        assert_eq!(suggestion("qauntity", known), Some("quantity"));
        assert_eq!(suggestion("units", known), Some("unit"));
        assert_eq!(suggestion("colour", known), None);
        assert_eq!(suggestion("", known), None);
    }
}
