//! Prefix codes: frequent symbols get short codes.
//!
//! A [`Code`] is a *canonical* Huffman code: the lengths of its codes determine it. Codes of one
//! length are consecutive numbers in the order of their symbols, and shorter codes come first. The
//! first bit of a code is its highest bit.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The length of the longest code. It is enough for the largest alphabet, which has 2⁷ symbols, and
/// it keeps the decoders of all values in the processor's first-level cache.
pub(super) const LONGEST: u32 = 8;

/// The code of each symbol.
#[derive(Clone, Debug)]
pub(super) struct Code {
    lengths: Vec<u8>,
    codes: Vec<u16>,
}

impl Code {
    /// The best code for symbols with these counts. A symbol with the count 0 gets no code.
    pub(super) fn for_counts(counts: &[u64]) -> Self {
        let mut counts = counts.to_vec();
        loop {
            let lengths = huffman_lengths(&counts);
            if lengths.iter().all(|&length| u32::from(length) <= LONGEST) {
                return Self::with_lengths(lengths).expect("Huffman's lengths belong to a code");
            }
            // This makes the counts more alike, so the longest codes become shorter. In the end all
            // counts are equal.
            for count in counts.iter_mut().filter(|count| **count > 0) {
                *count = *count / 2 + 1;
            }
        }
    }

    /// The code with these lengths, where 0 means that a symbol has no code. `None` if there is no
    /// such code, or if it would leave some bits without meaning. A single symbol has the code `0`.
    pub(super) fn with_lengths(lengths: Vec<u8>) -> Option<Self> {
        if lengths.iter().any(|&length| u32::from(length) > LONGEST) {
            return None;
        }
        let used: u32 = lengths.iter().filter(|&&length| length > 0).map(|&length| 1 << (LONGEST - u32::from(length))).sum();
        let symbols = lengths.iter().filter(|&&length| length > 0).count();
        let complete = match symbols {
            0 => true,
            1 => used == 1 << (LONGEST - 1),
            _ => used == 1 << LONGEST,
        };
        let mut codes = vec![0; lengths.len()];
        let mut next = 0_u16;
        for length in 1..=LONGEST as u8 {
            for symbol in (0..lengths.len()).filter(|&symbol| lengths[symbol] == length) {
                codes[symbol] = next;
                next += 1;
            }
            next <<= 1;
        }
        complete.then_some(Self { lengths, codes })
    }

    pub(super) fn lengths(&self) -> &[u8] {
        &self.lengths
    }

    /// The code of a symbol, with its first bit highest, and its length.
    pub(super) fn code(&self, symbol: usize) -> (u64, u32) {
        (self.codes[symbol].into(), self.lengths[symbol].into())
    }

    /// A table that decodes the symbol at the beginning of the next [`LONGEST`] bits. Its index is
    /// the number that these bits form; `first` says which bit of that number comes first.
    pub(super) fn decoder(&self, first: First) -> [Decoded; 1 << LONGEST] {
        let mut decoder = [Decoded { symbol: 0, length: 0 }; 1 << LONGEST];
        for (symbol, (&code, &length)) in self.codes.iter().zip(&self.lengths).enumerate().filter(|(_, (_, length))| **length > 0)
        {
            let rest = LONGEST - u32::from(length);
            for tail in 0..1_u32 << rest {
                let bits = u32::from(code) << rest | tail;
                let index = match first {
                    First::High => bits,
                    First::Low => bits.reverse_bits() >> (u32::BITS - LONGEST),
                };
                decoder[index as usize] = Decoded { symbol: symbol as u8, length };
            }
        }
        decoder
    }
}

/// Which bit of a number comes first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum First {
    High,
    Low,
}

/// A symbol and the length of its code. The length is 0 if no symbol has this code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Decoded {
    pub(super) symbol: u8,
    pub(super) length: u8,
}

/// The length of each symbol's code in Huffman's tree, which joins the two rarest trees until one
/// is left. Of equally rare trees the oldest is joined first, so that the same counts always give
/// the same lengths.
fn huffman_lengths(counts: &[u64]) -> Vec<u8> {
    let mut lengths = vec![0; counts.len()];
    let mut trees: Vec<Vec<usize>> = Vec::new();
    let mut rarest = BinaryHeap::new();
    for (symbol, &count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
        rarest.push(Reverse((count, trees.len())));
        trees.push(vec![symbol]);
    }
    if let [only] = &trees[..] {
        lengths[only[0]] = 1;
    }
    while let (Some(Reverse((a, left))), Some(Reverse((b, right)))) = (rarest.pop(), rarest.pop()) {
        let joined: Vec<usize> = trees[left].iter().chain(&trees[right]).copied().collect();
        for &symbol in &joined {
            lengths[symbol] += 1;
        }
        rarest.push(Reverse((a + b, trees.len())));
        trees.push(joined);
    }
    lengths
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn lengths_that_are_no_code_are_refused() {
        for lengths in [vec![1, 1, 1], vec![1, 2], vec![2], vec![9, 1], vec![255, 1, 1]] {
            assert!(Code::with_lengths(lengths.clone()).is_none(), "{lengths:?}");
        }
    }

    proptest! {
        /// Every symbol can be decoded in both directions, and no code is too long, however uneven
        /// the counts are.
        #[test]
        fn codes_come_back(
            counts in prop::collection::vec(prop_oneof![Just(0_u64), (0..50_u32).prop_map(|bits| 1 << bits)], 1..128)
        ) {
            let code = Code::for_counts(&counts);
            prop_assert_eq!(Code::with_lengths(code.lengths().to_vec()).map(|same| same.codes), Some(code.codes.clone()));
            let (high, low) = (code.decoder(First::High), code.decoder(First::Low));
            for symbol in (0..counts.len()).filter(|&symbol| counts[symbol] > 0) {
                let (bits, length) = code.code(symbol);
                let found = Decoded { symbol: symbol as u8, length: length as u8 };
                prop_assert_eq!(high[(bits << (LONGEST - length)) as usize], found);
                prop_assert_eq!(low[(bits.reverse_bits() >> (64 - length)) as usize], found);
            }
        }
    }
}
