//! Numbers that look random and are the same in every run.

/// A small generator (`SplitMix64`).
#[derive(Clone, Debug)]
pub(crate) struct Dice(u64);

impl Dice {
    /// The generator of a seed.
    pub(crate) const fn of(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 bits.
    pub(crate) const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below the bound, which is at least 1.
    pub(crate) const fn below(&mut self, bound: u32) -> u32 {
        // The remainder fits, because the bound does.
        #[expect(clippy::cast_possible_truncation, reason = "below a bound of 32 bits")]
        let number = (self.next() % bound as u64) as u32;
        number
    }

    /// So many bytes.
    pub(crate) fn bytes<const N: usize>(&mut self) -> [u8; N] {
        let mut bytes = [0; N];
        for part in bytes.chunks_mut(8) {
            part.copy_from_slice(&self.next().to_le_bytes()[..part.len()]);
        }
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_of_a_seed_are_those_of_split_mix() {
        let mut dice = Dice::of(1_234_567);
        let numbers = [dice.next(), dice.next(), dice.next()];
        assert_eq!(numbers, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
    }

    #[test]
    fn two_generators_of_a_seed_agree_and_two_seeds_differ() {
        let numbers = |seed| {
            std::iter::repeat_with({
                let mut dice = Dice::of(seed);
                move || dice.below(1_000)
            })
            .take(100)
            .collect::<Vec<_>>()
        };
        assert_eq!(numbers(1), numbers(1));
        assert_ne!(numbers(1), numbers(2));
    }

    #[test]
    fn a_number_is_below_its_bound() {
        let mut dice = Dice::of(7);
        assert!((0..1_000).all(|_| dice.below(3) < 3));
        assert_eq!(dice.below(1), 0);
    }
}
