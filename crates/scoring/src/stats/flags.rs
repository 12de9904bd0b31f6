//! Yes-or-no columns, counted 128 at a time.

/// One bit per column, a row of words per family: most outcomes are right or wrong, and a whole league table of them fits
/// into one word.
#[derive(Debug, Default)]
pub(super) struct Flags {
    /// By block of 128 columns, then by family.
    blocks: Vec<Vec<Word>>,
    columns: usize,
}

/// As wide as the registers every processor of the last twenty years has.
type Word = [u64; 2];
const BITS: usize = 128;

impl Flags {
    /// The place of this column; that of its equal if there is one.
    pub fn place(&mut self, column: impl Iterator<Item = bool> + Clone) -> usize {
        let equal = |place: &usize| self.column(*place).eq(column.clone());
        if let Some(place) = (0..self.columns).find(equal) {
            return place;
        }
        let place = self.columns;
        if place.is_multiple_of(BITS) {
            self.blocks.push(vec![[0; 2]; column.clone().count()]);
        }
        for (word, flag) in self.blocks[place / BITS].iter_mut().zip(column) {
            word[place % BITS / 64] |= u64::from(flag) << (place % 64);
        }
        self.columns += 1;
        place
    }

    /// For each column, how many of the drawn families have the flag.
    pub fn counts(&self, drawn: &[u32]) -> Vec<u32> {
        let of_block = |words: &Vec<Word>| Counters::over(words, drawn).counts();
        self.blocks.iter().flat_map(of_block).collect()
    }

    fn column(&self, place: usize) -> impl Iterator<Item = bool> {
        let words = self.blocks[place / BITS].iter();
        words.map(move |word| bit(word, place % BITS) == 1)
    }
}

/// 128 counters side by side: bit c of plane b is bit b of counter c. Adding a word to all of them is a few logical
/// operations (the carry-save adders of Muła, Kurz and Lemire, "Faster population counts using AVX2 instructions", 2018,
/// turned sideways to count by position).
struct Counters {
    planes: [Word; 32],
    /// Planes in use: enough for the number of words.
    used: usize,
}

impl Counters {
    fn over(words: &[Word], drawn: &[u32]) -> Self {
        let used = (usize::BITS - drawn.len().leading_zeros()) as usize;
        let mut counters = Self { planes: [[0; 2]; 32], used };
        let (sixteens, left) = drawn.as_chunks::<16>();
        for families in sixteens {
            let mut sixteen = [[0; 2]; 16];
            for (word, family) in sixteen.iter_mut().zip(families) {
                *word = words[*family as usize];
            }
            counters.add_sixteen(&sixteen);
        }
        for family in left {
            counters.carry(words[*family as usize], 0);
        }
        counters
    }

    fn add_sixteen(&mut self, words: &[Word; 16]) {
        let [ones, twos, fours, eights, ..] = &mut self.planes;
        let mut eight = |w: &[Word]| {
            let two = [add(ones, w[0], w[1]), add(ones, w[2], w[3]), add(ones, w[4], w[5]), add(ones, w[6], w[7])];
            let four = [add(twos, two[0], two[1]), add(twos, two[2], two[3])];
            add(fours, four[0], four[1])
        };
        let eight = [eight(&words[..8]), eight(&words[8..])];
        let sixteen = add(eights, eight[0], eight[1]);
        self.carry(sixteen, 4);
    }

    // Without leaving early when nothing is left to carry: guessing when that happens costs more than it saves.
    fn carry(&mut self, mut word: Word, plane: usize) {
        for plane in &mut self.planes[plane..self.used] {
            (*plane, word) = (xor(*plane, word), and(*plane, word));
        }
    }

    fn counts(&self) -> [u32; BITS] {
        std::array::from_fn(|counter| {
            let bits = self.planes[..self.used].iter().enumerate();
            bits.map(|(place, plane)| bit(plane, counter) << place).sum()
        })
    }
}

/// Adds two words to a plane and returns what is carried to the next.
fn add(plane: &mut Word, a: Word, b: Word) -> Word {
    let one = xor(*plane, a);
    // Both terms are never set together, so exclusive or is or.
    let carry = xor(and(*plane, a), and(one, b));
    *plane = xor(one, b);
    carry
}

fn xor(a: Word, b: Word) -> Word {
    [a[0] ^ b[0], a[1] ^ b[1]]
}

fn and(a: Word, b: Word) -> Word {
    [a[0] & b[0], a[1] & b[1]]
}

fn bit(word: &Word, place: usize) -> u32 {
    (word[place / 64] >> (place % 64) & 1) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn counting_side_by_side_is_counting(
            rows in prop::collection::vec(prop::collection::vec(any::<bool>(), 140), 1..40),
            drawn in prop::collection::vec(any::<prop::sample::Index>(), 0..200),
        ) {
            let drawn: Vec<u32> = drawn.iter().map(|index| index.index(rows.len()) as u32).collect();
            let mut flags = Flags::default();
            for column in 0..140 {
                let place = flags.place(rows.iter().map(|row| row[column]));
                let expected = drawn.iter().filter(|family| rows[**family as usize][column]).count();
                prop_assert_eq!(flags.counts(&drawn)[place] as usize, expected);
            }
        }
    }

    #[test]
    fn equal_columns_share_a_place() {
        let mut flags = Flags::default();
        let first = flags.place([true, false].into_iter());
        assert_eq!(flags.place([true, false].into_iter()), first);
        let second = flags.place([false, true].into_iter());
        assert_ne!(second, first);
        assert_eq!(flags.place([false, true].into_iter()), second);
    }
}
