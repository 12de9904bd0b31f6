//! Texts laid back to back, so that no work is done on padding.

use std::ops::Range;

/// About as many tokens as keep a core's matrix kernels busy and its scratch in the cache.
const TOKENS: usize = 512;

/// Pieces in rows. The first halves of all pieces lie in the upper half of the pack and the second halves, in the same order, in the lower: a row
/// and the one half the pack below it are of the same piece, or the lower one is empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pack {
    /// A token and its place in its piece.
    pub rows: Vec<Option<(u32, usize)>>,
    pub pieces: Vec<Piece>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    pub number: usize,
    /// Where its tokens lie, one run after the other.
    pub runs: [Range<usize>; 2],
}

impl Pack {
    fn of(numbers: &[usize], pieces: &[Vec<u32>]) -> Self {
        let half: usize = numbers.iter().map(|&number| pieces[number].len().div_ceil(2)).sum();
        let mut pack = Self { rows: vec![None; 2 * half], pieces: Vec::with_capacity(numbers.len()) };
        let mut first = 0;
        for &number in numbers {
            let ids = &pieces[number];
            let upper = ids.len().div_ceil(2);
            let runs = [first..first + upper, half + first..half + first + (ids.len() - upper)];
            for (position, (row, id)) in runs.iter().cloned().flatten().zip(ids).enumerate() {
                pack.rows[row] = Some((*id, position));
            }
            pack.pieces.push(Piece { number, runs });
            first += upper;
        }
        pack
    }
}

/// Every piece in one pack, longest first: the last packs are small, so that no core waits long for another.
pub fn packs(pieces: &[Vec<u32>]) -> Vec<Pack> {
    let mut order: Vec<usize> = (0..pieces.len()).collect();
    order.sort_by_key(|&piece| (std::cmp::Reverse(pieces[piece].len()), piece));
    let mut packs = Vec::new();
    let (mut open, mut tokens) = (Vec::new(), 0);
    for piece in order {
        let more = pieces[piece].len();
        if tokens + more > TOKENS && !open.is_empty() {
            packs.push(Pack::of(&open, pieces));
            (open, tokens) = (Vec::new(), 0);
        }
        open.push(piece);
        tokens += more;
    }
    if !open.is_empty() {
        packs.push(Pack::of(&open, pieces));
    }
    packs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_piece_is_in_one_pack_with_its_halves_on_a_level_and_no_pack_is_too_long() {
        let pieces: Vec<Vec<u32>> = (0..100).map(|n| (0..(n * 37) % 257).map(|id| id * 100 + n).collect()).collect();
        let mut found: Vec<usize> = Vec::new();
        for pack in packs(&pieces) {
            assert!(pack.rows.iter().flatten().count() <= TOKENS);
            for Piece { number, runs } in &pack.pieces {
                let rows = runs.iter().cloned().flatten().map(|row| pack.rows[row].unwrap());
                let ids = rows.enumerate().map(|(place, (id, position))| {
                    assert_eq!(place, position);
                    id
                });
                assert_eq!(ids.collect::<Vec<_>>(), pieces[*number]);
                assert_eq!(runs[1].start, pack.rows.len() / 2 + runs[0].start);
                found.push(*number);
            }
        }
        found.sort_unstable();
        assert_eq!(found, (0..100).collect::<Vec<_>>());
    }
}
