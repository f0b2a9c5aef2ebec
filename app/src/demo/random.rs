//! Random numbers that are the same every time: splitmix64 with words as its seed, in whole numbers alone.

/// What the generator's state grows by: 2^64 over the golden ratio (Steele, Lea and Flood, 2014).
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// A generator of numbers.
#[derive(Clone, Debug)]
pub(super) struct Random(u64);

impl Random {
    /// The generator of those words: other words, other numbers (FNV-1a).
    pub(super) fn of(words: &[&str]) -> Self {
        let bytes = words.iter().flat_map(|word| word.bytes().chain([0]));
        Self(bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(STEP);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number from `low` to below `low + width`; `low` where there is no width.
    pub(super) fn between(&mut self, low: i64, width: u32) -> i64 {
        let offset = (u128::from(self.next()) * u128::from(width)) >> 64;
        // Below a u32's width, so nothing is lost.
        low.saturating_add(i64::try_from(offset).unwrap_or_default())
    }

    /// One of the items.
    pub(super) fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        let width = u32::try_from(items.len()).unwrap_or(u32::MAX);
        usize::try_from(self.between(0, width)).ok().and_then(|index| items.get(index))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_those_of_splitmix64() {
        let mut random = Random(1_234_567);
        assert_eq!([random.next(), random.next()], [6_457_827_717_110_365_317, 3_203_168_211_198_807_973]);
    }

    #[test]
    fn numbers_stay_in_their_range_and_depend_on_the_words() {
        let draw = |words: &[&str]| {
            let mut random = Random::of(words);
            (0..100).map(|_| random.between(-5, 10)).collect::<Vec<_>>()
        };
        assert!(draw(&["a", "b"]).iter().all(|number| (-5..5).contains(number)));
        assert_eq!(draw(&["a", "b"]), draw(&["a", "b"]));
        assert_ne!(draw(&["a", "b"]), draw(&["ab"]));
    }
}
