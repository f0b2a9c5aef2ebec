//! Inputs made from others: pieces taken out, doubled, exchanged, or from a dictionary.

/// Numbers that look random and are the same for the same seed (`SplitMix64`).
pub(super) struct Dice(pub(super) u64);

impl Dice {
    const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below the bound; 0 where there is none.
    fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % bound.max(1) as u64).unwrap()
    }

    /// A length below 256, more often a small one.
    fn length(&mut self) -> usize {
        let bits = self.below(9);
        self.below(1 << bits)
    }

    fn byte(&mut self) -> u8 {
        // Printed ones more often: they are what is read further.
        const LIKELY: &[u8] = b"0123456789-+.,:;eEtTzZ{}[]\"'\\/ \n\r\t%&=_aA";
        if self.below(4) == 0 { self.next().to_le_bytes()[0] } else { LIKELY[self.below(LIKELY.len())] }
    }
}

/// An input made from one of the pool by up to eight changes.
pub(super) fn mutated(pool: &[Vec<u8>], dictionary: &[&str], most_bytes: usize, dice: &mut Dice) -> Vec<u8> {
    let mut input = pool.get(dice.below(pool.len())).cloned().unwrap_or_default();
    for _ in 0..=dice.below(8) {
        let at = dice.below(input.len() + 1);
        let end = (at + dice.length()).min(input.len());
        match dice.below(8) {
            0 => drop(input.drain(at..end)),
            1 if at < input.len() => input[at] = dice.byte(),
            2 => input.insert(at, dice.byte()),
            3 if at < input.len() => input[at] ^= 1 << dice.below(8),
            4 => {
                let piece = input[at..end].to_vec();
                let copies = 1 << dice.below(6);
                let place = dice.below(input.len() + 1);
                input.splice(place..place, piece.repeat(copies));
            }
            5 => {
                let other = &pool[dice.below(pool.len())];
                let from = dice.below(other.len() + 1);
                let to = (from + dice.length()).min(other.len());
                input.splice(at..end, other[from..to].iter().copied());
            }
            6 | 7 if !dictionary.is_empty() => {
                let word = dictionary[dice.below(dictionary.len())];
                let end = if dice.below(2) == 0 { at } else { end };
                input.splice(at..end, word.bytes());
            }
            _ => input.truncate(at),
        }
        input.truncate(most_bytes);
    }
    input
}
