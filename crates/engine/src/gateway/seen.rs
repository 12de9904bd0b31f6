//! Which replies may be in the store. What is certainly not there need not be looked up, and in a new run that is nearly everything.

use super::cache::ReplyKey;
use std::sync::atomic::{AtomicU64, Ordering};

/// A Bloom filter (1970). It may say yes to a key it never met, never no to one it did. Its size is fixed, whatever the run's.
pub(super) struct Seen(Box<[AtomicU64]>);

/// 2 MB. With a million replies one in five hundred others is looked up in vain; with ten million it is two of three, which costs time and
/// nothing else.
const BITS: usize = 1 << 24;

impl Seen {
    pub fn none() -> Self {
        Self((0..BITS / 64).map(|_| AtomicU64::new(0)).collect())
    }

    pub fn add(&self, key: &ReplyKey) {
        for (word, bit) in places(key) {
            self.0[word].fetch_or(bit, Ordering::Relaxed);
        }
    }

    pub fn may_have(&self, key: &ReplyKey) -> bool {
        places(key).all(|(word, bit)| self.0[word].load(Ordering::Relaxed) & bit != 0)
    }
}

/// A key is a hash already: four of its eight words will do.
fn places(key: &ReplyKey) -> impl Iterator<Item = (usize, u64)> {
    let (words, _) = key.bytes().as_chunks::<4>();
    words.iter().take(4).map(|word| {
        let place = u32::from_le_bytes(*word) as usize % BITS;
        (place / 64, 1 << (place % 64))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use waterjar_core::ChatRequest;

    fn key(n: u32) -> ReplyKey {
        ReplyKey::of(&"m".into(), "", &ChatRequest { repeat: n, ..ChatRequest::default() }).unwrap()
    }

    #[test]
    fn what_was_met_is_known_and_hardly_anything_else() {
        let seen = Seen::none();
        for n in 0..20_000 {
            seen.add(&key(n));
        }
        assert!((0..20_000).all(|n| seen.may_have(&key(n))));
        let mistaken = (20_000..40_000).filter(|n| seen.may_have(&key(*n))).count();
        assert!(mistaken < 10, "{mistaken}");
    }
}
